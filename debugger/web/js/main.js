// The page: one session and its views.

import { check_at_end } from "./check_at_end.js";
import { Refused, openSocket } from "./client.js";
import { ConsoleView } from "./views/console_view.js";
import { Controls } from "./views/controls.js";
import { CoverageView } from "./views/coverage_view.js";
import { CostView } from "./views/cost_view.js";
import { ExplainView } from "./views/explain_view.js";
import { FindingCards } from "./views/finding_cards.js";
import { FindingsView } from "./views/findings_view.js";
import { GridView } from "./views/grid_view.js";
import { read_link, write_link } from "./links.js";
import { MemoryView } from "./views/memory_view.js";
import { OrdersDialog } from "./views/orders.js";
import { PicturesView } from "./pictures/pictures_view.js";
import { offer_editing } from "./views/served_editor.js";
import { Session } from "./session.js";
import { SourceLines } from "./source_lines.js";
import { SourceView } from "./views/source_view.js";
import { TileView } from "./views/tile_view.js";
import { TimelineView } from "./views/timeline_view.js";
import { has_trace, open_trace } from "./trace/trace_start.js";

const find = (id) => document.getElementById(id);
const session = new Session();
const tile = new TileView(find("tile"), session);
const source = new SourceView(find("source"), session, (name) => tile.choose(name));
const explain = new ExplainView(find("explain"), session);
const output = new ConsoleView(find("console"), session);
new PicturesView(find("pictures"), session);
new GridView(find("grid"), session);
new MemoryView(find("memory"), session);
const lines = new SourceLines(session);
let again = { open: null, launch: null }; // how the launch can be made once more
const orders = new OrdersDialog(find("orders"), () => again.open(), () => again.launch);
const cards = new FindingCards(session, lines, (finding, race) => orders.show(finding, race));
new FindingsView(find("findings"), session, (number, are_checked) => explain.show(() => cards.of(number, are_checked)));
check_at_end(session);
new CostView(find("cost"), session, lines);
new CoverageView(find("coverage"), session);
new TimelineView(find("timeline"), session);
new Controls(find("controls"), find("help"), session, [
  ["t", "Python, TTIR or both", () => source.toggle()],
  ["w", "why does an element hold that?", () => explain.focus()],
  [":", "to the console", () => output.focus()],
  ["d", "dark or light", () => change_theme()],
  ["e", "edit the kernel, or see its values", () => find("menu").querySelector("[data-action=edit]")?.click()],
]);

const words = {
  none: "", starting: "making the launch", running: "running", ended: "the launch is over", closed: "no connection",
};

session.subscribe((state) => {
  const status = find("status");
  const where = state.frame?.line ? ` in line ${state.frame.line}` : "";
  const text = state.status === "stopped" ? `${state.description || state.reason}${where}` : words[state.status];
  status.textContent = state.problem ? `${text ? text + ": " : ""}${state.problem}` : text;
  status.classList.toggle("bad", Boolean(state.problem));
  document.body.dataset.status = state.status;
  document.body.dataset.seen = state.seen;
  document.body.dataset.settled = session.is_settled;
  if (state.status === "stopped" && state.grid) keep_link(state);
});

function keep_link(state) {
  const focus = state.grid.programs.find((one) => one.status === "focus");
  if (!focus) return;
  const link = write_link({ program: focus.id, step: focus.steps, show: tile.name });
  const [, subject] = /[#&]((?:kernel|example|lesson|bug)=[^&]*)/.exec(location.hash) ?? [];
  const hash = subject ? `#${subject}&${link.slice(1)}` : link;
  if (hash !== location.hash) history.replaceState(null, "", location.pathname + location.search + hash);  // browsers count them
}

function change_theme(wanted) {
  const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = wanted ?? (now === "dark" ? "light" : "dark");
  document.documentElement.dataset.theme = next;
  find("theme").textContent = next === "dark" ? "Light" : "Dark";
  find("theme").setAttribute("aria-label", next === "dark" ? "light colours" : "dark colours");
}

/** What the server was started with. The token comes with the address, and every request to the server needs it. */
async function connect_to_server() {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  const answer = await fetch(`session.json?token=${encodeURIComponent(token)}`);
  if (!answer.ok) throw new Error(answer.status === 403 ? "the address lacks the server's token: use the one that lockstep serve printed" : `the server says ${answer.status}`);
  const { launch, title, source, feed, solved } = await answer.json();
  const address = new URL(`dap?token=${encodeURIComponent(token)}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  if (feed === "learn") return begin_learning(address, token, solved);
  const start = (wanted) => start_session(() => openSocket(address), wanted);
  const show_refusal = offer_editing(page, launch, source, start);
  try {
    await begin(title, () => start(launch));
  } catch (error) {
    if (!show_refusal || !(error instanceof Refused)) throw error;
    show_refusal(error); // most often the kernel does not compile: its text is there to be mended
  }
}

/** Lessons and bugs with the native engine; the server keeps what was solved. */
async function begin_learning(address, token, solved) {
  const playground = await import("./playground/playground.js");
  const progress = {
    solved: new Set(solved),
    remember(id) {
      this.solved.add(id);
      fetch(`solved?token=${encodeURIComponent(token)}&id=${encodeURIComponent(id)}`, { method: "POST" }).catch(() => {});
    },
  };
  await playground.begin(page, { open: () => openSocket(address), progress, opens_lessons: true });
}

async function connect_to_trace() {
  const { transport, title } = await open_trace();
  again = { open: () => Promise.reject(new Error("a launch made once more needs the live debugger: lockstep serve")), launch: {} };
  await begin(title, () => session.start(transport, {}));
}

/** The launch that the page was opened for, at the place that a deep link says. */
async function begin(title, start) {
  find("launch-line").textContent = title;
  document.title = `${title} – Lockstep`;
  const link = read_link(location.hash);
  await start();
  if (link.show) tile.choose(link.show);
  await go_to(link);
}

/** Where a deep link says. */
async function go_to({ program, step }) {
  if (!program) return;
  await standing();
  if (program.some((one) => one !== 0)) await session.go_to_program(program);
  if (!step) return;
  await standing();
  const focus = session.state.grid?.programs.find((one) => one.status === "focus");
  if (focus && step > focus.steps) await session.say(`stepi ${step - focus.steps}`).catch(() => {});
}

function standing() {
  return session.when((state) => state.status !== "running" && state.status !== "starting" && state.grid);
}

/** `open`: gives a transport; another session of the launch can be opened so, too. */
async function start_session(open, launch) {
  const { filters: _, ...plain } = launch;
  again = { open, launch: plain };
  await session.start(await open(), launch);
}

/** The editor in the place of the source. */
function show_editor(is_shown) {
  find("edit").hidden = !is_shown;
  find("source").hidden = is_shown;
}

function say_problem(text) {
  find("status").textContent = text;
  find("status").classList.toggle("bad", Boolean(text));
}

const page = { session, find, choose: (name) => tile.choose(name), start_session, show_editor, problem: say_problem, title: (text) => (find("launch-line").textContent = text) };

/** Who feeds the page: the recorded run in it, its own worker, or the server that it comes from. */
async function connect() {
  if (has_trace()) return connect_to_trace();
  if (document.documentElement.dataset.feed !== "playground") return connect_to_server();
  const playground = await import("./playground/playground.js");
  await playground.begin(page);
}

find("theme").addEventListener("click", () => change_theme());
change_theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
connect().catch((error) => say_problem(error.message));
