// "Why does this element hold that?": the chain from the store back to the arguments, one card a step.

import { h, panel, replace } from "../dom.js";

const shown = 40;

export class ExplainView {
  #session;
  #body;
  #answer;
  #input;

  constructor(section, session) {
    this.#session = session;
    this.#input = h("input", { id: "why-input", "aria-label": "element of an argument", placeholder: "out[3]", spellcheck: "false" });
    this.#body = panel(section, "Why");
    this.#answer = h("div", { "aria-live": "polite" });
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); this.ask(); } },
      this.#input, h("button", {}, "Why?"), h("button", { type: "button", onclick: () => this.ask("who") }, "Who wrote it?"));
    replace(this.#body, form, this.#answer);
  }

  focus() {
    this.#input.focus();
  }

  /** Whatever `make` answers, elements, stands here. */
  async show(make) {
    replace(this.#answer, h("p", { class: "note" }, "Looking ..."));
    try {
      replace(this.#answer, await make());
    } catch (error) {
      replace(this.#answer, h("p", { class: "note" }, error.message));
    }
    this.#answer.scrollIntoView({ block: "nearest" });
  }

  async ask(question = "why", expression = this.#input.value.trim()) {
    if (!expression) return this.#input.focus();
    this.#input.value = expression;
    try {
      const body = await this.#session.request(`lockstep/${question}`, { expression, frameId: await this.#session.frame_id() });
      replace(this.#answer, question === "why" ? why(body) : who(body));
    } catch (error) {
      replace(this.#answer, h("p", { class: "note" }, error.message));
    }
  }
}

function why(body) {
  const steps = body.steps.slice(-shown).reverse();
  if (!steps.length) return h("p", {}, `Nothing has stored to ${body.target} yet.`);
  return [
    h("ol", { class: "cards" }, steps.map((step) => h("li", { class: step.nan ? "bad" : "" },
      h("b", {}, step.op), step.line ? ` in line ${step.line}` : "", ` of program (${step.id.join(", ")})`,
      step.value !== undefined ? h("p", { class: "value" }, step.value, step.lanes > 1 ? ` and ${step.lanes - 1} more lanes` : "") : null,
      step.origins ? h("p", { class: "origins" }, h("span", { class: "padding-key", "aria-hidden": "true" }), ` ${step.origins}`) : null))),
    body.steps.length > shown ? h("p", { class: "note" }, `${body.steps.length - shown} earlier steps are left out`) : null,
    h("p", {}, "Made from: ", [...body.inputs.map(input_text), ...body.scalars, ...(body.usesProgramId ? ["the program's id"] : [])].join(", ") || "constants"),
  ];
}

function input_text(input) {
  if (!input.argument) return `${input.bytes} bytes of no argument`;
  const first = `${input.argument}[${input.first.join(",")}]`;
  return input.first.join() === input.last.join() ? first : `${first} to [${input.last.join(",")}]`;
}

function who(body) {
  if (!body.accesses.length) return h("p", {}, `Nobody has touched ${body.target} yet.`);
  return [
    h("ol", { class: "cards" }, body.accesses.slice(0, shown).map((one) => h("li", {},
      h("b", {}, one.kind), ` by program (${one.id.join(", ")})`, one.line ? ` in line ${one.line}` : "",
      one.before !== undefined ? h("p", { class: "value" }, one.after !== undefined ? `${one.before} → ${one.after}` : one.before) : null))),
    body.total > shown ? h("p", { class: "note" }, `${body.total - shown} more`) : null,
  ];
}
