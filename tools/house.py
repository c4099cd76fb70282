#!/usr/bin/env python3
"""Measures how the code hangs together, and holds each measure to the best value so far.

house.py            prints the table
house.py --check    exit code 1 where a measure is worse than its row of tools/house.tsv allows (in lint)
house.py --classes  lists the classes of more than 40 methods, and where they are
house.py --write    writes tools/house.tsv and tools/opcodes.tsv where a measure became better; a worse one is refused

Product code is the C++, Python and JavaScript of the rooms, without tests, tools, benchmarks and documents. "Places by hand" of
an op, a command or an option are the product files that name it; files that say in their first line that they are generated are
no places by hand. A unit is a .cpp with the header of its name; an include
cycle is a set of units that include each other. Opcodes are counted where they are named, or compared with, outside the ops' own folder;
tools/opcodes.tsv says of each file that does how often it may, and why no trait of the op's row (ir/op_traits.h) serves.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from check_unity import without_noise

ROOT = Path(__file__).resolve().parents[1]
LIMITS = ROOT / "tools" / "house.tsv"
OPCODES = ROOT / "tools" / "opcodes.tsv"
DIALECTS = "arith|builtin|cf|gpu|llvm|math|scf|tt|ttg|ub"
OPCODE = re.compile(rf'\bOpcode::\w|[=!]= ?"(?:{DIALECTS})\.\w')  # by its enumerator, or by its name
NOT_PRODUCT = {"tests", "tools", "bench", "docs", "examples", "cmake", "packaging", "campaigns"}
SUFFIXES = {".cpp", ".h", ".def", ".py", ".pyi", ".js"}
OPS = ("math.cbrt", "math.rsqrt", "tt.histogram", "tt.gather")
COMMAND = "born"  # of the debugger
OPTIONS = {"--schedule-seed": r"(?i)schedule.?seed", "--lane-order": r"(?i)lane.?order"}
COMMANDS = {"`lockstep trace`": r"\bTraceOptions\b|\bkTrace(?:Footer|Command)\b"}
GENERATED = re.compile(r"\A(?:#|//) Generated\b")
MOST_FILES = 40
MOST_METHODS = 40


def product() -> dict[Path, str]:
    found = {}
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if path.suffix in SUFFIXES and len(parts) > 1 and parts[0] not in NOT_PRODUCT and not any(part.startswith((".", "build")) for part in parts):
            found[path.relative_to(ROOT)] = path.read_text(encoding="utf-8")
    return found


def places(files: dict[Path, str], pattern: str) -> int:
    wanted = re.compile(pattern)
    return sum(wanted.search(text) is not None and not GENERATED.match(text) for text in files.values())


def unit(path: Path) -> str:
    return path.with_suffix("").as_posix()


def cycles(files: dict[Path, str]) -> list[int]:
    """Sizes of the sets of units that include each other, largest first (Tarjan)."""
    units = {unit(path) for path in files if path.suffix in (".h", ".cpp")}
    edges: dict[str, set[str]] = {one: set() for one in units}
    for path, text in files.items():
        if path.suffix in (".h", ".cpp"):
            for name in re.findall(r'^#include "([^"]+)\.h"', text, re.MULTILINE):
                if name in units and name != unit(path):
                    edges[unit(path)].add(name)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    sizes: list[int] = []

    def visit(one: str) -> None:
        index[one] = low[one] = len(index)
        stack.append(one)
        for other in sorted(edges[one]):
            if other not in index:
                visit(other)
                low[one] = min(low[one], low[other])
            elif other in stack:
                low[one] = min(low[one], index[other])
        if low[one] == index[one]:
            size = len(stack) - stack.index(one)
            del stack[-size:]
            if size > 1:
                sizes.append(size)

    sys.setrecursionlimit(10_000)
    for one in sorted(units):
        if one not in index:
            visit(one)
    return sorted(sizes, reverse=True)


def methods(text: str) -> Counter[str]:
    """Class -> declarations of functions directly in it, of one header."""
    text = without_noise(text)
    count: Counter[str] = Counter()
    stack: list[str | None] = []
    start = 0
    for match in re.finditer(r"[{};]", text):
        piece, brace = text[start : match.start()].strip(), match[0]
        piece = re.sub(r"^(?:(?:public|private|protected)\s*:\s*)+", "", piece)
        owner = stack[-1] if stack else None
        if owner and brace in "{;" and "(" in piece and not piece.startswith(("using", "friend", "static_assert", "typedef")):
            head = piece.split("(")[0]
            if "=" not in head:
                count[owner] += 1
        if brace == "{":
            named = re.search(r"\b(?:class|struct)\s+(?:\[\[[^\]]*\]\]\s*)?(\w+)(?:\s+final)?\s*(?::[^:].*)?$", piece, re.DOTALL)
            stack.append(named[1] if named and "(" not in piece.split(":")[0] else None)
        elif brace == "}" and stack:
            stack.pop()
        start = match.end()
    return count


def large_classes(files: dict[Path, str]) -> list[tuple[int, str, Path]]:
    """Methods, name and header of each, the largest first."""
    found = [(number, name, path) for path, text in files.items() if path.suffix == ".h" for name, number in methods(text).items()]
    return sorted((one for one in found if one[0] > MOST_METHODS), reverse=True)


def opcodes(files: dict[Path, str]) -> dict[str, int]:
    """Mentions in each file outside dialects/ that has some."""
    found = {path.as_posix(): len(OPCODE.findall(text)) for path, text in files.items() if path.parts[0] != "dialects"}
    return {path: number for path, number in found.items() if number}


def allowed_opcodes() -> dict[str, tuple[int, str]]:
    rows = (line.split("\t") for line in OPCODES.read_text(encoding="utf-8").splitlines())
    return {path: (int(number), reason) for path, number, reason in rows}


def opcodes_beyond(found: dict[str, int]) -> list[str]:
    """What the list does not allow: more than before, and a list that allows more than there is."""
    allowed = allowed_opcodes()
    told = [f"{path}: no reason is given (tools/opcodes.tsv)" for path, (_, reason) in allowed.items() if not reason.strip()]
    for path in sorted({*found, *allowed}):
        number, most = found.get(path, 0), allowed.get(path, (0, ""))[0]
        if number > most:
            told.append(f"{path} names opcodes {number} times, at most {most} (tools/opcodes.tsv): ask a trait of the row (ir/op_traits.h)")
        elif number < most:
            told.append(f"{path} names opcodes {number} times, tools/opcodes.tsv allows {most}: tools/house.py --write lowers it")
    return told


def lower_opcodes(found: dict[str, int]) -> None:
    rows = ((path, min(most, found.get(path, 0)), reason) for path, (most, reason) in allowed_opcodes().items())
    OPCODES.write_text("".join(f"{path}\t{number}\t{reason}\n" for path, number, reason in rows if number), encoding="utf-8")


def measures(files: dict[Path, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for op in OPS:
        found[f"places by hand, {op}"] = places(files, rf"\b{re.escape(op)}\b|\b{op.replace('.', '_')}\b")
    for option, pattern in {**OPTIONS, **COMMANDS}.items():
        found[f"places by hand, {option}"] = places(files, pattern)
    found[f"places by hand, the debugger's {COMMAND}"] = places(files, rf'"{COMMAND}"|\bdo_{COMMAND}\b')
    sizes = cycles(files)
    found["include cycles"] = len(sizes)
    found["units in the largest include cycle"] = sizes[0] if sizes else 0
    found["mentions of opcodes outside dialects/"] = sum(opcodes(files).values())
    classes: Counter[str] = Counter()
    for path, text in files.items():
        if path.suffix == ".h":
            for name, number in methods(text).items():
                classes[name] = max(classes[name], number)
    found[f"classes of more than {MOST_METHODS} methods"] = sum(number > MOST_METHODS for number in classes.values())
    found["methods of the largest class"] = max(classes.values())
    folders = Counter(path.parent for path in files)
    found[f"folders of more than {MOST_FILES} files"] = sum(number > MOST_FILES for number in folders.values())
    found["files in the largest folder"] = max(folders.values())
    headers = {unit(path) for path in files if path.suffix == ".h"}
    found["sources without a header of their name"] = sum(path.suffix == ".cpp" and unit(path) not in headers for path in files)
    tops = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "build")) and path.name not in ("dist", "__pycache__")]
    found["folders at the top level"] = len(tops)
    found["lines of product C++"] = sum(text.count("\n") for path, text in files.items() if path.suffix in (".cpp", ".h", ".def"))
    return found


HELD = re.compile(r"^(?!lines)")  # lines are shown, not held


def main() -> int:
    if "--classes" in sys.argv:
        for number, name, path in large_classes(product()):
            print(f"{number:7d}  {name}  {path}")
        return 0
    files = product()
    now = measures(files)
    limits = dict(line.rsplit("\t", 1) for line in LIMITS.read_text(encoding="utf-8").splitlines()) if LIMITS.exists() else {}
    if "--write" in sys.argv:
        lower_opcodes(opcodes(files))
    worse = opcodes_beyond(opcodes(files))
    worse += [f"{name}: {value}, at most {limits[name]} (tools/house.tsv)" for name, value in now.items() if HELD.match(name) and value > int(limits.get(name, value))]
    if "--check" not in sys.argv:
        for name, value in now.items():
            print(f"{value:7d}  {name}")
    for line in worse:
        print(f"house: {line}")
    if "--write" in sys.argv and not worse:
        LIMITS.write_text("".join(f"{name}\t{value}\n" for name, value in now.items() if HELD.match(name)), encoding="utf-8")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
