// A finding as a chain of cards: the fact, the access, the parts of its pointer, the other places, the writers of the
// element. Each card has its line of the source.

import { h } from "../dom.js";
import { programs_in, races_of } from "./orders.js";
import { base_name, line_element } from "../source_lines.js";

const most_accesses = 60; // of an element that are listed

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
    const cards = [await this.#found(finding), ...changes(finding), await this.#access(finding), ...await this.#parts(finding), ...await this.#notes(finding), ...await this.#writers(who, finding), hint(finding)];
    const race = races_of(finding);
    return [race ? h("button", { type: "button", onclick: () => this.#replay(finding, race) }, "Two orders side by side") : null,
      h("ol", { class: "cards chain" }, cards.filter(Boolean))];
  }

  /** Of an element of a result: the line that made it wrong, with what would mend it. The launch stands there then. */
  async bisected(element) {
    const body = await this.#session.bisect(element);
    const told = told_of(body.lines);
    const [first, ...rest] = told.texts;
    const code = this.#session.state.findings.find((one) => culprit_codes.includes(one.code) && is_at(one, body))?.code;
    return h("ol", { class: "cards chain" }, [
      h("li", { class: "bad" }, code ? [h("b", {}, code), " "] : null, first ?? `${element}: nothing is known`),
      told.changes.slice(0, 1).map((one) => h("li", { class: "hint" }, change_element(one))),
      body.line ? h("li", {}, h("b", {}, body.python), ` of program (${body.program.join(", ")})${body.execution > 1 ? `, its execution ${body.execution}` : ""}: the launch stands here now`, await this.#line(body), ir_text(body)) : null,
      rest.length ? h("li", {}, h("b", {}, "How it was found"), rest.map((one) => h("p", {}, sentence(one)))) : null,
      told.changes.length > 1 ? h("li", {}, h("b", {}, "Other changes that fit"), told.changes.slice(1).map((one) => h("div", {}, change_element(one)))) : null,
    ].filter(Boolean));
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

  async #parts({ parts = [], op = "", notes = [] }) {
    if (!parts.length) return [];
    const rows = await Promise.all(parts.map(async (part) => {
      const text = await this.#lines.text(part.file, part.line);
      const name = part.depth === 0 ? (part.isPointer ? "the address" : part.name ?? "operand") : part.name ?? (part.what === "programId" ? "program id" : part.what === "range" ? "arange" : "a number");
      return h("tr", {}, h("th", { scope: "row" }, "\u2007".repeat(2 * Math.min(part.depth, 4)), name, part.index?.length ? `[${part.index.join(", ")}]` : ""),
        h("td", { class: "value" }, part.value), h("td", {}, meanings[part.what]),
        h("td", { class: "at-line" }, text ? h("code", { title: text }, `${part.line}  ${text}`) : ""));
    }));
    const title = /tt\.(load|store|atomic)/.test(op) ? "How its address was computed" : "How it was computed";
    const table = h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": title }, h("table", {}, h("tbody", {}, rows)));
    if (notes.some(({ message }) => change_of(message))) return [h("li", { class: "parts" }, h("details", {}, h("summary", {}, title), table))]; // the change says more
    return [h("li", { class: "parts" }, h("b", {}, title), table)];
  }

  #notes({ notes }) {
    const first = notes.findIndex(({ message }) => change_of(message));
    return Promise.all(notes.filter((_, i) => i !== first).map(async (note) => {
      const change = change_of(note.message);
      return h("li", {}, change ? change_element(change) : h("b", {}, sentence(note.message)), await this.#line(note), ir_text(note));
    }));
  }

  async #who(finding) {
    const element = element_of(finding);
    return element ? this.#session.ask("lockstep/who", { expression: element, frameId: await this.#session.frame_id(), count: 1000 }) : null;
  }

  async #writers(body, finding) {
    if (!body?.accesses.length) return [];
    const named = new Set(programs_in(finding).map((one) => one.join()));
    const is_named = (one) => named.has(one.id.join());
    const shown = listed(body.accesses, is_named);
    const rows = await Promise.all(shown.map(async (one) => h("tr", { class: is_named(one) ? "marked" : null }, h("td", {}, `program (${one.id.join(", ")})`), h("td", {}, one.kind),
      h("td", { class: "value" }, one.after !== undefined && one.before !== undefined ? `${one.before} → ${one.after}` : one.before ?? ""),
      h("td", { class: "at-line" }, h("code", {}, `${one.line}  ${await this.#lines.text(one.file, one.line)}`)))));
    const left_out = body.total > shown.length ? h("p", { class: "note" }, `${shown.length} of ${body.total} accesses: those of the programs that the finding names, and the last ones`) : null;
    return [h("li", { class: "writers" }, h("b", {}, `Who touched ${body.target}${this.#session.is_over ? "" : ", up to here"}`), left_out,
      h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "accesses" }, h("table", {}, h("tbody", {}, rows))))];
  }

  async #line({ file, line }) {
    return [h("p", { class: "note" }, file ? `${base_name(file)}, line ${line}` : ""), line_element(line, await this.#lines.text(file, line))];
  }
}

/** Of a note that says what would mend the kernel: {head, lines: [[sign, text]]}; null: it says something else. */
export function change_of(message) {
  const [head, ...rest] = message.split("\n");
  const lines = rest.map((one) => /^\s*([-+]) (.*)$/.exec(one));
  return lines.length && lines.every(Boolean) ? { head, lines: lines.map(([, sign, text]) => [sign, text]) } : null;
}

/** A line that goes and one that comes, each with its sign. */
export function change_element({ head, lines }) {
  const words = { "-": "without:", "+": "with:" };
  return [h("b", {}, sentence(head)), h("div", { class: "change", tabindex: 0, role: "group", "aria-label": "change" },
    lines.map(([sign, text]) => h("p", { class: sign === "-" ? "gone" : "come" }, h("span", { class: "offscreen" }, `${words[sign]} `), h("code", {}, `${sign} ${text}`))))];
}

/** The first change that fits; others are told after what it is about. */
function changes({ notes }) {
  const found = notes.map(({ message }) => change_of(message)).find(Boolean);
  return found ? [h("li", { class: "hint" }, change_element(found))] : [];
}

/** Lines of a search as texts and, behind a text that ends in a colon, changes of the kernel. */
function told_of(lines) {
  const told = { texts: [], changes: [] };
  for (let at = 0; at < lines.length; ++at) {
    const until = lines.findIndex((one, i) => i > at && !/^\s*[-+] /.test(one));
    const change = change_of(lines.slice(at, until < 0 ? lines.length : until).join("\n"));
    if (change) at = (until < 0 ? lines.length : until) - 1;
    if (change) told.changes.push(change);
    else told.texts.push(lines[at]);
  }
  return told;
}

const culprit_codes = ["LS608", "LS802"];

/** Of a finding: it is at that line. */
function is_at({ place = "" }, { file, line }) {
  const [, path, number] = /^(.*):(\d+):\d+$/.exec(place) ?? [];
  return Boolean(file) && Number(number) === line && base_name(path) === base_name(file);
}

/** All; of very many those of the programs in question, and the last ones. */
function listed(accesses, is_named) {
  if (accesses.length <= most_accesses) return accesses;
  const wanted = new Set(accesses.filter(is_named).slice(0, most_accesses / 2));
  for (const one of accesses.toReversed()) if (wanted.size < most_accesses) wanted.add(one);
  return accesses.filter((one) => wanted.has(one));
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
