// The guide: a strip with a question and one highlighted control. "Show me" goes to the answer.

import { h, replace } from "../dom.js";

const most_steps = 60;

const questions = [
  { text: "Why is this element wrong?", hint: "Run to the end and look at the results: the elements that are farthest off are buttons.", look: ["#results .worst button", "#results .result canvas"], show: show_wrong },
  { text: "Which program wrote it?", hint: "Results: point at an element and ask who wrote it.", look: ["#results .buttons button:last-child", "#explain .cards"], show: show_writer },
  { text: "What does the mask do?", hint: "Go to a load whose mask is false for some lanes: hatched lanes touch nothing.", look: [".access"], show: show_mask },
  { text: "Do programs race?", hint: "Check everything, then Explain: two orders side by side.", look: ["#explain .chain", "#findings .title button"], show: show_race },
  { text: "How does a tile move over k?", hint: "Go to a product in a loop and go to the next iteration.", look: [".product .pager button:nth-of-type(2)"], show: show_product },
];

export class GuideView {
  #section;
  #page;
  #at = 0;
  #lesson = null; // a question that came from elsewhere
  #said = h("p", { class: "told", role: "status" });

  /** `page`: {session, drawer, results, explain}. */
  constructor(section, page) {
    this.#section = section;
    this.#page = page;
    new MutationObserver(() => this.is_open && this.#light(this.#look, false)).observe(document.body, { childList: true, subtree: true });
  }
  #look = []; // selectors of what is highlighted, the best first

  get is_open() {
    return !this.#section.hidden;
  }

  /** Without a number: on and off. */
  toggle(at = this.is_open ? -1 : this.#at) {
    this.#section.hidden = at < 0;
    this.#unlight();
    if (at >= 0) this.#go(at);
  }

  /** A lesson's own question, as text. */
  ask(text) {
    this.#lesson = { text, hint: "", look: [], show: null };
    this.#section.hidden = false;
    this.#go(questions.length);
  }

  get number() {
    return this.is_open && this.#at < questions.length ? this.#at + 1 : 0;
  }

  #go(at) {
    const all = this.#lesson ? [...questions, this.#lesson] : questions;
    this.#at = Math.max(0, Math.min(all.length - 1, at));
    const { text, hint, show, look } = all[this.#at];
    replace(this.#said, hint);
    const button = (words, action, disabled = false) => h("button", { type: "button", disabled, onclick: action }, words);
    replace(this.#section, h("p", { class: "question" }, h("span", { class: "note" }, `${this.#at + 1} of ${all.length}`), " ", h("b", {}, text)),
      h("div", { class: "buttons" }, show ? h("button", { type: "button", class: "primary", onclick: () => this.#show(all[this.#at]) }, "Show me") : null,
        button("Previous question", () => this.#go(this.#at - 1), this.#at === 0), button("Next question", () => this.#go(this.#at + 1), this.#at + 1 === all.length),
        button("Close guide", () => this.toggle(-1))), this.#said);
    this.#light(look);
  }

  async #show(question) {
    replace(this.#said, "Looking ...");
    try {
      replace(this.#said, await question.show(this.#page));
    } catch (error) {
      replace(this.#said, error.message);
    }
    this.#light(question.look);
  }

  #unlight() {
    for (const one of document.querySelectorAll(".lit-control")) one.classList.remove("lit-control");
  }

  #light(look, has_moved = true) {
    this.#look = look;
    const control = look.flatMap((one) => [...document.querySelectorAll(one)]).find((one) => one.checkVisibility());
    if (control?.classList.contains("lit-control")) return;
    this.#unlight();
    control?.classList.add("lit-control");
    if (has_moved) control?.scrollIntoView({ block: "nearest" });
  }
}

/** To the end of the launch, past findings; false: it does not come there. */
async function go_to_end(session) {
  for (let i = 0; i < most_steps; ++i) {
    await session.settled();
    if (session.is_over) return true;
    if (!session.is_standing) return false;
    await session.move("go");
  }
  return false;
}

/** From the beginning, line by line, to where `is_it(state)`. */
async function walk_to(session, is_it) {
  await session.restart();
  for (let i = 0; i < most_steps; ++i) {
    await session.settled();
    if (session.is_over || !session.is_standing) return false;
    if (is_it(session.state)) return true;
    await session.move("next");
  }
  return false;
}

async function results_at_end({ session, drawer, results }) {
  if (!(await go_to_end(session))) throw new Error("The launch does not run to its end.");
  drawer.open("results");
  await results.fill(session.state);
}

async function show_wrong(page) {
  await results_at_end(page);
  const worst = document.querySelector("#results .worst button");
  if (worst) return "These elements are farthest from the reference. Choose one: the launch goes to the line that made it wrong.";
  return page.session.state.compared.length ? "All elements are as expected." : "No reference is given (--expect out=@file.npy). Choose an element and ask where it comes from.";
}

async function show_writer(page) {
  await results_at_end(page);
  const canvas = document.querySelector("#results .result canvas");
  if (canvas && !document.querySelector("#results .buttons button")) canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  const element = document.querySelector("#results .buttons[data-element]")?.dataset.element;
  if (!element) throw new Error("No element is stored.");
  await page.explain.ask("who", element);
  return `The cards below name each program that touched ${element}, with its line.`;
}

async function show_mask({ session }) {
  const is_there = await walk_to(session, (state) => state.access?.masked > 0 && state.access.line === state.frame?.line);
  return is_there ? "Hatched lanes are masked off: they touch nothing. Point at a lane to see its element." : "Program (0, 0, 0) makes no access with lanes that are masked off.";
}

async function show_race(page) {
  page.drawer.open("findings");
  await page.session.check();
  const at = page.session.state.findings.findIndex((one) => /^LS3\d\d$/.test(one.code));
  if (at < 0) return "No race: Lockstep ran the launch again under all checkers.";
  document.querySelectorAll("#findings .findings:not(.compared) li")[at]?.querySelector("button")?.click();
  return "The chain of the race is below. \"Two orders side by side\" runs the launch twice more, once in each order.";
}

async function show_product({ session }) {
  const is_there = await walk_to(session, (state) => state.pictures.some((one) => one.kind === "product"));
  return is_there ? "The tiles of A and B lie in their matrices as drawn. \"Next iteration\" moves them along k." : "This kernel has no tl.dot.";
}
