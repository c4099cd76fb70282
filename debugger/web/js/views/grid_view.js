// The grid of programs: one cell each, its state as colour and as a letter; a choice goes to that program.

import { h, panel, replace } from "../dom.js";
import { clear_with_launch } from "../drawer.js";

const letters = { notStarted: "", focus: "▶", waiting: "w", ended: "✓", fault: "!", race: "!", notRecorded: "–" };
const words = { notStarted: "not started", focus: "stands here", waiting: "waiting or started", ended: "ended", fault: "made a finding", race: "races with another program", notRecorded: "not in the recorded run" };
const most = 1024;

export class GridView {
  #session;
  #body;

  constructor(section, session) {
    this.#session = session;
    this.#body = panel(section, "Programs");
    clear_with_launch(session, this.#body, () => (this.#shown = null));
    session.subscribe((state) => this.update(state));
  }

  update(state) {
    if (!state.grid || (this.#shown === state.grid && this.#racing === state.racing)) return;
    this.#shown = state.grid;
    this.#racing = state.racing;
    const racing = new Set(state.racing);
    const { grid, counts, programs, recorded } = state.grid;
    const total = grid[0] * grid[1] * grid[2];
    const known = new Map(programs.map((one) => [one.number, one]));
    const numbers = total <= most ? Array.from({ length: total }, (_, i) => i) : programs.slice(0, most).map((one) => one.number);
    const focus = programs.find((one) => one.status === "focus");
    replace(this.#body,
      h("p", { class: "counts" }, h("span", {}, `grid ${grid.join(" × ")}: ${counts.ended} ended, ${counts.live} started, ${counts.notStarted} not started`,
        counts.faults ? h("strong", {}, `, ${counts.faults} with findings`) : null, racing.size ? h("strong", {}, `, ${racing.size} race`) : null),
        focus ? h("span", {}, `program (${focus.id.join(", ")}), step ${focus.steps}`) : null),
      h("div", { class: "cells", role: "group", "aria-label": "programs", style: { "--columns": Math.min(grid[0], grid[0] === total ? 8 : 16) } },
        numbers.map((number) => this.#cell(number, known.get(number), grid, recorded, racing.has(number)))),
      recorded ? note_of(recorded) : null,
      total > numbers.length ? h("p", { class: "note" }, `${numbers.length} of ${total} programs are shown: those that have started, those with findings, and the first ones`) : null);
  }
  #shown = null;
  #racing = null;

  #cell(number, facts, grid, recorded, does_race) {
    const id = facts?.id ?? [number % grid[0], Math.floor(number / grid[0]) % grid[1], Math.floor(number / grid[0] / grid[1])];
    const known = facts?.status ?? (recorded ? "notRecorded" : "notStarted");
    const status = does_race && known === "ended" ? "race" : known;
    const text = `program (${id.join(", ")}): ${words[status]}`;
    return h("button", {
      type: "button", class: `cell ${status}`, title: text, "aria-label": text, "aria-current": status === "focus" ? "true" : null,
      onclick: () => this.#session.go_to_program(id),
    }, letters[status]);
  }
}

function note_of({ programs, total, partly }) {
  const parts = [];
  if (programs < total) parts.push(`${total - programs} of ${total} programs are not in the recorded run`);
  if (partly) parts.push(`${partly} lack some steps or elements`);
  return parts.length ? h("p", { class: "note" }, parts.join("; ")) : null;
}
