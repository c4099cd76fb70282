// Session: one launch under the debugger. Sends requests, keeps what the views show as one state, and tells them of each
// change. Invariant: it drops answers that belong to an earlier moment.

import { Client, Refused } from "./client.js";

const most_lanes = 16384; // of an access that come with it, one by one

const nothing = {
  status: "none", // none, starting, running, stopped, ended, closed
  reason: "",
  description: "",
  thread: 0,
  frames: [],
  frame: null,
  grid: null,
  variables: [],
  lines: [],
  findings: [],
  areChecked: false, // the findings are those of the launch under checkers
  isOver: false, // nothing is left to run
  racing: [], // numbers of programs that race with another one, told at the end
  proof: null, // the report of `lockstep prove`, once somebody asked
  compared: [], // that launch's outputs beside the references that were given
  access: null,
  pictures: [], // ops of the line that can be drawn
  loops: [], // around the line
  problem: "",
  seen: 0, // halts of which everything is known
  moment_seen: -1, // the last of them
  moment_framed: -1, // the last halt of which `frame` is
};

const ways = {
  next: ["next", {}],
  back: ["stepBack", {}],
  into: ["stepIn", {}],
  out: ["stepOut", {}],
  op: ["next", { granularity: "instruction" }],
  opBack: ["stepBack", { granularity: "instruction" }],
  go: ["continue", {}],
  goBack: ["reverseContinue", {}],
};
const back = new Set(["back", "opBack", "goBack"]);

/** Of two programs that nothing orders. */
const is_race = ({ code, tier }) => tier === "error" && /^LS3\d\d$/.test(code);
const most_turns = 1024; // that are looked through for races

/** said: when what was typed last has been answered, and what it moved is known; sayings: typed and not yet answered so. */
const silence = () => ({ said: Promise.resolve(), sayings: 0 });

/** `now`, or what was there before where that says the same: views make their buttons anew for another object only. */
const kept = (before, now) => (JSON.stringify(before) === JSON.stringify(now) ? before : now);

export class Session {
  #client = null;
  #listeners = [];
  #moment = 0;
  #talk = silence(); // of this conversation: what was typed in an ended one may never be answered
  state = { ...nothing };
  breakpoints = new Map(); // of a path: line to condition
  sources = new Map(); // of a path: the source as DAP names it; of a path that is not there itself

  /** Called at every change; what is returned ends that. */
  subscribe(listener) {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener);
    };
  }

  /** Once the state is so, now or later. */
  when(is_so) {
    return new Promise((resolve) => {
      if (is_so(this.state)) return resolve(this.state);
      const forget = this.subscribe((state) => {
        if (!is_so(state)) return;
        forget();
        resolve(state);
      });
    });
  }

  /** `transport` as client.js has it; `launch`: the arguments of the request, and `filters`: what stops it. */
  async start(transport, { filters, ...launch }, request = "launch") {
    this.close();
    const client = new Client(transport);
    this.#client = client;
    this.#talk = silence();
    this.#set({ ...nothing, status: "starting" });
    const initialized = new Promise((resolve) => client.on("initialized", resolve));
    client.on("stopped", (body) => this.#stopped(body));
    client.on("continued", () => this.#running());
    client.on("terminated", () => this.#set({ status: "ended" }));
    client.on("invalidated", () => this.#look());
    client.on("output", (body) => this.#print(body.output, body.category));
    client.on("close", ({ reason }) => client === this.#client && this.#set({ status: "closed", problem: reason }));
    try {
      await client.request("initialize", {
        adapterID: "lockstep", clientID: "page", linesStartAt1: true, columnsStartAt1: true,
        supportsInvalidatedEvent: true, supportsProgressReporting: true,
      });
      await client.request(request, { stopOnEntry: true, stopAtEnd: true, ...launch });
      await initialized;
      if (filters) await client.request("setExceptionBreakpoints", { filters });
      for (const path of this.breakpoints.keys()) await this.#send_breakpoints(path);
      await client.request("configurationDone");
      if (this.state.status === "starting") this.#set({ status: "running" });
    } catch (error) {
      this.#set({ status: "none", problem: error.message.split("\n")[0] });
      throw error;
    }
  }

  close() {
    const client = this.#client;
    this.#client = null;
    client?.close();
  }

  /** Once it stands somewhere, or will not any more, and all of that is known. */
  settled() {
    return this.when(() => this.is_settled);
  }

  get is_settled() {
    const { status, moment_seen } = this.state;
    if (this.#talk.sayings > 0) return false;
    return status === "stopped" ? moment_seen === this.#moment : !["starting", "running"].includes(status);
  }

  get is_standing() {
    return this.state.status === "stopped";
  }

  /** At its end, where only ways back lead on. */
  get is_over() {
    return this.is_standing && (this.state.reason === "end" || this.state.isOver);
  }

  /** One of `ways`. Forwards from the end nothing happens: it would end the conversation, and the way back with it. */
  async move(way) {
    if (!this.is_standing) return;
    const [command, args] = ways[way];
    if (!back.has(way)) {
      const moment = this.#moment;
      if (this.state.reason === "exception" && this.state.moment_framed !== moment) await this.#standing_frame_id(); // a finding of the end, perhaps
      if (moment !== this.#moment || this.is_over) return;
    }
    this.#running();
    try {
      await this.#client.request(command, { threadId: this.state.thread, ...args });
    } catch (error) {
      this.#refused(error);
    }
  }

  async pause() {
    await this.#client?.request("pause", { threadId: this.state.thread }).catch(() => {});
  }

  async restart() {
    this.#running();
    await this.#client.request("restart").catch((error) => this.#refused(error));
  }

  /** A body, or null: refused, or of a moment that is past. */
  async ask(command, args = {}) {
    const moment = this.#moment;
    try {
      const body = await this.#client.request(command, args);
      return moment === this.#moment ? body : null;
    } catch {
      return null;
    }
  }

  /** As ask, but the reason is thrown. */
  request(command, args = {}) {
    return this.#client.request(command, args);
  }

  /** Number of the frame that is shown, as soon as it is known where the launch stands; undefined: it stands nowhere. The
   * frame that the state has is the last halt's until then. What was typed before is answered first: it may move the launch. */
  async frame_id() {
    await this.#talk.said;
    return this.#standing_frame_id();
  }

  async #standing_frame_id() {
    const { status, frame } = await this.when((state) => state.status !== "stopped" || state.moment_framed === this.#moment);
    return status === "stopped" ? frame?.id : undefined;
  }

  /** An expression's value, or what a command of the terminal prints. One is answered after the other. */
  say(text) {
    return this.#in_turn(() => this.#say(text));
  }

  /** Which op made an element wrong; the launch stands before it then. */
  bisect(expression) {
    return this.#in_turn(async () => this.#client.request("lockstep/bisect", { expression, frameId: await this.#standing_frame_id() }));
  }

  #in_turn(ask) {
    const talk = this.#talk;
    talk.sayings += 1;
    this.#set({});
    const answer = talk.said.then(ask);
    const follow = () => this.#follow(talk);
    talk.said = answer.then(follow, follow);
    return answer;
  }

  async #say(text) {
    const frameId = await this.#standing_frame_id();
    const body = await this.#client.request("evaluate", { expression: text, context: "repl", frameId });
    return body.result;
  }

  /** Until the events that follow an answer are here: a later request's answer comes after them. */
  async #follow(talk) {
    await this.ask("threads");
    talk.sayings -= 1;
    this.#set({});
  }

  /** Makes the launch once more under all checkers; what they find are the findings from now on, errors are stopped at. */
  async check() {
    await this.#client.request("setExceptionBreakpoints", { filters: ["all"] });
    await this.#client.request("setExceptionBreakpoints", { filters: ["error"] });
    await this.#look();
  }

  /** What holds of the kernel in every launch of a contract; without words of this launch's. */
  async prove(words) {
    const proof = await this.#client.request("lockstep/prove", { words });
    this.#set({ proof });
    return proof;
  }

  /** That program takes its turn now. */
  async go_to_program(id) {
    await this.say(`program ${id.join(" ")}`).catch((error) => this.#refused(error));
  }

  async toggle_breakpoint(path, line, condition = "") {
    const lines = this.breakpoints.get(path) ?? new Map();
    if (lines.has(line)) lines.delete(line);
    else lines.set(line, condition);
    this.breakpoints.set(path, lines);
    if (this.#client) await this.#send_breakpoints(path);
    this.#set({});
  }

  async #send_breakpoints(path) {
    const breakpoints = [...(this.breakpoints.get(path) ?? [])].map(([line, condition]) => ({
      line, ...(condition ? { condition } : {}),
    }));
    await this.ask("setBreakpoints", { source: this.sources.get(path) ?? { path }, breakpoints });
  }

  #running() {
    ++this.#moment;
    this.#set({ status: "running", problem: "" });
  }

  #stopped(body) {
    ++this.#moment;
    this.#set({
      status: "stopped", reason: body.reason, isOver: false, racing: [], description: body.description ?? "", text: body.text ?? "",
      thread: body.threadId, problem: "",
    });
    this.#look();
  }

  /** Everything that is shown of where it stands. */
  async #look() {
    const moment = this.#moment;
    const [stack, grid, report] = await Promise.all([
      this.ask("stackTrace", { threadId: this.state.thread }),
      this.ask("lockstep/grid", { count: 4096 }),
      this.ask("lockstep/report"),
    ]);
    if (moment !== this.#moment) return;
    const frames = stack?.stackFrames ?? [];
    const frame = frames.find((one) => one.source && one.presentationHint !== "label") ?? frames[0] ?? null;
    const findings = report?.checked ?? report?.findings ?? [];
    const is_again = moment === this.state.moment_framed; // of another halt the grid is another one anyway
    const isOver = Boolean(grid) && !grid.programs.some((one) => one.status === "focus");
    this.#set({
      frames, frame, moment_framed: moment, isOver, grid: is_again ? kept(this.state.grid, grid) : grid,
      findings: kept(this.state.findings, findings), areChecked: Boolean(report?.checked),
      compared: kept(this.state.compared, report?.compared ?? []),
    });
    await this.#look_at_frame(moment, frame);
    if (isOver && report?.checked?.some(is_race)) await this.#look_at_races(moment);
  }

  /** Which programs race: a finding names two of them. */
  async #look_at_races(moment) {
    const timeline = await this.ask("lockstep/timeline", { first: 0, count: most_turns });
    if (!timeline || moment !== this.#moment) return;
    const races = timeline.links.filter((one) => one.kind === "race");
    this.#set({ racing: kept(this.state.racing, [...new Set(races.flatMap(({ from, to }) => [from.program, to.program]))]) });
  }

  async #look_at_frame(moment, frame) {
    if (!frame) return this.#set({ variables: [], lines: [], access: null, pictures: [], loops: [], seen: this.state.seen + 1, moment_seen: moment });
    const scopes = (await this.ask("scopes", { frameId: frame.id }))?.scopes ?? [];
    const variables = [];
    for (const scope of scopes) {
      if (scope.expensive) continue;
      const body = await this.ask("variables", { variablesReference: scope.variablesReference });
      for (const one of body?.variables ?? []) variables.push({ ...one, scope: scope.name });
    }
    const lines = await this.ask("lockstep/lines", { frameId: frame.id });
    const access = await this.ask("lockstep/accessMap", { frameId: frame.id, cells: 64, each: most_lanes });
    const drawn = await this.ask("lockstep/picture", { frameId: frame.id });
    if (moment === this.#moment)
      this.#set({ variables, lines: lines?.lines ?? [], access, pictures: drawn?.pictures ?? [], loops: drawn?.loops ?? [], seen: this.state.seen + 1, moment_seen: moment });
  }

  #refused(error) {
    if (!(error instanceof Refused)) throw error;
    this.#set({ status: this.state.frame ? "stopped" : this.state.status, problem: error.message });
  }

  #print(text, category) {
    for (const listener of [...this.#listeners]) listener(this.state, { text, category });
  }

  #set(patch) {
    this.state = { ...this.state, ...patch };
    for (const listener of [...this.#listeners]) listener(this.state, null);
  }
}
