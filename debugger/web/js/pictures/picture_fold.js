// Reductions and scans: which lanes make a lane of the result, and the values in between, in the order in which Lockstep
// combines them: a reduction halves its line (lane i with lane i + n / 2) until one is left, a scan goes lane by lane.

import { h, svg } from "../dom.js";
import { LaneCanvas } from "./lane_canvas.js";
import { LaneQuestions, count_of, figure, index_of, lane_text, name_of, pager, say, table, type_text } from "./picture_lanes.js";

const window_size = 16;
const tree_leaves = 8; // the last levels are drawn as a tree

export class Fold {
  lane = 0;
  element;
  #picture;
  #questions;
  #source;
  #result;
  #details;
  #leaf = 0;
  #first = 0;

  constructor(session, asking, picture, { lane }) {
    this.#picture = picture;
    this.#questions = new LaneQuestions(session, asking);
    this.#source = new LaneCanvas(picture.tiles[0], `${name_of(picture.sources[0], "operand")}, what goes in`, (at) => this.#from_source(at), 300, picture.padding?.[0]);
    this.#result = new LaneCanvas(picture.made, `${name_of(picture.result, "result")}, what comes out`, (at) => this.pick(at), 170, picture.madePadding);
    this.#details = h("div", { "aria-live": "polite" });
    this.element = h("div", { class: "picture fold" },
      h("div", { class: "row" }, figure(type_text(picture.sources[0], "operand"), this.#source), h("span", { class: "arrow", "aria-hidden": "true" }, "→"),
        figure(type_text(picture.result), this.#result)),
      this.#details);
    this.#lane_of_result(Math.min(lane, count_of(picture.result) - 1));
  }

  /** A lane of the result. */
  pick(lane) {
    this.#leaf = 0;
    this.#first = 0;
    return this.#lane_of_result(lane);
  }

  async #lane_of_result(lane) {
    this.lane = lane;
    this.#result.mark(lane);
    const is_scan = this.#picture.kind === "scan";
    const body = await this.#ask(is_scan ? { lane, first: this.#first, count: window_size } : { lane, leaf: this.#leaf, count: tree_leaves });
    if (!body) return;
    const { start, stride, extent } = body.line;
    const at = (i) => start + i * stride;
    const takes = Array.from({ length: extent }, (_, i) => i).filter((i) => !is_scan || (this.#picture.reverse ? i >= body.at : i <= body.at));
    this.#source.mark(is_scan ? at(body.at) : at(this.#leaf % extent), takes.length < count_of(this.#picture.sources[0]) && extent <= 4096 ? takes.map(at) : []);
    say(this.#details, is_scan ? this.#scan(body) : this.#reduction(body));
  }

  /** The result that a lane goes into, and the lane's way there. */
  async #from_source(lane) {
    const made = await this.#ask({ lane, source: 0, count: 1 });
    if (!made?.lanes.length) return;
    const shape = this.#picture.sources[0].shape;
    const index = index_of(lane, shape)[this.#picture.axis];
    this.#leaf = index;
    if (this.#picture.kind === "scan") {
      this.#first = Math.floor(index / window_size) * window_size;
      return this.#lane_of_result(lane);
    }
    return this.#lane_of_result(made.lanes[0]);
  }

  #reduction({ made, line, levels, hasLevels, origins }) {
    const { sources, result, axis } = this.#picture;
    const leaf = this.#leaf % line.extent;
    const sentence = h("p", { class: "told" }, h("b", {}, lane_text(result, made.index)), ` = ${made.value} is made of ${line.extent} lanes of ${name_of(sources[0], "operand")} along axis ${axis}`,
      hasLevels ? `: lane i with lane i + ${line.extent / 2}, then halves again, ${levels.length - 1} times` : ". Its function has several operations; the values in between are not kept");
    const filled = origins ? h("p", { class: "told origins" }, h("span", { class: "padding-key", "aria-hidden": "true" }), ` ${origins}`) : null;
    if (!hasLevels) return [sentence, filled];
    const rows = levels.slice(1).map((level, i) => [`${levels[i].width} to ${level.width}`, held(level.node, level.left), held(level.node + level.width, level.right), level.value]);
    return [sentence, filled, tree(levels),
      h("label", {}, "Follow lane ", this.#leaf_input(leaf, line.extent)),
      table(["step", "lane", "with lane", "together"], rows)];
  }

  #leaf_input(leaf, extent) {
    return h("input", { type: "number", min: 0, max: extent - 1, value: leaf, class: "small", onchange: (event) => {
      this.#leaf = Math.max(0, Math.min(extent - 1, Math.floor(Number(event.target.value)) || 0));
      this.#lane_of_result(this.lane);
    } });
  }

  #scan({ made, line, at, values, running }) {
    const { sources, result, axis, reverse } = this.#picture;
    const go = (first) => {
      this.#first = first;
      this.#lane_of_result(this.lane);
    };
    const rows = values.map((value, i) => [`[${this.#first + i}]`, value, running[i]]);
    return [
      h("p", { class: "told" }, h("b", {}, lane_text(result, made.index)), ` = ${made.value} is made of the lanes ${reverse ? `from ${at} to ${line.extent - 1}, the last first` : `from 0 to ${at}`}, along axis ${axis}`),
      table(["lane", name_of(sources[0], "operand"), "so far"], rows, { marked: at - this.#first }),
      pager(this.#first, window_size, line.extent, "lanes", go),
    ];
  }

  async #ask(words) {
    try {
      return await this.#questions.ask(words);
    } catch (error) {
      say(this.#details, h("p", { class: "note" }, error.message));
      return null;
    }
  }
}

function held(lane, value) {
  return [h("span", { class: "index" }, `[${lane}] `), value];
}

/** The last levels, each with all its elements. */
function tree(levels) {
  const drawn = levels.filter((level) => level.width <= tree_leaves && level.values.length === level.width);
  if (drawn.length < 2) return null;
  const [across, down] = [92, 46];
  const width = drawn[0].width * across;
  const height = drawn.length * down;
  const x = (level, i) => ((i + 0.5) * width) / drawn[level].width;
  const y = (level) => level * down + 14;
  const lines = [];
  const boxes = [];
  drawn.forEach((level, depth) => {
    level.values.forEach((value, i) => {
      const is_on_way = i === level.node;
      boxes.push(svg("g", { class: is_on_way ? "node way" : "node" },
        svg("rect", { x: x(depth, i) - 42, y: y(depth) - 12, width: 84, height: 24, rx: 4 }),
        svg("text", { x: x(depth, i), y: y(depth) + 4, "text-anchor": "middle" }, short(value))));
      if (depth === 0) return;
      for (const from of [i, i + level.width])
        lines.push(svg("line", { class: is_on_way ? "way" : null, x1: x(depth - 1, from), y1: y(depth - 1) + 12, x2: x(depth, i), y2: y(depth) - 12 }));
    });
  });
  const words = drawn.map((level) => `${level.width}: ${level.values.map(short).join(", ")}`).join("; ");
  return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "the last steps as a tree" },
    svg("svg", { class: "tree", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `elements after each step. ${words}` }, lines, boxes));
}

function short(text) {
  return text.length > 11 ? String(Number(Number(text).toPrecision(6))) : text;
}
