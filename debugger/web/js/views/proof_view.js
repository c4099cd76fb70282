// What `lockstep prove` says of the kernel for all sizes: the answer, its conditions, each line's properties. The contract
// is the launch's until a person writes another one.

import { h, replace } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";
import { base_name } from "../source_lines.js";

/** States of a line, the worst first, each with its sign. */
export const states = new Map([["fails", "✗"], ["not decided", "?"], ["needs", "○"], ["proved", "✓"]]);

const words = { holds: "holds for all launches", fails: "fails", "not decided": "is not decided", defect: "was proved, and a launch fails: a defect of Lockstep, please report it" };

/** Of a report's rows: by line, the worst state, which stands first, and all of them as text. `is_file(file)`: rows of other files are left out. */
export function marks_of(report, is_file) {
  const marks = new Map();
  for (const row of report?.lines.filter((one) => is_file(one.file)) ?? []) {
    const rows = marks.get(row.line)?.rows ?? [];
    rows.push(row);
    marks.set(row.line, { rows, state: rows[0].state, text: rows.map((one) => `${one.property}: ${one.state} ${one.text}`.trim()).join("\n") });
  }
  return marks;
}

export class ProofView {
  #session;
  #lines;
  #go_to;
  #body;
  #contract;
  #button;
  #is_known = false;
  #asked = 0;

  /** `go_to(file, line)`: shows a line of the source. */
  constructor(section, session, lines, go_to) {
    this.#session = session;
    this.#lines = lines;
    this.#go_to = go_to;
    this.#contract = h("textarea", { rows: 4, spellcheck: "false", "aria-label": "contract", "aria-describedby": "contract-note" });
    this.#button = h("button", { type: "button", onclick: () => this.prove(this.#words()) }, "Prove");
    this.#body = sheet(section, h("span", { class: "note" }, "What holds in every launch, of any size"));
    clear_with_launch(session, this.#body, () => {
      this.#is_known = false;
      this.#asked += 1;
      this.#contract.value = "";
    });
  }

  /** It is the same wherever the launch stands. */
  fill() {
    return this.#is_known ? null : this.prove([]);
  }

  #words() {
    return this.#contract.value.split("\n").map((one) => one.trim()).filter(Boolean);
  }

  /** By a contract; without words by the launch's. */
  async prove(contract) {
    const asked = ++this.#asked;
    this.#button.disabled = true;
    try {
      const report = await this.#session.prove(contract);
      const texts = await Promise.all(report.lines.map((one) => this.#lines.text(one.file, one.line)));
      if (asked !== this.#asked) return;
      this.#is_known = true;
      this.#contract.value = report.words.join("\n");
      replace(this.#body, h("div", { class: "row" }, h("div", { class: "grow" }, answer(report), conditions(report, this.#go_to)), this.#asking()), this.#rows(report, texts));
    } catch (error) {
      if (asked !== this.#asked) return;
      replace(this.#body, h("p", { class: "note bad" }, error.message), this.#asking());
    } finally {
      this.#button.disabled = false;
    }
  }

  #asking() {
    return h("div", { class: "contract" }, h("p", { class: "note", id: "contract-note" }, "The contract, a word in each line. It fits this launch: what is a chance is to be changed."), this.#contract, this.#button);
  }

  #rows(report, texts) {
    const rows = report.lines.map((row, i) => ({ ...row, source: texts[i] }));
    if (!rows.length) return null;
    return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "properties by line" }, h("table", { class: "numbers" },
      h("thead", {}, h("tr", {}, ["line", "property", "state", ""].map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, rows.map((row) => h("tr", { class: "proof-row", dataset: { proof: row.state } },
        h("td", { class: "at-line" }, h("button", { type: "button", class: "link", onclick: () => this.#go_to(row.file, row.line) }, `${base_name(row.file)}:${row.line}`), ` ${row.source}`),
        h("td", {}, row.property), h("td", { class: "state" }, `${states.get(row.state)} ${row.state}`), h("td", { class: "said" }, row.text))))));
  }
}

function answer(report) {
  const is_good = report.answer === "holds";
  const counts = [["accesses", "in bounds"], ["integers", "exact"], ["races", "pairs without a race"], ["lanes", "stores whose lanes are apart"], ["covered", "outputs written"], ["hints", "hints kept"]];
  const proved = counts.filter(([name]) => report.proved[name]).map(([name, text]) => `${report.proved[name]} ${text.startsWith("in ") || text === "exact" ? `${name} ${text}` : text}`);
  const failed = report.counterexample ?? report.defect;
  return [h("p", { class: `told ${is_good ? "good" : report.answer === "not decided" ? "" : "bad"}` }, h("b", {}, report.kernel), ` ${words[report.answer]}${is_good && report.conditions.length ? " with" : ""}`),
    failed ? h("div", { class: "counterexample" }, h("pre", { tabindex: 0 }, failed.command), failed.findings.map((one) => h("p", {}, h("b", {}, one.code), ` ${one.message} (${one.place})`))) : null,
    (report.missed ?? []).map((one) => h("p", { class: "note bad" }, "This launch itself does not meet ", h("code", {}, one), ": change the contract to what is meant.")),
    report.undecided.filter((one) => !one.place).map((one) => h("p", { class: "note" }, one.reason)),
    report.suggestions.map((one) => h("p", { class: "note" }, "An assumption that says more: ", h("code", {}, `--assume ${one}`))),
    proved.length ? h("p", { class: "note" }, `Proved: ${proved.join("; ")}.`) : null];
}

function conditions(report, go_to) {
  if (!report.conditions.length) return null;
  const place_of = (text) => /^(.*):(\d+)$/.exec(text) ?? [];
  return [report.answer === "holds" ? null : h("p", { class: "note" }, "It needs"),
    h("ul", { class: "conditions" }, report.conditions.map((one) => {
      const [, file, line] = place_of(one.place);
      return h("li", {}, h("code", {}, one.text), " ", file ? h("button", { type: "button", class: "link", onclick: () => go_to(file, Number(line)) }, `${base_name(file)}:${line}`) : null,
        ` ${one.reason}${one.exactly ? " (exactly: launches just beyond it fail)" : ""}`);
    }))];
}
