// The number microscope: a float's bits by field, and what it becomes in narrower formats.

import { h } from "../dom.js";
import { fieldsOf, formatNames, rounded, textOf } from "../formats.js";

const narrower = { f64: ["f32", "tf32", "bf16", "f16"], f32: ["tf32", "bf16", "f16", "f8E5M2", "f8E4M3FN"], f16: ["f8E5M2", "f8E4M3FN"], bf16: ["f16", "f8E5M2", "f8E4M3FN"] };

export function microscope(kind, bits) {
  const fields = fieldsOf(kind, bits);
  const value = fields.value;
  const wide = narrower[kind] ?? [];
  return h("details", { class: "microscope" }, h("summary", {}, "Bits"),
    bits_row(kind, fields),
    h("p", {}, meaning(fields)),
    wide.length ? h("table", {}, h("caption", {}, "Rounded to the nearest number of"), h("tbody", {}, wide.map((other) => row(other, value)))) : null);
}

function bits_row(kind, fields) {
  return h("p", { class: "bits", "aria-label": `sign ${fields.sign}, exponent ${fields.exponent}, mantissa ${fields.mantissa}` },
    h("span", { class: "sign" }, fields.sign), " ", h("span", { class: "exponent" }, fields.exponent), " ", h("span", { class: "mantissa" }, fields.mantissa));
}

function meaning(fields) {
  if (Number.isNaN(fields.value)) return "not a number";
  if (!Number.isFinite(fields.value)) return "infinity";
  if (fields.value === 0) return fields.sign === "1" ? "negative zero" : "zero";
  const leading = fields.isSubnormal ? "0" : "1";
  return `${fields.sign === "1" ? "−" : ""}${leading}.${fields.mantissa.replace(/0+$/, "") || "0"}₂ × 2^${fields.power}${fields.isSubnormal ? " (subnormal)" : ""}`;
}

function row(kind, value) {
  const bits = rounded(kind, value);
  const got = fieldsOf(kind, bits).value;
  const error = got === value ? "exact" : Number.isFinite(got) && Number.isFinite(value) && value !== 0 ? `off by ${Number((Math.abs(got - value) / Math.abs(value) * 100).toPrecision(2))} %` : "";
  return h("tr", {}, h("th", { scope: "row" }, formatNames[kind]), h("td", {}, textOf(kind, bits)), h("td", {}, error));
}
