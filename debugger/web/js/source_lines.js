// Lines of the kernel's sources, for parts of the page that show a line. Each text is requested once.

import { h } from "./dom.js";

export class SourceLines {
  #session;
  #texts = new Map(); // of a path: a promise of its lines

  constructor(session) {
    this.#session = session;
    session.subscribe((state) => state.status === "starting" && this.#texts.clear());
  }

  /** The line's text without the blanks in front; "" where nobody has it. */
  async text(file, line) {
    if (!file || !line) return "";
    if (!this.#texts.has(file)) {
      const asked = this.#session.request("source", { source: { path: file }, sourceReference: 0 });
      this.#texts.set(file, asked.then((body) => body.content.split("\n"), () => []));
    }
    return ((await this.#texts.get(file))[line - 1] ?? "").trim();
  }
}

/** "14  value = tl.load(...)"; null without a text. */
export function line_element(line, text) {
  return text ? h("p", { class: "at-line" }, h("span", { class: "number-of-line" }, String(line)), h("code", {}, text)) : null;
}

export function base_name(file) {
  return file?.split("/").at(-1) ?? "";
}
