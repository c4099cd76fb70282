// What the launch costs: bytes, sectors and floating-point operations of each line, and the launch's point under the
// roof of a GPU. Opening the tab runs the launch again to count.

import { h, replace, svg } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";
import { base_name } from "../source_lines.js";

const gpus = ["", "a100", "h100", "h200"];

export class CostView {
  #session;
  #lines;
  #body;
  #select;

  constructor(section, session, lines) {
    this.#session = session;
    this.#lines = lines;
    this.#select = h("select", { "aria-label": "GPU", onchange: () => this.count() }, gpus.map((one) => h("option", { value: one }, one || "the launch's GPU")));
    this.#body = sheet(section, h("div", { class: "choice" }, this.#select), h("span", { class: "note" }, "Bytes moved and operations of each line, and the roofline"));
    clear_with_launch(session, this.#body, () => (this.#has_counted = false));
  }
  #has_counted = false;

  /** It is the same wherever the launch stands. */
  fill() {
    return this.#has_counted ? null : this.count();
  }

  async count() {
    try {
      const cost = await this.#session.request("lockstep/cost", this.#select.value ? { gpu: this.#select.value } : {});
      const texts = await Promise.all(cost.lines.map((one) => this.#lines.text(one.file, one.line)));
      this.#has_counted = true;
      replace(this.#body, h("div", { class: "row" }, roof(cost), h("div", { class: "grow" }, h("p", { class: "told" }, cost.roofline), totals(cost))), lines(cost, texts));
    } catch (error) {
      replace(this.#body, h("p", { class: "note" }, error.message));
    }
  }
}

const units = ["", "k", "M", "G", "T", "P"];

/** "3.2 k" of 3200. */
export function scaled(number) {
  let step = 0;
  while (Math.abs(number) >= 1000 && step + 1 < units.length) {
    number /= 1000;
    ++step;
  }
  return `${Number(number.toPrecision(3))} ${units[step]}`;
}

function seconds(time) {
  const [number, unit] = time < 1e-6 ? [time * 1e9, "ns"] : time < 1e-3 ? [time * 1e6, "µs"] : [time * 1e3, "ms"];
  return `${Number(number.toPrecision(3))} ${unit}`;
}

function totals(cost) {
  const used = cost.moved ? `${Math.round((100 * cost.bytes) / cost.moved)} % of them used` : "";
  const rows = [
    ["sectors of 32 bytes", `${cost.sectors}: ${scaled(cost.moved)}B, ${used}`],
    ["operations", `${scaled(cost.flops)}FLOP`],
    ["intensity", cost.intensity === undefined ? "nothing moves" : `${Number(cost.intensity.toPrecision(3))} FLOP per byte`],
    ["at data-sheet rates", `${seconds(cost.memorySeconds)} to move, ${seconds(cost.arithmeticSeconds)} to compute`],
  ];
  return h("dl", {}, rows.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
}

function lines(cost, texts) {
  const all = cost.lines.reduce((sum, one) => sum + one.seconds, 0);
  const share = (one) => (all ? one.seconds / all : 0);
  const row = (one, i) => h("tr", {}, h("td", { class: "share" }, h("span", { class: "bar", style: { "--share": share(one) } }), `${Math.round(100 * share(one))} %`),
    h("td", {}, one.sectors ? String(one.sectors) : ""), h("td", {}, one.sectors ? `${scaled(one.bytes)}B` : ""), h("td", {}, one.sectors ? `${Math.round((100 * one.bytes) / (32 * one.sectors))} %` : ""),
    h("td", {}, one.flops ? scaled(one.flops) : ""), h("td", {}, String(one.executions)),
    h("td", { class: "at-line" }, h("code", {}, one.line ? `${base_name(one.file)}:${one.line}  ${texts[i]}` : "no line is known")));
  return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "costs by line" }, h("table", { class: "numbers" },
    h("caption", {}, `time: of what sectors and operations take at the rates of ${cost.gpu}'s data sheet, one after the other`),
    h("thead", {}, h("tr", {}, ["time", "sectors", "bytes", "used", "FLOP", "ops", "line"].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, cost.lines.map(row))));
}

/** Intensity to the right, rate upwards, both in powers of ten: the roof, and the launch below or at it. */
function roof(cost) {
  const [width, height, left, bottom] = [340, 200, 46, 30];
  const ridge = cost.flopsPerSecond / cost.bytesPerSecond;
  const at = cost.intensity ?? 0;
  const low = Math.floor(Math.log10(Math.min(at > 0 ? at : 0.1, ridge, 0.1)));
  const high = Math.ceil(Math.log10(Math.max(at, ridge) * 10));
  const top = Math.log10(cost.flopsPerSecond) + 0.5;
  const floor = Math.log10(cost.bytesPerSecond) + low;
  const x = (power) => left + ((power - low) / (high - low)) * (width - left - 24);
  const y = (power) => height - bottom - ((power - floor) / (top - floor)) * (height - bottom - 8);
  const limit = (power) => Math.min(Math.log10(cost.flopsPerSecond), Math.log10(cost.bytesPerSecond) + power);
  const path = `M${x(low)} ${y(limit(low))}L${x(Math.log10(ridge))} ${y(limit(Math.log10(ridge)))}L${x(high)} ${y(limit(high))}`;
  const text = at > 0 ? `the launch has ${Number(at.toPrecision(3))} FLOP per byte; ${cost.gpu} can at most do ${scaled(10 ** limit(Math.log10(at)))}FLOP/s there; the roof bends at ${Number(ridge.toPrecision(3))} FLOP per byte` : "the launch computes nothing";
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return h("figure", { class: "drawn" },
    svg("svg", { class: "roof", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": text },
      svg("line", { x1: left, y1: height - bottom, x2: width - 8, y2: height - bottom }), svg("line", { x1: left, y1: 8, x2: left, y2: height - bottom }),
      ticks.map((one) => svg("text", { x: x(one), y: height - bottom + 14, "text-anchor": "middle" }, one < -3 ? `1e${one}` : String(Number((10 ** one).toPrecision(1))))),
      svg("text", { x: width - 8, y: height - 3, "text-anchor": "end" }, "FLOP per byte"),
      svg("text", { x: left - 4, y: y(Math.log10(cost.flopsPerSecond)) + 4, "text-anchor": "end" }, scaled(cost.flopsPerSecond)),
      svg("text", { x: 2, y: 12 }, "FLOP/s"),
      svg("path", { d: path }),
      at > 0 ? [svg("line", { class: "here", x1: x(Math.log10(at)), y1: y(limit(Math.log10(at))), x2: x(Math.log10(at)), y2: height - bottom }),
        svg("circle", { class: "here", cx: x(Math.log10(at)), cy: y(limit(Math.log10(at))), r: 6 })] : null),
    h("figcaption", {}, text));
}
