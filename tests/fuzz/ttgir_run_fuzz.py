#!/usr/bin/env python3
"""Changed TTGIR through `lockstep run`: each text ends with a report, a diagnosis or a refusal, never with a signal.

  ttgir_run_fuzz.py LOCKSTEP [--seconds 60] [--seed 0] [--keep FOLDER] [FOLDER...]

Texts are those of the folders (default: all of tests/), of which a seed changes one to six lines: a line goes, comes twice, or
trades places; a number, a name of a value or a word of an attribute becomes another of the text. Half of the texts are
changed with care, so that most of them run: ops without results (waits, arrivals, copies, stores) go, come twice or trade
places, constants become other numbers, and operands become values of the same type. Parameters get small
tensors and numbers, descriptors a tensor. The seed also draws the order of asynchronous operations, and whether the run
has `--bits` or all checks. Exit codes other than 0 to 5, and runs of more than 20 s, are failures; their texts
stay in --keep. With a command that was built with sanitizers, their reports are failures, too."""

from __future__ import annotations

import argparse
import collections
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
VALUE = re.compile(r"%[\w$-]+(?:#\d+)?")
WORD = re.compile(r"#\w+|\b(?:true|false|[a-z]+_[a-z_]+|f16|f32|bf16|i1|i8|i16|i32|i64)\b")


def changed(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(lines))
        kind = draw.randrange(7)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(draw.randrange(len(lines)), lines[at])
        elif kind == 2:
            other = draw.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            pattern = (NUMBER, NUMBER, VALUE, WORD)[kind - 3]
            found = list(pattern.finditer(lines[at]))
            others = pattern.findall(text)
            if not found or not others:
                continue
            match = draw.choice(found)
            by = draw.choice(others)
            if pattern is NUMBER and draw.random() < 0.6:
                by = str(draw.choice([0, 1, 2, 3, 7, 8, 16, 31, 64, 255, 2**31 - 1, int(match[0]) + 1, max(0, int(match[0]) - 1), 2 * int(match[0])]))
            lines[at] = lines[at][: match.start()] + by + lines[at][match.end() :]
        if not lines:
            lines = [""]
    return "\n".join(lines)


RESULTLESS = re.compile(r"\s+(?:ttn?g\.\w+|tt\.store)\b(?!.*\{$)(?!.*(?:yield|return)\b)")
CONSTANT = re.compile(r"(arith\.constant (?:dense<)?)(-?\d+)(?= :|>)|((?:num|pendings|count) = )(\d+)")
DEFINED = re.compile(r"^\s*(%[\w$-]+) = .*(?:->|:) ([^:=]*?)(?: loc\(.*)?$")


def changed_with_care(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    types = {match[1]: match[2] for match in map(DEFINED.match, lines) if match}
    for _ in range(draw.randint(1, 3)):
        acts = [number for number, line in enumerate(lines) if RESULTLESS.match(line)]
        kind = draw.randrange(5)
        if kind < 3 and acts:
            at, other = draw.choice(acts), draw.choice(acts)
            if kind == 0:
                del lines[at]
            elif kind == 1:
                lines.insert(at, lines[at])
            else:
                lines[at], lines[other] = lines[other], lines[at]
            continue
        at = draw.randrange(len(lines))
        if kind == 3:
            near = [number for number in range(len(lines)) if CONSTANT.search(lines[number])]
            if near:
                at = draw.choice(near)
                by = str(draw.choice([0, 1, 2, 3, 5, 7, 64, 2**31 - 1, -1]))
                lines[at] = CONSTANT.sub(lambda match: (match[1] or match[3]) + (by if match[1] else by.removeprefix("-")), lines[at], count=1)
            continue
        uses = [match for match in VALUE.finditer(lines[at].partition("=")[2]) if match[0] in types]
        if uses:
            gone = draw.choice(uses)[0]
            alike = [name for name, kind_of in types.items() if kind_of == types[gone]]
            before, equals, after = lines[at].partition("=")
            lines[at] = before + equals + re.sub(re.escape(gone) + r"(?![\w$-])", draw.choice(alike), after, count=1)
    return "\n".join(lines)


def options_of(draw: random.Random) -> list[str]:
    order = draw.choice(["late", "early", "random"])
    more = draw.choice([[], [], ["--bits"], ["--check", "all"], ["--proxy-fences", "all"], ["--schedules", "3"]])
    return ["--async-order", order, *(["--async-seed", str(draw.randrange(1000))] if order == "random" else []), *more]


def words_of(text: str) -> list[str]:
    """An argument for each parameter, by its type."""
    head = re.search(r"tt\.func public @[\w.$]+\((.*?)\) (?:attributes|\{)", text, re.DOTALL)
    words = []
    for name, kind in re.findall(r"%([\w$-]+): (!?[\w.]+(?:<[^>]*(?:<[^>]*>[^>]*)*>)?)", head[1]) if head else []:
        pointer = re.match(r"!tt\.ptr<(\w+)", kind)
        block = re.match(r"!tt\.tensordesc<(?:tensor<)?([\dx]+)x(\w+)", kind)
        if pointer and pointer[1] in ("f32", "f16", "bf16", "f64", "i32", "i64", "i8", "i16"):
            words.append(f"{name}=zeros:{pointer[1]}[4096]")
        elif block:
            words.append(f"{name}=zeros:{block[2]}[{','.join(['128'] * (block[1].count('x') + 1))}]")
        else:
            words.append(f"{name}=2.5" if kind.startswith(("f", "bf")) else f"{name}=64")
    return words


def run(command: str, text: str, options: list[str], folder: Path) -> tuple[str, str]:
    """(outcome, what it said)"""
    file = folder / "changed.ttgir"
    file.write_text(text, encoding="utf-8")
    try:
        done = subprocess.run([command, "run", str(file), "--grid", "2", "--max-memory", "500MB", "--threads", "1", "--timeout", "5", *options, *words_of(text)],
                              capture_output=True, text=True, errors="replace", check=False, timeout=20)  # fmt: skip
    except subprocess.TimeoutExpired:
        return "no end", ""
    said = done.stdout + done.stderr
    is_sound = 0 <= done.returncode <= 5 and "Sanitizer" not in said and "runtime error:" not in said
    return (str(done.returncode) if is_sound else "failure"), said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("ttgir_run_crashes"))
    chosen = parser.parse_args()
    folders = chosen.folders or [ROOT / "tests/ttgir", ROOT / "tests/golden/ttgir", ROOT / "tests/findings"]
    texts = [file.read_text(encoding="utf-8") for folder in folders for file in sorted(folder.rglob("*.ttgir"))]
    counts: collections.Counter[str] = collections.Counter()
    end, seed = time.monotonic() + chosen.seconds, chosen.seed
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            draw = random.Random(seed)
            text = draw.choice(texts)
            text = changed_with_care(text, draw) if draw.random() < 0.5 else changed(text, draw)
            options = options_of(draw)
            outcome, said = run(chosen.lockstep, text, options, Path(folder))
            counts[outcome] += 1
            if outcome in ("failure", "no end"):
                chosen.keep.mkdir(parents=True, exist_ok=True)
                (chosen.keep / f"{seed}.ttgir").write_text(text, encoding="utf-8")
                print(f"seed {seed} {' '.join(options)}: {outcome}: {said.strip()[-400:]}", flush=True)
            seed += 1
    print(f"{seed - chosen.seed} texts: " + ", ".join(f"exit {what}: {count}" for what, count in sorted(counts.items())))
    return 1 if counts["failure"] or counts["no end"] else 0


if __name__ == "__main__":
    sys.exit(main())
