#!/usr/bin/env python3
"""Puts the playground together: make_playground.py BUILD OUT. BUILD has lockstep.js and lockstep.wasm (preset wasm); OUT becomes a
folder that any server of files can serve: the page's files, the module (packed by gzip), examples, lessons and bugs to find as JSON.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import shlex
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "debugger" / "web"
# Options of `lockstep run` that say what is launched; those that say what is printed are left out.
KEPT = {"--check", "--seed", "--schedule", "--schedules", "--schedule-seed", "--memory-model", "--triton", "--as", "--num-warps", "--num-stages", "--bounds",
        "--config", "--global", "--resident"}  # fmt: skip
# A page has 2 GiB in all.
MOST_BYTES = 2**30

# No script but the folder's own, whatever a kernel or a link says; nothing is sent anywhere.
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data:; worker-src 'self'; base-uri 'none'; form-action 'none'"


def example(launch: dict) -> dict:
    words = {**launch["arguments"], **{name: str(value) for name, value in launch["constants"].items()}}
    return {
        "name": launch["name"],
        "path": Path(launch["file"]).name,
        "text": (ROOT / launch["file"]).read_text(),
        "kernel": launch["kernel"],
        "grid": launch["grid"],
        "arguments": [f"{name}={value}" for name, value in words.items()],
        "options": [],
    }


def examples() -> list[dict]:
    made = [example(one) for one in json.loads((ROOT / "examples/launches.json").read_text())["launches"]]
    for name in ("softmax", "vector_add"):
        wrong = dict(next(one for one in made if one["name"] == name), name=f"{name}, its mask forgotten", path=f"{name}_missing_mask.py")
        wrong["text"] = (ROOT / "examples" / wrong["path"]).read_text()
        made.append(wrong)
    return made


def lessons() -> list[dict]:
    made = []
    for folder in sorted((WEB / "lessons").glob("*/")):
        lesson = json.loads((folder / "lesson.json").read_text())
        start = (folder / "start.py").read_text()
        lesson.update(id=folder.name, start=start, solution=(folder / "solution.py").read_text(), kernel=re.findall(r"^def (\w+)", start, re.M)[-1])
        lesson["arguments"] = [f"{name}={value}" for name, value in lesson["arguments"].items()]
        made.append(lesson)
    return made


def without_words(text: str) -> tuple[str, str]:
    """The kernel without its first comments and its docstring, which tell the bug, and the docstring."""
    text = re.sub(r"\A(#.*\n)+", "", text)
    found = re.match(r'\s*"""(.*?)"""\s*', text, re.S)
    return (text[found.end() :], found.group(1)) if found else (text.lstrip("\n"), "")


def shifted(diagnosis: str, lines: int) -> str:
    """A report on a text of which the first lines are gone."""
    moved = re.sub(r"(kernel\.py:)(\d+)", lambda m: f"{m[1]}{int(m[2]) - lines}", diagnosis)
    return re.sub(r"^( +)(\d+)( \| )", lambda m: f"{m[1]}{int(m[2]) - lines}{m[3]}", moved, flags=re.M)


def read_words(line: str) -> dict | None:
    """The launch of a case's first line; None: it needs what a page has not."""
    words = shlex.split(line.removeprefix("# args: "))
    if words[0] != "run" or "=@" in line or ".ttir" in line:
        return None
    launch = {"kernel": words[1].split("::")[-1], "grid": "", "arguments": [], "options": []}
    rest = iter(words[2:])
    for word in rest:
        if not word.startswith("-"):
            launch["arguments"].append(word)
            continue
        option, _, value = word.partition("=")
        value = value or next(rest, "")
        if option in ("--grid", "-g"):
            launch["grid"] = value
        elif option in KEPT:
            launch["options"].append(f"{option}={value}")
    return launch


def bytes_of(arguments: list[str]) -> int:
    """Of the tensors that an argument list makes."""
    tensors = re.findall(r":[a-z]+(\d+)\w*\[([\d,]+)\]", " ".join(arguments))
    return sum(int(bits) // 8 * math.prod(map(int, shape.split(","))) for bits, shape in tensors)


def bugs() -> list[dict]:
    made = []
    for folder in sorted((ROOT / "tests/zoo").glob("*/")):
        bad, good = folder / "bad/kernel.py", folder / "good/kernel.py"
        if not bad.exists() or not good.exists():
            continue
        launch = read_words(bad.read_text().split("\n")[0])
        repaired = read_words(good.read_text().split("\n")[0])
        if launch is None or repaired is None or bytes_of(launch["arguments"]) > MOST_BYTES:
            continue
        code = folder.name.split("_")[0]
        start, told = without_words(bad.read_text())
        solution, _ = without_words(good.read_text())
        title = (ROOT / f"docs/errors/{code}.md").read_text().split("\n")[0].lstrip("# ")
        expected = (folder / "bad/kernel.py.expected").read_text()
        gone = bad.read_text().count("\n") - start.count("\n")
        diagnosis = shifted("\n".join(line for line in expected.split("\n")[1:] if not line.startswith("[exit")), gone)
        one = {
            "id": folder.name,
            "title": launch["kernel"],
            "text": [f"Something is wrong with `{launch['kernel']}`, or with how it is launched. Run it, see what Lockstep says, and repair it."],
            "start": start, "solution": solution, "code": code, "hints": [title, told.replace("\n", " ")],
            "diagnosis": diagnosis.replace(f"tests/zoo/{folder.name}/bad/", ""), "outputs": {}, "after": told.replace("\n", " "), **launch,
        }  # fmt: skip
        if repaired != launch:
            one["repaired"] = repaired
        made.append(one)
    for number, one in enumerate(made, 1):
        one["title"] = f"{number}: {one['title']}"
    return made


def main() -> int:
    build, out = Path(sys.argv[1]), Path(sys.argv[2])
    if out.exists() and any(out.iterdir()) and not (out / "lockstep.wasm.gz").exists():
        print(f"make_playground: '{out}' holds something else: name an empty folder", file=sys.stderr)
        return 2
    shutil.rmtree(out, ignore_errors=True)
    for folder in ("js", "vendor"):
        shutil.copytree(WEB / folder, out / folder)
    for style in WEB.glob("*.css"):
        shutil.copy(style, out)
    page = (WEB / "index.html").read_text()
    page = page.replace('<html lang="en">', '<html lang="en" data-feed="playground">')
    (out / "index.html").write_text(page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'))
    shutil.copy(ROOT / "playground/worker.js", out)
    shutil.copy(build / "lockstep.js", out)
    (out / "lockstep.wasm.gz").write_bytes(gzip.compress((build / "lockstep.wasm").read_bytes(), 9, mtime=0))
    for name, content in (("examples", examples()), ("lessons", lessons()), ("bugs", bugs())):
        (out / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False, indent=0))
        print(f"  {name}: {len(content)}")
    print(f"  module: {(build / 'lockstep.wasm').stat().st_size / 1e6:.1f} MB, packed {(out / 'lockstep.wasm.gz').stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
