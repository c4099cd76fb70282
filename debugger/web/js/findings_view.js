// What the launch did wrong, as Lockstep's own reports say it.

import { h, panel, replace } from "./dom.js";

export class FindingsView {
  #body;
  #seen = null;
  #were_checked = false;
  #session;
  #explain;
  #check;

  /** `explain(number, are_checked)`: a finding of the list shall be told as a chain. */
  constructor(section, session, explain) {
    this.#session = session;
    this.#explain = explain;
    this.#check = h("button", { type: "button", title: "the launch once more under all checkers", onclick: () => this.#run_checks() }, "Check");
    this.#body = panel(section, "Findings", this.#check);
    session.subscribe((state) => this.update(state));
  }

  update(state) {
    if (this.#seen === state.findings && this.#were_checked === state.areChecked) return;
    this.#seen = state.findings;
    this.#were_checked = state.areChecked;
    replace(this.#body, state.findings.length
      ? h("ul", { class: "findings" }, state.findings.map((one, i) => h("li", { class: one.tier }, h("b", {}, one.code), ` ${one.message} `,
        h("button", { type: "button", class: "plain", "aria-label": `explain ${one.code}`, onclick: () => this.#explain(i, state.areChecked) }, "Explain"),
        h("details", {}, h("summary", {}, "Report"), h("pre", { tabindex: 0 }, one.text)))))
      : h("p", { class: "note" }, state.areChecked ? "None under all checkers." : "None up to here."));
  }

  async #run_checks() {
    this.#check.disabled = true;
    try {
      await this.#session.check();
    } catch (error) {
      this.#body.prepend(h("p", { class: "note" }, error.message));
    } finally {
      this.#check.disabled = false;
    }
  }
}
