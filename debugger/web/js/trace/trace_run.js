// A recorded run: its programs in the order of time, and moving through it as the debugger moves through a launch. A
// position is {program, step}: the number of the program among the recorded ones, and how many of its ops have run; null
// is the end. A program's section is read when the run enters it.

import { Damaged } from "./trace_file.js";

const is_list = (value) => Array.isArray(value);

export class TraceRun {
  #file;
  #programs = new Map(); // what their sections hold, by number among the recorded ones
  launch = null;
  programs = []; // {number, steps, turns, findings, isCut, isSampled}, in the order of time
  stretches = []; // {turn, program, from, to}: steps of one turn, in the order of time

  constructor(file) {
    this.#file = file;
  }

  async open() {
    const contents = await this.#file.read("contents");
    this.launch = await this.#file.read("launch");
    if (contents?.version !== 1 || !is_list(contents.programs) || !is_list(this.launch?.grid)) throw new Damaged("this page does not support the version of the recorded run");
    this.first = contents.programs[0]?.number;
    this.whys = is_list(contents.whys) ? contents.whys.filter((one) => typeof one?.argument === "string" && is_list(one.every)) : [];
    this.programs = contents.programs.filter((one) => is_list(one.turns) && is_list(one.findings) && Number.isInteger(one.steps))
      .sort((a, b) => a.turns[0][0] - b.turns[0][0]);
    this.programs.forEach((one, program) => one.turns.forEach(([turn, from], i) => {
      this.stretches.push({ turn, program, from, to: one.turns[i + 1]?.[1] ?? one.steps });
    }));
    this.stretches.sort((a, b) => a.turn - b.turn);
  }

  /** All of one program. */
  async program(index) {
    if (!this.#programs.has(index)) {
      const { number } = this.programs[index];
      this.#programs.set(index, number === this.first ? this.launch.first : await this.#file.read(`program ${number}`));
    }
    return this.#programs.get(index);
  }

  /** What made an element of an output: {answer}, {nearest} of those that are told of, or null. */
  async why(name, index) {
    if (!this.whys.some((one) => one.argument === name)) return null;
    this.#whys ??= this.#file.read("why");
    const told = (await this.#whys).find?.((one) => one.argument === name);
    if (!is_list(told?.shape) || !is_list(told.every) || !is_list(told.answers) || index?.length !== told.shape.length) return null;
    const place = index.map((one, d) => Math.min(told.shape[d] - 1, Math.round(one / told.every[d])));
    if (place.some((one, d) => one * told.every[d] !== index[d])) return { nearest: `${name}[${place.map((one, d) => one * told.every[d]).join(",")}]` };
    return { answer: told.answers[place.reduce((at, one, d) => at * told.shape[d] + one, 0)] };
  }
  #whys = null;

  get total() {
    return this.launch.grid.reduce((all, one) => all * one, 1);
  }

  index_of(number) {
    return this.programs.findIndex((one) => one.number === number);
  }

  get start() {
    return this.stretches.length ? { program: this.stretches[0].program, step: this.stretches[0].from } : null;
  }

  /** Number of the stretch that a position stands in; those before it are past. */
  stretch_of(position) {
    if (!position) return this.stretches.length;
    return this.stretches.findIndex((one) => one.program === position.program && one.from <= position.step && position.step < one.to);
  }

  /** One op on or back in the order of time, whichever program's it is. */
  beside(position, way) {
    if (!position && way > 0) return null;
    let at = this.stretch_of(position);
    const here = this.stretches[at];
    const step = position ? position.step + way : -1;
    if (here && step >= here.from && step < here.to) return { program: here.program, step };
    at += way;
    const next = this.stretches[at];
    if (!next) return way > 0 ? null : position;
    return { program: next.program, step: way > 0 ? next.from : next.to - 1 };
  }

  /** Where a program that has ended leaves the launch. */
  after(program) {
    const last = this.stretches.findLastIndex((one) => one.program === program);
    const next = this.stretches[last + 1];
    return next ? { program: next.program, step: next.from } : null;
  }

  #is_same(a, b) {
    return a === b || (a && b && a.program === b.program && a.step === b.step);
  }

  step_op(position, way) {
    if (!position || (way < 0 && position.step === 0)) return this.beside(position, way);
    const { program } = position;
    const step = position.step + way;
    return step < this.programs[program].steps ? { program, step } : this.after(program);
  }

  /** To where a line begins; `over`: not in a function that is called here. */
  async step_line(position, way, over) {
    if (!position || (way < 0 && position.step === 0)) return this.#seek(position, way, ({ levels }, step) => levels[step] >= 0);
    const { program } = position;
    const { levels, depths } = await this.program(program);
    const depth = depths[position.step];
    for (let step = position.step + way; step >= 0 && step < levels.length; step += way)
      if ((levels[step] >= 0 && (!over || levels[step] < depth)) || (way < 0 && step === 0)) return { program, step };
    return this.after(program);
  }

  async step_out(position) {
    if (!position) return position;
    const { program } = position;
    const { depths } = await this.program(program);
    const depth = depths[position.step];
    if (depth <= 1) return position.step === depths.length - 1 ? this.after(program) : { program, step: depths.length - 1 };
    const step = depths.findIndex((one, i) => i > position.step && one < depth);
    return step < 0 ? this.after(program) : { program, step };
  }

  /** The next position in time for which is_there(program's record, step, program) holds; else where time ends. */
  async #seek(position, way, is_there) {
    for (let at = position; ;) {
      const next = this.beside(at, way);
      if (!next || this.#is_same(next, at)) return next;
      if (is_there(await this.program(next.program), next.step, next.program)) return next;
      at = next;
    }
  }

  /** Errors that the op at the position makes. */
  errors_at(position) {
    if (!position) return [];
    return this.programs[position.program].findings.filter(([step, finding]) => step === position.step + 1 && finding.tier === "error").map(([, finding]) => finding);
  }

  /** `stops(view)`: the line of it has a breakpoint. */
  async go(position, way, stops) {
    for (let at = position; ;) {
      const next = this.beside(at, way);
      if (!next || this.#is_same(next, at)) return next;
      const { levels, views } = await this.program(next.program);
      if (this.errors_at(next).length || (levels[next.step] >= 0 && stops(views[next.step]))) return next;
      at = next;
    }
  }

  /** Findings up to a position, with those of the op that stands there. */
  findings(position) {
    const now = this.stretch_of(position);
    const found = [];
    this.stretches.slice(0, now + 1).forEach(({ program, from, to }, i) => {
      const until = i === now ? position.step + 1 : to;
      for (const [step, finding] of this.programs[program].findings) if (step > from && step <= until) found.push(finding);
    });
    return found;
  }

  /** What has become of every recorded program. */
  statuses(position) {
    const now = this.stretch_of(position);
    const steps = this.programs.map(() => 0);
    const last = this.programs.map(() => -1);
    this.stretches.forEach(({ program, to }, i) => {
      if (i < now) steps[program] = to;
      last[program] = i;
    });
    if (position) steps[position.program] = position.step;
    return this.programs.map((one, program) => ({
      number: one.number, id: this.id_of(one.number), steps: steps[program],
      status: position?.program === program ? "focus"
        : one.findings.some(([step, finding]) => step <= steps[program] && finding.tier === "error") ? "fault"
          : last[program] < now ? "ended" : steps[program] > 0 ? "waiting" : "notStarted",
    }));
  }

  id_of(number) {
    const [x, y] = this.launch.grid;
    return [number % x, Math.floor(number / x) % y, Math.floor(number / x / y)];
  }
}
