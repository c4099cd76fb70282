// The playground: Lockstep in a worker of the page, from any server of files. Examples, lessons, bugs to find, links that
// carry a kernel.

import { h, replace } from "../dom.js";
import { EditorView } from "../views/editor_view.js";
import { LessonsView } from "./lessons_view.js";
import { pack, unpack } from "./text_links.js";
import { open_worker, prepare } from "./worker_transport.js";

/** `page`: what main.js shares. `open`: gives a transport, where the engine is not a worker of this page; `progress`: who
 * keeps what was solved, {solved, remember(id)}; `opens_lessons`: the list of lessons is seen first. */
export async function begin(page, { open = null, progress = null, opens_lessons = false } = {}) {
  if (!open) prepare().catch((error) => page.problem(error.message));
  const playground = new Playground(page, { open: open ?? open_worker, progress, opens_lessons });
  const examples = await (await fetch("examples.json")).json();
  await playground.open(examples);
  return playground;
}

class Playground {
  #page;
  #examples = [];
  #editor;
  #menu;
  #share;
  #lessons;
  #ways;
  #is_chosen = false; // the user was faster than the first kernel

  constructor(page, ways) {
    this.#page = page;
    this.#ways = ways;
    const { find } = page;
    this.#menu = h("select", { id: "examples", "aria-label": "Example", onchange: () => this.#choose(this.#menu.value) });
    this.#share = h("button", { type: "button", onclick: () => this.#copy_link() }, "Link");
    this.#editor = new EditorView(find("edit"), (launch) => this.#start(launch), h("button", { type: "button", onclick: () => page.show_editor(false) }, "Values"));
    this.#lessons = new LessonsView(find("lessons"), {
      editor: this.#editor, session: page.session, show_editor: page.show_editor, choose: page.choose, fold: page.fold, progress: ways.progress,
    });
    this.#editor.load().catch((error) => page.problem(error.message));
    replace(find("menu"), this.#menu,
      h("button", { type: "button", title: "edit the kernel (e)", dataset: { action: "edit" }, onclick: () => page.show_editor(find("edit").hidden) }, "Edit"),
      h("button", { type: "button", onclick: () => this.#ask_for("lessons") }, "Lessons"),
      h("button", { type: "button", onclick: () => this.#ask_for("bugs") }, "Find the bug"), this.#share);
  }

  #ask_for(kind) {
    this.#is_chosen = true;
    return this.#open_lessons(kind);
  }

  #open_lessons(...kind) {
    this.#menu.value = "";
    return this.#lessons.open(...kind);
  }

  async open(examples) {
    this.#examples = examples;
    replace(this.#menu, h("option", { value: "", hidden: true }, "Examples"), examples.map(({ name }) => h("option", { value: name }, name)));
    if (this.#is_chosen) return;
    const words = new URLSearchParams(location.hash.slice(1));
    if (words.has("kernel")) return this.#open_link(words.get("kernel"));
    if (words.has("lesson") || words.has("bug")) {
      const kind = words.has("lesson") ? "lessons" : "bugs";
      return this.#open_lessons(kind, words.get(kind === "lessons" ? "lesson" : "bug"));
    }
    if (this.#ways.opens_lessons && !words.has("example")) return this.#open_lessons("lessons", "", true);
    const wanted = [words.get("example"), "softmax"].find((one) => examples.some(({ name }) => name === one));
    await this.#choose(wanted ?? examples[0].name);
  }

  async #choose(name) {
    this.#menu.value = name;
    this.#lessons.close();
    history.replaceState(null, "", `#example=${encodeURIComponent(name)}`);
    this.#editor.show(this.#examples.find((one) => one.name === name));
    if (!(await this.#editor.debug())) this.#page.show_editor(true);
  }

  /** The text is shown; it runs when somebody says so. */
  async #open_link(text) {
    try {
      this.#editor.show(await unpack(text));
      this.#page.problem("");
    } catch (error) {
      this.#editor.show({});
      this.#page.problem(error.message);
    }
    this.#page.show_editor(true);
  }

  async #copy_link() {
    const address = new URL(location.href);
    address.hash = `kernel=${await pack(this.#editor.get())}`;
    history.replaceState(null, "", address);
    await navigator.clipboard?.writeText(address.href).catch(() => {});
    this.#share.textContent = "Link copied";
    setTimeout(() => (this.#share.textContent = "Link"), 2000);
  }

  async #start(launch) {
    const { start_session, show_editor } = this.#page;
    await start_session(this.#ways.open, launch);
    show_editor(false);
  }
}
