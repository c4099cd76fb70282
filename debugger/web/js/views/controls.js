// Steps forwards and backwards as buttons and keys; one table has the action of each key. Four buttons have words, the
// rest are behind "More".

import { h, replace, svg } from "../dom.js";

// Paths in a box of 16 by 16.
const icons = {
  goBack: "M3 3v10M13 3l-8 5 8 5z", back: "M11 3l-7 5 7 5z", opBack: "M10 5l-4 3 4 3", op: "M6 5l4 3-4 3", next: "M5 3l7 5-7 5z",
  into: "M3 3h6v8M6 9l3 4 3-4", out: "M3 13h6V5M6 7l3-4 3 4", go: "M13 3v10M3 3l8 5-8 5z", pause: "M5 3v10M11 3v10",
  restart: "M12.5 6A5 5 0 1 0 13 9M13 2v4H9",
};

const forwards = ["next", "go", "op", "into", "out"];

export class Controls {
  #session;
  #keys;
  #buttons = new Map(); // by the icon
  #more;

  /** `others`: [key, words, action] of the page. */
  constructor(bar, dialog, session, others) {
    this.#session = session;
    const move = (way) => () => session.move(way);
    const steps = [
      ["b", "back", "Back", "a line back", move("back")],
      ["n", "next", "Next", "a line on", move("next")],
      ["c", "go", "Run", "on to the next stop", move("go")],
      ["r", "restart", "Restart", "from the beginning", () => session.restart()],
      ["p", "pause", "Pause", "pause", () => session.pause()],
      ["i", "op", "Next operation", "an op on", move("op")],
      ["B", "opBack", "Operation back", "an op back", move("opBack")],
      ["s", "into", "Into a function", "into a function", move("into")],
      ["f", "out", "Out of the function", "out of the function", move("out")],
      ["C", "goBack", "Run back", "back to the last stop", move("goBack")],
    ];
    for (const [key, icon, label, words, action] of steps)
      this.#buttons.set(icon, h("button", { type: "button", title: `${words} (${key})`, "aria-keyshortcuts": key, onclick: action }, picture(icon), h("span", {}, label)));
    const button = (name) => this.#buttons.get(name);
    this.#more = h("details", { class: "more" }, h("summary", {}, "More"), h("div", { class: "popup", role: "group", "aria-label": "more steps" },
      ["op", "opBack", "into", "out", "goBack"].map(button), h("button", { type: "button", onclick: () => dialog.showModal() }, h("span", {}, "All keys (?)"))));
    replace(bar, ["back", "next", "go", "pause", "restart"].map(button), this.#more);
    close_outside(this.#more);
    this.#keys = new Map([...steps.map(([key, , , words, action]) => [key, { words, action }]), ...others.map(([key, words, action]) => [key, { words, action }])]);
    this.#keys.set("?", { words: "this list", action: () => dialog.showModal() });
    this.#fill(dialog);
    document.addEventListener("keydown", (event) => this.#press(event, dialog));
    session.subscribe((state) => this.update(state));
    this.update(session.state);
  }

  update(state) {
    const can_pause = ["running", "starting"].includes(state.status);
    const is_over = this.#session.is_over;
    for (const [icon, button] of this.#buttons)
      button.disabled = icon === "pause" ? !can_pause : icon === "restart" ? !["stopped", "ended"].includes(state.status)
        : state.status !== "stopped" || (is_over && forwards.includes(icon));
  }

  #press(event, dialog) {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.composedPath().some((one) => one.matches?.("input, textarea, select, [contenteditable=true]"))) return;
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

/** A popup closes by Escape and by a click elsewhere. */
export function close_outside(details) {
  document.addEventListener("pointerdown", (event) => !details.contains(event.target) && (details.open = false));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.querySelector("summary").focus();
  });
}
