// TileCanvas: a tile's lanes, or an argument's elements, as cells between two rulers, with a scale of colours and
// numbers, and a table for people who cannot see the picture. Big tiles are drawn sampled; the keys reach every lane.

import { h } from "../dom.js";
import { bitsAt, bytesOf, elementType, textOf, valueOf } from "../formats.js";
import { padding_at, padding_label, stripe } from "../padding.js";
import { colour, hatch, is_boolean, outline, paint_cell, select } from "./cells.js";

const most_cells = 128; // drawn along each side
const tallest = 440; // pixels
const table_side = 64; // rows and columns of the table

/** Rows and columns of a tile as it is drawn: a tile of one dimension in rows of 16 or 32. */
export function layout_of(shape, count, width, most_height = tallest, least = 12) {
  const columns = shape.at(-1) ?? 1;
  const rows = count / columns;
  const is_flat = rows === 1;
  const step = is_flat ? [1, Math.ceil(columns / (64 * most_cells))] : [Math.ceil(rows / most_cells), Math.ceil(columns / most_cells)];
  const cells = [];
  for (let row = 0; row < rows; row += step[0]) for (let column = 0; column < columns; column += step[1]) cells.push(row * columns + column);
  const drawn = Math.ceil(columns / step[1]);
  const per_row = is_flat ? Math.min(drawn, drawn <= 256 ? 16 : drawn <= 2048 ? 32 : 64) : drawn;
  const lines = Math.ceil(cells.length / per_row);
  const left = 12 + 7 * String(is_flat ? count - 1 : rows - 1).length;
  const top = 16;
  const room = Math.floor((width - left - 1) / per_row);
  const size = Math.max(3, Math.min(34, room, Math.max(Math.min(room, least), Math.floor(most_height / lines))));
  return { cells, per_row, lines, size, left, top, is_flat, columns, step, width: left + per_row * size + 1, height: top + lines * size + 1 };
}

/** Of all numbers in it. */
export function range_of({ kind, view, count, unwritten }) {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < count; ++i) {
    if (unwritten?.[i]) continue;
    const value = Number(valueOf(kind, bitsAt(view, kind, i)));
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

/** Marks come as runs [first, count, mark]. */
export function mark_of(lanes, lane) {
  const run = lanes.marks.find(([first, count]) => lane >= first && lane < first + count);
  return run ? run[2] : "inside";
}

export class TileCanvas {
  lane = 0;
  element;
  #tile;
  #options;
  #layout;
  #canvas;
  #range;
  #outlined;

  /** `tile`: {kind, view, shape, count, padding?, unwritten?: of each element 1 where it holds nothing yet}. `label`: what is heard of it; `pick(lane)`: somebody points at one;
   * `width`: pixels at most; `tallest`: so high, if cells stay 12 pixels wide, or `smallest`; `range`: of the colours; `lanes`: marks of an access; `outlined`: lanes with a frame, the others are pale;
   * `origin`: [row, column] that its first lane has in what it was cut from; `has_scale`: false for none. */
  constructor(tile, { width = 560, range = null, ...options }) {
    this.#tile = tile;
    this.#options = options;
    this.#layout = layout_of(tile.shape, tile.count, width, options.tallest, options.smallest);
    this.#range = range ?? range_of(tile);
    this.#outlined = new Set(options.outlined?.map((lane) => this.#cell_of(lane)));
    this.#canvas = h("canvas", {
      tabindex: 0, role: "img", "aria-label": `${options.label}; arrow keys go from lane to lane${padding_label(tile.padding)}`,
      onpointermove: (event) => this.#point(event), onpointerdown: (event) => this.#point(event), onkeydown: (event) => this.#key(event),
    });
    sharpen(this.#canvas, this.#layout.width, this.#layout.height);
    this.element = h("div", { class: "tile-picture" }, this.#canvas, options.has_scale === false ? null : scale_element(tile.kind, ...this.#range), unwritten_legend(tile),
      sampling_note(this.#layout), table_element(tile, options.label));
    this.paint();
  }

  /** That lane is the chosen one. */
  select(lane) {
    this.lane = Math.max(0, Math.min(this.#tile.count - 1, lane));
    this.paint();
  }

  paint() {
    const { kind, view, padding, unwritten } = this.#tile;
    const { cells, size, per_row, left, top } = this.#layout;
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, this.#layout.width, this.#layout.height);
    paint_rulers(context, this.#layout, this.#options.origin);
    const lanes = this.#options.lanes?.lanes === this.#tile.count ? this.#options.lanes : null;
    let chosen = null;
    cells.forEach((lane, i) => {
      const [x, y] = [left + (i % per_row) * size, top + Math.floor(i / per_row) * size];
      paint_cell(context, x, y, size, kind, Number(valueOf(kind, bitsAt(view, kind, lane))), ...this.#range);
      const mark = lanes ? mark_of(lanes, lane) : "inside";
      if (padding_at(padding, lane)) stripe(context, x, y, size);
      else if (mark === "off" || unwritten?.[lane]) hatch(context, x, y, size);
      if (mark === "outside") outline(context, x, y, size);
      if (this.#outlined.size) frame(context, x, y, size, this.#outlined.has(i));
      if (i === this.#cell_of(this.lane)) chosen = [x, y];
    });
    if (chosen) select(context, ...chosen, size);
  }

  #cell_of(lane) {
    const { columns, step } = this.#layout;
    return Math.floor(Math.floor(lane / columns) / step[0]) * Math.ceil(columns / step[1]) + Math.floor((lane % columns) / step[1]);
  }

  #point(event) {
    const box = this.#canvas.getBoundingClientRect();
    const { cells, size, per_row, left, top, width } = this.#layout;
    const scale = width / box.width;
    const column = Math.floor(((event.clientX - box.left) * scale - left) / size);
    const row = Math.floor(((event.clientY - box.top) * scale - top) / size);
    const lane = column >= 0 && column < per_row && row >= 0 ? cells[row * per_row + column] : undefined;
    if (lane !== undefined && (lane !== this.lane || event.type === "pointerdown")) this.#options.pick?.(lane);
  }

  #key(event) {
    const { is_flat, per_row, columns, step } = this.#layout;
    const down = is_flat ? per_row * step[1] : columns;
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -down, ArrowDown: down, Home: -Infinity, End: Infinity }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#options.pick?.(Math.max(0, Math.min(this.#tile.count - 1, this.lane + way)));
  }
}

/** Numbers of the columns above, of the rows (of a flat tile: of each row's first lane) beside the cells. */
export function paint_rulers(context, { cells, size, per_row, lines, left, top, is_flat, columns, step }, origin = null) {
  const [first_row, first_column] = origin ?? [0, 0];
  context.fillStyle = colour("--soft");
  context.font = '10px ui-monospace, "DejaVu Sans Mono", monospace';
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  const widest = 7 * String(first_column + (per_row - 1) * step[1]).length + 6;
  const across = nice_step(widest / size);
  for (let i = 0; i < per_row; i += across) context.fillText(String(first_column + i * step[1]), left + (i + 0.5) * size, top - 4);
  context.textAlign = "right";
  const down = nice_step(12 / size);
  for (let i = 0; i < lines; i += down) {
    const lane = cells[i * per_row];
    context.fillText(String(is_flat && !origin ? lane : first_row + Math.floor(lane / columns)), left - 4, top + (i + 0.5) * size + 3);
  }
}

/** A canvas of so many of the page's pixels, as sharp as the screen. */
export function sharpen(canvas, width, height) {
  const ratio = Math.max(1, Math.min(3, devicePixelRatio * ("presenter" in document.documentElement.dataset ? 1.5 : 1)));
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** What is framed stays in full colour, the rest is pale. */
function frame(context, x, y, size, is_framed) {
  if (!is_framed) {
    context.save();
    context.globalAlpha = 0.72;
    context.fillStyle = colour("--panel");
    context.fillRect(x, y, size, size);
    context.restore();
  } else if (size >= 6) {
    context.strokeStyle = colour("--text");
    context.lineWidth = 1;
    context.strokeRect(x - 0.5, y - 0.5, size, size);
  }
}

/** 1, 2, 4, 8, 16 ...: how far apart labels stand that need so many cells. */
function nice_step(cells) {
  let step = 1;
  while (step < cells) step *= 2;
  return step;
}

function sampling_note({ step }) {
  return step[0] * step[1] > 1 ? h("p", { class: "note" }, `every ${step[0]}th row and ${step[1]}th column is drawn; the keys reach all`) : null;
}

/** The colours with their numbers. */
export function scale_element(kind, low, high) {
  if (is_boolean(kind)) return h("p", { class: "scale" }, h("span", { class: "sign-key yes" }, "✓"), " true ", h("span", { class: "sign-key no" }, "–"), " false");
  if (!(low <= high)) return null;
  const text = (value) => String(Number(value.toPrecision(4)));
  if (low === high) return h("p", { class: "scale" }, `all are ${text(low)}`);
  return h("p", { class: "scale" }, text(low), " ", h("span", { class: "gradient", "aria-hidden": "true" }), " ", text(high));
}

function unwritten_legend({ unwritten }) {
  return unwritten?.includes(1) ? h("p", { class: "scale" }, h("span", { class: "lane-key off", "aria-hidden": "true" }), " hatched: no program has stored it") : null;
}

/** The same as numbers, made when somebody opens it. */
function table_element({ kind, view, shape, count, unwritten }, label) {
  const columns = Math.min(table_side, shape.at(-1) ?? 1);
  const rows = Math.min(table_side, count / (shape.at(-1) ?? 1));
  const details = h("details", { class: "as-table" }, h("summary", {}, "As a table"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const text = (lane) => (unwritten?.[lane] ? "–" : textOf(kind, bitsAt(view, kind, lane)));
    const row = (r) => h("tr", {}, h("th", { scope: "row" }, String(r)), Array.from({ length: columns }, (_, c) => h("td", {}, text(r * (shape.at(-1) ?? 1) + c))));
    const table = h("table", { class: "numbers" }, h("caption", {}, `${label}${rows * columns < count ? `, the first ${rows} rows and ${columns} columns` : ""}`),
      h("thead", {}, h("tr", {}, h("td", {}), Array.from({ length: columns }, (_, c) => h("th", { scope: "col" }, String(c))))), h("tbody", {}, Array.from({ length: rows }, (_, r) => row(r))));
    details.append(h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": label }, table));
  });
  return details;
}

/** An answer of lockstep/tile as pictures take it. */
export function read_tile(answer) {
  const kind = elementType(answer.type);
  const bytes = Uint8Array.from(atob(answer.data), (one) => one.charCodeAt(0));
  return { ...answer, kind, view: new DataView(bytes.buffer), count: bytes.length / bytesOf(kind) };
}
