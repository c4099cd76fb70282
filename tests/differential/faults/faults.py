#!/usr/bin/env python3
"""Planted faults: a hundred changes of kernels that make them wrong, and how many of them an enclosure finds.

    faults.py --lockstep PROGRAM [--only NUMBER ...] [--jobs N] [--verbose]  runs them; exit 1 below 95 found
    faults.py --lockstep PROGRAM --draw                                       prints the hundred again from their seeds

A fault is (kernel, operator, place), drawn by a seed: the operator rewrites one op of the kernel's TTIR. The changed
kernel runs in the interpreter; its outputs are held against the *unchanged* kernel's enclosure. Found means that some
element lies outside of it. A change whose outputs are the same bytes as the unchanged kernel's on these inputs
changes nothing there (faults.json says so, with the seed that came instead): it is no fault that any test on the
outputs could find. What enclosures do not find is listed with what it is. The seeds were fixed before the enclosures
were tuned.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WANTED = 100
LEAST_FOUND = 95


@dataclass
class Launch:
    name: str
    target: str  # FILE.py::KERNEL
    grid: str
    arguments: dict[str, str]
    constants: dict[str, object]
    outputs: list[str]


def launches() -> list[Launch]:
    found = []
    for one in json.loads((ROOT / "examples" / "launches.json").read_text())["launches"]:
        if one["name"] == "softmax":  # fewer rows: the same kernel
            one["arguments"] |= {"x": "randn:f32[40,781]", "out": "empty:f32[40,781]", "rows": "40"}
        found.append(
            Launch(
                one["name"],
                f"{one['file']}::{one['kernel']}",
                one["grid"],
                one["arguments"],
                one["constants"],
                one["outputs"],
            )
        )
    for one in json.loads((HERE / "launches.json").read_text())["launches"]:
        target = f"tests/differential/faults/kernels.py::{one['name']}"
        found.append(Launch(one["name"], target, one["grid"], one["arguments"], one["constants"], one["outputs"]))
    return found


# ---- operators: lines of TTIR in, changed lines out ----

OP = re.compile(r"^(?P<indent>\s*)(?P<result>%[\w#:]+) = (?P<op>[\w.]+) (?P<rest>.*)$")


def replaced_uses(lines: list[str], at: int, value: str, by: str) -> list[str]:
    """Every use of `value` behind line `at` becomes `by`."""
    pattern = re.compile(re.escape(value) + r"(?![\w#:])")
    return lines[: at + 1] + [pattern.sub(by, line) for line in lines[at + 1 :]]


def places(lines: list[str], op: str) -> list[int]:
    """Lines of an op that are not in the region of a reduction or scan."""
    found, depth = [], 0
    for i, line in enumerate(lines):
        if re.search(r'"tt\.(reduce|scan)"', line):
            depth += 1
        matched = OP.match(line)
        if depth == 0 and matched and matched["op"] == op:
            found.append(i)
        if depth and line.lstrip().startswith("})"):
            depth -= 1
    return found


def operands(line: str) -> list[str]:
    return re.findall(r"%[\w#]+", line.split(" = ", 1)[1].split(" : ")[0])


def drop_term(lines, draw):
    """a + b becomes a."""
    found = [i for op in ("arith.addf", "arith.subf") for i in places(lines, op)]
    return via_operand(lines, draw, found)


def missing_rescale(lines, draw):
    """a * b becomes a, or b."""
    return via_operand(lines, draw, places(lines, "arith.mulf"))


def missing_division(lines, draw):
    """a / b becomes a."""
    return via_operand(lines, draw, places(lines, "arith.divf"), first=True)


def via_operand(lines, draw, found, first=False):
    if not found:
        return None
    at = draw.choice(found)
    by = operands(lines[at])[0 if first else draw.randrange(2)]
    return replaced_uses(lines, at, OP.match(lines[at])["result"], by)


def swap_operands(lines, draw):
    """a - b becomes b - a, a / b becomes b / a."""
    found = [i for op in ("arith.subf", "arith.divf") for i in places(lines, op)]
    return swapped(lines, draw.choice(found), 0, 1) if found else None


def swap_sides(lines, draw):
    """where(c, a, b) becomes where(c, b, a)."""
    found = places(lines, "arith.select")
    return swapped(lines, draw.choice(found), 1, 2) if found else None


def swapped(lines, at, i, j):
    names = operands(lines[at])
    if names[i] == names[j]:
        return None
    head, tail = lines[at].split(" = ", 1)
    a, b = (re.compile(re.escape(names[k]) + r"(?![\w#])") for k in (i, j))
    tail = b.sub("%\0", a.sub("%\1", tail, count=1), count=1).replace("%\1", names[j]).replace("%\0", names[i])
    return [*lines[:at], f"{head} = {tail}", *lines[at + 1 :]]


def rename(pairs):
    """The first op of a pair becomes the second."""

    def operator(lines, draw):
        found = [
            (i, old, new)
            for old, new in pairs
            for i, line in enumerate(lines)
            if re.search(re.escape(old) + r"(?!\w)", line)
        ]
        if not found:
            return None
        at, old, new = draw.choice(found)
        return [*lines[:at], re.sub(re.escape(old) + r"(?!\w)", new, lines[at], count=1), *lines[at + 1 :]]

    return operator


wrong_predicate = rename(
    [
        ("cmpi slt,", "cmpi sle,"),
        ("cmpi slt,", "cmpi sgt,"),
        ("cmpi sge,", "cmpi sgt,"),
        ("cmpi sge,", "cmpi sle,"),
        ("cmpf ogt,", "cmpf olt,"),
    ]
)
wrong_function = rename(
    [
        ("math.exp ", "math.exp2 "),
        ("math.exp2 ", "math.exp "),
        ("math.rsqrt ", "math.sqrt "),
        ("math.sqrt ", "math.rsqrt "),
        ("math.log ", "math.log2 "),
        ("math.erf ", "math.tanh "),
    ]
)
wrong_reduction = rename(
    [
        ("arith.maxnumf", "arith.minnumf"),
        ("arith.maxnumf", "arith.addf"),
        ("arith.addf", "arith.maxnumf"),
        ("arith.maximumf", "arith.minimumf"),
    ]
)
wrong_arithmetic = rename([("arith.addf", "arith.subf"), ("arith.subf", "arith.addf"), ("arith.mulf", "arith.addf")])


def wrong_mask(lines, draw):
    """A mask whose limit is one less, or one more: the constant or splat that it is compared with."""
    found = [i for i in places(lines, "arith.cmpi") if "tensor<" in lines[i]]
    if not found:
        return None
    at = draw.choice(found)
    matched = OP.match(lines[at])
    shape = re.search(r": (tensor<[\w]+>)", lines[at])
    if not shape:
        return None
    value = draw.choice([1, -1])
    names = operands(lines[at])
    extra = [
        f"{matched['indent']}%fault_one = arith.constant dense<{value}> : {shape[1]}",
        f"{matched['indent']}%fault_limit = arith.addi {names[1]}, %fault_one : {shape[1]}",
    ]
    changed = re.sub(re.escape(names[1]) + r"(?![\w#])(?=[^=]*:)", "%fault_limit", lines[at].split(" = ", 1)[1])
    return [*lines[:at], *extra, f"{matched['indent']}{matched['result']} = {changed}", *lines[at + 1 :]]


def off_by_one(lines, draw):
    """A loop starts one step late or ends one step early."""
    found = [i for i, line in enumerate(lines) if re.search(r"scf\.for .* = (%\w+) to (%\w+) step (%\w+)", line)]
    if not found:
        return None
    at = draw.choice(found)
    start, end, step = re.search(r"= (%\w+) to (%\w+) step (%\w+)", lines[at]).groups()
    indent = re.match(r"\s*", lines[at])[0]
    kind = re.search(r"\) : (i\d+) \{|: (i\d+) \{", lines[at])
    kind = (kind[1] or kind[2]) if kind else "i32"
    if draw.randrange(2):
        extra = f"{indent}%fault_bound = arith.addi {start}, {step} : {kind}"
        line = lines[at].replace(f"= {start} to", "= %fault_bound to")
    else:
        extra = f"{indent}%fault_bound = arith.subi {end}, {step} : {kind}"
        line = lines[at].replace(f"to {end} step", "to %fault_bound step")
    return [*lines[:at], extra, line, *lines[at + 1 :]]


def shifted_index(lines, draw):
    """An address is one element further."""
    found = [i for i in places(lines, "tt.addptr") if "tensor<" in lines[i]]
    if not found:
        return None
    at = draw.choice(found)
    matched = OP.match(lines[at])
    pointer, offset = operands(lines[at])[:2]
    kind = re.findall(r"tensor<[^ ,]*>+|tensor<[\w]+>", lines[at])[-1]
    one = f"{matched['indent']}%fault_one = arith.constant dense<-1> : {kind}"
    moved = f"{matched['indent']}%fault_index = arith.maxsi %fault_moved, %fault_zero : {kind}"
    zero = f"{matched['indent']}%fault_zero = arith.constant dense<0> : {kind}"
    add = f"{matched['indent']}%fault_moved = arith.addi {offset}, %fault_one : {kind}"
    line = re.sub(re.escape(offset) + r"(?![\w#])", "%fault_index", lines[at])
    return [*lines[:at], one, zero, add, moved, line, *lines[at + 1 :]] if pointer != offset else None


def low_precision(kind):
    """What an op makes goes through a narrower type: an accumulator, a product, a sum."""

    def operator(lines, draw):
        found = [
            i
            for op in ("tt.dot", "arith.addf", "arith.mulf", "arith.subf", "arith.divf", "math.exp")
            for i in places(lines, op)
        ]
        found = [i for i in found if re.search(r"(tensor<[\dx]*xf32>|f32)(?= loc|$)", lines[i])]
        if not found:
            return None
        at = draw.choice(found)
        matched = OP.match(lines[at])
        wide = re.search(r"(tensor<[\dx]*xf32>|f32)(?= loc|$)", lines[at])[1]
        narrow = wide.replace("f32", kind)
        made = f"{matched['indent']}%fault_narrow = arith.truncf {matched['result']} : {wide} to {narrow}"
        back = f"{matched['indent']}%fault_wide = arith.extf %fault_narrow : {narrow} to {wide}"
        changed = replaced_uses(lines, at, matched["result"], "%fault_wide")
        return [*changed[: at + 1], made, back, *changed[at + 1 :]]

    return operator


def wrong_constant(lines, draw):
    """A float constant is one percent larger."""
    found = [
        i
        for i in places(lines, "arith.constant")
        if re.search(r"(dense<|constant )-?\d+\.\d+e?[-+\d]*", lines[i]) and "0.000000e+00" not in lines[i]
    ]
    if not found:
        return None
    at = draw.choice(found)
    number = re.search(r"(?:dense<|constant )(-?\d+\.\d+(?:[eE][-+]?\d+)?)", lines[at])[1]
    return [*lines[:at], lines[at].replace(number, f"{float(number) * 1.01:.8e}", 1), *lines[at + 1 :]]


OPERATORS = {
    "dropped term": drop_term,
    "missing rescale": missing_rescale,
    "missing division": missing_division,
    "swapped operands": swap_operands,
    "swapped sides of a selection": swap_sides,
    "wrong predicate": wrong_predicate,
    "wrong function": wrong_function,
    "wrong reduction": wrong_reduction,
    "wrong arithmetic": wrong_arithmetic,
    "wrong mask": wrong_mask,
    "off-by-one bound": off_by_one,
    "shifted index": shifted_index,
    "low-precision value (f16)": low_precision("f16"),
    "low-precision value (bf16)": low_precision("bf16"),
    "wrong constant": wrong_constant,
}


# ---- running ----


class Harness:
    """Original kernels, their texts and outputs, by launch; files in one folder."""

    def __init__(self, lockstep: str, folder: Path):
        self.lockstep, self.folder = lockstep, folder
        self.launches = launches()
        self.texts: dict[str, list[str]] = {}
        self.before: dict[str, list[Path]] = {}
        self.lock = threading.Lock()

    def call(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.lockstep, *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
        )

    def number(self, launch: Launch, name: str) -> str:
        """The name of a parameter in the text, where they are numbered."""
        return f"arg{list(launch.arguments).index(name)}"

    def words(self, launch: Launch) -> list[str]:
        grid = launch.grid
        for name, text in launch.arguments.items():
            grid = re.sub(rf"\b{name}\b", text, grid) if "[" not in text else grid
        return ["--grid", grid, *(f"{self.number(launch, name)}={text}" for name, text in launch.arguments.items())]

    def text(self, launch: Launch) -> list[str]:
        if launch.name not in self.texts:
            pointer = {name: text.split(":")[1].split("[")[0] for name, text in launch.arguments.items() if "[" in text}
            short = {"f32": "fp32", "f16": "fp16", "bf16": "bf16", "i64": "i64"}
            kinds = {name: "*" + short[kind] for name, kind in pointer.items()}
            for name, text in launch.arguments.items():
                if name not in kinds:
                    kinds[name] = "fp32" if re.search(r"[.e]", text) else "i32"
            signature = ",".join(f"{name}={kind}" for name, kind in kinds.items())
            constants = [f"{name}={value}" for name, value in launch.constants.items()]
            done = self.call("emit", launch.target, "--sig", signature, *constants)
            assert done.returncode == 0, done.stderr
            self.texts[launch.name] = done.stdout.splitlines()
        return self.texts[launch.name]

    def outputs(self, launch: Launch, text: list[str], stem: str) -> list[Path] | str:
        """The files that a kernel's outputs were saved to, or what went wrong."""
        path = self.folder / f"{stem}.ttir"
        path.write_text("\n".join(text) + "\n")
        saved = [self.folder / f"{stem}.{name}.npy" for name in launch.outputs]
        save = [
            word
            for name, file in zip(launch.outputs, saved)
            for word in ("--save", f"{self.number(launch, name)}=@{file}")
        ]
        done = self.call(
            "run", str(path), *self.words(launch), *save, "--fail-on", "none", "--threads", "1", "--timeout", "20"
        )
        return saved if done.returncode == 0 else (done.stderr or done.stdout)[-300:]

    def unchanged(self, launch: Launch) -> list[Path]:
        with self.lock:
            if launch.name not in self.before:
                self.before[launch.name] = self.outputs(launch, self.text(launch), f"{launch.name}.before")
            return self.before[launch.name]

    def is_found(self, launch: Launch, saved: list[Path]) -> tuple[bool, float]:
        path = self.folder / f"{launch.name}.original.ttir"
        with self.lock:  # another seed of this launch must not read half of the text
            if not path.exists():
                path.write_text("\n".join(self.text(launch)) + "\n")
        against = [
            word
            for name, file in zip(launch.outputs, saved)
            for word in ("--against", f"{self.number(launch, name)}=@{file}")
        ]
        done = self.call("enclose", str(path), *self.words(launch), "--json", *against)
        assert "{" in done.stdout, f"{launch.name}: exit code {done.returncode}: {done.stderr}"
        report = json.loads(done.stdout[done.stdout.index("{") :])
        worst = max((one["worst"]["ulp"] or 1e300 for one in report["verdicts"] if one["worst"]), default=0)
        return done.returncode == 1 and worst > 0, worst

    def attempt(self, seed: int) -> dict:
        """What a seed's change is and what became of it."""
        draw = random.Random(seed)
        launch = draw.choice(self.launches)
        name = draw.choice(list(OPERATORS))
        original = self.text(launch)
        changed = OPERATORS[name](original, draw)
        about = {"seed": seed, "kernel": launch.name, "operator": name}
        if changed is None or changed == original:
            return about | {"result": "no place"}
        about["line"] = next(
            line.strip().split(" loc(")[0] for line, old in zip(changed, [*original, ""]) if line != old
        )
        saved = self.outputs(launch, changed, f"{seed}")
        if isinstance(saved, str):
            return about | {"result": "does not run", "why": saved.strip().splitlines()[0][:160]}
        before = self.unchanged(launch)
        if all(a.read_bytes() == b.read_bytes() for a, b in zip(saved, before)):
            return about | {"result": "equivalent"}
        found, worst = self.is_found(launch, saved)
        return about | {"result": "found" if found else "missed", "ulp": float(f"{worst:.3g}")}


def draw_all(harness: Harness) -> list[dict]:
    """Seeds from 0 on until a hundred faults are there; those that are none are kept with their reason."""
    drawn, faults, seed = [], 0, 0
    while faults < WANTED:
        one = harness.attempt(seed)
        seed += 1
        if one["result"] == "no place":
            continue
        drawn.append(one)
        faults += one["result"] in ("found", "missed")
    return drawn


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lockstep", default="build/lockstep")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        harness = Harness(str(Path(options.lockstep).resolve()), Path(folder))
        if options.draw:
            drawn = draw_all(harness)
            kept = [
                {key: value for key, value in one.items() if key not in ("ulp", "result")}
                | ({} if one["result"] in ("found", "missed") else {"not_a_fault": one["result"]})
                for one in drawn
            ]
            print("[\n" + ",\n".join(json.dumps(one) for one in kept) + "\n]")
            return 0
        listed = [one for one in json.loads((HERE / "faults.json").read_text()) if "not_a_fault" not in one]
        listed = [one for one in listed if not options.only or one["seed"] in options.only]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(harness.attempt, [one["seed"] for one in listed]))
    found = 0
    for expected, one in zip(listed, results):
        same = expected["line"] == one.get("line") and one["result"] in ("found", "missed")
        found += one["result"] == "found"
        if not same:
            print(f"seed {one['seed']}: the fault is not what faults.json says: {one}")
            return 1
        if options.verbose or one["result"] == "missed":
            print(
                f"{one['result']}: seed {one['seed']}, {one['kernel']}, {one['operator']}: {one['line']} "
                f"({one['ulp']:g} ULP outside)"
            )
    print(f"{found} of {len(results)} faults lie outside of the enclosures")
    return 0 if options.only or (len(results) == WANTED and found >= LEAST_FOUND) else 1


if __name__ == "__main__":
    sys.exit(main())
