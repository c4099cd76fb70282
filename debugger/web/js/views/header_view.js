// The head of the page: the launch as a command to copy, the position in words, the verdict.

import { h, replace } from "../dom.js";
import { copy_text } from "../copying.js";

const plain = /^[\w@%+=:,./-]+$/;

/** Words as a shell takes them. */
export function command_of(args) {
  return ["lockstep", "run", ...args].map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

export class HeaderView {
  #line;
  #position;
  #verdict;
  command = ""; // of the launch; empty: it is not known

  /** `open(tab)`: the drawer shall show it. */
  constructor({ line, position, verdict }, session, open) {
    this.#line = line;
    this.#position = position;
    this.#verdict = verdict;
    verdict.addEventListener("click", () => open(verdict.dataset.tab));
    session.subscribe((state) => this.#update(state));
  }

  /** What is launched: a title, and its command's words where they are known. */
  show(title, args = null) {
    this.command = args ? command_of(args) : "";
    if (!args) return replace(this.#line, title);
    const button = h("button", { type: "button", class: "command", title: "copy the command", onclick: () => this.#copy(button) }, h("code", {}, this.command));
    replace(this.#line, button);
  }

  async #copy(button) {
    const is_copied = await copy_text(this.command);
    button.dataset.said = is_copied ? "copied" : "cannot be copied here";
    setTimeout(() => delete button.dataset.said, 2000);
  }

  #update(state) {
    if (state.status !== "stopped") {
      if (["starting", "none"].includes(state.status)) replace(this.#position);
      this.#verdict.hidden = state.status !== "running" || this.#verdict.hidden;
      return;
    }
    replace(this.#position, position_text(state));
    this.#tell(verdict_of(state));
  }

  #tell({ text, kind, tab }) {
    this.#verdict.hidden = !text;
    this.#verdict.textContent = text;
    this.#verdict.dataset.kind = kind;
    this.#verdict.dataset.tab = tab;
    this.#verdict.title = tab === "results" ? "show the results" : "show the findings";
  }
}

/** "Program (2, 0, 0), line 17, k = 1, the 2nd of 2 iterations, next: tl.load of x". */
export function position_text({ grid, frame, loops, access, reason, isOver }) {
  const focus = grid?.programs.find((one) => one.status === "focus");
  if (!focus) return reason === "end" || isOver ? "End of the launch" : "";
  const parts = [h("b", {}, `Program (${focus.id.join(", ")})`)];
  if (frame?.line) parts.push(`, line ${frame.line}`);
  const loop = loops?.find((one) => one.iteration !== undefined);
  if (loop) parts.push(`, ${loop.text}`);
  if (access?.line === frame?.line && access?.text) parts.push(`, next: ${access.python ?? access.text}${access.argument ? ` of ${access.argument}` : ""}`);
  return parts;
}

const words = { error: "error", warning: "warning", info: "note" };

/** [[tier, how many]] of those that there are, the worst first. */
export function tiers_of(findings) {
  return Object.keys(words).map((tier) => [tier, findings.filter((one) => one.tier === tier).length]).filter(([, number]) => number);
}

/** "2 warnings" of ["warning", 2]. */
export function tier_text([tier, number]) {
  return `${number} ${words[tier]}${number === 1 ? "" : "s"}`;
}

/** {text, kind: "good" | "bad" | "open", tab}. */
export function verdict_of({ findings, areChecked, compared, reason }) {
  const wrong = compared.filter((one) => !one.isEqual);
  const [worst] = tiers_of(findings);
  if (wrong.length) {
    const counted = /(\d[\d,]* of \d[\d,]*) /.exec(wrong[0].text)?.[1];
    return { text: counted ? `${counted} wrong` : `${wrong.map((one) => one.name).join(", ")} wrong`, kind: "bad", tab: "results" };
  }
  if (worst) return { text: tier_text(worst), kind: worst[0] === "error" ? "bad" : "open", tab: "findings" };
  if (areChecked && compared.length) return { text: "as expected, no findings", kind: "good", tab: "results" };
  if (areChecked) return { text: "no findings", kind: "good", tab: "findings" };
  return { text: reason === "end" ? "checking ..." : "nothing found so far", kind: "open", tab: "findings" };
}
