// Number formats: bytes to numbers, and a number's bits, fields and neighbours, for every element type that tiles have.
// Exact: integers of 64 bits are BigInt.

const floats = {
  f64: { bits: 64, exponent: 11, mantissa: 52, bias: 1023, name: "float64" },
  f32: { bits: 32, exponent: 8, mantissa: 23, bias: 127, name: "float32" },
  tf32: { bits: 19, exponent: 8, mantissa: 10, bias: 127, name: "tf32" },
  bf16: { bits: 16, exponent: 8, mantissa: 7, bias: 127, name: "bfloat16" },
  f16: { bits: 16, exponent: 5, mantissa: 10, bias: 15, name: "float16" },
  f8E5M2: { bits: 8, exponent: 5, mantissa: 2, bias: 15, name: "float8e5" },
  f8E4M3FN: { bits: 8, exponent: 4, mantissa: 3, bias: 7, name: "float8e4nv", isFinite: true },
};

/** "tensor<8x16xf32>", "f32[8,16]" or "f32": the element type. */
export function elementType(type) {
  const inside = /^tensor<(?:[0-9]+x)*(.*)>$/.exec(type);
  return (inside ? inside[1] : type.replace(/\[.*\]$/, "")).trim();
}

export function isFloat(kind) {
  return kind in floats;
}

export function bytesOf(kind) {
  if (isFloat(kind)) return floats[kind].bits / 8;
  const width = /^[iu](\d+)$/.exec(kind);
  if (width) return Math.max(1, Number(width[1]) / 8);
  return 8; // pointers
}

/** Bits (BigInt) of element `at`. */
export function bitsAt(view, kind, at) {
  const size = bytesOf(kind);
  let bits = 0n;
  for (let i = size - 1; i >= 0; --i) bits = (bits << 8n) | BigInt(view.getUint8(at * size + i));
  return bits;
}

/** A Number, or for integers a BigInt. */
export function valueOf(kind, bits) {
  if (isFloat(kind)) return floatOf(floats[kind], bits);
  if (kind === "i1") return bits & 1n;
  const width = /^([iu])(\d+)$/.exec(kind);
  return width && width[1] === "i" ? BigInt.asIntN(Number(width[2]), bits) : bits;
}

function split(format, bits) {
  const mantissa = bits & ((1n << BigInt(format.mantissa)) - 1n);
  const exponent = Number((bits >> BigInt(format.mantissa)) & ((1n << BigInt(format.exponent)) - 1n));
  const sign = Number((bits >> BigInt(format.mantissa + format.exponent)) & 1n);
  return { sign, exponent, mantissa };
}

function floatOf(format, bits) {
  const { sign, exponent, mantissa } = split(format, bits);
  const top = (1 << format.exponent) - 1;
  const factor = sign ? -1 : 1;
  const fraction = Number(mantissa) / 2 ** format.mantissa;
  if (format.isFinite) {
    if (exponent === top && mantissa === (1n << BigInt(format.mantissa)) - 1n) return NaN;
  } else if (exponent === top) {
    return mantissa === 0n ? factor * Infinity : NaN;
  }
  if (exponent === 0) return factor * fraction * 2 ** (1 - format.bias);
  return factor * (1 + fraction) * 2 ** (exponent - format.bias);
}

/** {sign, exponent, mantissa} as strings of bits, and what they mean. */
export function fieldsOf(kind, bits) {
  const format = floats[kind];
  const text = bits.toString(2).padStart(format.bits, "0").slice(-format.bits);
  const parts = split(format, bits);
  return {
    sign: text.slice(0, 1),
    exponent: text.slice(1, 1 + format.exponent),
    mantissa: text.slice(1 + format.exponent),
    power: parts.exponent === 0 ? 1 - format.bias : parts.exponent - format.bias,
    isSubnormal: parts.exponent === 0 && parts.mantissa !== 0n,
    value: floatOf(format, bits),
  };
}

/** The bits of the nearest number of the format (ties to even); NaN and what is too large as the format has them. */
export function rounded(kind, value) {
  const format = floats[kind];
  const top = (1n << BigInt(format.exponent)) - 1n;
  const sign = value < 0 || Object.is(value, -0) ? 1n << BigInt(format.bits - 1) : 0n;
  const ones = (1n << BigInt(format.mantissa)) - 1n;
  const infinite = format.isFinite ? (top << BigInt(format.mantissa)) | ones : top << BigInt(format.mantissa);
  if (Number.isNaN(value)) return format.isFinite ? infinite : infinite | (1n << BigInt(format.mantissa - 1));
  let low = 0n;
  let high = infinite;
  const size = Math.abs(value);
  if (size === Infinity) return sign | infinite;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (floatOf(format, middle) <= size) low = middle;
    else high = middle;
  }
  const below = floatOf(format, low);
  const step = low > 0n ? below - floatOf(format, low - 1n) : 0;
  const above = high === infinite ? below + 2 ** Math.floor(Math.log2(step || 1)) : floatOf(format, high);
  const isUp = size - below > above - size || (size - below === above - size && (low & 1n) === 1n);
  return sign | (isUp ? high : low);
}

export const formatNames = Object.fromEntries(Object.entries(floats).map(([kind, format]) => [kind, format.name]));

/** Short, and exact enough to tell neighbours apart. */
export function textOf(kind, bits) {
  const value = valueOf(kind, bits);
  if (!isFloat(kind)) return kind === "i1" ? (value ? "true" : "false") : value.toString();
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const digits = { f64: 17, f32: 9, tf32: 5, bf16: 4, f16: 5 }[kind] ?? 4;
  const text = Number(value.toPrecision(digits)).toString();
  return Object.is(value, -0) ? "-0" : text;
}

export function hexOf(kind, bits) {
  return "0x" + bits.toString(16).toUpperCase().padStart(bytesOf(kind) * 2, "0");
}
