#!/usr/bin/env python3
"""Takes CodeMirror 6 into debugger/web/vendor: tools/take_codemirror.py

The page has no bundler. NiceGUI's wheel holds CodeMirror's packages as modules that a bundler has put together; three of its files are the
editor, the parser's runtime and Python's grammar. They are taken as they are, but for their names. The versions stand in vendor/README.md."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

WHEEL = "nicegui==3.18.0"
FOLDER = "nicegui/elements/codemirror"
VENDOR = Path(__file__).resolve().parents[1] / "debugger/web/vendor"
NAMES = ["Compartment", "Decoration", "EditorState", "EditorView", "GutterMarker", "HighlightStyle", "Prec", "RangeSet", "StateEffect", "StateField",
         "basicSetup", "gutterLineClass", "indentUnit", "indentWithTab", "keymap", "syntaxHighlighting"]  # fmt: skip
PACKAGES = ["codemirror", "@codemirror/view", "@codemirror/state", "@codemirror/commands", "@codemirror/language", "@codemirror/lang-python",
            "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/python", "style-mod", "w3c-keyname", "crelt"]  # fmt: skip


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, WHEEL], check=True)
        wheel = zipfile.ZipFile(next(Path(folder).glob("*.whl")))
        files = {name.rsplit("/", 1)[1]: wheel.read(name).decode() for name in wheel.namelist() if name.startswith(f"{FOLDER}/dist/") and name.endswith(".js")}
        lock = json.loads(wheel.read(f"{FOLDER}/package-lock.json"))["packages"]
    index = files["index.js"]
    core = re.search(r'from"\./(index-[^"]+)"', index)[1]
    python = next(name for name, text in files.items() if "as pythonLanguage" in text)
    runtime = re.search(r'from"\./(index-[^"]+)"', files[python])[1]
    renamed = {core: "codemirror.js", runtime: "lezer.js", python: "python.js"}
    for name, new in renamed.items():
        text = re.sub(r"\n//# sourceMappingURL=.*\n?", "\n", files[name])
        for other, wanted in renamed.items():
            text = text.replace(f'"./{other}"', f'"./{wanted}"')
        # By escapes: signs that turn the direction of writing are an error to compilers, which see the page as a constant.
        text = re.sub(r"[^\x00-\x7f]", lambda found: "".join(f"\\u{unit:04x}" for unit in struct.unpack(f"<{len(found[0].encode('utf-16-le')) // 2}H", found[0].encode("utf-16-le"))), text)
        (VENDOR / new).write_text(text)
    exported = {long: short for short, long in re.findall(r"([\w$]+) as (\w+)", index)}
    tags = next(pair for pair in re.findall(r"(\w+) as (\w+)", re.search(r"import\{([^}]*)\}from\"\./" + re.escape(core), files[python])[1]) if f"{pair[1]}.controlKeyword" in files[python])
    exported["tags"] = tags[0]
    listed = ", ".join(f"{exported[name]} as {name}" if exported[name] != name else name for name in sorted([*NAMES, "tags"]))
    head = "// What the page uses of CodeMirror, by its own names. Written by tools/take_codemirror.py.\n\n"
    (VENDOR / "editor.js").write_text(f'{head}export {{ {listed} }} from "./codemirror.js";\nexport {{ python }} from "./python.js";\n')
    versions = "\n".join(f"| {name} | {lock[f'node_modules/{name}']['version']} | {lock[f'node_modules/{name}']['license']} |" for name in PACKAGES)
    (VENDOR / "README.md").write_text(README.format(wheel=WHEEL, versions=versions))
    return 0


README = """# CodeMirror 6

The page's editor: the packages below as NiceGUI ({wheel}, MIT) bundles them, taken by `tools/take_codemirror.py`. Not edited. Recorded runs hold none of it.

| Package | Version | Licence |
|---|---|---|
{versions}

MIT License. Copyright (C) 2018-2021 by Marijn Haverbeke and others.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to
use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and this
permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""

if __name__ == "__main__":
    sys.exit(main())
