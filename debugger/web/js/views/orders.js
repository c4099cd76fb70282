// Two orders of a race: runs the launch twice more, each in a session of its own; shows the programs' steps at the racing
// accesses, and the element after each step. For results that depend on the schedule: both ends.

import { h, replace } from "../dom.js";
import { Session } from "../session.js";

const paired = ["LS301", "LS302", "LS303", "LS304", "LS305", "LS306", "LS307", "LS309", "LS311"];

/** What can be replayed of a finding; null: nothing. */
export function races_of(finding) {
  const element = /\b([A-Za-z_]\w*\[\d+(?:, ?\d+)*\])/.exec(finding.message)?.[1];
  if (!element) return null;
  const notes = finding.notes.map((one) => one.message).join(" ");
  const words = /--schedule \d+(?: --[a-z-]+ \d+)*/.exec(notes)?.[0];
  if (words) return { element, order: order_of(words) };
  const other = programs_in(finding).find((one) => one.join() !== finding.program.join());
  const place = finding.notes.find((one) => one.point !== undefined);
  if (!paired.includes(finding.code) || !other || finding.point === undefined || !place) return null;
  return { element, first: access(other, place), second: access(finding.program, finding) };
}

/** The program that is blamed and those that the message names. */
export function programs_in({ program, message }) {
  return [program, ...[...message.matchAll(/program \((\d+), ?(\d+), ?(\d+)\)/g)].map((one) => one.slice(1).map(Number))];
}

/** Options of the command as the keys of a launch: "--some-option 3" is { someOption: 3 }. */
function order_of(words) {
  return Object.fromEntries([...words.matchAll(/--([a-z-]+) (\d+)/g)].map(([, flag, number]) => [flag.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase()), Number(number)]));
}

function access(program, { point, line, op = "" }) {
  return { program, point, line, verb: op.includes("tt.load") ? "reads" : op.includes("tt.store") ? "stores to" : "updates" };
}

const verbs = { read: "reads", store: "stores to", atomic: "updates" };

/** One launch in an order of its own. */
class Replay {
  #session = new Session();
  #element;
  rows = []; // [what happened, the element then, who read it]

  constructor(element) {
    this.#element = element;
  }

  async open(transport, launch) {
    await this.#session.start(transport, launch);
    await this.#standing();
    await this.#session.say("catch off").catch(() => {});
    await this.#note("the launch begins");
  }

  close() {
    this.#session.close();
  }

  /** Stands before that program's access. False: it never comes there. */
  async before({ program, point }) {
    const condition = program.map((one, axis) => `pid(${axis}) == ${one}`).join(" and ");
    if (await this.#is_at(program, point)) return true;
    await this.#session.say(`tbreak *${point} if ${condition}`);
    await this.#move("go");
    return this.#is_at(program, point);
  }

  /** What the program of a racing access does to the element before it, outside of loops: told by a run to the end, after
   * which the launch begins anew. A list for each of `racing`. */
  async before_those(racing) {
    await this.#move("go");
    const frameId = await this.#session.frame_id();
    const body = await this.#session.ask("lockstep/who", { expression: this.#element, frameId, count: 1000 });
    const seen = this.#session.state.seen;
    await this.#session.restart();
    await this.#standing(seen);
    return racing.map(({ program, point }) => {
      const own = (body?.accesses ?? []).filter((one) => one.id.join() === program.join());
      const until = own.findIndex((one) => one.point === point);
      return own.slice(0, Math.max(0, until)).filter((one) => !one.iterations.length)
        .map((one) => ({ program, point: one.point, line: one.line, verb: verbs[one.kind] }));
    });
  }

  /** Comes to the access and runs it. */
  async make(access) {
    if (await this.before(access)) await this.step(access);
  }

  /** Runs the access before which the program stands. */
  async step({ program, line, verb }) {
    await this.#move("op");
    const who = `program (${program.join(", ")})`;
    await this.#note(`${who} ${verb} it in line ${line}`, verb === "reads" ? who : "");
  }

  /** The program goes on now; whoever stands waits. */
  async turn(program) {
    const focus = this.#focus();
    if (focus && focus.join() === program.join()) return true;
    try {
      await this.#say_and_stand(`switch ${program.join(" ")}`);
      return true;
    } catch {
      return false; // it has ended
    }
  }

  async end() {
    if (this.#session.is_standing) await this.#move("go");
    await this.#note("the launch is over");
  }

  async #note(text, reader = "") {
    const value = await this.#session.say(this.#element).catch((error) => error.message);
    this.rows.push([text, value.trim(), reader]);
  }

  #focus() {
    return this.#session.state.grid?.programs.find((one) => one.status === "focus")?.id;
  }

  async #is_at(program, point) {
    const address = this.#session.state.frame?.instructionPointerReference;
    return this.#focus()?.join() === program.join() && Number(address) === 0x10000 + point;
  }

  async #move(way) {
    const seen = this.#session.state.seen;
    await this.#session.move(way);
    await this.#standing(seen);
  }

  async #say_and_stand(text) {
    const seen = this.#session.state.seen;
    await this.#session.say(text);
    await this.#standing(seen);
  }

  #standing(seen = -1) {
    return this.#session.when((state) => ["ended", "closed", "none"].includes(state.status) || (state.status === "stopped" && state.seen > seen && state.grid));
  }
}

export class OrdersDialog {
  #dialog;
  #open;
  #launch = () => null;
  #replays = [];

  /** `open()`: a new transport to the debugger, and `launch()` its arguments; a null launch: there is none to make again. */
  constructor(dialog, open, launch) {
    this.#dialog = dialog;
    this.#open = open;
    this.#launch = launch;
    dialog.addEventListener("close", () => this.#close());
  }

  async show(finding, race) {
    const body = h("div", { "aria-live": "polite" }, h("p", {}, "Running the launch twice more ..."));
    replace(this.#dialog, h("h2", { id: "orders-title" }, `${finding.code}: two orders of ${race.element}`), body,
      h("form", { method: "dialog" }, h("button", {}, "Close")));
    this.#dialog.showModal();
    try {
      const [left, right] = race.order === undefined ? await this.#pair(race) : await this.#schedules(race);
      replace(body, picture(race, left, right));
    } catch (error) {
      replace(body, h("p", { class: "bad" }, error.message));
    } finally {
      this.#close();
    }
  }

  #close() {
    for (const one of this.#replays) one.close();
    this.#replays = [];
  }

  async #replay(element, more = {}) {
    const launch = this.#launch();
    if (!launch) throw new Error("a recorded run cannot run again in another order");
    const replay = new Replay(element);
    this.#replays.push(replay);
    await replay.open(await this.#open(), { ...in_one_order(launch), ...more });
    return replay;
  }

  /** One after the other; and the second one's access while the first one stands before its own. */
  async #pair({ element, first, second }) {
    const [left, right] = [await this.#replay(element), await this.#replay(element)];
    const [before_first, before_second] = await left.before_those([first, second]);
    await left.turn(first.program);
    for (const one of [...before_first, first, ...before_second, second]) await left.make(one);
    await left.end();
    await right.turn(first.program);
    for (const one of before_first) await right.make(one);
    const stands = await right.before(first);
    if (stands && await right.turn(second.program)) for (const one of [...before_second, second]) await right.make(one);
    if (await right.turn(first.program)) await right.make(first);
    await right.end();
    return [{ title: `program (${first.program.join(", ")}) first`, rows: left.rows }, { title: `program (${second.program.join(", ")}) in between`, rows: right.rows }];
  }

  async #schedules({ element, order }) {
    const [left, right] = [await this.#replay(element), await this.#replay(element, order)];
    await left.end();
    await right.end();
    return [{ title: "the grid's order", rows: left.rows }, { title: `schedule ${order.schedule}`, rows: right.rows }];
  }
}

/** Without the orders that checkers were to try. */
function in_one_order({ schedules: _, args = [], ...launch }) {
  const at = args.indexOf("--schedules");
  return { ...launch, args: at < 0 ? args : args.toSpliced(at, 2) };
}

function picture({ element }, left, right) {
  const ends = [left, right].map((one) => one.rows.at(-1)[1]);
  const column = (one) => h("section", { class: "order" }, h("h3", {}, one.title),
    h("ol", { class: "cards plain" }, one.rows.map(([text, value], i) => h("li", { class: i > 0 && value !== one.rows[i - 1][1] ? "changed" : "" }, text, h("p", { class: "value" }, `${element} = ${value}`)))));
  return [h("p", { class: "told" }, told(element, left.rows, right.rows, ends)),
    h("div", { class: "orders" }, column(left), column(right))];
}

function told(element, left, right, ends) {
  if (ends[0] !== ends[1]) return `${element} ends as ${ends[0]} in one order and as ${ends[1]} in the other.`;
  for (const [, value, reader] of left) {
    const other = reader && right.find((one) => one[2] === reader && one[1] !== value);
    if (other) return `${reader} reads ${element} as ${value} in one order and as ${other[1]} in the other.`;
  }
  return `Both orders end with ${element} = ${ends[0]}: the fault needs an order of memory operations that one shared memory does not show.`;
}
