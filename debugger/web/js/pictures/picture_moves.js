// Moved lanes (broadcast, expand_dims, trans, reshape ...): pointing at a lane shows where it comes from; pointing at a
// lane of the source shows where it goes.

import { h } from "../dom.js";
import { LaneCanvas } from "./lane_canvas.js";
import { LaneQuestions, count_of, figure, index_of, lane_text, name_of, say, type_text } from "./picture_lanes.js";

export class Moves {
  lane = 0;
  element;
  #picture;
  #questions;
  #sources;
  #result;
  #words;

  constructor(session, asking, picture, { lane }) {
    this.#picture = picture;
    this.#questions = new LaneQuestions(session, asking);
    this.#sources = picture.tiles.map((tile, i) => new LaneCanvas(tile, `${name_of(picture.sources[i], "operand")}, before`, (at) => this.#from_source(i, at), 170, picture.padding?.[i]));
    this.#result = new LaneCanvas(picture.made, `${name_of(picture.result, "result")}, after`, (at) => this.pick(at), 300, picture.madePadding);
    this.#words = h("p", { class: "told", "aria-live": "polite" });
    this.element = h("div", { class: "picture moves" },
      h("div", { class: "row" }, this.#sources.map((one, i) => figure(type_text(picture.sources[i], "operand"), one)),
        h("span", { class: "arrow", "aria-hidden": "true" }, "→"), figure(type_text(picture.result), this.#result)),
      this.#words);
    this.pick(Math.min(lane, count_of(picture.result) - 1));
  }

  /** A lane of the result. */
  async pick(lane) {
    this.lane = lane;
    this.#result.mark(lane);
    const body = await this.#ask({ lane });
    if (!body) return;
    this.#sources.forEach((one, i) => one.mark(i === body.from.source ? body.from.lane : null));
    const { sources, result } = this.#picture;
    say(this.#words, h("b", {}, lane_text(result, body.made.index)), ` = ${body.made.value} is `,
      h("b", {}, lane_text(sources[body.from.source], body.from.index, "operand")));
  }

  async #from_source(source, lane) {
    const body = await this.#ask({ lane, source, count: 256 });
    if (!body) return;
    this.#sources.forEach((one, i) => one.mark(i === source ? lane : null));
    this.#result.mark(null, body.lanes);
    const { sources, result } = this.#picture;
    const where = body.lanes.length ? `, ${lane_text(result, index_of(body.lanes[0], result.shape))} the first` : "";
    say(this.#words, h("b", {}, lane_text(sources[source], body.from.index, "operand")), ` = ${body.from.value} goes to ${body.total} lanes${where}`,
      body.total > body.lanes.length ? ` (the first ${body.lanes.length} are marked)` : "");
  }

  async #ask(words) {
    try {
      return await this.#questions.ask(words);
    } catch (error) {
      say(this.#words, error.message);
      return null;
    }
  }
}
