// LaneMap: each lane of an access: on, masked off (hatched), or out of bounds (framed).

import { h } from "../dom.js";
import { colour, hatch, outline, select } from "./cells.js";
import { layout_of, mark_of, paint_rulers, sharpen } from "./tile_canvas.js";

const words = { inside: "on", off: "masked off", outside: "out of bounds" };

export class LaneMap {
  element;
  #lanes;
  #layout;
  #canvas;
  #lane = 0;
  #pick;

  constructor(access, pick) {
    this.#pick = pick;
    const shape = access.shape.length ? access.shape : [1];
    this.#lanes = access.each ?? { marks: [] };
    this.#layout = layout_of(shape, access.lanes, 260);
    const { width, height } = this.#layout;
    const counts = `${access.inside} on, ${access.masked} masked off, ${access.outside} out of bounds`;
    this.#canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": `lanes: ${counts}; arrow keys go from lane to lane`,
      onpointermove: (event) => this.#point(event), onpointerdown: (event) => this.#point(event), onkeydown: (event) => this.#key(event, access.lanes) });
    sharpen(this.#canvas, width, height);
    const key = (kind, count) => (count ? [h("span", { class: `lane-key ${kind}`, "aria-hidden": "true" }), ` ${count} ${words[kind]} `] : null);
    this.element = h("div", {}, this.#canvas, h("p", { class: "scale" }, key("inside", access.inside), key("off", access.masked), key("outside", access.outside)));
  }

  mark(lane) {
    return mark_of(this.#lanes, lane);
  }

  select(lane) {
    this.#lane = lane;
    const { cells, size, per_row, left, top, width, height } = this.#layout;
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    paint_rulers(context, this.#layout);
    cells.forEach((one, i) => {
      const [x, y] = [left + (i % per_row) * size, top + Math.floor(i / per_row) * size];
      const mark = this.mark(one);
      if (mark === "off") hatch(context, x, y, size);
      else {
        context.fillStyle = colour(mark === "outside" ? "--bad-soft" : "--accent");
        context.fillRect(x, y, size - 1, size - 1);
      }
      if (mark === "outside") outline(context, x, y, size);
      if (one === lane) select(context, x, y, size);
    });
  }

  #point(event) {
    const box = this.#canvas.getBoundingClientRect();
    const { cells, size, per_row, left, top, width } = this.#layout;
    const scale = width / box.width;
    const column = Math.floor(((event.clientX - box.left) * scale - left) / size);
    const row = Math.floor(((event.clientY - box.top) * scale - top) / size);
    const lane = column >= 0 && column < per_row && row >= 0 ? cells[row * per_row + column] : undefined;
    if (lane !== undefined && lane !== this.#lane) this.#pick(lane);
  }

  #key(event, lanes) {
    const { is_flat, per_row, columns } = this.#layout;
    const down = is_flat ? per_row : columns;
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -down, ArrowDown: down, Home: -Infinity, End: Infinity }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#pick(Math.max(0, Math.min(lanes - 1, this.#lane + way)));
  }
}
