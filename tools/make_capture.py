#!/usr/bin/env python3
"""Makes the debugging session of README and docs/debugging.md: the command runs in a terminal, the lines below are typed, and what stands on the
screen then becomes docs/pictures/debug-session.svg (with colours) and the text between the page's capture marks.

    tools/make_capture.py build/lockstep           # writes both
    tools/make_capture.py --check build/lockstep   # exit code 1 where one of them is not what it would write"""

import argparse
import difflib
import os
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from terminal_session import Session

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = 100
WORDS = ["lockstep", "debug", "tests/findings/LS601_fully_masked_row/bad/kernel.py::masked_softmax", "--grid", "6",
         "scores=randn:f32[6,8]", "lengths=arange:i32[6]", "out=zeros:f32[6,8]", "width=8", "BLOCK=8"]  # fmt: skip
TYPED = ["catch nan", "continue", "rs", "print x", "print length", "set x[0] = 1", "watch out[0,0]", "continue", "quit"]
PROMPT = "(lockstep) "
PICTURE = ROOT / "docs" / "pictures" / "debug-session.svg"
PAGE = ROOT / "docs" / "debugging.md"
BEGIN, END = "<!-- capture: tools/make_capture.py -->\n", "<!-- end of capture -->\n"

CHARACTER, LINE, MARGIN, BAR = 8.4, 19, 16, 34  # pixels at a font of 14
INK, PAPER, FRAME = "#d6dae1", "#1b1f27", "#2a303b"
COLORS = {31: "#f7768e", 32: "#9ece6a", 33: "#e0af68", 34: "#7aa2f7"}
FAINT = "#8b93a3"


def session(executable):
    """The screen after all lines were typed."""
    with tempfile.TemporaryDirectory() as state:
        words = [str(Path(executable).resolve()), *WORDS[1:]]
        environment = {**os.environ, "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"}
        with Session(words, columns=COLUMNS, rows=60, cwd=ROOT, environment=environment) as running:
            for line in TYPED:
                running.wait_for(PROMPT)
                running.let_it_edit()
                running.type(line + "\n")
            running.wait()
            return running.screen


def command_lines():
    """The command as a person would break it."""
    lines, line = [], "$"
    for word in WORDS:
        shown = f"'{word}'" if any(c in word for c in "[]()*") else word
        if len(line) + len(shown) + 3 > COLUMNS:
            lines.append(line + " \\")
            line = "   "
        line += " " + shown
    return [*lines, line]


def screen_lines(screen):
    """Lines of (text, style), the command first, without the last prompt's."""
    made = [[(line, ())] for line in command_lines()]
    for line in screen.runs():
        typed = line[0][0] if len(line) == 1 and line[0][0].startswith(PROMPT) else ""
        made.append([(PROMPT, (2,)), (typed[len(PROMPT) :], (1,))] if typed else line)
    while made and not made[-1]:
        made.pop()
    return made


def span(text, style, column):
    color = next((COLORS[one] for one in style if one in COLORS), FAINT if 2 in style else None)
    attributes = f' x="{MARGIN + column * CHARACTER:.1f}"'
    attributes += f' fill="{color}"' if color else ""
    attributes += ' font-weight="bold"' if 1 in style else ""
    return f"<tspan{attributes}>{escape(text)}</tspan>"


def picture(lines):
    width = round(2 * MARGIN + COLUMNS * CHARACTER)
    height = BAR + LINE * len(lines) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-label="A session of lockstep debug in a terminal">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        f'<path d="M0 8a8 8 0 0 1 8-8h{width - 16}a8 8 0 0 1 8 8v16h-{width}z" fill="{FRAME}"/>',
        f'<text xml:space="preserve" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', '
        f'monospace" font-size="14" fill="{INK}">',
    ]
    for number, line in enumerate(lines):
        column, spans = 0, ""
        for text, style in line:
            spans += span(text, style, column)
            column += len(text)
        if spans:
            parts.append(f'<tspan y="{BAR + LINE * (number + 1) - 6}">{spans}</tspan>')
    return "\n".join([*parts, "</text>", "</svg>"]) + "\n"


def page_with(text, lines):
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    plain = "\n".join("".join(part for part, _ in line) for line in lines)
    image = "![A session: stopped where a NaN appears, back to what it was made from, changed, on](pictures/debug-session.svg)"
    return f"{text[:begin]}{image}\n\n```text\n{plain}\n```\n{text[end:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where something would change")
    parser.add_argument("executable")
    given = parser.parse_args()
    lines = screen_lines(session(given.executable))
    failed = False
    for path, new in ((PICTURE, picture(lines)), (PAGE, page_with(PAGE.read_text(), lines))):
        old = path.read_text() if path.exists() else ""
        if old == new:
            continue
        if given.check:
            failed = True
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), "now"))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new)
    if failed:
        print("The captured session is not what tools/make_capture.py makes: run it and look at the picture")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
