// Pictures of the ops of the line at hand: lanes that are moved, reductions, scans, products. What is drawn
// comes from lockstep/picture; each kind of op has a class of its own that draws it.

import { h, replace } from "../dom.js";
import { Fold } from "./picture_fold.js";
import { name_of } from "./picture_lanes.js";
import { Moves } from "./picture_moves.js";
import { Product } from "./picture_product.js";

const kinds = { moves: Moves, reduction: Fold, scan: Fold, product: Product };

export class PicturesView {
  #session;
  #root;
  #seen = null;
  #pictures = [];
  #loops = [];
  #chosen = 0;
  #shown = null;
  #number = 0; // of the newest picture that was asked for

  constructor(section, session) {
    this.#session = session;
    this.#root = section;
    session.subscribe((state) => this.update(state));
  }

  async update(state) {
    if (state.status !== "stopped" || this.#seen === state.variables) return;
    this.#seen = state.variables;
    const body = await session_list(this.#session, state);
    if (this.#seen !== state.variables) return;
    const line = (one) => `${one.line} ${one.kind} ${one.ops.join()}`;
    const before = this.#pictures[this.#chosen];
    this.#pictures = body?.pictures ?? [];
    this.#loops = body?.loops ?? [];
    const same = before ? this.#pictures.findIndex((one) => line(one) === line(before) && one.point === before.point) : -1;
    this.#chosen = Math.max(0, same);
    if (same < 0) this.#shown = null;
    await this.#show();
  }

  /** Stands on another picture of the line. */
  async #choose(index) {
    if (index === this.#chosen && this.#shown) return;
    this.#chosen = index;
    this.#shown = null;
    await this.#show();
    this.#root.querySelectorAll(".choice button")[index]?.focus();
  }

  async #show() {
    const picture = this.#pictures[this.#chosen];
    if (!picture) {
      this.#shown = null;
      return replace(this.#root);
    }
    const number = ++this.#number;
    const asking = { frameId: await this.#session.frame_id(), point: picture.point };
    if (number !== this.#number) return;
    let tiles;
    try {
      tiles = await this.#session.request("lockstep/picture", { ...asking, cells: 48 });
    } catch (error) {
      if (number === this.#number) replace(this.#root, this.#tabs(), h("div", { class: "body" }, h("p", { class: "note" }, error.message)));
      return;
    }
    if (number !== this.#number) return;
    const lane = this.#shown?.lane ?? 0; // the same lane as before, an iteration later
    this.#shown = new kinds[picture.kind](this.#session, asking, tiles, { lane, loops: this.#loops });
    replace(this.#root, this.#tabs(), h("div", { class: "body" }, this.#shown.element));
  }

  #tabs() {
    const buttons = this.#pictures.map((one, i) => h("button", {
      type: "button", "aria-pressed": String(i === this.#chosen), onclick: () => this.#choose(i),
    }, title_of(one)));
    return h("div", { class: "title" }, h("h2", {}, "In this line"), h("div", { class: "choice", role: "group", "aria-label": "operation" }, buttons));
  }
}

function session_list(session, state) {
  return state.frame ? session.ask("lockstep/picture", { frameId: state.frame.id }) : null;
}

const words = { "arith.addf": "sum", "arith.addi": "sum", "arith.maxnumf": "max", "arith.minnumf": "min", "arith.maximumf": "max", "arith.minimumf": "min", "arith.maxsi": "max", "arith.minsi": "min", "arith.mulf": "product", "arith.muli": "product", "arith.xori": "xor" };

/** "sum of power along axis 0". */
export function title_of(picture) {
  const source = name_of(picture.sources[0], "operand");
  const shape = (value) => value.shape.join(" × ") || "a scalar";
  if (picture.kind === "moves") return `${picture.ops.map((one) => one.replace("tt.", "")).join(", ")} of ${source}: ${shape(picture.sources[0])} to ${shape(picture.result)}`;
  if (picture.kind === "product") return `dot ${shape(picture.sources[0])} · ${shape(picture.sources[1])}`;
  const what = words[picture.combine.join()] ?? picture.kind;
  return `${picture.kind === "scan" && what !== "scan" ? "running " : ""}${what} of ${source} along axis ${picture.axis}`;
}
