// The right end of the head: sharing, guided and presenter mode, colours.

import { h, replace } from "../dom.js";
import { copy_canvas, copy_text, save_file } from "../copying.js";
import { close_outside } from "./controls.js";

export class ToolsView {
  #said = h("p", { class: "note", role: "status" });
  #theme;
  #presenter;
  #header;
  #save;
  #fold;

  /** `save()`: the page with the launch recorded in it, as a Blob; null: this page cannot make one. `guide()`: opens it; `mark()`: a bookmark;
   * `fold(is_folded)`: of the drawer. */
  constructor(root, { header, save, guide, mark, fold }) {
    this.#header = header;
    this.#save = save;
    this.#fold = fold;
    const button = (words, action) => h("button", { type: "button", onclick: action }, words);
    const share = h("details", { class: "more share" }, h("summary", {}, "Share"), h("div", { class: "popup", role: "group", "aria-label": "share" },
      button("Copy link", () => this.#tell(copy_text(location.href), "The link is copied.")),
      save ? button("Save as one HTML file", () => this.#save_page()) : null,
      button("Copy command", () => this.#copy_command()),
      button("Bookmark this step", () => { share.open = false; mark(); }),
      button("Copy picture", () => this.#copy_picture()), this.#said));
    close_outside(share);
    share.addEventListener("toggle", () => replace(this.#said));
    this.#presenter = h("button", { type: "button", title: "large, without console, for a projector (P)", "aria-pressed": "false", onclick: () => this.present() }, "Present");
    this.#theme = h("button", { type: "button", id: "theme", class: "plain", onclick: () => this.change_theme() });
    replace(root, h("button", { type: "button", title: "questions, answered step by step (g)", onclick: guide }, "Guide"), share, this.#presenter, this.#theme);
    this.change_theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  change_theme(wanted) {
    const next = wanted ?? (document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    document.documentElement.dataset.theme = next;
    this.#theme.textContent = next === "dark" ? "Light" : "Dark";
    this.#theme.setAttribute("aria-label", next === "dark" ? "light colours" : "dark colours");
    document.dispatchEvent(new Event("colours"));
  }

  /** Presenter mode on and off. */
  present(is_on = !("presenter" in document.documentElement.dataset)) {
    if (is_on) document.documentElement.dataset.presenter = "";
    else delete document.documentElement.dataset.presenter;
    this.#presenter.setAttribute("aria-pressed", String(is_on));
    this.#fold(is_on);
    document.dispatchEvent(new Event("colours"));
  }

  async #tell(promise, text) {
    replace(this.#said, (await promise) ? text : "The browser does not let this page copy.");
  }

  #copy_command() {
    if (!this.#header.command) return replace(this.#said, "The command of this launch is not known.");
    return this.#tell(copy_text(this.#header.command), "The command is copied.");
  }

  async #copy_picture() {
    const canvas = largest_canvas();
    if (!canvas) return replace(this.#said, "There is no picture here.");
    replace(this.#said, (await copy_canvas(on_paper(canvas), "lockstep.png")) === "copied" ? "The picture is copied." : "The picture is saved.");
  }

  async #save_page() {
    replace(this.#said, "Recording the launch ...");
    try {
      save_file("lockstep.html", await this.#save());
      replace(this.#said, "Saved. The file opens without a server.");
    } catch (error) {
      replace(this.#said, error.message);
    }
  }
}

/** The picture that a person sees most of; of the columns before the drawer's. */
function largest_canvas() {
  const area = (one) => one.clientWidth * one.clientHeight;
  const seen = (root) => [...document.querySelectorAll(`${root} canvas`)].filter((one) => one.checkVisibility()).sort((a, b) => area(b) - area(a))[0];
  return seen("#right") ?? seen("#drawer");
}

/** With the page's colour behind it. */
function on_paper(canvas) {
  const paper = document.createElement("canvas");
  [paper.width, paper.height] = [canvas.width, canvas.height];
  const context = paper.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).getPropertyValue("--panel");
  context.fillRect(0, 0, paper.width, paper.height);
  context.drawImage(canvas, 0, 0);
  return paper;
}
