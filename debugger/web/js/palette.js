// Colours of values: dark to light by size, told apart without hue (cividis-like: blue to yellow), for light and dark pages.

const stops = [[0, 32, 77], [0, 68, 122], [87, 93, 109], [124, 123, 120], [165, 156, 116], [211, 193, 100], [255, 234, 70]];

export function colourOf(value, low, high) {
  if (Number.isNaN(value)) return "#d55e00";
  if (value === Infinity) return "#cc79a7";
  if (value === -Infinity) return "#8a4a73";
  const share = high > low ? (value - low) / (high - low) : 0.5;
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const below = Math.min(stops.length - 2, Math.floor(at));
  const mixed = stops[below].map((one, i) => Math.round(one + (stops[below + 1][i] - one) * (at - below)));
  return `rgb(${mixed.join(",")})`;
}
