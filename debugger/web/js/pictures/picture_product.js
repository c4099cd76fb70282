// A product of tiles: the row and the column of an element, and their sum step by step along k; the places of the tiles in
// their matrices in this iteration of the loop, with buttons to the next and the previous one.

import { h, svg } from "../dom.js";
import { LaneCanvas } from "./lane_canvas.js";
import { LaneQuestions, count_of, figure, lane_text, name_of, pager, say, table, type_text } from "./picture_lanes.js";

const window_size = 16;

export class Product {
  lane = 0;
  element;
  #session;
  #picture;
  #questions;
  #history;
  #left;
  #right;
  #result;
  #details;
  #before;
  #first = 0;

  constructor(session, asking, picture, { lane, loops }) {
    this.#session = session;
    this.#picture = picture;
    this.#questions = new LaneQuestions(session, asking);
    this.#history = new LaneQuestions(session, asking);
    const columns = picture.result.shape.at(-1);
    this.#left = new LaneCanvas(picture.tiles[0], "the left tile", (at) => this.pick(Math.floor(at / picture.sources[0].shape.at(-1)) * columns + (this.lane % columns)), 180, picture.padding?.[0]);
    this.#right = new LaneCanvas(picture.tiles[1], "the right tile", (at) => this.pick(this.lane - (this.lane % columns) + (at % columns)), 180, picture.padding?.[1]);
    this.#result = new LaneCanvas(picture.made, "the sum", (at) => this.pick(at), 180, picture.madePadding);
    this.#details = h("div", { "aria-live": "polite" });
    this.#before = h("div", {});
    this.element = h("div", { class: "picture product" }, this.#loop(loops), this.#matrices(),
      h("div", { class: "row" }, figure(`A = ${type_text(picture.sources[0], "left side")}`, this.#left), figure(`B = ${type_text(picture.sources[1], "right side")}`, this.#right),
        figure(`C + A B = ${type_text(picture.result)}`, this.#result)),
      this.#details, this.#before);
    this.pick(Math.min(lane, count_of(picture.result) - 1));
  }

  /** An element of the result. */
  pick(lane) {
    if (lane !== this.lane) say(this.#before);
    this.lane = lane;
    this.#first = 0;
    return this.#show();
  }

  async #show() {
    this.#result.mark(this.lane);
    let body;
    try {
      body = await this.#questions.ask({ lane: this.lane, first: this.#first, count: window_size });
    } catch (error) {
      say(this.#details, h("p", { class: "note" }, error.message));
      return;
    }
    if (!body) return;
    const { row, column, extent } = body;
    const [k, n] = [this.#picture.sources[0].shape.at(-1), this.#picture.sources[1].shape.at(-1)];
    const steps = Array.from({ length: extent }, (_, i) => i);
    const batch = Math.floor(this.lane / (this.#picture.result.shape.at(-1) * this.#picture.result.shape.at(-2)));
    this.#left.mark((batch * this.#picture.result.shape.at(-2) + row) * k + this.#first, steps.map((i) => (batch * this.#picture.result.shape.at(-2) + row) * k + i));
    this.#right.mark((batch * extent + this.#first) * n + column, steps.map((i) => (batch * extent + i) * n + column));
    say(this.#details, this.#sums(body));
  }

  #sums({ made, row, column, extent, left, right, start, sums, accumulator, precision }) {
    const { sources, result } = this.#picture;
    const go = (first) => {
      this.#first = first;
      this.#show();
    };
    const rows = left.map((a, i) => [String(this.#first + i), a, right[i] ?? "", sums[i] ?? ""]);
    return [
      h("p", { class: "told" }, h("b", {}, lane_text(result, made.index)), ` = ${made.value}: row ${row} of ${name_of(sources[0], "left side")} times column ${column} of ${name_of(sources[1], "right side")}, added to ${start}. `,
        `The accumulator is ${accumulator}${precision ? `, inputs count as ${precision}` : ""}; products are added ${/x[36]$/.test(precision ?? "") ? "in several passes" : "in the order of k"}`),
      table(["k", `A[${row}, k]`, `B[k, ${column}]`, "sum so far"], rows, sums.length ? {} : { caption: "the sums in between of scaled products are not shown" }),
      pager(this.#first, window_size, extent, "k", go),
    ];
  }

  /** The loop around, if there is one: its iterations forwards and backwards, and the sums of all up to here. */
  #loop(loops) {
    const loop = loops[0];
    if (loop?.iteration === undefined) return null;
    const go = (command) => () => this.#session.say(`${command} ${this.#picture.line}`).catch((error) => say(this.#before, h("p", { class: "note" }, error.message)));
    return h("div", { class: "pager", role: "group", "aria-label": `loop over ${loop.variable || "?"}` },
      h("button", { type: "button", disabled: loop.iteration === 0, onclick: go("runtil") }, "Previous iteration"),
      h("span", {}, loop.text),
      h("button", { type: "button", disabled: loop.iteration + 1 === loop.count, onclick: go("until") }, "Next iteration"),
      h("button", { type: "button", onclick: () => this.#add_up() }, "Show the sums of all iterations"));
  }

  async #add_up() {
    try {
      const body = await this.#history.ask({ lane: this.lane, additions: true });
      if (!body) return;
      const rows = body.additions.map((one) => [one.iterations.join(", "), one.before]);
      say(this.#before, table(["iteration", `${name_of(this.#picture.sources[2], "sum")} before it`], rows, { caption: "the picked element, up to here" }));
    } catch (error) {
      say(this.#before, h("p", { class: "note" }, error.message));
    }
  }

  /** A's and B's tiles in their matrices. */
  #matrices() {
    const origins = (this.#picture.origins ?? []).slice(0, 2);
    const drawn = origins.map((one, i) => one && matrix(one, "AB"[i])).filter(Boolean);
    return drawn.length ? h("div", { class: "row" }, drawn) : null;
  }
}

const most_beyond = 2; // a tile that lies far beyond its matrix is drawn so many times its size away at most

/** A matrix as a box, and in it where each lane's own element lies: a tile that runs over a row's end comes in parts, and
 * what lies beyond the matrix is red. */
function matrix(origin, letter) {
  const [rows, columns] = origin.shape.length === 2 ? origin.shape : [1, origin.shape[0] ?? 1];
  const parts = origin.parts.map(({ first, last, outside }) => {
    const [[top, left], [bottom, right]] = [first, last].map((one) => (one.length === 2 ? one : [0, ...one]));
    return { top, left, bottom, right, outside };
  });
  const low = Math.max(-most_beyond * rows, Math.min(0, ...parts.map((one) => one.top)));
  const high = Math.min((1 + most_beyond) * rows, Math.max(rows, ...parts.map((one) => one.bottom + 1)));
  const from = Math.max(-most_beyond * columns, Math.min(0, ...parts.map((one) => one.left)));
  const to = Math.min((1 + most_beyond) * columns, Math.max(columns, ...parts.map((one) => one.right + 1)));
  const scale = 120 / Math.max(high - low, to - from);
  const [width, height] = [Math.max(8, (to - from) * scale), Math.max(8, (high - low) * scale)];
  const text = origin_text(origin, letter);
  const box = ({ top, left, bottom, right, outside }) => {
    const [x, y] = [Math.max(left, from), Math.max(top, low)];
    const [end_x, end_y] = [Math.min(right + 1, to), Math.min(bottom + 1, high)];
    return svg("rect", { class: outside ? "part outside" : "part", x: (x - from) * scale, y: (y - low) * scale,
      width: Math.max(2, (end_x - x) * scale), height: Math.max(2, (end_y - y) * scale) });
  };
  return h("figure", { class: "drawn" }, h("figcaption", {}, text),
    svg("svg", { class: "matrix", viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width + 2, height: height + 2, role: "img", "aria-label": text },
      svg("rect", { class: "whole", x: -from * scale, y: -low * scale, width: columns * scale, height: rows * scale }), parts.map(box)));
}

const most_named = 4; // parts

/** "A is a[0 to 15, 32 to 49] and a[1 to 16, 0 to 13] of 40 × 50: it runs over the row's end". */
export function origin_text({ argument, shape, parts, lanes, outside }, letter) {
  const span = (first, last) => first.map((one, d) => (one === last[d] ? `${one}` : `${one} to ${last[d]}`)).join(", ");
  const name = ({ first, last }) => `${argument}[${span(first, last)}]`;
  const inside = parts.filter((one) => !one.outside);
  const beyond = parts.filter((one) => one.outside);
  const listed = inside.slice(0, most_named).map(name).join(" and ") + (inside.length > most_named ? ` and ${inside.length - most_named} more pieces` : "");
  const wraps = shape.length === 2 && parts.some((one) => parts.some((other) => one.last[1] + 1 === shape[1] && other.first[1] === 0 && other.first[0] === one.first[0] + 1));
  return [`${letter} is ${listed || "nowhere"} of ${shape.join(" × ")}`, wraps ? "it runs over the row's end into the next row" : "",
    beyond.length ? `${outside} of ${lanes} lanes lie beyond ${argument}, from ${argument}[${beyond[0].first.join(", ")}] to [${beyond.at(-1).last.join(", ")}]` : ""].filter(Boolean).join("; ");
}
