// Painting a cell of a picture: its colour, its number, hatching, marks. Booleans have two colours and a sign, whatever
// else the tile holds.

import { isFloat } from "../formats.js";
import { colourOf } from "../palette.js";

export const number_size = 24; // pixels from which a cell has its number in it
const yes = "#ffea46", no = "#00204d";

export const is_boolean = (kind) => kind === "i1";

/** "#rrggbb" or "rgb(...)" of a value between low and high. */
export function fill_of(kind, value, low, high) {
  return is_boolean(kind) ? (value ? yes : no) : colourOf(value, low, high);
}

/** Black or white, whichever is read on it. */
export function ink_on(fill) {
  const [r, g, b] = fill.startsWith("#") ? [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16)) : fill.match(/\d+/g).map(Number);
  const part = (one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) > 0.18 ? "#000" : "#fff";
}

/** At most five letters: "1.5", "-.03", "2e9", "✓". */
export function short_number(kind, value) {
  if (is_boolean(kind)) return value ? "✓" : "–";
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (!isFloat(kind) || Number.isInteger(value)) {
    const text = String(value);
    return text.length <= 5 ? text : value.toExponential(0).replace("e+", "e");
  }
  const size = Math.abs(value);
  if (size < 0.001 || size >= 99_999) return value.toExponential(0).replace("e+", "e");
  const text = value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2).replace(/^(-?)0\./, "$1.");
  return /[1-9]/.test(text) ? text : value.toPrecision(1).replace(/^(-?)0\./, "$1.");
}

/** The cell's colour and, where there is room, its number. */
export function paint_cell(context, x, y, size, kind, value, low, high) {
  const fill = fill_of(kind, value, low, high);
  context.fillStyle = fill;
  context.fillRect(x, y, Math.max(1, size - 1), Math.max(1, size - 1));
  const has_sign = is_boolean(kind) ? size >= 10 : Number.isNaN(value) && size >= 10;
  if (size < number_size && !has_sign) return;
  const text = size < number_size && Number.isNaN(value) ? "n" : short_number(kind, value);
  context.fillStyle = ink_on(fill);
  context.font = `${Math.min(13, Math.floor(size < number_size ? size * 0.75 : (size * 1.55) / Math.max(3, text.length)))}px ui-monospace, "DejaVu Sans Mono", monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x + (size - 1) / 2, y + size / 2, size - 2);
}

/** Nothing is known of what it holds. */
export function hatch(context, x, y, size) {
  context.fillStyle = colour("--panel");
  context.fillRect(x, y, size - 1, size - 1);
  context.strokeStyle = colour("--faint");
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, y + size - 1);
  context.lineTo(x + size - 1, y);
  context.stroke();
}

export function outline(context, x, y, size) {
  context.strokeStyle = colour("--bad");
  context.lineWidth = Math.min(3, size / 3);
  context.strokeRect(x + 1, y + 1, size - 3, size - 3);
}

export function select(context, x, y, size) {
  for (const [name, width] of [["--panel", 4], ["--text", 2]]) {
    context.strokeStyle = colour(name);
    context.lineWidth = width;
    context.strokeRect(x, y, size - 1, size - 1);
  }
}

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}
