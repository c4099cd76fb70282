// The picture of the line at hand: an access with its argument, lanes that are moved, reductions, scans, products. The
// data come from lockstep/picture and lockstep/accessMap; each kind has its own class.

import { h, replace } from "../dom.js";
import { Access, access_title } from "./picture_access.js";
import { Fold } from "./picture_fold.js";
import { name_of } from "./picture_lanes.js";
import { Moves } from "./picture_moves.js";
import { Product } from "./picture_product.js";

const kinds = { moves: Moves, reduction: Fold, scan: Fold, product: Product };
const foremost = ["product", "reduction", "scan", "access", "moves"]; // which one a line is about

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
    document.addEventListener("colours", () => this.#show());
    this.#show();
  }

  async update(state) {
    if (["starting", "none"].includes(state.status)) [this.#pictures, this.#shown, this.#seen, this.#number] = [[], null, null, this.#number + 1];
    if (state.status === "starting") replace(this.#root, this.#tabs());
    if (state.status === "none") this.#say("Nothing ran. Fix the kernel, then Run or Debug.");
    if (state.status !== "stopped" || this.#seen === state.variables) return;
    this.#seen = state.variables;
    const line = (one) => `${one.line} ${one.kind} ${one.ops.join()}`;
    const before = this.#pictures[this.#chosen];
    const is_here = state.access && state.access.line === state.frame?.line;
    this.#pictures = [...state.pictures, ...(is_here ? [{ kind: "access", ops: [state.access.text], line: state.access.line, access: state.access }] : [])];
    this.#loops = state.loops;
    const same = before ? this.#pictures.findIndex((one) => line(one) === line(before) && one.point === before.point) : -1;
    this.#chosen = same >= 0 ? same : this.#foremost();
    if (same < 0) this.#shown = null;
    await this.#show();
  }

  #foremost() {
    for (const kind of foremost) {
      const at = this.#pictures.findIndex((one) => one.kind === kind);
      if (at >= 0) return at;
    }
    return 0;
  }

  #say(text) {
    replace(this.#root, this.#tabs(), h("div", { class: "body" }, h("p", { class: "note" }, text)));
  }

  /** Stands on another picture of the line. */
  async #choose(index) {
    if (index === this.#chosen && this.#shown) return;
    this.#chosen = index;
    this.#shown = null;
    await this.#show();
    this.#root.querySelector(`.choice [data-picture="${index}"]`)?.focus();
  }

  async #show() {
    const picture = this.#pictures[this.#chosen];
    const number = ++this.#number;
    if (!picture) {
      this.#shown = null;
      const { status, reason } = this.#session.state;
      return this.#say(status !== "stopped" ? "Run or debug the kernel: each line's loads, stores, reductions and products are drawn here."
        : reason === "end" ? "The launch has ended: Back goes to its last line." : "This line moves no tile: its value is below.");
    }
    const lane = this.#shown?.lane ?? 0; // the same lane as before, an iteration later
    if (picture.kind === "access") {
      this.#shown = new Access(this.#session, picture.access, { lane });
      return replace(this.#root, this.#tabs(), h("div", { class: "body" }, this.#shown.element));
    }
    const asking = { frameId: await this.#session.frame_id(), point: picture.point };
    if (number !== this.#number) return;
    let tiles;
    try {
      tiles = await this.#session.request("lockstep/picture", { ...asking, cells: 48 });
    } catch (error) {
      if (number === this.#number) this.#say(error.message);
      return;
    }
    if (number !== this.#number) return;
    this.#shown = new kinds[picture.kind](this.#session, asking, tiles, { lane, loops: this.#loops });
    replace(this.#root, this.#tabs(), h("div", { class: "body" }, this.#shown.element));
  }

  /** What the line is about first; broadcasts and the like stand behind it, unless the line does nothing else. */
  #tabs() {
    const buttons = this.#pictures.map((one, i) => h("button", {
      type: "button", "aria-pressed": String(i === this.#chosen), dataset: { picture: i }, onclick: () => this.#choose(i),
    }, title_of(one)));
    const are_moves = (wanted) => buttons.filter((_, i) => (this.#pictures[i].kind === "moves") === wanted);
    const [moves, others] = [are_moves(true), are_moves(false)];
    const choice = (list) => h("div", { class: "choice", role: "group", "aria-label": "operation" }, list);
    const is_folded = others.length > 0 && moves.length > 0;
    return h("div", { class: "title" }, h("h2", {}, "Picture"), choice(is_folded ? others : buttons),
      is_folded ? h("details", { class: "moved", open: this.#pictures[this.#chosen].kind === "moves" }, h("summary", {}, `${moves.length} ${moves.length === 1 ? "broadcast or reshape" : "broadcasts and reshapes"} of this line`), choice(moves)) : null);
  }
}

const words = { "arith.addf": "sum", "arith.addi": "sum", "arith.maxnumf": "max", "arith.minnumf": "min", "arith.maximumf": "max", "arith.minimumf": "min", "arith.maxsi": "max", "arith.minsi": "min", "arith.mulf": "product", "arith.muli": "product", "arith.xori": "xor" };

/** "sum of power along axis 0". */
export function title_of(picture) {
  if (picture.kind === "access") return access_title(picture.access);
  const source = name_of(picture.sources[0], "operand");
  const shape = (value) => value.shape.join(" × ") || "a scalar";
  if (picture.kind === "moves") return `${picture.python.join(", ")} of ${source}: ${shape(picture.sources[0])} to ${shape(picture.result)}`;
  if (picture.kind === "product") return `dot ${shape(picture.sources[0])} · ${shape(picture.sources[1])}`;
  const what = words[picture.combine.join()] ?? picture.kind;
  return `${picture.kind === "scan" && what !== "scan" ? "running " : ""}${what} of ${source} along axis ${picture.axis}`;
}
