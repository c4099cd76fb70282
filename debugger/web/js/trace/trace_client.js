// The debugger's answers from a recorded run: a transport for client.js without a server. It refuses by name what a
// recorded run cannot do.

import { Refused } from "../client.js";
import { bitsAt, elementType, textOf } from "../formats.js";
import { base64_of_bytes, Elements } from "./trace_file.js";
import { TraceMemory } from "./trace_memory.js";

const live = "needs the live debugger: lockstep debug or lockstep serve";
const most = { frames: 100, scopes: 20, variables: 1000, instructions: 4000 };

/** "acc" or "out[0, 3]"; null: neither. */
export function read_element(text) {
  const found = /^\s*([A-Za-z_%][\w.]*)\s*(?:\[([\d\s,]*)\])?\s*$/.exec(text);
  if (!found) return null;
  return { name: found[1], index: found[2] === undefined ? null : found[2].split(",").map((one) => Number(one.trim())) };
}

export class TraceTransport {
  #run;
  #memory;
  #at;
  #breakpoints = new Map(); // of a path: lines
  #next_id = 1;
  #has_printed = false;
  onmessage = () => {};
  onclose = () => {};

  constructor(run) {
    this.#run = run;
    this.#memory = new TraceMemory(run);
    this.#at = run.start;
  }

  close() {}

  async send({ seq, command, arguments: given }) {
    let after = null;
    const answer = { type: "response", request_seq: seq, command, success: true };
    try {
      if (!Object.hasOwn(this.#handlers, command)) throw new Refused(`'${command}' ${live}`);
      const body = await this.#handlers[command](given ?? {}, (then) => (after = then));
      answer.body = body ?? {};
    } catch (error) {
      Object.assign(answer, { success: false, message: error.message, ...(error.nearest ? { body: { nearest: error.nearest } } : {}) });
    }
    this.onmessage(answer);
    if (after) setTimeout(after);
  }

  #tell(event, body) {
    this.onmessage({ type: "event", event, body });
  }

  #stop(reason) {
    const errors = this.#run.errors_at(this.#at);
    const is_end = !this.#at;
    const description = errors.length ? errors.map((one) => `finding ${one.code}: ${one.message}`).join("; ")
      : is_end ? (this.#run.launch.why || "the launch has ended") : "";
    this.#tell("stopped", {
      reason: errors.length ? "exception" : is_end ? "end" : reason, description, threadId: this.#thread, allThreadsStopped: true,
      ...(errors.length ? { text: `${errors[0].code}: ${errors[0].message}` } : {}),
    });
  }

  get #thread() {
    return (this.#at ? this.#run.programs[this.#at.program].number : this.#run.total) + 1;
  }

  async #view() {
    if (!this.#at) return this.#run.launch.end;
    return (await this.#run.program(this.#at.program)).views[this.#at.step];
  }

  async #move(way, after, reason = "step") {
    const at = await way();
    if (at) await this.#run.program(at.program); // what cannot be read is no place to stand
    this.#at = at;
    after(() => this.#stop(reason));
  }

  #stops_at(view) {
    const frame = shown(view.frames);
    const lines = this.#breakpoints.get(frame?.source?.path ?? frame?.source?.name);
    return lines?.has(frame.line) ?? false;
  }

  async #tile(text) {
    const wanted = read_element(text);
    if (!wanted) throw new Refused(`'${text}' ${live}: a recorded run has variables and their elements`);
    const view = await this.#view();
    const tile = Object.hasOwn(view.tiles, wanted.name) ? view.tiles[wanted.name] : null;
    const argument = this.#memory.argument(wanted.name);
    if (!tile && !argument) throw new Refused(`there is no variable '${wanted.name}' here, or it is not in the recorded run`);
    const whole = tile ? { type: tile.type, shape: tile.shape, every: tile.every, bytes: tile.data.bytes(), size: tile.data.size, padding: tile.padding }
      : await this.#memory.tensor(argument, this.#at);
    return wanted.index ? element_of(whole, wanted.index, text) : whole;
  }

  async #evaluate({ expression, context }, after) {
    const program = /^program\s+(\d+)(?:\s+(\d+))?(?:\s+(\d+))?$/.exec(expression);
    const ops = /^stepi\s+(\d+)$/.exec(expression);
    if (context === "repl" && program) {
      const [x, y] = this.#run.launch.grid;
      const [a, b, c] = program.slice(1).map((one) => Number(one ?? 0));
      const index = this.#run.index_of(a + x * (b + y * c));
      if (index < 0) throw new Refused(`program (${a}, ${b}, ${c}) is not in the recorded run`);
      await this.#move(() => ({ program: index, step: 0 }), after);
      return { result: "", variablesReference: 0 };
    }
    if (context === "repl" && ops) {
      await this.#move(() => {
        let at = this.#at;
        for (let left = Math.min(Number(ops[1]), 1e6); left > 0 && at; --left) at = this.#run.step_op(at, 1);
        return at;
      }, after);
      return { result: "", variablesReference: 0 };
    }
    const variable = (await this.#view()).scopes.flatMap((one) => one.variables).find((one) => one.evaluateName === expression.trim());
    if (variable) return { result: variable.value, type: variable.type, variablesReference: 0 };
    const tile = await this.#tile(expression);
    const kind = elementType(tile.type);
    const data = new DataView(tile.bytes.buffer, tile.bytes.byteOffset, tile.bytes.length);
    if (tile.bytes.length !== tile.size) throw new Refused(`'${expression}' has ${tile.bytes.length / tile.size} elements: the panel Tile shows them`);
    return { result: textOf(kind, bitsAt(data, kind, 0)), variablesReference: 0 };
  }

  #set_breakpoints({ source, breakpoints }) {
    const simple = breakpoints.filter((one) => !one.condition && !one.hitCondition && !one.logMessage);
    this.#breakpoints.set(source.path ?? source.name, new Set(simple.map((one) => one.line)));
    return {
      breakpoints: breakpoints.map((one) => ({
        id: this.#next_id++, verified: simple.includes(one), line: one.line,
        ...(simple.includes(one) ? {} : { message: `a condition ${live}` }),
      })),
    };
  }

  /** By the path that frames have, or as findings name it: from where the command ran. */
  #source({ source }) {
    const path = source.path ?? source.name;
    const found = Object.entries(this.#run.launch.sources).find(([known]) => known === path || known.endsWith(`/${path}`));
    if (!found) throw new Refused("this source is not in the recorded run");
    return { content: found[1] };
  }

  #grid() {
    const programs = this.#run.statuses(this.#at);
    const count = (...statuses) => programs.filter((one) => statuses.includes(one.status)).length;
    return {
      grid: this.#run.launch.grid, programs, hasPipeline: Boolean(this.#run.launch.pipeline),
      counts: { notStarted: count("notStarted"), live: count("focus", "waiting"), ended: count("ended", "fault"), faults: count("fault") },
      recorded: { programs: programs.length, total: this.#run.total, partly: this.#run.programs.filter((one) => one.isCut || one.isSampled).length },
    };
  }

  async #picture({ point, lane, cells }) {
    if (point === undefined) return this.#recorded("lockstep/picture", {});
    if (lane !== undefined) return not_told("what a single lane is made of");
    return with_base64(told(of((await this.#view()).pictures ?? {}, String(point)), "this picture"));
  }

  /** `why` of the whole launch; `who` by now, from what the recorded programs did. */
  async #past(question, expression) {
    const wanted = read_element(expression);
    const text = wanted?.index ? `${wanted.name}[${wanted.index.join(",")}]` : expression;
    const kept = this.#at && question === "who" ? null : of(this.#run.launch.past, text)?.[question];
    if (kept) return { ...told(kept, text), when: "end" };
    const argument = wanted && this.#memory.argument(wanted.name);
    if (question === "who" && argument && wanted.index?.length === argument.shape.length) return this.#memory.accesses(argument, wanted.index, this.#at, text);
    const found = question === "why" && argument ? await this.#run.why(wanted.name, wanted.index) : null;
    if (found?.answer) return { ...told(found.answer, text), when: "end" };
    const [all] = this.#run.whys.filter((one) => one.argument === wanted?.name);
    if (found) throw Object.assign(new Refused(`${text} is not among the ${all.elements} of ${all.of} elements whose origin is in the recorded run: it ${live}`), { nearest: found.nearest });
    return not_told(`'${question} ${text}' here`);
  }

  /** Of the whole launch; which elements nobody has stored (`holes` of an argument that was given empty) by now. */
  async #coverage({ argument, firstRow, holes }) {
    if (firstRow) return not_told("a part of an argument");
    const whole = { ...told(of(this.#run.launch.coverage, argument), argument), when: "end" };
    const facts = holes && whole.isEmpty ? this.#memory.argument(argument) : null;
    const by_now = facts ? await this.#memory.holes(facts, this.#at) : null;
    if (!by_now) return whole;
    const never = by_now.reduce((all, one) => all + one.elements, 0);
    return { ...whole, holes: by_now, never, once: whole.never + whole.once + whole.several - never, several: 0, when: "now" };
  }

  /** What was asked when the run was recorded. */
  async #recorded(question, { expression }) {
    if (expression) throw new Refused(`'${expression}' ${live}: a recorded run has only the line's own access`);
    const view = await this.#view();
    if (Object.hasOwn(view.answers, question)) return view.answers[question];
    throw new Refused(view.refused[question] ?? `'${question}' ${live}`);
  }

  #handlers = {
    initialize: () => ({}),
    launch: (_, after) => void after(() => this.#tell("initialized", {})),
    configurationDone: (_, after) => void after(() => this.#begin()),
    restart: (_, after) => this.#move(() => this.#run.start, after, "entry"),
    setBreakpoints: (given) => this.#set_breakpoints(given),
    next: ({ granularity }, after) => this.#move(() => granularity === "instruction" ? this.#run.step_op(this.#at, 1) : this.#run.step_line(this.#at, 1, true), after),
    stepIn: (_, after) => this.#move(() => this.#run.step_line(this.#at, 1, false), after),
    stepOut: (_, after) => this.#move(() => this.#run.step_out(this.#at), after),
    stepBack: ({ granularity }, after) => this.#move(() => granularity === "instruction" ? this.#run.step_op(this.#at, -1) : this.#run.step_line(this.#at, -1, true), after),
    continue: (_, after) => this.#move(() => this.#run.go(this.#at, 1, (view) => this.#stops_at(view)), after, "breakpoint"),
    reverseContinue: (_, after) => this.#move(() => this.#run.go(this.#at, -1, (view) => this.#stops_at(view)), after, "entry"),
    stackTrace: async () => ({ stackFrames: (await this.#view()).frames.slice(0, most.frames) }),
    scopes: async () => ({ scopes: (await this.#view()).scopes.slice(0, most.scopes).map((one, i) => ({ name: one.name, variablesReference: i + 1, expensive: false })) }),
    variables: async ({ variablesReference }) => ({ variables: ((await this.#view()).scopes[variablesReference - 1]?.variables ?? []).slice(0, most.variables) }),
    evaluate: (given, after) => this.#evaluate(given, after),
    source: (given) => this.#source(given),
    disassemble: () => ({ instructions: (this.#run.launch.instructions ?? []).slice(0, most.instructions) }),
    "lockstep/grid": () => this.#grid(),
    "lockstep/report": () => ({ findings: this.#run.findings(this.#at), checked: this.#run.launch.checked ?? undefined, compared: this.#run.launch.compared ?? undefined }),
    "lockstep/diff": () => this.#at ? not_told("a comparison on the way") : told(this.#run.launch.diff, "a reference"),
    "lockstep/tile": async ({ expression }) => {
      const { type, shape, every, bytes, padding } = await this.#tile(expression);
      return { type, shape, ...(every ? { every } : {}), data: base64_of_bytes(bytes), ...(is_padding(padding) ? { padding } : {}) };
    },
    "lockstep/lines": (given) => this.#recorded("lockstep/lines", given),
    "lockstep/accessMap": (given) => this.#recorded("lockstep/accessMap", given),
    "lockstep/lanes": (given) => this.#recorded("lockstep/lanes", given),
    "lockstep/picture": (given) => this.#picture(given),
    "lockstep/why": ({ expression }) => this.#past("why", expression),
    "lockstep/who": ({ expression }) => this.#past("who", expression),
    "lockstep/finding": ({ number, checked }) => checked ? told(this.#run.launch.chains?.[number], "this finding") : not_told("the chain of a finding on the way"),
    "lockstep/cost": ({ gpu }) => told(of(this.#run.launch.costs, gpu ?? ""), `costs on ${gpu}`),
    "lockstep/coverage": (given) => this.#coverage(given),
    "lockstep/pipeline": () => ({ ...told(this.#run.launch.pipeline, "the pipeline"), when: "end" }),
    "lockstep/timeline": ({ first, count }) => page_of(told(this.#run.launch.timeline, "the timeline"), first ?? 0, count ?? 256),
    setExceptionBreakpoints: () => ({ breakpoints: [] }), // the launch was recorded under all checkers, and errors are stopped at
  };

  #begin() {
    const { printed } = this.#run.launch;
    if (printed && !this.#has_printed) this.#tell("output", { category: "stdout", output: `The launch printed:\n${printed}` });
    this.#has_printed = true;
    this.#stop("entry");
  }
}

/** As the protocol carries elements. */
function with_base64(value, depth = 0) {
  if (value instanceof Elements) return base64_of_bytes(value.bytes());
  if (Array.isArray(value)) return value.map((one) => with_base64(one, depth + 1));
  if (value === null || typeof value !== "object" || depth > 4) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, with_base64(one, depth + 1)]));
}

function of(record, name) {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

function not_told(what, instead = "") {
  throw new Refused(`${what} is not in the recorded run: it ${live}${instead ? `; ${instead}` : ""}`);
}

function told(answer, what) {
  if (!answer) return not_told(what);
  if (answer.refused) throw new Refused(answer.refused);
  return answer;
}

/** Turns [first, first + count) of what was recorded. */
function page_of(timeline, first, count) {
  const turns = timeline.turns.filter((one) => one.turn >= first && one.turn < first + count);
  const kept = timeline.turns.at(-1)?.turn ?? -1;
  return { ...timeline, first, turns, when: "end", total: kept + 1, isTruncated: timeline.isTruncated || kept + 1 < timeline.total };
}

function shown(frames) {
  return frames.find((one) => one.source && one.presentationHint !== "label") ?? frames[0];
}

function element_of({ type, shape, every, bytes, size }, index, text) {
  if (index.length !== shape.length) throw new Refused(`'${text}': it takes ${shape.length} indices`);
  let at = 0;
  index.forEach((one, d) => {
    const apart = every?.[d] ?? 1;
    if (!Number.isInteger(one) || one % apart !== 0 || one / apart >= shape[d]) throw new Refused(`'${text}' is not in the recorded run${apart > 1 ? ": of this tile only some elements were kept" : ""}`);
    at = at * shape[d] + one / apart;
  });
  return { type: elementType(type), shape: [], bytes: bytes.slice(at * size, at * size + size), size };
}

/** What a recorded tile says of its padding, if it says it as lockstep/tile does. */
function is_padding(padding) {
  const sources = padding?.sources;
  return Array.isArray(sources) && sources.every((one) => typeof one?.text === "string") && Array.isArray(padding.runs) && typeof padding.text === "string"
    && padding.runs.every((run) => Array.isArray(run) && run.every(Number.isInteger) && run[2] >= 0 && run[2] < sources.length);
}
