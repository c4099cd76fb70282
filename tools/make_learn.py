#!/usr/bin/env python3
"""Examples, lessons and bugs to find as JSON, for the page: make_learn.py OUT.cpp writes them as the source of learn_files()
(debugger/serve/page_files.h), which `lockstep learn` serves; tools/make_playground.py has them as files."""

from __future__ import annotations

import json
import math
import re
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "debugger" / "web"
# Options of `lockstep run` that say what is launched; those that say what is printed are left out.
KEPT = {"--check", "--seed", "--schedule", "--schedules", "--schedule-seed", "--memory-model", "--triton", "--as", "--num-warps", "--num-stages", "--bounds",
        "--config", "--global", "--resident"}  # fmt: skip
# A page has 2 GiB in all.
MOST_BYTES = 2**30


def example(launch: dict) -> dict:
    words = {**launch["arguments"], **{name: str(value) for name, value in launch["constants"].items()}}
    return {
        "name": launch["name"],
        "path": Path(launch["file"]).name,
        "text": (ROOT / launch["file"]).read_text(encoding="utf-8"),
        "kernel": launch["kernel"],
        "grid": launch["grid"],
        "arguments": [f"{name}={value}" for name, value in words.items()],
        "options": [],
    }


def examples() -> list[dict]:
    made = [example(one) for one in json.loads((ROOT / "examples/launches.json").read_text(encoding="utf-8"))["launches"]]
    for name in ("softmax", "vector_add"):
        wrong = dict(next(one for one in made if one["name"] == name), name=f"{name}, its mask forgotten", path=f"{name}_missing_mask.py")
        wrong["text"] = (ROOT / "examples" / wrong["path"]).read_text(encoding="utf-8")
        made.append(wrong)
    return made


def lessons() -> list[dict]:
    made = []
    for folder in sorted((WEB / "lessons").glob("*/")):
        lesson = json.loads((folder / "lesson.json").read_text(encoding="utf-8"))
        begin = next(folder.glob("start.*"))
        start, solution = (folder.joinpath(name + begin.suffix).read_text(encoding="utf-8") for name in ("start", "solution"))
        kernel = re.findall(r"^def (\w+)|tt\.func public @(\w+)", start, re.M)[-1]
        lesson.update(id=folder.name, path="kernel" + begin.suffix, start=start, solution=solution, kernel="".join(kernel))
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
    for folder in sorted((ROOT / "tests/findings").glob("*/")):
        bad, good = folder / "bad/kernel.py", folder / "good/kernel.py"
        if not bad.exists() or not good.exists():
            continue
        launch = read_words(bad.read_text(encoding="utf-8").split("\n")[0])
        repaired = read_words(good.read_text(encoding="utf-8").split("\n")[0])
        if launch is None or repaired is None or bytes_of(launch["arguments"]) > MOST_BYTES:
            continue
        code = folder.name.split("_")[0]
        start, told = without_words(bad.read_text(encoding="utf-8"))
        solution, _ = without_words(good.read_text(encoding="utf-8"))
        title = (ROOT / f"docs/errors/{code}.md").read_text(encoding="utf-8").split("\n")[0].lstrip("# ")
        expected = (folder / "bad/kernel.py.expected").read_text(encoding="utf-8")
        gone = bad.read_text(encoding="utf-8").count("\n") - start.count("\n")
        diagnosis = shifted("\n".join(line for line in expected.split("\n")[1:] if not line.startswith("[exit")), gone)
        one = {
            "id": folder.name,
            "title": launch["kernel"],
            "text": [f"Something is wrong with `{launch['kernel']}`, or with how it is launched. Run it, see what Lockstep says, and repair it."],
            "start": start, "solution": solution, "code": code, "hints": [title, told.replace("\n", " ")],
            "diagnosis": diagnosis.replace(f"tests/findings/{folder.name}/bad/", ""), "outputs": {}, "after": told.replace("\n", " "), **launch,
        }  # fmt: skip
        if repaired != launch:
            one["repaired"] = repaired
        made.append(one)
    for number, one in enumerate(made, 1):
        one["title"] = f"{number}: {one['title']}"
    return made


def files() -> dict[str, list[dict]]:
    return {"examples.json": examples(), "lessons.json": lessons(), "bugs.json": bugs()}


def text_of(content: list[dict]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=0)


MOST_LITERAL = 12_000  # characters of a piece, which every compiler takes


def source() -> str:
    text = '// Made by tools/make_learn.py.\n#include "debugger/serve/page_files.h"\n\n\nnamespace lockstep::debugger::serve {\n\nnamespace {\n\n'
    text += "const PageFile kLearnFiles[] = {\n"
    for name, content in files().items():
        whole = text_of(content)
        pieces = [whole[at : at + MOST_LITERAL] for at in range(0, len(whole), MOST_LITERAL)]
        text += f'    {{"{name}",\n' + "\n".join(f'     R"LSLEARN({piece})LSLEARN"' for piece in pieces) + "},\n"
    return text + "};\n\n}  // namespace\n\nstd::span<const PageFile> learn_files() { return kLearnFiles; }\n\n}  // namespace lockstep::debugger::serve\n"


if __name__ == "__main__":
    out = Path(sys.argv[1])
    made = source()
    if not out.exists() or out.read_text(encoding="utf-8") != made:
        out.write_text(made, encoding="utf-8")
