// LaneCanvas: a tile's lanes as cells, of which one is picked and others are lit. Big tiles come sampled (lockstep/picture's
// rowStep and columnStep); keys reach every lane; its cell shows it.

import { h } from "../dom.js";
import { bitsAt, bytesOf, elementType, valueOf } from "../formats.js";
import { padding_at, padding_label, stripe } from "../padding.js";
import { fill_of } from "./cells.js";

export class LaneCanvas {
  #tile;
  #values;
  #canvas;
  #picked = 0;
  #lit = [];
  #pick;

  /** `pick(lane)` is called for each lane that somebody points at. `width`: pixels at most. `padding`: as lockstep/tile
   * has it, or nothing. */
  constructor(tile, label, pick, width = 352, padding = null) {
    this.#tile = read(tile);
    this.padding = padding;
    this.#pick = pick;
    const { rows, columns, rowStep, columnStep } = this.#tile;
    this.#drawn_columns = Math.ceil(columns / columnStep);
    const cells = Math.ceil(rows / rowStep) * this.#drawn_columns;
    this.#per_row = rows === 1 ? Math.min(cells, cells <= 32 ? cells : cells <= 256 ? 32 : 64) : this.#drawn_columns;
    const lines = Math.ceil(cells / this.#per_row);
    this.#size = Math.max(3, Math.min(18, Math.floor(width / Math.max(this.#per_row, lines / 1.5))));
    this.#values = this.#tile.values;
    this.#canvas = h("canvas", {
      width: this.#per_row * this.#size, height: lines * this.#size, tabindex: 0, role: "img",
      "aria-label": `${label}; arrow keys go from lane to lane${padding_label(padding)}`,
      onpointermove: (event) => this.#point(event), onpointerdown: (event) => this.#point(event), onkeydown: (event) => this.#key(event),
    });
    this.#paint();
  }
  #per_row = 1;
  #drawn_columns = 1;
  #size = 3;

  padding;

  get element() {
    return this.#canvas;
  }

  get shape() {
    return this.#tile.shape;
  }

  /** Of a tile that is drawn sampled: "every 4th row, every 2nd column is drawn". */
  get sampling() {
    const { rowStep, columnStep } = this.#tile;
    const parts = [[rowStep, "row"], [columnStep, "column"]].filter(([step]) => step > 1).map(([step, name]) => `every ${ordinal(step)} ${name}`);
    return parts.length ? `${parts.join(", ")} is drawn; the keys reach all` : "";
  }

  /** `lit`: lanes beside the picked one; null as `picked`: none. */
  mark(picked, lit = []) {
    this.#picked = picked;
    this.#lit = lit;
    this.#paint();
  }

  #cell_of(lane) {
    const { columns, rowStep, columnStep } = this.#tile;
    const row = Math.floor(lane / columns);
    return Math.floor(row / rowStep) * this.#drawn_columns + Math.floor((lane % columns) / columnStep);
  }

  #lane_of(cell) {
    const { rows, columns, rowStep, columnStep } = this.#tile;
    const row = Math.floor(cell / this.#drawn_columns) * rowStep;
    const column = (cell % this.#drawn_columns) * columnStep;
    return row < rows && column < columns ? row * columns + column : undefined;
  }

  #paint() {
    const context = this.#canvas.getContext("2d");
    const style = getComputedStyle(document.body);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    const finite = this.#values.filter(Number.isFinite);
    const low = finite.reduce((a, b) => Math.min(a, b), Infinity);
    const high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
    const size = this.#size;
    const place = (cell) => [(cell % this.#per_row) * size, Math.floor(cell / this.#per_row) * size];
    this.#values.forEach((value, cell) => {
      const [x, y] = place(cell);
      context.fillStyle = fill_of(this.#tile.kind, value, low, high);
      context.fillRect(x, y, Math.max(1, size - 1), Math.max(1, size - 1));
      if (this.padding && padding_at(this.padding, this.#lane_of(cell))) stripe(context, x, y, size);
    });
    context.lineWidth = Math.max(1, Math.min(3, size / 4));
    for (const cell of new Set(this.#lit.map((lane) => this.#cell_of(lane)))) {
      const [x, y] = place(cell);
      context.strokeStyle = style.getPropertyValue("--panel");
      context.strokeRect(x + 0.5, y + 0.5, size - 2, size - 2);
      context.strokeStyle = style.getPropertyValue("--bad");
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + size - 1, y + size - 1);
      context.moveTo(x + size - 1, y);
      context.lineTo(x, y + size - 1);
      context.stroke();
    }
    if (this.#picked === null || this.#picked === undefined) return;
    const [x, y] = place(this.#cell_of(this.#picked));
    context.strokeStyle = style.getPropertyValue("--panel");
    context.lineWidth = 4;
    context.strokeRect(x, y, size - 1, size - 1);
    context.strokeStyle = style.getPropertyValue("--text");
    context.lineWidth = 2;
    context.strokeRect(x, y, size - 1, size - 1);
  }

  #point(event) {
    const box = this.#canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) * this.#canvas.width) / box.width / this.#size);
    const row = Math.floor(((event.clientY - box.top) * this.#canvas.height) / box.height / this.#size);
    const lane = column < this.#per_row ? this.#lane_of(row * this.#per_row + column) : undefined;
    if (lane !== undefined && (lane !== this.#picked || event.type === "pointerdown")) this.#pick(lane);
  }

  #key(event) {
    const { rows, columns, count } = this.#tile;
    const down = rows === 1 ? this.#per_row * this.#tile.columnStep : columns;
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -down, ArrowDown: down, Home: -Infinity, End: Infinity }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#pick(Math.max(0, Math.min(count - 1, (this.#picked ?? 0) + way)));
  }
}

/** Of an answer's tile: extents as a matrix, and the values of the drawn cells. */
function read(tile) {
  const kind = elementType(tile.type);
  const bytes = Uint8Array.from(atob(tile.data), (one) => one.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const columns = tile.shape.at(-1) ?? 1;
  const count = tile.shape.reduce((all, one) => all * one, 1);
  const values = Array.from({ length: bytes.length / bytesOf(kind) }, (_, i) => Number(valueOf(kind, bitsAt(view, kind, i))));
  return { ...tile, kind, columns, rows: count / columns, count, values };
}

function ordinal(number) {
  const ending = number % 100 > 10 && number % 100 < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th";
  return `${number}${ending}`;
}
