// The kernel's ops as a list: the next op, and those of the source line under the pointer.

import { h, replace } from "../dom.js";

const most_ops = 4000;

export class TtirList {
  element = h("div", { class: "column ttir", tabindex: 0, role: "group", "aria-label": "TTIR" });
  #session;
  #ops = null;
  #items = [];
  #point_at;

  /** `point_at(line, file)`: somebody points at an op of that line; null: at none any more. */
  constructor(session, point_at) {
    this.#session = session;
    this.#point_at = point_at;
  }

  forget() {
    this.#ops = null;
    this.#items = [];
    replace(this.element);
  }

  async update(state) {
    if (!this.#ops) {
      const body = await this.#session.ask("disassemble", { memoryReference: "0x10000", instructionCount: most_ops });
      if (!body) return;
      this.#ops = body.instructions.filter((one) => one.presentationHint !== "invalid"); // the first op is 0x10000
      this.#items = this.#ops.map((one) => this.#item(one));
      replace(this.element, h("ol", { class: "code" }, this.#items));
    }
    for (const item of this.#items) {
      const is_current = Number(item.dataset.address) === Number(state.frame.instructionPointerReference);
      item.classList.toggle("current", is_current);
      if (is_current) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      if (is_current) reveal(item);
    }
  }

  #item(op) {
    const path = op.location?.path ?? op.location?.name ?? "";
    const point = (line) => () => this.#point_at(line, path);
    return h("li", { dataset: { address: op.address, line: op.line ?? "", path }, onmouseenter: point(op.line ?? null), onmouseleave: point(null) },
      h("span", { class: "gutter" }, op.line ? String(op.line) : ""), h("code", {}, op.instruction));
  }

  /** Marks the ops of a line and brings the first of them into sight; null: none. */
  light(line, path) {
    let first = null;
    for (const item of this.#items) {
      const is_of_line = line !== null && Number(item.dataset.line) === line && same_file(item.dataset.path, path);
      item.classList.toggle("lit", is_of_line);
      if (is_of_line) first ??= item;
    }
    if (first) reveal(first);
  }
}

export function same_file(one, other) {
  return one === other || one.endsWith("/" + other) || other.endsWith("/" + one);
}

/** Scrolls the nearest box that scrolls, never the page. */
export function reveal(item) {
  const column = item.closest(".column");
  const box = column && column.scrollHeight > column.clientHeight + 1 ? column : item.closest(".body");
  const top = item.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = Math.max(0, top - box.clientHeight / 3);
}
