// A finding as a chain of cards: the fact, the access, the parts of its pointer, the other places, the writers of the
// element. Each card has its line of the source.

import { h } from "../dom.js";
import { races_of } from "./orders.js";
import { base_name, line_element } from "../source_lines.js";

const shown_accesses = 6;

const meanings = {
  argument: "argument", scalar: "argument", programId: "the program's id", range: "tl.arange", loaded: "loaded from memory", carried: "carried by the loop", variable: "",
};

export class FindingCards {
  #session;
  #lines;
  #replay;

  /** `replay(finding)`: shows its two orders. */
  constructor(session, lines, replay) {
    this.#session = session;
    this.#lines = lines;
    this.#replay = replay;
  }

  /** Of the finding of that number, in the list of the launch under checkers or in that of the launch as it stands. */
  async of(number, checked) {
    const finding = await this.#session.request("lockstep/finding", { number, checked });
    const who = await this.#who(finding);
    const cards = [await this.#found(finding), await this.#access(finding), ...await this.#parts(finding), ...await this.#notes(finding), ...await this.#writers(who), hint(finding)];
    const race = races_of(finding);
    return [race ? h("button", { type: "button", onclick: () => this.#replay(finding, race) }, "Two orders side by side") : null,
      h("ol", { class: "cards chain" }, cards.filter(Boolean))];
  }

  async #found(finding) {
    return h("li", { class: "bad" }, h("b", {}, finding.code), ` ${finding.message}`,
      finding.count > 1 ? h("p", { class: "note" }, `${finding.count} times`) : null);
  }

  async #access(finding) {
    const lane = finding.lane.length ? `, lane [${finding.lane.join(", ")}]` : "";
    return h("li", {}, h("b", {}, "The operation"), ` of program (${finding.program.join(", ")})${lane}`,
      await this.#line(finding), ir_text(finding));
  }

  async #parts({ parts = [], op = "" }) {
    if (!parts.length) return [];
    const rows = await Promise.all(parts.map(async (part) => {
      const text = await this.#lines.text(part.file, part.line);
      const name = part.depth === 0 ? (part.isPointer ? "the address" : part.name ?? "operand") : part.name ?? (part.what === "programId" ? "program id" : part.what === "range" ? "arange" : "a number");
      return h("tr", {}, h("th", { scope: "row" }, "\u2007".repeat(2 * Math.min(part.depth, 4)), name, part.index?.length ? `[${part.index.join(", ")}]` : ""),
        h("td", { class: "value" }, part.value), h("td", {}, meanings[part.what]),
        h("td", { class: "at-line" }, text ? h("code", { title: text }, `${part.line}  ${text}`) : ""));
    }));
    const title = /tt\.(load|store|atomic)/.test(op) ? "How its address was computed" : "How it was computed";
    return [h("li", { class: "parts" }, h("b", {}, title), h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": title }, h("table", {}, h("tbody", {}, rows))))];
  }

  #notes({ notes }) {
    return Promise.all(notes.map(async (note) => h("li", {}, h("b", {}, sentence(note.message)), await this.#line(note), ir_text(note))));
  }

  async #who(finding) {
    const element = element_of(finding);
    return element ? this.#session.ask("lockstep/who", { expression: element, frameId: await this.#session.frame_id(), count: 1000 }) : null;
  }

  async #writers(body) {
    if (!body?.accesses.length) return [];
    const last = body.accesses.slice(-shown_accesses);
    const rows = await Promise.all(last.map(async (one) => h("tr", {}, h("td", {}, `program (${one.id.join(", ")})`), h("td", {}, one.kind),
      h("td", { class: "value" }, one.after !== undefined && one.before !== undefined ? `${one.before} → ${one.after}` : one.before ?? ""),
      h("td", { class: "at-line" }, h("code", {}, `${one.line}  ${await this.#lines.text(one.file, one.line)}`)))));
    return [h("li", {}, h("b", {}, `Who touched ${body.target}, up to here`), body.total > last.length ? h("p", { class: "note" }, `the last ${last.length} of ${body.total}`) : null,
      h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "accesses" }, h("table", {}, h("tbody", {}, rows))))];
  }

  async #line({ file, line }) {
    return [h("p", { class: "note" }, file ? `${base_name(file)}, line ${line}` : ""), line_element(line, await this.#lines.text(file, line))];
  }
}

/** The element that the message speaks of, if the launch has it. */
export function element_of(finding) {
  return /\b([A-Za-z_]\w*\[\d+(?:, ?\d+)*\])/.exec(finding.message)?.[1] ?? "";
}

function hint(finding) {
  return finding.hint ? h("li", { class: "hint" }, h("b", {}, "What helps"), h("p", {}, finding.hint)) : null;
}

function ir_text({ op }) {
  return op ? h("details", {}, h("summary", {}, "TTIR"), h("p", { class: "value" }, op.trim())) : null;
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
