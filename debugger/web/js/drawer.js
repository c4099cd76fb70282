// The drawer: tabs below the two columns, one of them open. A tab fills itself when it opens, and again when the launch
// moves while it is open.

import { h, replace } from "./dom.js";

const calm = 250; // milliseconds in which nobody stepped

/** Of a sheet: its body, below a row for what belongs to it. */
export function sheet(section, ...beside) {
  const body = h("div", { class: "body" });
  replace(section, beside.length ? h("div", { class: "title" }, beside) : null, body);
  return body;
}

/** Of a launch that begins the body shows nothing yet, and says so where it could not be made. `forget()`: what belongs
 * to the launch before. */
export function clear_with_launch(session, body, forget = () => {}) {
  let before = session.state.status;
  session.subscribe(({ status }) => {
    if (status === before) return;
    before = status;
    if (status !== "starting" && status !== "none") return;
    forget();
    replace(body, status === "none" ? h("p", { class: "note" }, "Nothing ran.") : null);
  });
}

export class Drawer {
  #section;
  #tabs = new Map(); // by the id of the sheet: {button, sheet, fill}
  #open = "";
  #fold;
  #timer = 0;
  #filled = null; // for which moment and tab
  #session;

  /** `tabs`: [id of the sheet, words, fill or null]; fill(state) is called where the sheet is to be made anew. */
  constructor(section, bar, session, tabs) {
    this.#section = section;
    this.#session = session;
    for (const [id, words, fill] of tabs) {
      const sheet = document.getElementById(id);
      const button = h("button", {
        type: "button", role: "tab", id: `${id}-tab`, "aria-controls": id, "aria-selected": "false", tabindex: -1,
        onclick: () => this.open(id), onkeydown: (event) => this.#key(event, id),
      }, words);
      sheet.setAttribute("role", "tabpanel");
      sheet.setAttribute("aria-labelledby", `${id}-tab`);
      sheet.setAttribute("tabindex", "0");
      sheet.hidden = true;
      this.#tabs.set(id, { button, sheet, fill });
    }
    this.#fold = h("button", { type: "button", class: "drawer-fold", "aria-expanded": "true", "aria-controls": section.id, onclick: () => this.fold() }, "Hide");
    replace(bar, [...this.#tabs.values()].map(({ button }) => button));
    bar.after(this.#fold);
    section.prepend(this.#handle());
    session.subscribe((state) => this.#update(state));
    this.open(tabs[0][0]);
  }

  get name() {
    return this.#open;
  }

  open(id) {
    const before = this.#tabs.get(this.#open);
    this.fold(false);
    this.#open = id;
    if (before) {
      before.sheet.hidden = true;
      before.button.setAttribute("aria-selected", "false");
      before.button.tabIndex = -1;
    }
    const { button, sheet } = this.#tabs.get(id);
    sheet.hidden = false;
    button.setAttribute("aria-selected", "true");
    button.tabIndex = 0;
    this.#fill();
  }

  /** Away with it, or back; without a word the other way. */
  fold(is_folded = !this.#section.classList.contains("folded")) {
    this.#section.classList.toggle("folded", is_folded);
    this.#fold.setAttribute("aria-expanded", String(!is_folded));
    this.#fold.textContent = is_folded ? "Show" : "Hide";
  }

  /** A tab that only some launches have. */
  offer(id, is_offered) {
    this.#tabs.get(id).button.hidden = !is_offered;
    if (!is_offered && this.#open === id) this.open([...this.#tabs.keys()][0]);
  }

  /** A mark behind the words of a tab: "2". */
  mark(id, text, is_bad = false) {
    const { button } = this.#tabs.get(id);
    const words = button.firstChild;
    replace(button, words, text ? [" ", h("b", { class: is_bad ? "count bad" : "count" }, text)] : null);
  }

  /** The drawer's upper edge: drawn up and down, or moved by the arrow keys. */
  #handle() {
    const share = (to) => {
      const part = Math.max(12, Math.min(80, to));
      document.documentElement.style.setProperty("--drawer", `${part}dvh`);
      handle.setAttribute("aria-valuenow", String(Math.round(part)));
    };
    const handle = h("div", {
      class: "handle", role: "separator", tabindex: 0, "aria-orientation": "horizontal", "aria-label": "height of the drawer", "aria-valuemin": 12, "aria-valuemax": 80, "aria-valuenow": 34,
      onpointerdown: (event) => handle.setPointerCapture(event.pointerId),
      onpointermove: (event) => handle.hasPointerCapture(event.pointerId) && share(100 * (1 - event.clientY / innerHeight)),
      onkeydown: (event) => {
        const way = { ArrowUp: 4, ArrowDown: -4 }[event.key];
        if (!way) return;
        event.preventDefault();
        share(Number(handle.getAttribute("aria-valuenow")) + way);
      },
    });
    return handle;
  }

  #key(event, id) {
    const ids = [...this.#tabs.keys()].filter((one) => !this.#tabs.get(one).button.hidden);
    const at = ids.indexOf(id);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = ids[(to + ids.length) % ids.length];
    this.open(next);
    this.#tabs.get(next).button.focus();
  }

  #update(state) {
    if (state.status === "starting") this.#filled = null;
    if (state.status !== "stopped" || !this.#session.is_settled) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fill(), calm);
  }

  #fill() {
    const { fill } = this.#tabs.get(this.#open);
    const { state, is_settled } = this.#session;
    if (!fill || state.status !== "stopped" || !is_settled || this.#section.classList.contains("folded")) return;
    const moment = `${this.#open} ${state.seen}`;
    if (this.#filled === moment) return;
    this.#filled = moment;
    fill(state);
  }
}
