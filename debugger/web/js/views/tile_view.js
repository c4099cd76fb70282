// A tile: its lanes as a picture, and of one lane its value, its bits, its mask and where its pointer leads.

import { h, panel, replace } from "../dom.js";
import { bitsAt, bytesOf, elementType, hexOf, isFloat, textOf, valueOf } from "../formats.js";
import { microscope } from "./microscope.js";
import { padding_at, padding_label, padding_legend, source_words, stripe } from "../padding.js";
import { colourOf } from "../palette.js";

const most_cells = 128; // drawn along each side

export class TileView {
  #session;
  #body;
  #select;
  #name = "";
  #tile = null;
  #lane = 0;
  #details = null;
  #canvas = null;

  constructor(section, session) {
    this.#session = session;
    this.#select = h("select", { "aria-label": "variable", onchange: () => this.choose(this.#select.value) });
    this.#body = panel(section, "Tile", this.#select);
    session.subscribe((state) => this.update(state));
  }

  /** A variable, or any expression. */
  choose(name) {
    this.#is_chosen = true;
    this.#name = name;
    this.#lane = 0;
    this.#load();
  }

  get name() {
    return this.#name;
  }

  update(state) {
    if (state.status !== "stopped" || this.#seen === state.variables) return;
    this.#seen = state.variables;
    const names = state.variables.filter((one) => one.evaluateName).map((one) => one.evaluateName);
    if (!names.length) return;
    if (!this.#is_chosen || !this.#name) this.#name = latest(state, names) ?? names[0];
    replace(this.#select, groups(state.variables), names.includes(this.#name) ? null : h("option", { value: this.#name }, this.#name));
    this.#select.value = this.#name;
    this.#load();
  }
  #seen = null;
  #is_chosen = false; // else the picture follows the launch

  async #load() {
    if (!this.#name || !this.#session.is_standing) return;
    const name = this.#name;
    const frameId = await this.#session.frame_id();
    if (frameId === undefined || name !== this.#name) return;
    let tile;
    try {
      tile = await this.#session.request("lockstep/tile", { expression: name, frameId });
    } catch (error) {
      if (name === this.#name) replace(this.#body, h("p", { class: "note" }, error.message));
      return;
    }
    if (name !== this.#name) return;
    const bytes = Uint8Array.from(atob(tile.data), (one) => one.charCodeAt(0));
    const kind = elementType(tile.type);
    this.#tile = { ...tile, kind, view: new DataView(bytes.buffer), count: bytes.length / bytesOf(kind) };
    this.#lanes = this.#is_of_this_line() ? await this.#lanes_of_access(frameId) : null;
    this.#lane = Math.min(this.#lane, Math.max(0, this.#tile.count - 1));
    this.#draw();
  }
  #lanes = null;

  /** They come with the access but where it has very many. */
  async #lanes_of_access(frameId) {
    const { access } = this.#session.state;
    return access && (access.each ? { ...access, ...access.each } : this.#session.ask("lockstep/lanes", { frameId }));
  }

  /** Masks and pointers are those of the access of the line: they say something of what stands in it. */
  #is_of_this_line() {
    const { frame, lines } = this.#session.state;
    return lines.some((one) => one.line === frame?.line && one.names.includes(this.#name));
  }

  #draw() {
    const { count, kind, view, shape, type } = this.#tile;
    if (count === 0) return replace(this.#body, h("p", {}, "no elements"));
    this.#details = h("div", { class: "lane", "aria-live": "polite" });
    if (count === 1) {
      replace(this.#body, h("p", { class: "scalar" }, h("b", {}, textOf(kind, bitsAt(view, kind, 0))), ` ${type}`), this.#details);
      return this.#describe();
    }
    const columns = shape.at(-1);
    const rows = count / columns;
    const step = [Math.ceil(rows / most_cells), Math.ceil(columns / (rows === 1 ? most_cells * most_cells : most_cells))];
    this.#layout = layout_of(rows, columns, step);
    this.#canvas = h("canvas", {
      width: this.#layout.width, height: this.#layout.height, tabindex: 0, role: "img",
      "aria-label": `${this.#name}, ${type}; arrow keys go from lane to lane${padding_label(this.#tile.padding)}`,
      onpointermove: (event) => this.#point(event), onpointerdown: (event) => this.#point(event),
      onkeydown: (event) => this.#key(event),
    });
    const { every, padding } = this.#tile;
    replace(this.#body, h("p", {}, `${type} `, summary(this.#tile)), this.#canvas, padding_legend(padding),
      every ? h("p", { class: "note" }, `of this tile the recorded run has only every ${every.join(" × ")}th element`) : null,
      step[0] * step[1] > 1 ? h("p", { class: "note" }, `every ${step[0]}th row and ${step[1]}th column is drawn; the keys reach all`) : null,
      this.#details);
    this.#paint();
    this.#describe();
  }
  #layout = null;

  #paint() {
    const { kind, view, count } = this.#tile;
    const { cells, size, per_row } = this.#layout;
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    const [low, high] = range_of(this.#tile);
    const lanes = this.#lanes?.lanes === count ? this.#lanes : null;
    cells.forEach((lane, i) => {
      const x = (i % per_row) * size;
      const y = Math.floor(i / per_row) * size;
      const value = Number(valueOf(kind, bitsAt(view, kind, lane)));
      context.fillStyle = colourOf(value, low, high);
      context.fillRect(x, y, Math.max(1, size - 1), Math.max(1, size - 1));
      const mark = lanes ? mark_of(lanes, lane) : "inside";
      if (padding_at(this.#tile.padding, lane)) stripe(context, x, y, size);
      else if (mark === "off") hatch(context, x, y, size);
      if (mark === "outside") outline(context, x, y, size);
      if (Number.isNaN(value) && size >= 10) context.fillText("n", x + size / 4, y + size * 0.75);
      if (lane === this.#lane) select(context, x, y, size);
    });
  }

  #point(event) {
    const box = this.#canvas.getBoundingClientRect();
    const { cells, size, per_row } = this.#layout;
    const column = Math.floor(((event.clientX - box.left) * this.#canvas.width) / box.width / size);
    const row = Math.floor(((event.clientY - box.top) * this.#canvas.height) / box.height / size);
    const lane = column < per_row ? cells[row * per_row + column] : undefined;
    if (lane !== undefined && lane !== this.#lane) this.#go(lane);
  }

  #key(event) {
    const columns = this.#tile.shape.at(-1);
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -Infinity, End: Infinity }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#go(Math.max(0, Math.min(this.#tile.count - 1, this.#lane + way)));
  }

  #go(lane) {
    this.#lane = lane;
    this.#paint();
    this.#describe();
  }

  #describe() {
    const { kind, view, shape, count } = this.#tile;
    const bits = bitsAt(view, kind, this.#lane);
    const index = index_of(this.#lane, shape);
    const rows = [["lane", count === 1 ? "" : `[${index.join(", ")}]`], ["value", `${textOf(kind, bits)}  ${hexOf(kind, bits)}`]];
    const padding = padding_at(this.#tile.padding, this.#lane);
    if (padding) rows.push(["padding", `this lane is no data: ${source_words(padding)}`]);
    const lanes = this.#lanes?.lanes === count ? this.#lanes : null;
    if (lanes) {
      const mark = mark_of(lanes, this.#lane);
      rows.push(["mask", mark === "off" ? "0: this lane does nothing; what it holds is undefined unless `other` says" : "1"]);
      rows.push(["pointer", place_text(lanes, this.#lane) + (mark === "outside" ? ": out of bounds" : "")]);
    }
    replace(this.#details, h("dl", {}, rows.filter(([, text]) => text).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
      isFloat(kind) ? microscope(kind, bits) : null);
  }
}

/** Marks come as runs [first, count, mark]. */
function mark_of(lanes, lane) {
  const run = lanes.marks.find(([first, count]) => lane >= first && lane < first + count);
  return run ? run[2] : "inside";
}

function place_text(lanes, lane) {
  const offset = lanes.offsets[lane];
  if (offset === undefined) return "";
  const element = offset / lanes.elementBytes;
  const name = lanes.argument ?? "an unknown address";
  return Number.isInteger(element) ? `${name} + ${element} (byte ${offset})` : `${name}, byte ${offset}`;
}

/** What the line before made. */
function latest(state, names) {
  const lines = state.lines.filter((one) => one.line < state.frame?.line);
  for (const line of lines.reverse()) {
    const name = line.names.find((one) => names.includes(one));
    if (name) return name;
  }
  return undefined;
}

function groups(variables) {
  const scopes = new Map();
  for (const one of variables) {
    if (!one.evaluateName) continue;
    if (!scopes.has(one.scope)) scopes.set(one.scope, []);
    scopes.get(one.scope).push(one);
  }
  return [...scopes].map(([scope, members]) => h("optgroup", { label: scope }, members.map((one) => h("option", { value: one.evaluateName }, one.name))));
}

function layout_of(rows, columns, step) {
  const cells = [];
  for (let row = 0; row < rows; row += step[0]) for (let column = 0; column < columns; column += step[1]) cells.push(row * columns + column);
  const drawn = Math.ceil(columns / step[1]);
  const per_row = rows === 1 ? Math.min(drawn, drawn <= 64 ? 16 : Math.ceil(Math.sqrt(drawn))) : drawn;
  const lines = Math.ceil(cells.length / per_row);
  const size = Math.max(3, Math.min(22, Math.floor(352 / Math.max(per_row, lines / 1.5))));
  return { cells, per_row, size, width: per_row * size, height: lines * size };
}

function range_of({ kind, view, count }) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; ++i) {
    const value = Number(valueOf(kind, bitsAt(view, kind, i)));
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

function summary(tile) {
  const [low, high] = range_of(tile);
  let nans = 0;
  if (isFloat(tile.kind)) for (let i = 0; i < tile.count; ++i) nans += Number.isNaN(valueOf(tile.kind, bitsAt(tile.view, tile.kind, i))) ? 1 : 0;
  const span = low <= high ? `from ${Number(low.toPrecision(6))} to ${Number(high.toPrecision(6))}` : "no finite number";
  return nans ? `${span}, ${nans} NaN` : span;
}

export function index_of(lane, shape) {
  const index = [];
  for (let d = shape.length - 1; d >= 0; --d) {
    index.unshift(lane % shape[d]);
    lane = Math.floor(lane / shape[d]);
  }
  return index;
}

function hatch(context, x, y, size) {
  context.fillStyle = getComputedStyle(document.body).getPropertyValue("--panel");
  context.fillRect(x, y, size - 1, size - 1);
  context.strokeStyle = getComputedStyle(document.body).getPropertyValue("--faint");
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, y + size - 1);
  context.lineTo(x + size - 1, y);
  context.stroke();
}

function outline(context, x, y, size) {
  context.strokeStyle = getComputedStyle(document.body).getPropertyValue("--bad");
  context.lineWidth = Math.min(3, size / 3);
  context.strokeRect(x + 1, y + 1, size - 3, size - 3);
}

function select(context, x, y, size) {
  context.strokeStyle = getComputedStyle(document.body).getPropertyValue("--text");
  context.lineWidth = 2;
  context.strokeRect(x, y, size - 1, size - 1);
}
