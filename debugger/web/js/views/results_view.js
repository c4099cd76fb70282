// Results: every output as a picture, next to its distance from the reference, with the farthest elements as buttons:
// where was this one made wrong? Before any store, the arguments as they were before the launch.

import { h, replace } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";
import { bitsAt, textOf, valueOf } from "../formats.js";
import { index_of } from "../pictures/picture_lanes.js";
import { with_holes } from "../stored.js";
import { TileCanvas, read_tile } from "../pictures/tile_canvas.js";

const most_elements = 1 << 20; // of a tensor that are fetched whole
const most_arguments = 8;
const shown_worst = 6;

export class ResultsView {
  #session;
  #body;
  #ask;
  #bisect;
  #stored;
  #number = 0; // of the newest filling

  /** `ask(question, element)`: "why" or "who", in the drawer; `bisect(element)`: the line that made it wrong. */
  constructor(section, session, stored, { ask, bisect }) {
    this.#session = session;
    this.#stored = stored;
    this.#ask = ask;
    this.#bisect = bisect;
    this.#body = sheet(section);
    clear_with_launch(session, this.#body, () => {
      this.#shown = null;
      this.#number += 1;
    });
    document.addEventListener("colours", () => this.#shown && this.#show());
  }
  #shown = null;

  async fill(state) {
    const number = ++this.#number;
    const names = state.variables.filter((one) => one.scope === "Arguments" && /\[/.test(one.type ?? "")).map((one) => one.name).slice(0, most_arguments);
    if (names.length) this.#names = names;
    const frameId = await this.#session.frame_id();
    const outputs = await this.#outputs();
    const shown = outputs.length ? outputs : this.#names;
    const diff = state.isOver ? await this.#session.ask("lockstep/diff", { data: true }) : null; // on the way most is still to come
    const tensors = await Promise.all(shown.map((name) => this.#tensor(name, frameId)));
    if (number !== this.#number) return;
    const before = this.#shown;
    this.#shown = { tensors, diff, are_outputs: outputs.length > 0, is_end: state.isOver };
    if (!is_same(before, this.#shown)) this.#show(); // else buttons go away under a hand
  }
  #names = [];

  /** Arguments that somebody wrote. */
  async #outputs() {
    const outputs = [];
    for (const name of this.#names) if ((await this.#stored.of(name))?.is_output) outputs.push(name);
    return outputs;
  }

  async #tensor(name, frameId) {
    try {
      const tile = read_tile(await this.#session.request("lockstep/tile", { expression: name, frameId }));
      const holes = (await this.#stored.of(name))?.holes ?? null;
      return { name, holes, tile: with_holes(tile, holes) };
    } catch (error) {
      return { name, problem: error.message };
    }
  }

  #show() {
    const { tensors, diff, are_outputs, is_end } = this.#shown;
    const head = are_outputs ? (is_end ? "Results of the launch." : "Results so far.") : is_end ? "The launch stored nothing. Its arguments:" : "Arguments before the launch:";
    replace(this.#body, h("p", { class: "note" }, head),
      h("div", { class: "results" }, tensors.map((one) => this.#tensor_element(one, diff?.tensors.find((other) => other.name === one.name)))));
  }

  #tensor_element({ name, tile, problem }, difference) {
    if (!tile) return h("section", { class: "result", "aria-label": name }, h("h3", {}, name), h("p", { class: "note" }, problem));
    const told = h("p", { class: "told", "aria-live": "polite" });
    const reference = difference?.data ? read_tile({ type: tile.type, shape: tile.shape, data: difference.data }) : null;
    const distance = reference?.count === tile.count ? distance_of(tile, reference) : null;
    const buttons = h("p", { class: "buttons" });
    const pick = (lane) => {
      for (const one of drawn) one.select(lane);
      this.#describe(told, buttons, { name, tile, reference }, lane);
    };
    const room = Math.max(320, Math.min(1800, this.#body.clientWidth - 24)) / (distance || this.#shown.tensors.length > 1 ? (this.#body.clientWidth > 900 ? 2 : 1) : 1) - 32;
    const drawn = tile.count <= 1 || tile.count > most_elements ? [] : [new TileCanvas(tile, { label: name, width: room, tallest: 220, pick })];
    const far = distance ? new TileCanvas(distance, { label: `distance of ${name} from the reference`, width: room, tallest: 220, range: [0, distance.largest], pick }) : null;
    if (far && drawn.length) drawn.push(far);
    const picture = (title, canvas) => h("figure", { class: "drawn" }, h("figcaption", {}, title), canvas.element);
    const section = h("section", { class: "result", "aria-label": name },
      h("h3", {}, name, " ", h("span", { class: "note" }, tile.type)),
      difference ? h("p", { class: difference.isRefuted ? "bad" : difference.different ? "" : "good" }, verdict_text(difference)) : null,
      tile.count === 1 ? h("p", { class: "scalar" }, h("b", {}, textOf(tile.kind, bitsAt(tile.view, tile.kind, 0)))) : null,
      tile.count > most_elements ? h("p", { class: "note" }, `${tile.count} elements are too many for a picture: ask for a slice in the console, ${name}[0:64]`) : null,
      distance ? this.#worst(name, tile, distance, pick) : null,
      drawn.length ? h("div", { class: "row" }, picture("values", drawn[0]), far ? picture("|difference| from the reference", far) : null) : null,
      told, buttons);
    if (tile.count === 1) this.#describe(told, buttons, { name, tile, reference }, 0);
    else if (distance?.worst.length) pick(distance.worst[0]);
    return section;
  }

  #worst(name, tile, { worst, at }, pick) {
    if (!worst.length) return null;
    const button = (lane) => h("button", { type: "button", "aria-label": `where was ${element_text(name, tile, lane)} made wrong?`,
      onclick: () => { pick(lane); this.#bisect(element_text(name, tile, lane)); } }, element_text(name, tile, lane), h("span", { class: "note" }, ` off by ${Number(at(lane).toPrecision(3))}`));
    return h("p", { class: "worst" }, "Farthest off: ", worst.map(button));
  }

  #describe(told, buttons, { name, tile, reference }, lane) {
    const text = element_text(name, tile, lane);
    const value = tile.unwritten?.[lane] ? ": no program has stored it" : ` = ${textOf(tile.kind, bitsAt(tile.view, tile.kind, lane))}`;
    replace(told, h("b", {}, text), value, reference ? `, expected ${textOf(tile.kind, bitsAt(reference.view, tile.kind, lane))}` : "");
    if (!buttons.childElementCount) {
      const ask = (words, question) => h("button", { type: "button", onclick: () => this.#ask(question, buttons.dataset.element) }, words);
      replace(buttons, reference ? h("button", { type: "button", onclick: () => this.#bisect(buttons.dataset.element) }, "Find the wrong line") : null,
        ask("Where does it come from?", "why"), ask("Who wrote it?", "who"));
    }
    buttons.dataset.element = text;
  }
}

/** Of two fillings: they show the same. */
function is_same(before, now) {
  if (!before || before.are_outputs !== now.are_outputs || before.is_end !== now.is_end || before.tensors.length !== now.tensors.length) return false;
  const is_alike = (a, b) => a.name === b.name && a.problem === b.problem && a.tile?.type === b.tile?.type && a.tile?.data === b.tile?.data && JSON.stringify(a.holes) === JSON.stringify(b.holes);
  return before.tensors.every((one, i) => is_alike(one, now.tensors[i])) && JSON.stringify(before.diff) === JSON.stringify(now.diff);
}

function element_text(name, { shape }, lane) {
  return shape.length ? `${name}[${index_of(lane, shape).join(",")}]` : name;
}

function verdict_text({ different, elements, largestAbsolute, reference, verdict }) {
  const distance = largestAbsolute === null ? "" : `, by up to ${Number(largestAbsolute.toPrecision(4))}`;
  const first = different ? `${different} of ${elements} differ from ${reference}${distance}` : `all ${elements} match ${reference}`;
  return [first, verdict].filter(Boolean).join("; ");
}

/** |a - b| of each element as a tile of its own, and the elements that are farthest off. NaN against a number counts most. */
function distance_of(tile, reference) {
  const { kind, count, shape } = tile;
  const values = new Float64Array(count);
  let largest = 0;
  for (let i = 0; i < count; ++i) {
    const [a, b] = [tile, reference].map((one) => bitsAt(one.view, kind, i));
    const [x, y] = [valueOf(kind, a), valueOf(kind, b)].map(Number);
    values[i] = a === b || x === y || (Number.isNaN(x) && Number.isNaN(y)) ? 0 : Number.isNaN(x - y) ? Infinity : Math.abs(x - y);
    if (Number.isFinite(values[i])) largest = Math.max(largest, values[i]);
  }
  const worst = [...values.keys()].filter((i) => values[i] > 0).sort((i, j) => values[j] - values[i]).slice(0, shown_worst);
  return { type: `f64[${shape.join(",")}]`, kind: "f64", shape, count, view: new DataView(values.buffer), largest, worst, at: (i) => values[i] };
}
