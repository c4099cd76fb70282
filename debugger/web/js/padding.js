// Padding: lanes that exist only because a tile is larger than the data. Masked-off loads filled them, and every value
// computed from them stays marked: a hatched corner, a legend, words.

import { h } from "./dom.js";

/** The source of a lane's padding, {text, line}; null: it is none. `padding` as lockstep/tile has it. */
export function padding_at(padding, lane) {
  const run = padding?.runs.find(([first, count]) => lane >= first && lane < first + count);
  return run ? padding.sources[run[2]] : null;
}

/** Of a canvas: what is heard of it. */
export function padding_label(padding) {
  return padding ? `; hatched lanes are padding: ${padding.text}` : "";
}

/** Below a canvas: what the hatching means. */
export function padding_legend(padding) {
  if (!padding) return null;
  return h("p", { class: "note padding-legend" }, h("span", { class: "padding-key", "aria-hidden": "true" }), ` padding: ${padding.text}`);
}

export function source_words({ text, line }) {
  return `${text}${line ? ` of the load in line ${line}` : ""}`;
}

/** Stripes over a cell, which keep the colour of its value in sight. */
export function stripe(context, x, y, size) {
  const style = getComputedStyle(document.body);
  const end = Math.max(1, size - 1);
  context.save();
  context.beginPath();
  context.rect(x, y, end, end);
  context.clip();
  for (const [colour, width] of [["--panel", 3], ["--text", 1]]) {
    context.strokeStyle = style.getPropertyValue(colour);
    context.lineWidth = size < 8 ? Math.min(width, 1.5) : width;
    context.beginPath();
    for (let at = size >= 12 ? -end / 2 : 0; at < end * 1.5; at += size >= 12 ? end / 2 : end) {
      context.moveTo(x + at - end / 2, y + end + 1);
      context.lineTo(x + at + end / 2 + 1, y - 1);
    }
    context.stroke();
  }
  context.restore();
}
