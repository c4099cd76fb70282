// Lessons and bugs to find: a list; for the chosen one its text, a kernel to edit (in the editor), Check, hints one by one,
// the solution. Lockstep decides: no finding of tier error under all checks, and the outputs of the solution.

import { h, panel, replace } from "../dom.js";

const kinds = {
  lessons: { title: "Lessons", file: "lessons.json", word: "lesson" },
  bugs: { title: "Find the bug", file: "bugs.json", word: "bug" },
};

export class LessonsView {
  #section;
  #page;
  #body = null;
  #all = {};
  #kind = "lessons";
  #lesson = null;
  #hints = 0;
  #verdict = null;
  #beside = null;
  #opening = 0;

  #progress;

  /** `page`: {editor, session, show_editor(is_shown), choose(name), fold(is_folded): the drawer, progress}; no progress: the
   * browser keeps it. */
  constructor(section, page) {
    this.#section = section;
    this.#page = page;
    this.#progress = page.progress ?? kept_by_browser;
  }

  close() {
    ++this.#opening;
    if (!this.#section.hidden) this.#page.fold(false);
    this.#section.hidden = true;
    this.#lesson = null;
  }

  /** The list, or a lesson by its id; `goes_on`: without an id the first one that is not solved yet. While a list is
   * fetched another one may be asked for, or the view closed: the last wish stands. */
  async open(kind, id = "", goes_on = false) {
    const opening = ++this.#opening;
    const all = this.#all[kind] ?? (await (await fetch(kinds[kind].file)).json());
    if (opening !== this.#opening) return;
    this.#all[kind] = all;
    this.#kind = kind;
    if (!id && goes_on) id = this.#all[kind].find((one) => !this.#progress.solved.has(one.id))?.id ?? "";
    this.#section.hidden = false;
    this.#body = panel(this.#section, kinds[kind].title, h("button", { type: "button", onclick: () => this.close() }, "Close"));
    const lesson = this.#all[kind].find((one) => one.id === id);
    if (lesson) this.#show(lesson);
    else this.#list();
  }

  #list() {
    const { solved } = this.#progress;
    replace(this.#body, h("ol", { class: "lessons" }, this.#all[this.#kind].map((one) =>
      h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.#show(one) }, one.title), solved.has(one.id) ? " ✓ solved" : ""))));
    this.#section.querySelector(".lessons button")?.focus();
  }

  #show(lesson) {
    this.#lesson = lesson;
    this.#hints = 0;
    history.replaceState(null, "", `#${kinds[this.#kind].word}=${encodeURIComponent(lesson.id)}`);
    this.#page.editor.show({ path: lesson.path ?? "kernel.py", text: lesson.start, kernel: lesson.kernel, grid: lesson.grid, arguments: lesson.arguments, options: lesson.options ?? [] });
    this.#page.show_editor(true);
    this.#page.fold(true); // lesson and picture need the room
    this.#verdict = h("div", { class: "verdict", role: "status", "aria-live": "polite" });
    this.#beside = h("div", { class: "hints" });
    const at = this.#all[this.#kind].indexOf(lesson);
    replace(this.#body,
      h("h3", {}, lesson.title), this.#question(lesson), lesson.text.map((paragraph) => h("p", {}, coded(paragraph))),
      h("p", { class: "buttons" },
        h("button", { type: "button", onclick: () => this.check() }, "Check"),
        h("button", { type: "button", onclick: () => this.#hint(), disabled: !lesson.hints.length }, "Hint"),
        h("button", { type: "button", onclick: () => this.#solution() }, lesson.diagnosis ? "Diagnosis" : "Solution"),
        h("button", { type: "button", onclick: () => this.#list() }, "All"),
        h("button", { type: "button", disabled: at + 1 >= this.#all[this.#kind].length, onclick: () => this.#show(this.#all[this.#kind][at + 1]) }, "Next")),
      this.#verdict, this.#beside);
  }

  /** What is asked first; what people often answer; the picture that settles it. */
  #question({ question, belief, look }) {
    if (!question) return null;
    const settled = h("div", { class: "settled", "aria-live": "polite" });
    return h("div", { class: "question" }, h("p", {}, h("b", {}, "Question: "), coded(question)),
      h("details", {}, h("summary", {}, "A common answer"), h("p", {}, coded(belief))),
      h("p", {}, h("button", { type: "button", title: "run the kernel to the line that settles it", onclick: () => this.#look(look, settled) }, "Show me")), settled);
  }

  /** The launch at the line, with the value: {line: a part of its text, value, says}. */
  async #look({ line, value, program, says }, settled) {
    const { editor, session, show_editor, choose } = this.#page;
    replace(settled, h("p", {}, "running …"));
    if (!(await editor.debug())) {
      replace(settled, h("p", { class: "bad" }, "It cannot be compiled: see below the text."));
      return;
    }
    show_editor(false);
    const standing = () => session.when((state) => state.status !== "running" && state.status !== "starting" && state.grid);
    await standing();
    const number = editor.get().text.split("\n").findIndex((text) => text.includes(line)) + 1;
    if (program) await session.go_to_program(program).then(standing);
    if (number) {
      await session.say(`until ${number}`).catch(() => {});
      await standing();
      await session.say("next").catch(() => {}); // behind the line, where its value is
      await standing();
    }
    if (value) choose(value);
    replace(settled, h("p", { class: "says" }, coded(says)));
    settled.scrollIntoView?.({ block: "nearest" });
  }

  #hint() {
    const { hints } = this.#lesson;
    if (this.#hints >= hints.length) return;
    this.#beside.append(h("p", { class: "hint" }, h("b", {}, `Hint ${this.#hints + 1} of ${hints.length}: `), coded(hints[this.#hints])));
    ++this.#hints;
  }

  #solution() {
    const { diagnosis, solution } = this.#lesson;
    replace(this.#beside, diagnosis ? h("pre", { tabindex: 0 }, diagnosis) : null, h("pre", { tabindex: 0 }, solution),
      h("p", {}, h("button", { type: "button", onclick: () => this.#take_solution() }, "Put it into the editor")));
  }

  #take_solution() {
    this.#page.editor.show({ ...this.#page.editor.get(), ...this.#lesson.repaired, text: this.#lesson.solution });
  }

  /** True: it is solved. */
  async check() {
    const lesson = this.#lesson;
    const { editor, session } = this.#page;
    replace(this.#verdict, h("p", {}, "running …"));
    const { is_shown } = editor;
    const is_launched = await editor.launch({ stopOnEntry: false, filters: ["error"] });
    this.#page.show_editor(is_shown || !is_launched);
    if (!is_launched) return this.#say(false, "It cannot be compiled: see below the text.");
    await session.settled();
    const { findings, grid } = session.state;
    const errors = findings.filter((one) => one.tier === "error" || one.code === lesson.code);
    if (errors.length) return this.#say(false, `${errors.length === 1 ? "A finding" : `${errors.length} findings`}: ${errors[0].code}, ${errors[0].message}`);
    if (!grid || grid.counts.notStarted || grid.counts.live) return this.#say(false, "The launch does not run to its end.");
    const outputs = Object.entries(lesson.outputs ?? {}).map(([name, tolerance]) => ({ name, tolerance }));
    if (!lesson.repaired) {
      const { tensors } = await session.request("lockstep/check", { path: (lesson.path ?? "kernel.py").replace("kernel", "solution"), text: lesson.solution, outputs });
      const wrong = tensors.filter((one) => !one.isEqual);
      if (wrong.length) return this.#say(false, `No finding, but ${wrong.map(({ name }) => name).join(", ")} ${wrong.length === 1 ? "is" : "are"} wrong.`, wrong.map(({ text }) => text).join("\n"));
    }
    this.#progress.remember(lesson.id);
    return this.#say(true, `Solved. ${lesson.after ?? ""}`);
  }

  #say(is_solved, text, more = "") {
    replace(this.#verdict, h("p", { class: is_solved ? "good" : "bad" }, is_solved ? "✓ " : "✗ ", coded(text)), more ? h("pre", { tabindex: 0 }, more) : null);
    return is_solved;
  }
}

/** Words between backquotes are code. */
function coded(text) {
  return text.split("`").map((piece, i) => (i % 2 ? h("code", {}, piece) : piece));
}

const key = "lockstep-solved";

const kept_by_browser = {
  get solved() {
    try {
      return new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
    } catch {
      return new Set(); // storage is switched off, or holds something else
    }
  },
  remember(id) {
    try {
      localStorage.setItem(key, JSON.stringify([...this.solved.add(id)]));
    } catch {
      // then it is forgotten
    }
  },
};
