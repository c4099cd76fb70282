"""The minimal file of a departure: the smallest input of the pass that is found with which it still leaves the legal results.

First the launch becomes smaller: its numbers are halved, all equal ones at once, while the same pass departs in the same
way. Then the text does (texts.py): the pass alone runs over each text, in a process that stays, and the command judges
the pass's output against that text's own bounds. Invariant: the file that is kept was judged itself, and departs."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from lockstep.pipeline import judging, texts
from lockstep.pipeline.judging import Verdict

SECONDS_OF_A_PASS = 20.0


@dataclass
class Minimal:
    """What a bug report carries. Files; `launch` are the words after `lockstep` that show the departure again."""

    input: str
    output: str
    report: str
    ops: int
    ops_before: int
    verdict: Verdict
    launch: list[str]


class PassServer:
    """One pass of Triton in a process of its own, which is started again when a text ends it."""

    def __init__(self, driver: Path, kernel: Path, options: dict[str, Any], triton: str) -> None:
        self._words = [sys.executable, "-W", "ignore", str(driver), "--serve", str(kernel), json.dumps(options)]
        self._environment = {**os.environ, "LOCKSTEP": "0"}
        self._environment["PYTHONPATH"] = os.pathsep.join(filter(None, [triton, os.environ.get("PYTHONPATH", "")]))
        self._process: subprocess.Popen[str] | None = None

    def run(self, text: Path, out: Path) -> bool:
        """True: the pass changed the text, and `out` has what it made."""
        if self._process is None:
            self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                             text=True, env=self._environment)  # fmt: skip
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"in": str(text), "out": str(out)}) + "\n")
            self._process.stdin.flush()
            ready, _, _ = select.select([self._process.stdout], [], [], SECONDS_OF_A_PASS)
            answer = self._process.stdout.readline() if ready else ""
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.close()
            return False
        return bool(json.loads(answer).get("changed", False))

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class Reducer:
    """Keeps the smallest text so far that departs as `wanted` does."""

    def __init__(self, server: PassServer, command: str, launch: list[str], wanted: Verdict, folder: Path, end: float) -> None:
        self.server, self.command, self.launch, self.wanted, self.folder, self.end = server, command, launch, wanted, folder, end
        self.verdict: Verdict | None = None
        self._tried: set[str] = set()

    def departs(self, text: str) -> bool:
        """As the whole launch does: the same kind and code, and nothing wrong before the pass."""
        if text in self._tried or time.monotonic() > self.end:
            return False
        self._tried.add(text)
        suffix = ".ttir" if "ttg." not in text else ".ttgir"
        before, after = self.folder / f"try{suffix}", self.folder / f"try-output{suffix}"
        before.write_text(text, encoding="utf-8")
        if not self.server.run(before, after):
            return False
        verdict = judging.judge(self.command, launch_of(self.launch, before, text), str(after), 10.0)
        if not is_same_departure(verdict, self.wanted) or verdict.facts.get("stand_in", {}).get("own"):
            return False
        self.verdict = verdict
        return True

    def reduce(self, text: str) -> str:
        is_smaller = True
        while is_smaller:
            is_smaller = False
            for one in texts.smaller(text):
                if len(one) < len(text) and self.departs(one):
                    text, is_smaller = one, True
                    break
        bare = texts.without_unused(text)
        return bare if bare != text and self.departs(bare) else text


def is_same_departure(verdict: Verdict, wanted: Verdict) -> bool:
    return verdict.kind == wanted.kind and verdict.code == wanted.code


def launch_of(launch: list[str], text_file: Path, text: str) -> list[str]:
    """The launch with a text as its kernel: a capsule's arguments, or those words that the text has parameters for."""
    if launch[0].endswith(".capsule"):
        return [str(_capsule_with(launch[0], text, text_file.with_suffix(".capsule"))), *launch[1:]]
    names = texts.parameters_of(text)
    kept, values = [], dict(re.findall(r"^([A-Za-z_]\w*)=(-?\d+)$", "\n".join(launch[1:]), re.MULTILINE))
    rest = iter(launch[1:])
    for word in rest:
        if word in ("--grid", "-g"):
            grid = re.sub(r"[A-Za-z_]\w*", lambda name: values.get(name[0], name[0]), next(rest))
            kept += ["--grid", grid]
        elif not re.match(r"[A-Za-z_]\w*=", word) or word.partition("=")[0] in names:
            kept.append(word)
    return [str(text_file), *kept]


def _capsule_with(source: str, text: str, to: Path) -> Path:
    content = text.encode()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in ("kernel.ttir", "manifest.json"):
                new.writestr(name, old.read(name))
        told = json.loads(old.read("manifest.json"))
        told["ttir"] |= {"bytes": len(content), "sha256": sha256(content).hexdigest()}
        new.writestr("kernel.ttir", content)
        new.writestr("manifest.json", json.dumps(told))
    return to


# ---- the launch ----


def _halved(words: list[str], number: int) -> list[str]:
    """Sizes, numbers and grid: all that are `number` become half of it. Types and names stay."""

    def smaller(match: re.Match[str]) -> str:
        return str(number // 2) if int(match[0]) == number else match[0]

    made, is_grid = [words[0]], False
    for word in words[1:]:
        if is_grid:
            word = re.sub(r"(?<![\w.])\d+(?![\w.])", smaller, word)
        elif re.fullmatch(r"\w+=-?\d+", word):
            word = re.sub(r"(?<==)\d+$", smaller, word)
        elif re.match(r"\w+=", word):
            word = re.sub(r"(?<=[\[,])\d+(?=[\],])", smaller, word)
        is_grid = word in ("--grid", "-g") and not is_grid
        made.append(word)
    return made


def smaller_launches(words: list[str]) -> Iterator[list[str]]:
    """Launches with one number halved, the largest first."""
    if words[0].endswith(".capsule"):
        return
    numbers = {int(one) for word in words[1:] for one in re.findall(r"(?<![\w.])\d+(?![\w.])", word)}
    for number in sorted(numbers, reverse=True):
        made = _halved(words, number) if number > 1 else words
        if made != words:
            yield made


def shrink_launch(words: list[str], departs: Callable[[list[str]], bool], end: float) -> list[str]:
    """The smallest launch that is found until `end` (of time.monotonic)."""
    is_smaller = True
    while is_smaller and time.monotonic() < end:
        is_smaller = False
        for one in smaller_launches(words):
            if time.monotonic() < end and departs(one):
                words, is_smaller = one, True
                break
    return words


# ---- both ----


def make_minimal(found: Any, launch: list[str], judge_launch: Callable[[list[str], Path], Any], server: Callable[[Path, int], PassServer],
                 command: str, place: Path, seconds: float) -> Minimal | None:  # fmt: skip
    """found: the Stages of a launch with a departure, whose input's file is there. judge_launch: the same for other words,
    with its files in a folder; server: for a kernel's file and the pass's number. None: the pass alone does not depart."""
    wrong, end = found.first_wrong, time.monotonic() + seconds
    best = {"words": launch, "found": found}

    def departs(words: list[str]) -> bool:
        folder = place / f"smaller{len(list(place.glob('smaller*')))}"
        try:
            other = judge_launch(words, folder)
        except Exception:  # noqa: BLE001 (a launch that cannot be made is no smaller departure)
            return False
        first = other.first_wrong
        if first is None or first.name != wrong.name or not is_same_departure(first.verdict, wrong.verdict):
            return False
        best.update(words=words, found=other)
        return True

    words = shrink_launch(launch, departs, time.monotonic() + seconds / 2)
    found = best["found"]
    text = texts.without_places(Path(found.input).read_text(encoding="utf-8"))
    reducer = Reducer(server(place / "00-source.ttir", found.first_wrong.number), command, words, wrong.verdict, place, end)
    try:
        if not reducer.departs(text):
            return None
        before, text = texts.count_ops(text), reducer.reduce(text)
        return _write(found, words, text, before, reducer, place)
    finally:
        reducer.server.close()
        for file in place.glob("try*"):
            file.unlink()
        for folder in place.glob("smaller*"):
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()


def _write(found: Any, words: list[str], text: str, before: int, reducer: Reducer, place: Path) -> Minimal:
    suffix = ".ttir" if "ttg." not in text else ".ttgir"
    source, output, report = place / f"minimal{suffix}", place / f"minimal-output{suffix}", place / "report.md"
    source.write_text(text, encoding="utf-8")
    reducer.server.run(source, output)
    launch = launch_of(words, source, text)
    assert reducer.verdict is not None
    made = Minimal(str(source), str(output), str(report), texts.count_ops(text), before, reducer.verdict, launch)
    report.write_text(_report(found, words, made, text, output.read_text(encoding="utf-8")), encoding="utf-8")
    return made


def _report(found: Any, words: list[str], made: Minimal, text: str, output: str) -> str:
    wrong = found.first_wrong
    kind = "reads or writes what the input does not, or races" if made.verdict.kind == judging.FINDING else "computes another result"
    arguments = " ".join(word for word in made.launch[1:] if "=" in word or word in ("--grid", "-g") or word[0].isdigit())
    return f"""# {wrong.name}: the output of the pass {kind}

Triton {found.triton}, {found.target}. Pass {wrong.number} of the pipeline, `{wrong.name}` of `{wrong.pipeline}`, makes this text wrong:

```mlir
{text.rstrip()}
```

Its output:

```mlir
{texts.without_places(output).rstrip()}
```

Executed with `{arguments}`: {made.verdict.words}. The input's own results are the bounds.

To see it without a GPU: `lockstep stages {' '.join(words)}`. The two texts alone:
`lockstep diff {Path(made.launch[0]).name} {arguments} --gpu-kernel {Path(made.output).name} --stand-in`.
"""
