"""Faults planted in kernels that Inductor wrote: a change of one place of the text, chosen by a seed.

Kinds: mask (a bound one less, a mask left out), index (a stride or an offset), reduction (another operation, another neutral element, another
divisor), dtype (a step in bf16), upcast (a load of bf16 that is not widened)."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any

KINDS = ("mask", "index", "reduction", "dtype", "upcast")


@dataclass(frozen=True)
class Mutation:
    """A line of a kernel that becomes another."""

    kind: str
    kernel: str
    line: int  # of the kernel's file, from 1
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.kernel}:{self.line}: {self.before.strip()} -> {self.after.strip()}"


def _mask(line: str) -> list[str]:
    found = [re.sub(r"< (xnumel|ynumel|r0_numel)", rf"< \1 - 1", line)] if re.search(r"mask = \w+ < \w+numel", line) else []
    if "tl.store(" in line and re.search(r", (\w+mask)\)$", line):
        found.append(re.sub(r", (\w+mask)\)$", ", None)", line))
    if "tl.where(" in line and "mask" in line:
        found.append(re.sub(r"tl\.where\(.*?, (\w+), (\S+)\)", r"\1", line))
    return found


def _index(line: str) -> list[str]:
    if not re.search(r"tl\.(load|store)\(\w+ \+ \(", line):
        return []
    found = [line[: one.start()] + f"{int(one[1]) + 1}*" + line[one.end() :] for one in re.finditer(r"(\d+)\*", line)]
    place = re.search(r"tl\.(?:load|store)\(\w+ \+ \(", line)
    found += [line[: place.end()] + "1 + " + line[place.end() :]] if place and "tl.full" not in line else []
    return found


def _reduction(line: str) -> list[str]:
    found = []
    if "tl.sum(" in line:
        found.append(line.replace("tl.sum(", "triton_helpers.max2("))
    if re.search(r"triton_helpers\.max2\(", line):
        found.append(line.replace("triton_helpers.max2(", "triton_helpers.min2("))
    if re.search(r"tl\.where\(.*mask.*, 0\)", line):
        found.append(re.sub(r", 0\)", ", 1)", line))
    divisor = re.search(r"tl\.full\(\[[^\]]*\], (\d+\.\d+), tl\.float32\)", line)
    if divisor and float(divisor[1]) > 1:
        found.append(line.replace(divisor[1], str(float(divisor[1]) + 1)))
    return found


def _dtype(line: str) -> list[str]:
    step = re.match(r"    (tmp\d+) = ((?:tmp\d+|\(tmp\d+) [-+*/] .*|libdevice\.\w+\(tmp\d+\)|tl_math\.\w+\(tmp\d+\))$", line)
    return [f"    {step[1]} = ({step[2]}).to(tl.bfloat16).to(tl.float32)"] if step else []


def _upcast(line: str) -> list[str]:
    return [line.replace(").to(tl.float32)", ")")] if re.search(r"tl\.load\(.*\)\.to\(tl\.float32\)$", line) else []


_FINDERS = {"mask": _mask, "index": _index, "reduction": _reduction, "dtype": _dtype, "upcast": _upcast}


def all_of(kernel: str, source: str) -> list[Mutation]:
    """Every change that a kernel's text allows."""
    found = []
    lines = source.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("def "))
    for number, line in enumerate(lines[begin:], begin + 1):
        for kind, finder in _FINDERS.items():
            found += [Mutation(kind, kernel, number, line, after) for after in finder(line) if after != line]
    return found


def chosen(kernels: dict[str, str], count: int, seed: int) -> list[Mutation]:
    """So many changes of kernels (name -> text), the kinds in turn, each by the seed's generator; none twice."""
    draw = random.Random(seed)
    by_kind: dict[str, list[Mutation]] = {kind: [] for kind in KINDS}
    for name in sorted(kernels):
        for one in all_of(name, kernels[name]):
            by_kind[one.kind].append(one)
    for group in by_kind.values():
        draw.shuffle(group)
    taken: list[Mutation] = []
    while len(taken) < count and any(by_kind.values()):
        for kind in KINDS:
            if by_kind[kind] and len(taken) < count:
                taken.append(by_kind[kind].pop())
    return taken


def modules() -> list[Any]:
    """Inductor's generated modules of this process that have a `call`."""
    from torch._inductor.codecache import PyCodeCache

    return [one for one in PyCodeCache.modules if hasattr(one, "call")]


def kernels() -> dict[str, tuple[Any, str, str]]:
    """Name of each generated kernel -> its module, its name there, its text."""
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    found = {}
    for number, module in enumerate(modules()):
        for name, value in vars(module).items():
            if isinstance(value, CachingAutotuner):
                with open(value.filename or value.fn.__code__.co_filename, encoding="utf-8") as file:
                    found[f"{number}.{name}"] = (module, name, file.read())
    return found


def planted(mutation: Mutation, known: dict[str, tuple[Any, str, str]]) -> tuple[Any, str, Any]:
    """The module, the kernel's name in it and the changed kernel, compiled. Restore with setattr."""
    from torch._inductor.async_compile import AsyncCompile

    module, name, source = known[mutation.kernel]
    lines = source.splitlines()
    lines[mutation.line - 1] = mutation.after
    return module, name, AsyncCompile().triton(name, "\n".join(lines) + "\n", device_str="cuda")
