// Steps forwards and backwards as buttons and keys; what each key does is in one table.

import { h, replace, svg } from "../dom.js";

// Paths in a box of 16 by 16.
const icons = {
  goBack: "M3 3v10M13 3l-8 5 8 5z", back: "M11 3l-7 5 7 5z", opBack: "M10 5l-4 3 4 3", op: "M6 5l4 3-4 3", next: "M5 3l7 5-7 5z",
  into: "M3 3h6v8M6 9l3 4 3-4", out: "M3 13h6V5M6 7l3-4 3 4", go: "M13 3v10M3 3l8 5-8 5z", pause: "M5 3v10M11 3v10",
  restart: "M12.5 6A5 5 0 1 0 13 9M13 2v4H9",
};

export class Controls {
  #session;
  #keys;
  #buttons = [];

  /** `others`: [key, words, action] of the page. */
  constructor(bar, dialog, session, others) {
    this.#session = session;
    const move = (way) => () => session.move(way);
    const steps = [
      ["C", "goBack", "back to the last stop", move("goBack")],
      ["b", "back", "a line back", move("back")],
      ["B", "opBack", "an op back", move("opBack")],
      ["i", "op", "an op on", move("op")],
      ["n", "next", "a line on", move("next")],
      ["s", "into", "into a function", move("into")],
      ["f", "out", "out of the function", move("out")],
      ["c", "go", "on to the next stop", move("go")],
      ["p", "pause", "pause", () => session.pause()],
      ["r", "restart", "from the beginning", () => session.restart()],
    ];
    for (const [key, icon, words, action] of steps)
      this.#buttons.push(h("button", { type: "button", title: `${words} (${key})`, "aria-label": words, "aria-keyshortcuts": key, onclick: action }, picture(icon)));
    replace(bar, this.#buttons);
    this.#keys = new Map([...steps.map(([key, , words, action]) => [key, { words, action }]), ...others.map(([key, words, action]) => [key, { words, action }])]);
    this.#keys.set("?", { words: "this list", action: () => dialog.showModal() });
    this.#fill(dialog);
    document.addEventListener("keydown", (event) => this.#press(event, dialog));
    session.subscribe((state) => this.update(state));
    this.update(session.state);
  }

  update(state) {
    const can_pause = ["running", "starting"].includes(state.status);
    this.#buttons.forEach((button, i) => {
      const is_pause = i === 8;
      const is_restart = i === 9;
      button.disabled = is_pause ? !can_pause : is_restart ? !["stopped", "ended"].includes(state.status) : state.status !== "stopped";
    });
  }

  #press(event, dialog) {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const known = this.#keys.get(event.key);
    if (!known) return;
    event.preventDefault();
    known.action();
  }

  #fill(dialog) {
    replace(dialog, h("h2", { id: "help-title" }, "Keys"),
      h("dl", { class: "keys" }, [...this.#keys].map(([key, { words }]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
      h("form", { method: "dialog" }, h("button", {}, "Close")));
  }
}

function picture(icon) {
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, svg("path", { d: icons[icon] }));
}
