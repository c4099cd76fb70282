// Shared by the pictures of all ops: questions about a lane, of which the newest answer wins; texts of
// lanes; tables.

import { h, replace } from "../dom.js";
import { padding_legend } from "../padding.js";

/** Asks for lanes of one picture. An answer that a newer question has overtaken is thrown away. */
export class LaneQuestions {
  #session;
  #asking;
  #number = 0;

  constructor(session, asking) {
    this.#session = session;
    this.#asking = asking;
  }

  /** Null: overtaken. Throws what was refused. */
  async ask(words) {
    const number = ++this.#number;
    const body = await this.#session.request("lockstep/picture", { ...this.#asking, ...words });
    return number === this.#number ? body : null;
  }
}

/** "a[3, 5]", or of a scalar its name. */
export function lane_text(value, index, role = "result") {
  const name = name_of(value, role);
  return index.length ? `${name}[${index.join(", ")}]` : name;
}

/** What has no name in the kernel's text ("%12") is called by its role. */
export function name_of(value, role) {
  return value.name.startsWith("%") ? `the ${role}` : value.name;
}

export function index_of(lane, shape) {
  const index = [];
  for (let d = shape.length - 1; d >= 0; --d) {
    index.unshift(lane % shape[d]);
    lane = Math.floor(lane / shape[d]);
  }
  return index;
}

export function count_of(value) {
  return value.shape.reduce((all, one) => all * one, 1);
}

/** A tile with its name above it. */
export function figure(title, canvas) {
  return h("figure", { class: "drawn" }, h("figcaption", {}, title), canvas.element, padding_legend(canvas.padding), canvas.sampling ? h("p", { class: "note" }, canvas.sampling) : null);
}

/** "a: f32[16,8]". */
export function type_text(value, role = "result") {
  const element = value.type.replace(/^(\d+x)+/, "");
  return `${name_of(value, role)}: ${element}${value.shape.length ? `[${value.shape.join(",")}]` : ""}`;
}

/** Rows of cells below heads; `marked`: the row that stands out. */
export function table(heads, rows, { marked = -1, caption = "" } = {}) {
  return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": caption || heads.join(", ") }, h("table", { class: "numbers" }, caption ? h("caption", {}, caption) : null,
    h("thead", {}, h("tr", {}, heads.map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, rows.map((row, i) => h("tr", { class: i === marked ? "marked" : null, "aria-current": i === marked ? "true" : null }, row.map((cell) => h("td", {}, cell)))))));
}

/** A window [first, first + count) on `extent` things, with buttons to move it. */
export function pager(first, count, extent, what, go) {
  if (extent <= count) return null;
  const button = (words, to) => h("button", { type: "button", disabled: to < 0 || to >= extent || to === first, onclick: () => go(to) }, words);
  const last = Math.floor((extent - 1) / count) * count;
  return h("div", { class: "pager", role: "group", "aria-label": what }, button("first", 0), button("earlier", first - count),
    h("span", {}, `${first} to ${Math.min(first + count, extent) - 1} of ${extent}`), button("later", first + count), button("last", last));
}

export function say(element, ...children) {
  replace(element, ...children);
}
