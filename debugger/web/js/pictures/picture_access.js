// A load, a store, an atomic: the argument with the tile's elements in full colour, and the lanes of the tile, some of
// them masked off. Pointing at a lane shows its element, and pointing at an element shows its lane.

import { h } from "../dom.js";
import { LaneMap } from "./lane_map.js";
import { index_of, say } from "./picture_lanes.js";
import { TileCanvas, read_tile } from "./tile_canvas.js";

const most_elements = 65536; // of an argument that come whole
const most_window = 96; // rows and columns around the tile

/** Pixels that the cells may be high, so that the picture is seen whole above the drawer; narrow pages scroll. */
function room_for_picture() {
  const column = document.getElementById("right");
  return getComputedStyle(column).overflowY === "auto" ? Math.max(150, column.clientHeight - 220) : 440;
}

/** "load of x". */
export function access_title(access) {
  const verb = /store/.test(access.text) ? "store to" : /atomic/.test(access.text) ? "atomic on" : "load of";
  return `${verb} ${access.argument ?? "memory"}`;
}

/** Where element `offset` / bytes stands among the argument's elements in C order; -1: the strides say nowhere. */
export function element_at(offset, { argumentShape: shape, argumentStrides: strides, elementBytes }) {
  if (offset % elementBytes !== 0) return -1;
  let rest = offset / elementBytes;
  const index = shape.map(() => 0);
  for (const d of strides.map((_, i) => i).sort((a, b) => strides[b] - strides[a])) {
    if (strides[d] <= 0) return -1;
    index[d] = Math.min(shape[d] - 1, Math.floor(rest / strides[d]));
    rest -= index[d] * strides[d];
  }
  return rest === 0 && index.every((one) => one >= 0) ? index.reduce((at, one, d) => at * shape[d] + one, 0) : -1;
}

export class Access {
  lane = 0;
  element;
  #access;
  #details = h("p", { class: "told", "aria-live": "polite" });
  #argument = null; // the picture of its elements
  #map;
  #elements = []; // of a lane: its element in C order, or -1
  #first = [0, 0, 0]; // row and column of the argument's window, columns of it
  #place = h("div", {});

  constructor(session, access, { lane }) {
    this.#access = access;
    this.#map = new LaneMap(access, (at) => this.pick(at));
    this.element = h("div", { class: "picture access" }, h("p", { class: "sentence" }, sentence(access)),
      h("div", { class: "row" }, this.#place, h("figure", { class: "drawn" }, h("figcaption", {}, `lanes of the tile: ${access.shape.join(" × ") || "1"}`), this.#map.element)),
      this.#details);
    this.pick(Math.min(lane, access.lanes - 1));
    this.#draw_argument(session);
  }

  pick(lane) {
    this.lane = lane;
    this.#map.select(lane);
    const element = this.#elements[lane] ?? -1;
    if (this.#argument && element >= 0) this.#argument.select(this.#cell_of(element));
    const { argument, argumentShape: shape, shape: tile } = this.#access;
    const mark = this.#map.mark(lane);
    const where = mark === "off" ? "is masked off: it touches nothing" : element >= 0 ? `is ${argument}[${index_of(element, shape).join(", ")}]` : mark === "outside" ? `lies outside of ${argument ?? "every argument"}` : "";
    say(this.#details, h("b", {}, `lane [${index_of(lane, tile).join(", ")}]`), ` ${where}`);
  }

  async #draw_argument(session) {
    const { argument, argumentShape: shape, argumentStrides: strides, each } = this.#access;
    if (!argument || !shape?.length || !each || strides.some((one) => one <= 0)) return;
    this.#elements = each.offsets.map((offset, lane) => (this.#map.mark(lane) === "inside" ? element_at(offset, this.#access) : -1));
    const inside = this.#elements.filter((one) => one >= 0);
    const window = window_of(shape, inside);
    const frameId = await session.frame_id();
    const answer = await session.request("lockstep/tile", { expression: argument + window.text, frameId }).catch(() => null);
    if (!answer) return;
    this.#first = window.first;
    const tile = read_tile({ ...answer, shape: answer.shape.length ? answer.shape : [1] });
    this.#argument = new TileCanvas(tile, {
      label: `${argument}, with the tile's elements framed`, width: 460, origin: window.text ? window.first : null,
      tallest: room_for_picture(), smallest: 4, outlined: inside.map((one) => this.#cell_of(one)), pick: (cell) => this.#pick_element(cell),
    });
    say(this.#place, h("figure", { class: "drawn" }, h("figcaption", {}, `${argument}${window.text}: ${answer.type}; in full colour: the tile`), this.#argument.element));
    this.pick(this.lane);
  }

  /** Of an element of the argument its place in the window that is drawn. */
  #cell_of(element) {
    const [row, column, columns] = this.#first;
    const all = this.#access.argumentShape.at(-1);
    return columns ? (Math.floor(element / all) - row) * columns + (element % all) - column : element;
  }

  #pick_element(cell) {
    const [row, column, columns] = this.#first;
    const all = this.#access.argumentShape.at(-1);
    const element = columns ? (row + Math.floor(cell / columns)) * all + column + (cell % columns) : cell;
    const lane = this.#elements.indexOf(element);
    if (lane >= 0) return this.pick(lane);
    this.#argument.select(cell);
    const { argument, argumentShape: shape } = this.#access;
    say(this.#details, h("b", {}, `${argument}[${index_of(element, shape).join(", ")}]`), " is touched by no lane of this tile");
  }
}

/** The part of a large argument around the tile, as an expression's slice; all of a small one. */
function window_of(shape, inside) {
  const count = shape.reduce((all, one) => all * one, 1);
  if (count <= most_elements || shape.length > 2 || !inside.length) return { text: "", first: [0, 0, 0] };
  const columns = shape.at(-1);
  const [low, high] = inside.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, -Infinity]);
  const span = (from, to, most) => [Math.max(0, from), Math.min(most, Math.max(to + 1, from + 1), from + most_window)];
  if (shape.length === 1) {
    const [from, to] = span(low, high, columns).map((one, i) => (i ? Math.min(columns, Math.max(one, low + 1024)) : one));
    return { text: `[${from}:${to}]`, first: [0, from, to - from] };
  }
  const column = inside.map((one) => one % columns);
  const [top, bottom] = span(Math.floor(low / columns), Math.floor(high / columns), shape[0]);
  const [left, right] = span(column.reduce((a, b) => Math.min(a, b)), column.reduce((a, b) => Math.max(a, b)), columns);
  return { text: `[${top}:${bottom},${left}:${right}]`, first: [top, left, right - left] };
}

function sentence({ text, python, argument, lanes, inside, masked, outside, first, last }) {
  const name = (place) => (place?.index ? `${argument}[${place.index.join(", ")}]` : "");
  const span = inside && name(first) ? `, ${name(first)}${name(last) === name(first) ? "" : ` to ${name(last)}`}` : "";
  return [h("b", {}, python ?? text), `${argument ? ` of ${argument}` : ""}: ${inside} of ${lanes} lanes${span}`,
    masked ? `; the mask takes ${masked} away` : "", outside ? h("strong", { class: "bad" }, `; ${outside} lie out of bounds`) : null];
}
