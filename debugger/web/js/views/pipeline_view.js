// The pipeline of a program: a lane for each group of warps and for each asynchronous engine, bars in the colour of the
// buffer that they read or write, with phase, line and iteration. Drawn while the tab is open; the debugger has the
// times (debugger/queries/pipeline.h).

import { h, replace, svg } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";

const row = 20;
const names = 150; // width of the lanes' names
const colours = ["--accent", "--good", "--word", "--number", "--bad", "--soft"];

export class PipelineView {
  #session;
  #body;
  #details = h("p", { class: "chosen", "aria-live": "polite" });

  constructor(section, session) {
    this.#session = session;
    this.#body = sheet(section, h("span", { class: "note" }, "What groups of warps and asynchronous operations did side by side, up to here"));
    clear_with_launch(session, this.#body);
  }

  async fill() {
    try {
      this.#show(await this.#session.request("lockstep/pipeline", {}));
    } catch (error) {
      replace(this.#body, h("p", { class: "note" }, error.message));
    }
  }

  #show({ program, end, lanes, bars, isTruncated }) {
    if (!bars.length) return replace(this.#body, h("p", { class: "note" }, "Nothing has run yet."));
    const unit = Math.max(4, Math.min(14, 1100 / Math.max(1, end)));
    const tops = [];
    let height = 0;
    for (const lane of lanes) {
      tops.push(height);
      height += lane.rows * row + 6;
    }
    const buffers = [...new Set(bars.flatMap((bar) => (bar.kind === "wait" ? [] : (bar.buffer ?? "").split(", "))).filter(Boolean))].sort();
    const colour_of = (bar) => {
      const at = buffers.indexOf((bar.buffer ?? "").split(", ")[0]);
      return at < 0 ? "var(--edge)" : `var(${colours[at % colours.length]})`;
    };
    const drawing = svg("svg", { width: names + (end + 1) * unit, height, role: "group", "aria-label": `the pipeline of program (${program.join(", ")})` },
      lanes.map((lane, i) => [
        svg("rect", { class: lane.isEngine ? "lane engine" : "lane", x: 0, y: tops[i], width: names + (end + 1) * unit, height: lane.rows * row }),
        svg("text", { class: "name", x: 4, y: tops[i] + 14 }, lane.name),
      ]),
      bars.map((bar) => this.#bar(bar, names + bar.begin * unit, tops[bar.lane] + bar.row * row, Math.max(3, (bar.end - bar.begin) * unit - 1), colour_of(bar))));
    replace(this.#body,
      h("p", { class: "legend" }, `Program (${program.join(", ")}). `, buffers.map((name, i) => [h("b", { class: "key", style: { "--key": `var(${colours[i % colours.length]})` } }, name), " "]), "; dashed: waits"),
      h("div", { class: "lanes" }, drawing), this.#details,
      isTruncated ? h("p", { class: "note" }, "Later bars are left out.") : null);
    this.#details.textContent = "Choose a bar to see what it is.";
  }

  #bar(bar, x, y, width, fill) {
    const says = text_of(bar);
    const choose = () => (this.#details.textContent = says);
    const label = label_of(bar);
    return svg("g", { class: `bar ${bar.kind}${bar.isOpen ? " open" : ""}`, tabindex: 0, role: "img", "aria-label": says, onfocus: choose, onclick: choose, onpointerenter: choose },
      svg("title", {}, says),
      svg("rect", { x, y: y + 2, width, height: row - 4, style: { fill } }),
      label && width > 7 * label.length + 4 ? svg("text", { x: x + 3, y: y + 14 }, label) : null);
  }
}

/** "0 ph 1": the number of the buffer in its ring, and the phase. */
function label_of({ kind, buffer = "", phase }) {
  if (kind === "run") return "";
  const number = buffer.match(/\[(\d+)\]/)?.[1] ?? "";
  return [number, phase === undefined ? "" : `ph ${phase}`].filter(Boolean).join(" ");
}

function text_of({ begin, end, isOpen, text, buffer, phase, iteration, line }) {
  const parts = [`${begin} to ${isOpen ? "now" : end}: ${text}${buffer ? ` ${buffer}` : ""}`];
  if (phase !== undefined) parts.push(`phase ${phase}`);
  if (iteration !== undefined) parts.push(`iteration ${iteration}`);
  if (line) parts.push(`line ${line}`);
  return parts.join(", ");
}
