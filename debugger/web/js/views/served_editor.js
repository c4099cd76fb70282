// Editing the kernel of `lockstep serve`: the text goes with each launch, and no file is written.

import { h, replace } from "../dom.js";
import { EditorView } from "./editor_view.js";

/** Words of a launch to the editor's fields; null: it is no Python text. */
export function fields_of(args) {
  const [target, ...rest] = args;
  const [, path, , kernel] = /^(.*\.py)(::(\w+))?$/.exec(target ?? "") ?? [];
  if (!path) return null;
  const fields = { path, kernel: kernel ?? "", grid: "", arguments: [], options: [] };
  for (let i = 0; i < rest.length; ++i) {
    const word = rest[i];
    if (!word.startsWith("-")) fields.arguments.push(word);
    else if (/^(--grid|-g)$/.test(word)) fields.grid = rest[++i] ?? "";
    else if (word.startsWith("--grid=")) fields.grid = word.slice(7);
    else if (word.includes("=") || rest[i + 1] === undefined || rest[i + 1].startsWith("-")) fields.options.push(word);
    else fields.options.push(word, rest[++i]);
  }
  return fields;
}

/** `page` as main.js has it; `source`: the text that the launch names, {path, text}; `start(launch)` begins a session.
 * Gives what shows a launch that was refused in the editor. */
export function offer_editing(page, { args }, source, start) {
  const fields = fields_of(args);
  if (!fields || !source) return null;
  const { find, session, show_editor } = page;
  const editor = new EditorView(find("edit"), async (launch) => {
    await start(launch);
    show_editor(false);
  }, h("button", { type: "button", onclick: () => show_editor(false) }, "Values"));
  editor.show({ ...fields, text: source.text });
  function open() {
    show_editor(find("edit").hidden);
    if (!find("edit").hidden) editor.focus().catch((error) => page.problem(error.message));
  }
  replace(find("menu"), h("button", { type: "button", title: "edit the kernel and launch it again (e)", dataset: { action: "edit" }, onclick: open }, "Edit"));
  return (error) => {
    show_editor(true);
    editor.fail(error.message);
    editor.load().catch((failure) => page.problem(failure.message));
  };
}
