// CodeText: an editor for a kernel's text (CodeMirror). It is in a shadow root, where the page's content policy does not
// affect its styles. Loaded by import(), so that a recorded run, which edits nothing, does not contain it.

import { Decoration, EditorState, EditorView, GutterMarker, HighlightStyle, Prec, RangeSet, StateEffect, StateField, basicSetup, gutterLineClass,
  indentUnit, indentWithTab, keymap, python, syntaxHighlighting, tags } from "../../vendor/editor.js";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--word)" }, { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" }, { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: [tags.meta, tags.definition(tags.function(tags.variableName))], color: "var(--accent)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--panel)", fontSize: "13px" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', lineHeight: "18px" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--edge)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--accent-soft)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-fault": { backgroundColor: "var(--bad-soft)", color: "var(--bad)", fontWeight: "700" },
  ".cm-line.cm-fault": { fontWeight: "400", color: "inherit", textDecoration: "underline wavy var(--bad)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--faint)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--panel)" },
});

const fault = new (class extends GutterMarker {
  elementClass = "cm-fault";
})();
const set_faults = StateEffect.define();
const faults = StateField.define({
  create: () => [],
  update: (lines, change) => {
    for (const effect of change.effects) if (effect.is(set_faults)) return effect.value;
    return change.docChanged ? [] : lines;
  },
  provide: (field) => [
    EditorView.decorations.compute([field], (state) => marks(state, field, Decoration.line({ class: "cm-fault" }))),
    gutterLineClass.compute([field], (state) => marks(state, field, fault)),
  ],
});

function marks(state, field, mark) {
  const lines = state.field(field).filter((one) => one >= 1 && one <= state.doc.lines);
  return RangeSet.of(lines.map((one) => mark.range(state.doc.line(one).from)), true);
}

export class CodeText {
  #view;

  /** Below `host`. `changed()`: the text is another one; `run()`: Ctrl+Enter. */
  constructor(host, { label, text, changed, run }) {
    const root = host.attachShadow({ mode: "open" });
    this.#view = new EditorView({
      parent: root, root,
      state: EditorState.create({
        doc: text,
        extensions: [
          Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])), keymap.of([indentWithTab]), basicSetup, python(), indentUnit.of("    "),
          EditorState.tabSize.of(4), syntaxHighlighting(colours), look, faults, EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          EditorView.updateListener.of((update) => update.docChanged && changed()),
        ],
      }),
    });
  }

  get value() {
    return this.#view.state.doc.toString();
  }

  set value(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  focus() {
    this.#view.focus();
  }

  /** Lines with a fault; the first of them is shown. */
  mark(lines) {
    const { doc } = this.#view.state;
    const sorted = [...lines].sort((a, b) => a - b).filter((one) => one <= doc.lines);
    const scroll = sorted.length ? [EditorView.scrollIntoView(doc.line(sorted[0]).from, { y: "center" })] : [];
    this.#view.dispatch({ effects: [set_faults.of(sorted), ...scroll], ...(sorted.length ? { selection: { anchor: doc.line(sorted[0]).from } } : {}) });
  }
}
