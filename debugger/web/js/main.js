// The page: one session and its views.

import { check_at_end } from "./check_at_end.js";
import { Refused, openSocket } from "./client.js";
import { Drawer } from "./drawer.js";
import { ConsoleView } from "./views/console_view.js";
import { Controls } from "./views/controls.js";
import { CoverageView } from "./views/coverage_view.js";
import { CostView } from "./views/cost_view.js";
import { ExplainView } from "./views/explain_view.js";
import { FindingCards } from "./views/finding_cards.js";
import { FindingsView } from "./views/findings_view.js";
import { GridView } from "./views/grid_view.js";
import { GuideView } from "./views/guide_view.js";
import { HeaderView, tiers_of } from "./views/header_view.js";
import { read_link, read_marks, write_link, write_marks } from "./links.js";
import { MarksView } from "./views/marks_view.js";
import { MemoryView } from "./views/memory_view.js";
import { OrdersDialog } from "./views/orders.js";
import { PicturesView } from "./pictures/pictures_view.js";
import { ProofView } from "./views/proof_view.js";
import { ResultsView } from "./views/results_view.js";
import { offer_editing } from "./views/served_editor.js";
import { Session } from "./session.js";
import { SourceLines } from "./source_lines.js";
import { Stored } from "./stored.js";
import { SourceView } from "./views/source_view.js";
import { TileView } from "./views/tile_view.js";
import { TimelineView } from "./views/timeline_view.js";
import { PipelineView } from "./views/pipeline_view.js";
import { ToolsView } from "./views/tools_view.js";
import { has_trace, open_trace } from "./trace/trace_start.js";

const find = (id) => document.getElementById(id);
const is_served = !has_trace() && document.documentElement.dataset.feed !== "playground";
const token = new URLSearchParams(location.search).get("token") ?? "";
const session = new Session();
const lines = new SourceLines(session);
let again = { open: null, launch: null }; // how the launch can be made once more
const open_tab = (id) => drawer.open(id);
const header = new HeaderView({ line: find("launch-line"), position: find("position"), verdict: find("verdict") }, session, open_tab);
const stored = new Stored(session);
const tile = new TileView(find("tile"), session, stored);
const source = new SourceView(find("source"), session, (name) => tile.choose(name));
const explain = new ExplainView(find("explain"), session, lines, () => open_tab("explain"));
const output = new ConsoleView(find("console"), session);
const results = new ResultsView(find("results"), session, stored, {
  ask: (question, element) => explain.ask(question, element), bisect: (element) => explain.show(() => cards.bisected(element)),
});
const coverage = new CoverageView(find("coverage"), session);
const timeline = new TimelineView(find("timeline"), session);
const pipeline = new PipelineView(find("pipeline"), session);
const cost = new CostView(find("cost"), session, lines);
const proof = new ProofView(find("proof"), session, lines, (file, line) => source.go_to(file, line));
new PicturesView(find("pictures"), session);
new GridView(find("grid"), session);
new MemoryView(find("memory"), session);
const orders = new OrdersDialog(find("orders"), () => again.open(), () => again.launch);
const cards = new FindingCards(session, lines, (finding, race) => orders.show(finding, race));
new FindingsView(find("findings"), session, (number, are_checked) => explain.show(() => cards.of(number, are_checked)));
const tabs = [
  ["results", "Results", (state) => results.fill(state)], ["findings", "Findings", null], ["explain", "Why", null], ["memory", "Memory", null],
  ["coverage", "Writes", () => coverage.fill()], ["timeline", "Timeline", () => timeline.fill()], ["pipeline", "Pipeline", () => pipeline.fill()], ["cost", "Cost", () => cost.fill()], ["console", "Console", null],
  ["proof", "Proof", () => proof.fill()],
];
const drawer = new Drawer(find("drawer"), find("tabs"), session, tabs);
session.subscribe(({ grid }) => drawer.offer("pipeline", Boolean(grid?.hasPipeline)));
if (has_trace()) drawer.offer("proof", false); // it takes the kernel itself
const guide = new GuideView(find("guide"), { session, drawer, results, explain });
const marks = new MarksView(find("marks"), session, { go_to: go_to_mark, changed: () => keep_link(session.state) });
const tools = new ToolsView(find("tools"), { header, save: is_served ? save_page : null, guide: () => guide.toggle(), mark: () => marks.add(), fold: (is_folded) => drawer.fold(is_folded) });
check_at_end(session);
new Controls(find("controls"), find("help"), session, [
  ["t", "Python, TTIR or both", () => source.toggle()],
  ["w", "where does an element come from?", () => explain.focus()],
  [":", "to the console", () => { open_tab("console"); output.focus(); }],
  ["d", "dark or light", () => tools.change_theme()],
  ["e", "edit the kernel, or see its values", () => find("menu").querySelector("[data-action=edit]")?.click()],
  ["g", "the guide", () => guide.toggle()],
  ["m", "bookmark this step", () => marks.add()],
  ["P", "presenter mode", () => tools.present()],
  ["h", "hide or show the drawer", () => drawer.fold()],
  ...tabs.map(([id, words], i) => [String((i + 1) % 10), `the tab ${words}`, () => open_tab(id)]),
]);

const reasons = { entry: "at the beginning", step: "stepped", breakpoint: "breakpoint", pause: "paused", goto: "moved" };
const words = {
  none: "", starting: "making the launch", running: "running", ended: "the launch is over", closed: "no connection",
};

session.subscribe((state) => {
  const status = find("status");
  const where = state.frame?.line ? `, line ${state.frame.line}` : "";
  const text = state.status === "stopped" ? `${state.description || (reasons[state.reason] ?? state.reason)}${where}` : words[state.status];
  status.textContent = state.problem ? `${text ? text + ": " : ""}${state.problem}` : text;
  status.classList.toggle("bad", Boolean(state.problem));
  document.body.dataset.status = state.status;
  document.body.dataset.seen = state.seen;
  document.body.dataset.settled = session.is_settled;
  if (state.status === "stopped" && state.grid) keep_link(state);
  lead(state);
});

/** What a person looks for first: the findings where one was stopped at, the results at the end. */
function lead(state) {
  const [worst] = tiers_of(state.findings); // as many as the verdict counts
  drawer.mark("findings", worst ? String(worst[1]) : "", worst?.[0] === "error");
  const halt = state.status === "stopped" && (state.reason === "exception" ? "findings" : state.reason === "end" ? "results" : "");
  if (halt !== led) {
    led = halt;
    if (halt) open_tab(halt);
  }
}
let led = "";

function keep_link(state) {
  const focus = state.grid?.programs.find((one) => one.status === "focus");
  if (!focus) return;
  const link = write_link({ marks: marks.list, program: focus.id, step: focus.steps, show: tile.name, guide: guide.number, is_presented: "presenter" in document.documentElement.dataset });
  const [, subject] = /[#&]((?:kernel|example|lesson|bug)=[^&]*)/.exec(location.hash) ?? [];
  const hash = subject ? `#${subject}&${link.slice(1)}` : link;
  if (hash !== location.hash) history.replaceState(null, "", location.pathname + location.search + hash);  // browsers count them
}

/** What the server was started with. The token comes with the address, and every request to the server needs it. */
async function connect_to_server() {
  const answer = await fetch(`session.json?token=${encodeURIComponent(token)}`);
  if (!answer.ok) throw new Error(answer.status === 403 ? "the address lacks the server's token: use the one that lockstep serve printed" : `the server says ${answer.status}`);
  const { launch, title, source: text, feed, solved } = await answer.json();
  const address = new URL(`dap?token=${encodeURIComponent(token)}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  if (feed === "learn") return begin_learning(address, token, solved);
  const start = (wanted) => start_session(() => openSocket(address), wanted);
  const show_refusal = offer_editing(page, launch, text, start);
  try {
    await begin(title, launch.args, () => start(launch));
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

/** The launch of the server, recorded: the page that `lockstep trace --html` writes. */
async function save_page() {
  if (again.launch?.sources) throw new Error("An edited kernel cannot be saved here: write it to a file and record it with lockstep trace FILE.py ... --html run.html");
  const answer = await fetch(`recorded.html?token=${encodeURIComponent(token)}`);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  const page = await answer.text();
  const text = write_marks(marks.list).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return new Blob([text ? page.replace("<body ", `<body data-marks="${text}" `) : page], { type: "text/html" });
}

async function connect_to_trace() {
  const { transport, title } = await open_trace();
  again = { open: () => Promise.reject(new Error("another run of the launch needs the live debugger: lockstep serve")), launch: {} };
  await begin(title, null, () => session.start(transport, {}));
}

/** The launch that the page was opened for, at the place that a deep link says. */
async function begin(title, args, start) {
  header.show(title, args);
  document.title = `${title} – Lockstep`;
  const link = read_link(location.hash);
  if (link.is_presented) tools.present(true);
  marks.list = link.marks ?? read_marks(document.body.dataset.marks ?? "");
  await start();
  if (link.show) tile.choose(link.show);
  await go_to(link);
  if (link.guide) /^\d+$/.test(link.guide) ? guide.toggle(Number(link.guide) - 1) : guide.ask(link.guide);
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

/** From the beginning, so that it is the same step each time. */
async function go_to_mark(mark) {
  await session.restart();
  await standing();
  await go_to(mark);
}

function standing() {
  return session.when((state) => state.status !== "running" && state.status !== "starting" && state.grid);
}

/** `open`: gives a transport; another session of the launch can be opened so, too. */
async function start_session(open, launch) {
  const { filters: _, ...plain } = launch;
  again = { open, launch: plain };
  if (launch.sources) header.show("", launch.args);
  await session.start(await open(), launch);
}

/** The editor in the place of the source. */
function show_editor(is_shown) {
  find("edit").hidden = !is_shown;
  document.body.dataset.editing = is_shown;
  find("source").hidden = is_shown;
}

function say_problem(text) {
  find("status").textContent = text;
  find("status").classList.toggle("bad", Boolean(text));
}

const page = { session, find, choose: (name) => tile.choose(name), start_session, show_editor, fold: (is_folded) => drawer.fold(is_folded), problem: say_problem };

/** Who feeds the page: the recorded run in it, its own worker, or the server that it comes from. */
async function connect() {
  if (has_trace()) return connect_to_trace();
  if (is_served) return connect_to_server();
  const playground = await import("./playground/playground.js");
  await playground.begin(page);
}

connect().catch((error) => say_problem(error.message));
