// The console: expressions and the terminal's commands, and what the launch prints.

import { h, replace } from "../dom.js";

const most_lines = 500;

export class ConsoleView {
  #session;
  #output;
  #input;
  #past = [];
  #at = 0;

  constructor(section, session) {
    this.#session = session;
    this.#output = h("output", { id: "console-output", tabindex: 0, "aria-label": "What the console said" });
    this.#input = h("input", {
      id: "console-input", spellcheck: "false", autocapitalize: "off", "aria-label": "Console", onkeydown: (event) => this.#key(event),
      placeholder: "an expression, or a command of the terminal: why out[3], info tiles",
    });
    const submit = (event) => {
      event.preventDefault();
      this.#run(this.#input.value.trim());
    };
    replace(section, this.#output, h("form", { autocomplete: "off", onsubmit: submit }, this.#input));
    document.addEventListener("type", ({ detail }) => this.#run(detail));
    session.subscribe((state, said) => said && this.#show(said.text, said.category));
  }

  focus() {
    this.#input.focus();
  }

  async #run(text) {
    if (!text) return;
    this.#past.push(text);
    this.#at = this.#past.length;
    this.#input.value = "";
    this.#show(`> ${text}\n`, "typed");
    try {
      const answer = await this.#session.say(text);
      if (answer) this.#show(answer.endsWith("\n") ? answer : answer + "\n", "answer");
    } catch (error) {
      this.#show(error.message + "\n", "important");
    }
  }

  #key(event) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way || !this.#past.length) return;
    event.preventDefault();
    this.#at = Math.max(0, Math.min(this.#past.length, this.#at + way));
    this.#input.value = this.#past[this.#at] ?? "";
  }

  #show(text, category) {
    this.#output.append(h("span", { class: category ?? "console" }, text));
    while (this.#output.childNodes.length > most_lines) this.#output.firstChild.remove();
    this.#output.scrollTop = this.#output.scrollHeight;
  }
}
