// "Where does it come from?": the chain from an element's store back to the arguments, one card for each line of the
// source, its operations behind a fold.

import { h, replace } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";
import { line_element } from "../source_lines.js";

const shown = 40;

export class ExplainView {
  #session;
  #lines;
  #answer;
  #input;
  #open;

  /** `open()`: the drawer shall show this tab. */
  constructor(section, session, lines, open) {
    this.#session = session;
    this.#lines = lines;
    this.#open = open;
    this.#input = h("input", { id: "why-input", "aria-label": "element of an argument", placeholder: "out[3]", spellcheck: "false" });
    this.#answer = h("div", { "aria-live": "polite" });
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); this.ask(); } },
      this.#input, h("button", {}, "Where does it come from?"), h("button", { type: "button", onclick: () => this.ask("who") }, "Who wrote it?"));
    replace(sheet(section), form, this.#answer);
    clear_with_launch(session, this.#answer);
    replace(this.#answer, h("p", { class: "note" }, "Name an element, for example out[0,3]: the steps from its store back to the arguments."));
  }

  focus() {
    this.#open();
    this.#input.focus();
  }

  /** Whatever `make` answers, elements, stands here. */
  async show(make) {
    this.#open();
    replace(this.#answer, h("p", { class: "note" }, "Looking ..."));
    try {
      replace(this.#answer, await make());
    } catch (error) {
      replace(this.#answer, h("p", { class: "note" }, error.message));
    }
    this.#answer.scrollIntoView({ block: "nearest" });
  }

  async ask(question = "why", expression = this.#input.value.trim()) {
    if (!expression) return this.focus();
    this.#open();
    this.#input.value = expression;
    try {
      const body = await this.#session.request(`lockstep/${question}`, { expression, frameId: await this.#session.frame_id() });
      replace(this.#answer, question === "why" ? await this.#why(body) : who(body));
    } catch (error) {
      const { nearest } = error;
      replace(this.#answer, h("p", { class: "note" }, error.message),
        nearest ? h("button", { type: "button", onclick: () => this.ask(question, nearest) }, `The nearest that is: ${nearest}`) : null);
    }
  }

  async #why(body) {
    const cards = lines_of(body.steps).reverse();
    if (!cards.length) return h("p", {}, `Nothing has stored to ${body.target} yet.`);
    const texts = await Promise.all(cards.slice(0, shown).map((one) => this.#lines.text(one.file, one.line)));
    return [
      body.when === "end" && !this.#session.is_over ? h("p", { class: "note" }, "Of the whole launch.") : null,
      h("ol", { class: "cards" }, cards.slice(0, shown).map((one, i) => card(one, texts[i]))),
      cards.length > shown ? h("p", { class: "note" }, `${cards.length - shown} earlier lines are hidden`) : null,
      h("p", {}, "Made from: ", [...body.inputs.map(input_text), ...body.scalars, ...(body.usesProgramId ? ["the program's id"] : [])].join(", ") || "constants"),
    ];
  }
}

/** Steps of one line of one program that follow each other, as one. */
function lines_of(steps) {
  const cards = [];
  for (const step of steps) {
    const last = cards.at(-1);
    if (last && last.program === step.program && last.file === step.file && last.line === step.line) last.steps.push(step);
    else cards.push({ program: step.program, id: step.id, file: step.file, line: step.line, steps: [step] });
  }
  return cards.filter(({ steps: all }) => all.some((one) => !one.isSilent));
}

function card({ id, line, steps }, text) {
  const told = steps.filter((one) => !one.isSilent);
  const last = told.at(-1);
  const origins = [...new Set(told.map((one) => one.origins).filter(Boolean))];
  return h("li", { class: told.some((one) => one.nan) ? "bad" : "" },
    text ? line_element(line, text) : h("p", { class: "at-line" }, line ? `line ${line}` : "no line is known"),
    h("p", { class: "value" }, last.value !== undefined ? value_text(last) : "", h("span", { class: "note" }, ` program (${id.join(", ")})`)),
    origins.map((one) => h("p", { class: "origins" }, h("span", { class: "padding-key", "aria-hidden": "true" }), ` ${one}`)),
    h("details", {}, h("summary", {}, told.length === 1 ? "1 operation" : `${told.length} operations`),
      h("ul", {}, told.toReversed().map((one) => h("li", { class: one.nan ? "bad" : null }, h("b", {}, one.python), one.value !== undefined ? ` = ${value_text(one)}` : "")))));
}

function value_text({ value, lanes }) {
  return `${value}${lanes > 1 ? ` and ${lanes - 1} more lanes` : ""}`;
}

function input_text(input) {
  if (!input.argument) return `${input.bytes} bytes of no argument`;
  const first = `${input.argument}[${input.first.join(",")}]`;
  return input.first.join() === input.last.join() ? first : `${first} to [${input.last.join(",")}]`;
}

function who(body) {
  if (!body.accesses.length) return h("p", {}, `No program has touched ${body.target} yet.`);
  return [
    h("ol", { class: "cards plain" }, body.accesses.slice(0, shown).map((one) => h("li", {},
      h("b", {}, one.kind), ` by program (${one.id.join(", ")})`, one.line ? ` in line ${one.line}` : "",
      one.before !== undefined ? h("p", { class: "value" }, one.after !== undefined ? `${one.before} → ${one.after}` : one.before) : null))),
    body.total > shown ? h("p", { class: "note" }, `${body.total - shown} more`) : null,
  ];
}
