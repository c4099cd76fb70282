// Programs over time: each turn a bar in its program's row, with ticks where it loads, stores, updates or multiplies, and
// links between programs: solid where one's release is another's acquire, red and dashed where nothing orders them. It
// runs the past again, so it is drawn only while the tab is open, a page of time slices at a time.

import { h, replace } from "../dom.js";
import { clear_with_launch, sheet } from "../drawer.js";

const turns_of_page = 128;
const row = 16;
const marks = { load: "--accent", store: "--good", atomic: "--word", dot: "--number" };
const letters = { load: "l", store: "s", atomic: "a", dot: "d" };

export class TimelineView {
  #session;
  #body;
  #page = null;
  #pager;
  #chosen = 0;

  constructor(section, session) {
    this.#session = session;
    const button = (words, action) => h("button", { type: "button", onclick: action }, words);
    this.#pager = h("div", { class: "choice", hidden: true }, button("Earlier", () => this.#turn(-1)), button("Later", () => this.#turn(1)));
    this.#body = sheet(section, h("span", { class: "note" }, "When each program ran, and which accesses to shared memory are ordered or race"), this.#pager);
    clear_with_launch(session, this.#body, () => (this.#pager.hidden = true));
  }

  #turn(way) {
    const first = (this.#page?.first ?? 0) + way * turns_of_page;
    if (first >= 0 && first < (this.#page?.total ?? 1)) this.ask(first);
  }

  fill() {
    return this.ask(0);
  }

  async ask(first) {
    try {
      this.#page = await this.#session.request("lockstep/timeline", { first, count: turns_of_page });
      this.#chosen = 0;
      this.#show();
    } catch (error) {
      replace(this.#body, h("p", { class: "note" }, error.message));
    }
  }

  #show() {
    const { total, turns, links, isTruncated, when } = this.#page;
    this.#pager.hidden = total <= turns_of_page;
    if (!turns.length) return replace(this.#body, h("p", { class: "note" }, "Nothing has run yet."));
    const last = turns.at(-1).turn;
    const races = links.filter((one) => one.kind === "race");
    this.#layout = layout_of(turns);
    this.#canvas = h("canvas", {
      width: this.#layout.width, height: this.#layout.height, tabindex: 0, role: "img",
      "aria-label": `${turns.length} time slices of ${this.#layout.rows.size} programs; left and right choose one, Enter goes to its program`,
      onkeydown: (event) => this.#key(event), onpointerdown: (event) => this.#point(event),
    });
    this.#details = h("p", { "aria-live": "polite" });
    replace(this.#body,
      when === "end" ? h("p", { class: "note" }, "Of the whole launch.") : null,
      h("p", {}, `Time slices ${turns[0].turn} to ${last} of ${total}; `, Object.keys(marks).map((kind) => [h("b", { class: `tick ${kind}` }, letters[kind]), ` ${kind} `])),
      h("div", { class: "lanes" }, this.#canvas), this.#details,
      races.length ? h("ul", { class: "links bad" }, races.slice(0, 8).map((one) => h("li", {}, `race: ${end_text(one.from)} and ${end_text(one.to)}`))) : null,
      h("p", { class: "note" }, links_text(links.length - races.length, races.length, isTruncated)));
    this.#paint();
    this.#describe();
  }
  #layout = null;
  #canvas = null;
  #details = null;

  #key(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Enter") this.#session.go_to_program(this.#page.turns[this.#chosen].id);
    if (!way) return;
    event.preventDefault();
    this.#choose(this.#chosen + way);
  }

  #point(event) {
    const box = this.#canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) * this.#canvas.width) / box.width;
    const y = ((event.clientY - box.top) * this.#canvas.height) / box.height;
    this.#choose(this.#layout.bars.findIndex((bar) => x >= bar.x && x < bar.x + bar.width && y >= bar.y && y < bar.y + row));
  }

  #choose(turn) {
    if (turn < 0 || turn >= this.#page.turns.length) return;
    this.#chosen = turn;
    this.#paint();
    this.#describe();
  }

  #describe() {
    const { turn, id, firstStep, steps, ticks } = this.#page.turns[this.#chosen];
    const counts = Object.entries(ticks).map(([kind, list]) => `${list.length} ${kind}${list.length === 1 ? "" : "s"}`);
    this.#details.textContent = `time slice ${turn}: program (${id.join(", ")}), steps ${firstStep} to ${firstStep + steps - 1}${counts.length ? ": " : ""}${counts.join(", ")}`;
  }

  #paint() {
    const context = this.#canvas.getContext("2d");
    const colour = (name) => getComputedStyle(document.body).getPropertyValue(name);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#page.turns.forEach((turn, i) => {
      const bar = this.#layout.bars[i];
      context.fillStyle = colour("--edge");
      context.fillRect(bar.x, bar.y + 2, bar.width, row - 4);
      for (const [kind, steps] of Object.entries(turn.ticks)) {
        context.fillStyle = colour(marks[kind] ?? "--text");
        const [top, height] = { load: [1, row / 2 - 1], store: [row / 2, row / 2 - 1], atomic: [row / 4, row / 2], dot: [1, row - 2] }[kind] ?? [1, row - 2];
        for (const step of steps) context.fillRect(this.#layout.x_of(i, step), bar.y + top, kind === "dot" ? 3 : 2, height);
      }
      if (i !== this.#chosen) return;
      context.strokeStyle = colour("--text");
      context.lineWidth = 2;
      context.strokeRect(bar.x + 1, bar.y + 1, Math.max(2, bar.width - 2), row - 2);
    });
    for (const link of this.#page.links) this.#paint_link(context, link, colour(link.kind === "race" ? "--bad" : "--soft"));
  }

  #paint_link(context, { kind, from, to }, colour) {
    const [a, b] = [from, to].map((end) => this.#layout.place_of(end));
    if (!a || !b) return;
    context.strokeStyle = colour;
    context.lineWidth = kind === "race" ? 2 : 1;
    context.setLineDash(kind === "race" ? [4, 3] : []);
    context.beginPath();
    context.moveTo(...a);
    context.lineTo(...b);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colour;
    context.fillRect(b[0] - 2, b[1] - 2, 5, 5);
  }
}

/** Bars one after the other in time, a row for each program. */
function layout_of(turns) {
  const rows = new Map();
  for (const { program } of [...turns].sort((a, b) => a.program - b.program)) if (!rows.has(program)) rows.set(program, rows.size);
  const steps = turns.reduce((all, one) => all + one.steps, 0);
  const unit = Math.max(0.02, Math.min(12, 1100 / steps));
  const bars = [];
  let x = 0;
  for (const { program, steps: count } of turns) {
    const width = Math.max(2, count * unit);
    bars.push({ x, y: rows.get(program) * row, width });
    x += width + 1;
  }
  const x_of = (i, step) => bars[i].x + ((step - turns[i].firstStep) / turns[i].steps) * bars[i].width;
  const place_of = ({ turn, step }) => {
    const i = turns.findIndex((one) => one.turn === turn);
    return i < 0 ? null : [x_of(i, step), bars[i].y + row / 2];
  };
  return { rows, bars, x_of, place_of, width: Math.min(4000, Math.ceil(x)), height: rows.size * row };
}

function end_text({ id, line, step }) {
  return `(${id.join(", ")})${line ? ` line ${line}` : ""} step ${step}`;
}

function links_text(orders, races, is_truncated) {
  const parts = [orders ? `${orders} times a program acquired what another one released` : "", races ? `${races} pairs of accesses race` : ""].filter(Boolean);
  return (parts.join("; ") || "No program waits for or meets another one") + (is_truncated ? "; some ticks or links are left out" : "");
}
