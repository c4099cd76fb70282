// The kernel's source: the line where the program stands, breakpoints, values beside lines, findings below them; as Python,
// as TTIR, or as a text to edit.

import { h, panel, replace } from "./dom.js";
import { pieces } from "./python.js";

export class SourceView {
  #session;
  #section;
  #choose;
  #texts = new Map(); // of a path
  #mode = "python";
  #shown = ""; // what the list holds now
  #list = null;
  #body = null;
  #buttons = {};
  #ops = null;

  /** `choose(name)`: a variable was chosen. */
  constructor(section, session, choose) {
    this.#section = section;
    this.#session = session;
    this.#choose = choose;
    this.#buttons.python = h("button", { type: "button", onclick: () => this.show("python") }, "Python");
    this.#buttons.ttir = h("button", { type: "button", onclick: () => this.show("ttir") }, "TTIR");
    this.#body = panel(section, "Source", h("div", { class: "choice", role: "group", "aria-label": "Text" }, this.#buttons.python, this.#buttons.ttir));
    session.subscribe((state) => this.update(state));
    this.#mark_mode();
  }

  show(mode) {
    this.#mode = mode;
    this.#shown = "";
    this.#mark_mode();
    this.update(this.#session.state);
  }

  toggle() {
    this.show(this.#mode === "python" ? "ttir" : "python");
  }

  forget() {
    this.#texts.clear();
    this.#ops = null;
    this.#shown = "";
  }

  #mark_mode() {
    for (const [mode, button] of Object.entries(this.#buttons)) button.setAttribute("aria-pressed", String(mode === this.#mode));
  }

  async update(state) {
    if (state.status === "starting") this.forget();
    if (!state.frame) return;
    if (this.#mode === "ttir") await this.#show_ops(state);
    else await this.#show_python(state);
  }

  async #show_python(state) {
    const source = state.frame.source;
    if (!source) return;
    const path = source.path ?? source.name;
    if (!this.#texts.has(path)) {
      const body = await this.#session.ask("source", { source, sourceReference: source.sourceReference ?? 0 });
      if (!body) return;
      this.#texts.set(path, body.content.split("\n"));
    }
    if (this.#shown !== path) this.#build(path, this.#texts.get(path));
    this.#mark(state, path);
  }

  #build(path, lines) {
    this.#shown = path;
    this.#list = h("ol", { class: "code", "aria-label": path });
    lines.forEach((text, i) => this.#list.append(this.#line(path, i + 1, text)));
    replace(this.#body, this.#list);
  }

  #line(path, number, text) {
    const breakpoint = h("button", {
      type: "button", class: "gutter", "aria-pressed": "false", "aria-label": `breakpoint at line ${number}`,
      onclick: () => this.#session.toggle_breakpoint(path, number),
    }, String(number));
    const code = h("code", {}, pieces(text).map(({ kind, text: part }) => kind === "name"
      ? h("span", { class: "name", onclick: () => this.#choose(part) }, part)
      : h("span", { class: kind }, part)));
    return h("li", { dataset: { line: number } }, breakpoint, code, h("span", { class: "beside" }));
  }

  #mark(state, path) {
    const values = new Map(state.lines.map(({ line, text }) => [line, text]));
    const faults = new Map();
    for (const finding of state.findings) {
      const [, file, line] = /^(.*):(\d+):\d+$/.exec(finding.place ?? "") ?? [];
      if (file && same_file(file, path)) faults.set(Number(line), finding);
    }
    const breakpoints = this.#session.breakpoints.get(path) ?? new Map();
    for (const item of this.#list.children) {
      const line = Number(item.dataset.line);
      const is_current = line === state.frame.line;
      item.classList.toggle("current", is_current);
      if (is_current) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      item.classList.toggle("fault", faults.has(line));
      item.querySelector(".gutter").setAttribute("aria-pressed", String(breakpoints.has(line)));
      item.querySelector(".beside").textContent = values.get(line) ?? "";
      item.title = faults.get(line)?.message ?? "";
      if (is_current && state.status === "stopped") reveal(item);
    }
  }

  async #show_ops(state) {
    if (!this.#ops) {
      const body = await this.#session.ask("disassemble", { memoryReference: "0x10000", instructionCount: 4000 });
      if (!body) return;
      this.#ops = body.instructions.filter((one) => one.presentationHint !== "invalid"); // the first op is 0x10000
    }
    if (this.#shown !== "ttir") {
      this.#shown = "ttir";
      this.#list = h("ol", { class: "code", "aria-label": "TTIR" }, this.#ops.map((one) =>
        h("li", { dataset: { address: one.address } }, h("span", { class: "gutter" }, one.line ? String(one.line) : ""), h("code", {}, one.instruction))));
      replace(this.#body, this.#list);
    }
    for (const item of this.#list.children) {
      const is_current = Number(item.dataset.address) === Number(state.frame.instructionPointerReference);
      item.classList.toggle("current", is_current);
      if (is_current) reveal(item);
    }
  }
}

function same_file(one, other) {
  return one === other || one.endsWith("/" + other) || other.endsWith("/" + one);
}

/** Scrolls the list, never the page. */
function reveal(item) {
  const box = item.closest(".body");
  const top = item.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = Math.max(0, top - box.clientHeight / 3);
}
