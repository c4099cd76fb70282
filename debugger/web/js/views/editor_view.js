// A kernel to edit, with its launch: the text, the arguments of `lockstep run`, Run and Debug. Errors are at their
// lines. Nothing is written to a disk: the text goes with the launch.

import { h, panel, replace } from "../dom.js";

const most_text = 200_000;

/** Words as a shell has them: blanks divide, quotes hold together. */
export function words_of(text) {
  const words = [];
  for (const match of text.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)) words.push(match[0].replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
  return words;
}

function quoted(word) {
  return /[\s"']/.test(word) ? `"${word.replaceAll('"', "")}"` : word;
}

/** The functions under @triton.jit, in their order. */
export function kernels_of(text) {
  return [...text.matchAll(/^@triton\.jit\b[^\n]*\n(?:@[^\n]*\n)*def\s+(\w+)/gm)].map(([, name]) => name);
}

export class EditorView {
  #section;
  #text = ""; // until the editor is there
  #faults = new Set();
  #editor = null; // CodeText, loaded when it is first shown
  #host = h("div", { class: "code-text" });
  #kernel;
  #grid;
  #arguments;
  #options;
  #errors;
  #start;
  #path = "kernel.py";

  /** `start(launch)`: begins a session; rejects with what was diagnosed. `others`: elements beside the title. */
  constructor(section, start, ...others) {
    this.#section = section;
    this.#start = start;
    const body = panel(section, "Kernel", h("div", { class: "choice" }, others));
    this.#kernel = h("select", { id: "edit-kernel" });
    this.#grid = h("input", { id: "edit-grid", spellcheck: "false", placeholder: "cdiv(n, BLOCK)" });
    this.#arguments = h("textarea", { id: "edit-arguments", spellcheck: "false", rows: 3, onkeydown: (event) => this.#key(event), placeholder: "x=randn:f32[100]\nout=empty:f32[100]\nn=100  BLOCK=64" });
    this.#options = h("input", { id: "edit-options", spellcheck: "false", placeholder: "--seed 1 --as sm_90" });
    this.#errors = h("pre", { class: "errors", role: "alert", tabindex: 0 });
    const form = h("form", { class: "launch", onsubmit: (event) => { event.preventDefault(); this.run(); } },
      this.#labelled("edit-kernel", "Kernel", this.#kernel), this.#labelled("edit-grid", "Grid", this.#grid),
      this.#labelled("edit-arguments", "Arguments", this.#arguments), this.#labelled("edit-options", "Options", this.#options),
      h("p", { class: "buttons" }, h("button", { type: "submit", title: "to the end, or to the first finding (Ctrl+Enter)" }, "Run"),
        h("button", { type: "button", onclick: () => this.debug() }, "Debug"), h("span", { class: "note" }, "Ctrl+Enter runs; Tab indents, Escape and Tab leaves the text")));
    replace(body, h("div", { class: "editing" }, this.#host, this.#errors, form));
  }

  /** The editor itself, from then on in the place of the text. */
  async load() {
    if (this.#loading) return this.#loading;
    const make = async () => {
      const { CodeText } = await import("./code_text.js");
      this.#editor = new CodeText(this.#host, { label: "Python text of the kernel", text: this.#text, changed: () => this.#edited(), run: () => this.run() });
      this.#editor.mark(this.#faults);
    };
    this.#loading = make();
    return this.#loading;
  }
  #loading = null;

  get #value() {
    return this.#editor ? this.#editor.value : this.#text;
  }

  #labelled(id, text, field) {
    return h("p", {}, h("label", { for: id }, text), field);
  }

  /** {path, text, kernel, grid, arguments: [word], options: [word]}; what is missing is empty. */
  show({ path = "kernel.py", text = "", kernel = "", grid = "", arguments: words = [], options = [] }) {
    this.#path = path;
    this.#text = text.slice(0, most_text);
    if (this.#editor) this.#editor.value = this.#text;
    this.#grid.value = grid;
    this.#arguments.value = words.map(quoted).join("\n");
    this.#options.value = options.map(quoted).join(" ");
    this.#edited(kernel);
    this.fail("");
  }

  get() {
    return {
      path: this.#path, text: this.#value, kernel: this.#kernel.value, grid: this.#grid.value.trim(),
      arguments: words_of(this.#arguments.value), options: words_of(this.#options.value),
    };
  }

  get is_shown() {
    return !this.#section.hidden;
  }

  async focus() {
    await this.load();
    this.#editor.focus();
  }

  run() {
    return this.launch({ stopOnEntry: false, filters: ["error"] });
  }

  debug() {
    return this.launch({ stopOnEntry: true });
  }

  /** True: it was launched. */
  async launch(ways) {
    const { path, text, kernel, grid, arguments: words, options } = this.get();
    this.fail("");
    const args = [`${path}${kernel ? "::" + kernel : ""}`, ...(grid ? [`--grid=${grid}`] : []), ...words, ...options];
    try {
      await this.#start({ args, sources: [{ path, text }], ...ways });
      return true;
    } catch (error) {
      this.fail(error.message);
      return false;
    }
  }

  /** What a launch was refused for: shown, with its lines marked. */
  fail(text) {
    replace(this.#errors, text);
    const lines = new Set();
    for (const line of text.split("\n")) {
      const [, path, number] = /^(.+?):(\d+):\d+: /.exec(line) ?? [];
      if (path === this.#path) lines.add(Number(number));
    }
    this.#faults = lines;
    this.#editor?.mark(lines);
  }

  #edited(wanted) {
    const names = kernels_of(this.#value);
    const chosen = wanted || this.#kernel.value;
    replace(this.#kernel, names.map((name) => h("option", { value: name }, name)));
    if (names.includes(chosen)) this.#kernel.value = chosen;
    else if (names.length) this.#kernel.value = names.at(-1);
  }

  #key(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.run();
  }
}
