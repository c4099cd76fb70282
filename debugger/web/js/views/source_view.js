// The kernel's source: the current line, breakpoints, values next to lines, findings below them; as Python, as TTIR, or
// both side by side.

import { h, panel, replace } from "../dom.js";
import { pieces, stretches_outside } from "../python.js";
import { marks_of, states } from "./proof_view.js";
import { TtirList, reveal, same_file } from "./ttir_list.js";

const modes = ["python", "both", "ttir"];
const words = { python: "Python", both: "Both", ttir: "TTIR" };

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
  #column = h("div", { class: "column" });
  #ttir;

  /** `choose(name)`: a variable was chosen. */
  constructor(section, session, choose) {
    this.#section = section;
    this.#session = session;
    this.#choose = choose;
    this.#ttir = new TtirList(session, (line, path) => this.#light(line, path));
    for (const mode of modes) this.#buttons[mode] = h("button", { type: "button", onclick: () => this.show(mode) }, words[mode]);
    this.#body = panel(section, "Source", h("div", { class: "choice", role: "group", "aria-label": "Text" }, Object.values(this.#buttons)));
    this.#body.append(this.#column, this.#ttir.element);
    session.subscribe((state) => this.update(state));
    this.#mark_mode();
  }

  show(mode) {
    this.#mode = mode;
    this.#mark_mode();
    this.update(this.#session.state);
  }

  toggle() {
    this.show(modes[(modes.indexOf(this.#mode) + 1) % modes.length]);
  }

  forget() {
    this.#texts.clear();
    this.#ttir.forget();
    this.#shown = "";
    this.#list = null;
    replace(this.#column); // what was shown is another launch's
  }

  #mark_mode() {
    this.#body.dataset.mode = this.#mode;
    this.#column.hidden = this.#mode === "ttir";
    this.#ttir.element.hidden = this.#mode === "python";
    for (const [mode, button] of Object.entries(this.#buttons)) button.setAttribute("aria-pressed", String(mode === this.#mode));
  }

  async update(state) {
    if (state.status === "starting") this.forget();
    if (state.status !== "stopped" && !state.frame) return;
    if (this.#mode !== "ttir") await this.#show_python(state);
    if (this.#mode !== "python" && state.frame) await this.#ttir.update(state);
  }

  /** Where nobody stands in a line (the launch has ended), the kernel's file. */
  async #source_of(state) {
    if (state.frame?.source) return state.frame.source;
    if (this.#shown) return this.#session.sources.get(this.#shown);
    return (await this.#session.ask("loadedSources"))?.sources.find((one) => one.path);
  }

  /** Its name, as frames have it. */
  get #kernel() {
    const { frames } = this.#session.state;
    return frames.at(-1)?.name?.split(/[:\s(]/)[0] ?? "";
  }

  async #show_python(state) {
    const source = await this.#source_of(state);
    if (!source) return;
    const path = source.path ?? source.name;
    this.#session.sources.set(path, source);
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
    const kernel = lines.findLastIndex((text) => /^\s*def\s/.test(text) && text.includes(`def ${this.#kernel}(`));
    if (kernel >= 0) this.#list.children[kernel].dataset.kernel = "";
    replace(this.#column, this.#list);
    this.#folds = [];
    for (const [from, to] of stretches_outside(lines, this.#kernel)) this.#fold(from, to);
  }

  /** Shows a line, until the launch moves. */
  async go_to(file, line) {
    if (this.#mode === "ttir") this.show("python");
    if (!same_file(this.#shown, file)) {
      const body = await this.#session.ask("source", { source: { path: file }, sourceReference: 0 });
      if (!body) return;
      this.#build(file, body.content.split("\n"));
    }
    for (const fold of this.#folds) if (fold.items.some((one) => Number(one.dataset.line) === line)) this.#unfold(fold);
    const item = this.#list.querySelector(`[data-line="${line}"]`);
    if (!item) return;
    reveal(item);
    item.querySelector(".gutter").focus({ preventScroll: true });
  }

  /** Lines [from, to), counted from 0, that are no part of the kernel: behind one button. */
  #fold(from, to) {
    const items = [...this.#list.querySelectorAll("[data-line]")].slice(from, to);
    const open = () => {
      this.#unfold(fold);
      items[0].querySelector(".gutter").focus();
    };
    const row = h("li", { class: "fold" }, h("span", { class: "gutter", "aria-hidden": "true" }, "⋯"),
      h("button", { type: "button", class: "link", onclick: open }, `Lines ${from + 1} to ${to}: outside of the kernel`));
    const fold = { row, items };
    for (const item of items) item.hidden = true;
    items[0].before(row);
    this.#folds.push(fold);
  }
  #folds = [];

  #unfold(fold) {
    fold.row.remove();
    for (const item of fold.items) item.hidden = false;
    this.#folds = this.#folds.filter((one) => one !== fold);
  }

  #line(path, number, text) {
    const breakpoint = h("button", {
      type: "button", class: "gutter", "aria-pressed": "false", "aria-label": `breakpoint at line ${number}`,
      onclick: () => this.#session.toggle_breakpoint(path, number),
    }, String(number));
    const code = h("code", {}, pieces(text).map(({ kind, text: part }) => kind === "name"
      ? h("span", { class: "name", onclick: () => this.#choose(part) }, part)
      : h("span", { class: kind }, part)));
    const point = (line) => () => this.#mode === "both" && this.#ttir.light(line, path);
    return h("li", { dataset: { line: number }, onmouseenter: point(number), onmouseleave: point(null), onfocusin: point(number) }, breakpoint, h("span", { class: "mark" }), code, h("span", { class: "beside" }));
  }

  #mark(state, path) {
    const values = new Map(state.lines.map(({ line, text }) => [line, text]));
    const faults = new Map();
    for (const finding of state.findings) {
      const [, file, line] = /^(.*):(\d+):\d+$/.exec(finding.place ?? "") ?? [];
      if (file && same_file(file, path)) faults.set(Number(line), finding);
    }
    const proofs = marks_of(state.proof, (file) => same_file(file, path));
    const breakpoints = this.#session.breakpoints.get(path) ?? new Map();
    const is_marked = (line) => line === state.frame?.line || faults.has(line) || breakpoints.has(line);
    for (const fold of this.#folds) if (fold.items.some((one) => is_marked(Number(one.dataset.line)))) this.#unfold(fold);
    for (const item of this.#list.querySelectorAll("[data-line]")) {
      const line = Number(item.dataset.line);
      const is_current = line === state.frame?.line;
      item.classList.toggle("current", is_current);
      if (is_current) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      item.classList.toggle("fault", faults.has(line));
      item.querySelector(".gutter").setAttribute("aria-pressed", String(breakpoints.has(line)));
      const beside = item.querySelector(".beside");
      beside.textContent = beside.title = values.get(line) ?? "";
      const proof = proofs.get(line);
      const mark = item.querySelector(".mark");
      mark.textContent = proof ? states.get(proof.state) : "";
      mark.dataset.proof = proof?.state ?? "";
      mark.title = proof ? `lockstep prove\n${proof.text}` : "";
      item.title = faults.get(line)?.message ?? "";
      if (is_current && state.status === "stopped") reveal(item);
    }
    if (!this.#list.querySelector(".current")) reveal(this.#list.querySelector(".fault") ?? this.#list.querySelector("[data-kernel]") ?? this.#list.firstChild);
  }

  /** The line of an op that somebody points at. */
  #light(line, path) {
    for (const item of this.#list?.children ?? []) {
      const is_it = line !== null && Number(item.dataset.line) === line && same_file(this.#shown, path);
      item.classList.toggle("lit", is_it);
      if (is_it && this.#mode === "both") reveal(item);
    }
  }
}
