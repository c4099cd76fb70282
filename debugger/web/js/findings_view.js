// What the launch did wrong, as Lockstep's own reports say it.

import { h, panel, replace } from "./dom.js";

export class FindingsView {
  #body;
  #seen = null;

  constructor(section, session) {
    this.#body = panel(section, "Findings");
    session.subscribe((state) => this.update(state));
  }

  update(state) {
    if (this.#seen === state.findings) return;
    this.#seen = state.findings;
    replace(this.#body, state.findings.length
      ? h("ul", { class: "findings" }, state.findings.map((one) => h("li", { class: one.tier }, h("b", {}, one.code), ` ${one.message}`, h("pre", { tabindex: 0 }, one.text))))
      : h("p", { class: "note" }, "None up to here."));
  }
}
