// Which elements of an argument were written: never (hatched), once (filled), by several ops (marked "2"), and by whom.
// Counting runs the past again, so it happens only while the tab is open.

import { h, replace } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";

const zoomed_rows = 32;

export class CoverageView {
  #session;
  #select;
  #row;
  #body;

  constructor(section, session) {
    this.#session = session;
    this.#select = h("select", { id: "coverage-argument", "aria-label": "argument", onchange: () => { this.#is_chosen = true; this.fill(); } });
    this.#row = h("input", { type: "number", min: "0", value: "0", class: "row", "aria-label": "first row", onchange: () => this.fill() });
    this.#body = sheet(section, h("form", { class: "choice", onsubmit: (event) => { event.preventDefault(); this.fill(); } },
      this.#select, h("label", {}, "from row ", this.#row)), h("span", { class: "note" }, "Writes: how many times each element has been stored so far"));
    clear_with_launch(session, this.#body);
    session.subscribe((state) => this.update(state));
  }

  update(state) {
    if (state.status !== "stopped" || this.#seen === state.variables) return;
    this.#seen = state.variables;
    const names = state.variables.filter((one) => one.scope === "Arguments" && /\[/.test(one.type ?? "")).map((one) => one.name);
    if (!names.length || names.join() === this.#names) return;
    this.#names = names.join();
    const before = this.#select.value;
    replace(this.#select, names.map((name) => h("option", { value: name }, name)));
    this.#select.value = this.#is_chosen && names.includes(before) ? before : names.at(-1); // results come last in most kernels
  }
  #is_chosen = false;
  #seen = null;
  #names = "";

  async fill() {
    if (!this.#select.value) return replace(this.#body, h("p", { class: "note" }, "No argument lies in memory."));
    const firstRow = Math.max(0, Number(this.#row.value) || 0);
    try {
      const body = await this.#session.request("lockstep/coverage", { argument: this.#select.value, firstRow, ...(firstRow ? { rows: zoomed_rows } : {}) });
      this.#show(body);
    } catch (error) {
      replace(this.#body, h("p", { class: "note" }, error.message));
    }
  }

  #show(body) {
    const all = body.never + body.once + body.several;
    const part = (count, words) => h("li", {}, h("b", {}, String(count)), ` of ${all} ${words}`);
    const rows = body.shownRows === body.rows ? "" : `, rows ${body.firstRow} to ${body.firstRow + body.shownRows - 1} of ${body.rows}`;
    const block = body.blockRows * body.blockColumns === 1 ? "" : `; each cell is ${body.blockRows} × ${body.blockColumns} elements`;
    replace(this.#body,
      body.when === "end" ? h("p", { class: "note" }, "At the end of the launch.") : null,
      h("ul", { class: "shares" }, part(body.never, "never written"), part(body.once, "once"), part(body.several, "by several ops")),
      picture(body),
      h("p", { class: "note" }, `${body.argument}[${body.shape.join(", ")}]${rows}${block}`),
      body.holes.length ? h("p", {}, "Never: ", body.holes.slice(0, 8).map(hole_text).join(", "), body.holes.length > 8 ? " and more" : "") : null,
      body.repeated.length ? h("ul", { class: "repeated" }, body.repeated.slice(0, 8).map((one) =>
        h("li", {}, `${body.argument}[${one.index.join(", ")}]: ${one.times} times, by ${one.programs.map((id) => `(${id.join(", ")})`).join(", ")}`))) : null);
  }
}

function hole_text({ first, last, elements }) {
  return elements === 1 ? `[${first.join(", ")}]` : `[${first.join(", ")}] to [${last.join(", ")}]`;
}

function picture(body) {
  const cells = body.neverCells.length;
  if (!cells) return null;
  const flat = body.shownRows === 1 ? Math.min(body.cellColumns, 64) : body.cellColumns;
  const size = Math.max(3, Math.min(14, Math.floor(720 / flat)));
  const canvas = h("canvas", {
    width: flat * size, height: Math.ceil(cells / flat) * size, role: "img",
    "aria-label": `${body.never} elements never written, ${body.several} by several ops`,
  });
  const context = canvas.getContext("2d");
  const colour = (name) => getComputedStyle(document.body).getPropertyValue(name);
  const [accent, bad, faint] = ["--accent", "--bad", "--faint"].map(colour);
  for (let i = 0; i < cells; ++i) {
    const x = (i % flat) * size;
    const y = Math.floor(i / flat) * size;
    const area = elements_of(body, i);
    context.fillStyle = accent;
    const height = Math.round(((area - body.neverCells[i]) / area) * (size - 1));
    context.fillRect(x, y + size - 1 - height, size - 1, height);
    if (body.neverCells[i]) hatch(context, x, y, size, faint);
    if (body.severalCells[i]) twice(context, x, y, size, bad);
  }
  return canvas;
}

/** Cells at the edges are smaller. */
function elements_of({ blockRows, blockColumns, cellColumns, columns, shownRows }, i) {
  const row = Math.floor(i / cellColumns) * blockRows;
  const column = (i % cellColumns) * blockColumns;
  return Math.min(blockRows, shownRows - row) * Math.min(blockColumns, columns - column);
}

function hatch(context, x, y, size, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, size - 2, size - 2);
  context.beginPath();
  context.moveTo(x, y + size - 1);
  context.lineTo(x + size - 1, y);
  context.stroke();
}

function twice(context, x, y, size, colour) {
  context.fillStyle = colour;
  context.fillRect(x, y, size - 1, size - 1);
  if (size < 10) return;
  context.fillStyle = getComputedStyle(document.body).getPropertyValue("--panel");
  context.font = `bold ${size - 4}px sans-serif`;
  context.fillText("2", x + size / 4, y + size - 4);
}
