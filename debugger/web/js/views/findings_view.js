// The launch's findings, in the words of Lockstep's own reports.

import { h, replace } from "../dom.js";
import { sheet } from "../drawer.js";
import { tier_text, tiers_of } from "./header_view.js";

export class FindingsView {
  #body;
  #seen = null;
  #were_checked = false;
  #compared = null;
  #had_run = true;
  #session;
  #explain;
  #check;

  /** `explain(number, are_checked)`: a finding of the list shall be told as a chain. */
  constructor(section, session, explain) {
    this.#session = session;
    this.#explain = explain;
    this.#check = h("button", { type: "button", title: "run the launch again under all checkers", onclick: () => this.#run_checks() }, "Check everything");
    this.#body = sheet(section, this.#check);
    session.subscribe((state) => this.update(state));
  }

  update(state) {
    const has_run = state.status !== "none";
    const is_same = this.#seen === state.findings && this.#were_checked === state.areChecked;
    if (is_same && this.#compared === state.compared && this.#had_run === has_run) return;
    this.#seen = state.findings;
    this.#were_checked = state.areChecked;
    this.#compared = state.compared;
    this.#had_run = has_run;
    if (!has_run) return replace(this.#body, h("p", { class: "note" }, "Nothing ran."));
    const tiers = tiers_of(state.findings);
    replace(this.#body, comparisons(state.compared), tiers.length > 1 ? h("p", { class: "note" }, tiers.map(tier_text).join(", ")) : null, state.findings.length
      ? h("ul", { class: "findings" }, state.findings.map((one, i) => h("li", { class: one.tier }, h("b", {}, one.code), ` ${one.message} `,
        h("button", { type: "button", class: "plain", "aria-label": `explain ${one.code}`, onclick: () => this.#explain(i, state.areChecked) }, "Explain"),
        h("details", {}, h("summary", {}, "Report"), h("pre", { tabindex: 0 }, one.text)))))
      : h("p", { class: "note" }, state.areChecked && state.compared.some((one) => !one.isEqual) ? "No finding explains it." : state.areChecked ? "None under all checkers." : "None up to here."));
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

/** Outputs beside the references that were given: the sentence that counts, and the whole text. */
function comparisons(compared) {
  if (!compared.length) return null;
  return h("ul", { class: "findings compared" }, compared.map(({ name, isEqual, text }) => {
    const [first, ...rest] = text.replace(/^error: .*\n/, "").trim().split("\n");
    return h("li", { class: isEqual ? "" : "error" }, h("b", {}, isEqual ? "as expected" : "not as expected"), ` ${first.includes(name) ? "" : `${name}: `}${first}`,
      rest.length ? h("details", {}, h("summary", {}, "Elements"), h("pre", { tabindex: 0 }, rest.join("\n"))) : null);
  }));
}
