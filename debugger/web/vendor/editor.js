// What the page uses of CodeMirror, by its own names. Written by tools/take_codemirror.py.

export { W as Compartment, X as Decoration, A as EditorState, E as EditorView, $ as GutterMarker, a0 as HighlightStyle, u as Prec, a6 as RangeSet, ab as StateEffect, ad as StateField, an as basicSetup, bB as gutterLineClass, x as indentUnit, bW as indentWithTab, v as keymap, d0 as syntaxHighlighting, t as tags } from "./codemirror.js";
export { python } from "./python.js";
