// Bookmarks: steps that somebody wants to show, each with a text beside it. They are kept in the page's address and in a file
// that is saved.

import { h, replace } from "../dom.js";

const most_marks = 40;

export class MarksView {
  #section;
  #session;
  #go_to;
  #changed;
  #list = []; // {program, step, text}
  #chosen = -1;
  #is_adding = false;

  /** `go_to(mark)` begins anew and stands there; `changed()`: other bookmarks. */
  constructor(section, session, { go_to, changed }) {
    this.#section = section;
    this.#session = session;
    this.#go_to = go_to;
    this.#changed = changed;
  }

  get list() {
    return this.#list;
  }

  set list(marks) {
    this.#list = marks.slice(0, most_marks);
    this.#chosen = -1;
    this.#show();
  }

  /** Asks for the text of the step at which the launch stands. */
  add() {
    if (!this.#here() || this.#list.length >= most_marks) return;
    this.#is_adding = true;
    this.#show();
    this.#section.querySelector("input").focus();
  }

  #here() {
    const focus = this.#session.state.grid?.programs.find((one) => one.status === "focus");
    return focus && this.#session.is_standing ? { program: focus.id, step: focus.steps } : null;
  }

  #keep(text) {
    const here = this.#here();
    this.#is_adding = false;
    if (here) this.#chosen = this.#list.push({ ...here, text }) - 1;
    this.#show();
    this.#changed();
  }

  #remove() {
    this.#list.splice(this.#chosen, 1);
    this.#chosen = -1;
    this.#show();
    this.#changed();
  }

  async #choose(at) {
    this.#chosen = at;
    this.#show();
    this.#section.querySelectorAll(".marks-list button")[at]?.focus();
    await this.#go_to(this.#list[at]);
  }

  #show() {
    this.#section.hidden = !this.#list.length && !this.#is_adding;
    const mark = this.#list[this.#chosen];
    const button = (words, action) => h("button", { type: "button", onclick: action }, words);
    replace(this.#section, h("b", {}, "Bookmarks"),
      h("ol", { class: "marks-list" }, this.#list.map(({ text }, i) => h("li", {}, h("button", { type: "button", "aria-pressed": String(i === this.#chosen), onclick: () => this.#choose(i) }, `${i + 1} ${text}`)))),
      mark && this.#chosen + 1 < this.#list.length ? button("Next bookmark", () => this.#choose(this.#chosen + 1)) : null,
      mark ? button("Remove", () => this.#remove()) : null,
      this.#is_adding ? this.#form() : null);
  }

  #form() {
    const input = h("input", { "aria-label": "text of the bookmark", placeholder: "what is seen here", maxlength: 300, size: 40 });
    const end = () => {
      this.#is_adding = false;
      this.#show();
    };
    return h("form", { onsubmit: (event) => { event.preventDefault(); this.#keep(input.value.trim()); }, onkeydown: (event) => event.key === "Escape" && end() },
      input, h("button", {}, "Keep"), h("button", { type: "button", onclick: end }, "Cancel"));
  }
}
