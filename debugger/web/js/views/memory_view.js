// What the current access touches in its argument: stretches of memory in a row, used, unused, outside; sectors and lines.

import { h, replace } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";

export class MemoryView {
  #body;
  #seen = undefined;

  constructor(section, session) {
    this.#body = sheet(section);
    clear_with_launch(session, this.#body, () => (this.#seen = undefined));
    session.subscribe((state) => this.update(state));
  }

  update(state) {
    if (state.status !== "stopped" || this.#seen === state.access) return;
    this.#seen = state.access;
    if (!state.access) return replace(this.#body, h("p", { class: "note" }, "No load or store in this line."));
    replace(this.#body, sentence(state.access), ruler(state.access), counts(state.access));
  }
}

function sentence(access) {
  const where = access.argument ? ` of ${access.argument}` : "";
  const parts = [`${access.inside} of ${access.lanes} lanes`];
  if (access.masked) parts.push(`${access.masked} masked off`);
  return h("p", {}, h("b", {}, access.python ?? access.text), `${where}: ${parts.join(", ")}`,
    access.outside ? h("strong", { class: "bad" }, `, ${access.outside} out of bounds`) : null);
}

function ruler(access) {
  const { cells, cellBytes } = access.ruler;
  if (!cells.length) return null;
  const row = cells.map((cell) => {
    const text = `bytes ${cell.offset} to ${cell.offset + cellBytes - 1}: ${cell.used} of ${cellBytes} used` + (cell.outside ? `, ${cell.outside} lanes out of bounds` : "");
    return h("span", {
      class: `stretch${cell.outside ? " outside" : ""}${cell.holds ? "" : " beyond"}${cell.offset % 128 === 0 ? " line" : ""}`, title: text,
      style: { "--used": cell.used / cellBytes },
    });
  });
  const last = cells.at(-1);
  return h("figure", { class: "ruler" },
    h("div", { class: "stretches", role: "img", "aria-label": `${cells.length} stretches of ${cellBytes} bytes; ${cells.filter((one) => one.used).length} are touched` }, row),
    h("figcaption", {}, `byte ${cells[0].offset} to ${last.offset + cellBytes - 1}; each stretch is ${cellBytes} bytes (a sector is 32, a line 128)`));
}

function counts(access) {
  const share = (number) => `${Math.round(number * 100)} %`;
  const rows = [
    ["bytes asked for", access.bytes],
    ["sectors moved", `${access.sectors} (${share(access.sectorUse)} of their bytes used)`],
    ["cache lines", `${access.lines} (${share(access.lineUse)} used)`],
    ["holes", access.holeBytes ? `${access.holeBytes} bytes between the first and the last` : "none"],
    ["from lane to lane", access.strides.map((one) => (one === null ? "irregular" : `${one} bytes`)).join(", ")],
  ];
  return h("dl", {}, rows.filter(([, text]) => text !== "").map(([name, text]) => [h("dt", {}, name), h("dd", {}, String(text))]));
}
