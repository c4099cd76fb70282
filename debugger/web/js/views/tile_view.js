// Values: up to four tiles at once, as pictures: the one that the launch or a person chose, and pinned ones with their
// earlier values. For one lane: its value, its bits, its mask and its pointer's element.

import { h, panel, replace } from "../dom.js";
import { clear_with_launch } from "../drawer.js";
import { bitsAt, hexOf, isFloat, textOf, valueOf } from "../formats.js";
import { microscope } from "./microscope.js";
import { padding_at, padding_legend, source_words } from "../padding.js";
import { index_of } from "../pictures/picture_lanes.js";
import { with_holes } from "../stored.js";
import { TileCanvas, mark_of, range_of, read_tile } from "../pictures/tile_canvas.js";

const most_pinned = 3;

/** One tile: what it is now, what it was before. */
class Pane {
  name;
  tile = null;
  before = null;
  problem = "";
  canvas = null;

  constructor(name) {
    this.name = name;
  }

  take(tile) {
    if (this.tile && (tile.data !== this.tile.data || tile.type !== this.tile.type)) this.before = this.tile;
    this.tile = tile;
    this.problem = "";
  }
}

export class TileView {
  #session;
  #stored;
  #body;
  #select;
  #pin;
  #main = new Pane("");
  #pinned = [];
  #chosen = null; // the pane of which a lane is described
  #lane = 0;
  #lanes = null;
  #details = h("div", { class: "lane", "aria-live": "polite" });
  #is_chosen = false; // else the picture follows the launch
  #seen = null;

  constructor(section, session, stored) {
    this.#session = session;
    this.#stored = stored;
    this.#select = h("select", { "aria-label": "variable", onchange: () => this.choose(this.#select.value) });
    this.#pin = h("button", { type: "button", title: "keep this value in sight, with what it was before", onclick: () => this.#add_pin() }, "Pin");
    this.#body = panel(section, "Value", h("div", { class: "choice" }, this.#select, " ", this.#pin));
    clear_with_launch(session, this.#body, () => this.#forget());
    session.subscribe((state) => this.update(state));
    document.addEventListener("colours", () => this.#main.tile && this.#draw());
  }

  /** A variable, or any expression. */
  choose(name) {
    this.#is_chosen = true;
    this.#show(name);
    if ([...this.#select.options].some((one) => one.value === name)) this.#select.value = name;
    this.#load();
  }

  get name() {
    return this.#main.name;
  }

  #show(name) {
    if (name === this.#main.name) return;
    this.#main = new Pane(name);
    this.#chosen = null;
    this.#lane = 0;
  }

  #add_pin() {
    const { name } = this.#main;
    if (!name || this.#pinned.some((one) => one.name === name)) return;
    const pane = new Pane(name);
    if (this.#main.tile) pane.take(this.#main.tile);
    this.#pinned = [...this.#pinned, pane].slice(-most_pinned);
    this.#draw();
  }

  #remove_pin(pane) {
    this.#pinned = this.#pinned.filter((one) => one !== pane);
    if (this.#chosen === pane) this.#chosen = null;
    this.#draw();
  }

  /** The names stay, for the launch that follows. */
  #forget() {
    for (const pane of [this.#main, ...this.#pinned]) [pane.tile, pane.before] = [null, null];
    replace(this.#select);
    this.#seen = null;
  }

  update(state) {
    if (state.status !== "stopped" || this.#seen === state.variables) return;
    this.#seen = state.variables;
    const known = state.variables.filter((one) => one.evaluateName);
    if (!known.length) return;
    const names = known.map((one) => one.evaluateName);
    if (!this.#is_chosen || !this.#main.name) this.#show(latest(state, names) ?? first_tensor(known) ?? names[0]);
    const { name } = this.#main;
    replace(this.#select, groups(state.variables), names.includes(name) ? null : h("option", { value: name }, name));
    this.#select.value = name;
    this.#load();
  }

  async #load() {
    if (!this.#main.name || !this.#session.is_standing) return;
    const panes = [this.#main, ...this.#pinned];
    const seen = this.#seen;
    const frameId = await this.#session.frame_id();
    if (frameId === undefined || panes[0] !== this.#main) return;
    await Promise.all(panes.map(async (pane) => {
      try {
        pane.take(await this.#tile(pane.name, frameId));
      } catch (error) {
        pane.problem = error.message;
      }
    }));
    if (panes[0] !== this.#main || seen !== this.#seen) return;
    this.#lanes = this.#is_of_this_line() ? await this.#lanes_of_access(frameId) : null;
    if (panes[0] === this.#main) this.#draw();
  }

  async #tile(name, frameId) {
    const tile = read_tile(await this.#session.request("lockstep/tile", { expression: name, frameId }));
    const is_argument = this.#session.state.variables.some((one) => one.scope === "Arguments" && one.name === name && /\[/.test(one.type ?? ""));
    return is_argument ? with_holes(tile, (await this.#stored.of(name))?.holes) : tile;
  }

  /** They come with the access but where it has very many. */
  async #lanes_of_access(frameId) {
    const { access } = this.#session.state;
    return access && (access.each ? { ...access, ...access.each } : this.#session.ask("lockstep/lanes", { frameId }));
  }

  /** Masks and pointers are those of the access of the line: they say something of what stands in it. */
  #is_of_this_line() {
    const { frame, lines } = this.#session.state;
    return lines.some((one) => one.line === frame?.line && one.names.includes(this.#main.name));
  }

  #draw() {
    if (!this.#chosen?.tile) this.#chosen = this.#main;
    const { tile, problem } = this.#main;
    const pinned = this.#pinned.map((pane) => this.#pinned_element(pane));
    if (problem || !tile) return replace(this.#body, problem ? h("p", { class: "note" }, problem) : null, pinned);
    replace(this.#body, this.#pane_element(this.#main, this.#pinned.length ? 420 : 560), this.#details, pinned);
    this.#go(this.#chosen, Math.min(this.#lane, Math.max(0, this.#chosen.tile.count - 1)));
  }

  #pinned_element(pane) {
    const unpin = h("button", { type: "button", class: "plain", "aria-label": `unpin ${pane.name}`, onclick: () => this.#remove_pin(pane) }, "Unpin");
    const head = h("p", { class: "pinned-title" }, h("b", {}, pane.name), " ", unpin);
    if (pane.problem || !pane.tile) return h("section", { class: "pinned", "aria-label": `pinned: ${pane.name}` }, head, h("p", { class: "note" }, pane.problem || "has no value here"));
    const before = pane.before && pane.before.type === pane.tile.type && pane.tile.count > 1 ? pane.before : null;
    const [low, high] = before ? both(range_of(before), range_of(pane.tile)) : [0, 0];
    const drawn = before ? h("div", { class: "row" },
      h("figure", { class: "drawn" }, h("figcaption", {}, "before"), new TileCanvas(before, { label: `${pane.name} before`, width: 270, range: [low, high], has_scale: false }).element),
      h("figure", { class: "drawn" }, h("figcaption", {}, "now"), this.#pane_element(pane, 270, [low, high]))) : this.#pane_element(pane, 420);
    return h("section", { class: "pinned", "aria-label": `pinned: ${pane.name}` }, head,
      pane.before && !before ? h("p", {}, "before: ", scalar_text(pane.before)) : null, drawn);
  }

  #pane_element(pane, width, range = null) {
    const { tile } = pane;
    const { count, type, every, padding } = tile;
    pane.canvas = null;
    if (count === 0) return h("p", {}, "no elements");
    if (count === 1) return h("p", { class: "scalar" }, h("b", {}, scalar_text(tile)), ` ${type}`);
    pane.canvas = new TileCanvas(tile, { label: `${pane.name}, ${type}`, width, range, lanes: pane === this.#main ? this.#lanes : null, pick: (lane) => this.#go(pane, lane) });
    return [h("p", {}, `${type} `, summary(tile)), pane.canvas.element, padding_legend(padding),
      every ? h("p", { class: "note" }, `the recorded run has only every ${every.join(" × ")}th element of this tile`) : null];
  }

  #go(pane, lane) {
    this.#chosen = pane;
    this.#lane = lane;
    pane.canvas?.select(lane);
    this.#describe(pane);
  }

  #describe({ tile, name }) {
    const { kind, view, shape, count } = tile;
    if (!count) return replace(this.#details);
    const bits = bitsAt(view, kind, this.#lane);
    const index = index_of(this.#lane, shape);
    const rows = [["lane", count === 1 ? "" : `${this.#pinned.length ? name : ""}[${index.join(", ")}]`], ["value", tile.unwritten?.[this.#lane] ? "no program has stored it" : `${textOf(kind, bits)}  ${hexOf(kind, bits)}`]];
    const padding = padding_at(tile.padding, this.#lane);
    if (padding) rows.push(["padding", `this lane is not data: ${source_words(padding)}`]);
    const lanes = this.#lanes?.lanes === count && tile === this.#main.tile ? this.#lanes : null;
    if (lanes) {
      const mark = mark_of(lanes, this.#lane);
      rows.push(["mask", mark === "off" ? "0: this lane does nothing; its value is undefined without `other`" : "1"]);
      rows.push(["pointer", place_text(lanes, this.#lane) + (mark === "outside" ? ": out of bounds" : "")]);
    }
    const list = h("dl", {}, rows.filter(([, text]) => text).map(([title, text]) => [h("dt", {}, title), h("dd", {}, text)]));
    if (tile.layout) this.#add_holders(list, name, index);
    replace(this.#details, list,
      isFloat(kind) && !tile.unwritten?.[this.#lane] ? microscope(kind, bits) : null);
  }

  /** Of a kernel in TTGIR: which warp, lane and register of the GPU holds the element. */
  async #add_holders(list, name, index) {
    const body = await this.#session.ask("lockstep/layout", { expression: name, index, frameId: await this.#session.frame_id() });
    if (body?.holders) list.append(h("dt", {}, "on the GPU"), h("dd", { title: body.lines.join("\n") }, body.holders.join("; ")));
  }
}

const scalar_text = ({ kind, view }) => textOf(kind, bitsAt(view, kind, 0));
const both = ([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)];

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

/** Where no line has made anything yet: an argument that has elements. */
function first_tensor(variables) {
  return variables.find((one) => one.scope === "Arguments" && /\[/.test(one.type ?? ""))?.evaluateName;
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

function summary(tile) {
  const [low, high] = range_of(tile);
  let nans = 0;
  if (isFloat(tile.kind)) for (let i = 0; i < tile.count; ++i) nans += Number.isNaN(valueOf(tile.kind, bitsAt(tile.view, tile.kind, i))) ? 1 : 0;
  if (tile.unwritten?.every((one) => one)) return "nothing is stored yet";
  const span = low <= high ? `from ${Number(low.toPrecision(6))} to ${Number(high.toPrecision(6))}` : "no finite number";
  return nans ? `${span}, ${nans} NaN` : span;
}
