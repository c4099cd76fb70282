"""Compares warnings about barriers (LS308, LS401 to LS403, LS405) with the PTX that the installed Triton makes.

    lockstep run kernel.py::f ... --check lanes --report json=report.json
    lockstep emit kernel.py::f --sig ... --locations > kernel.ttir
    python -m lockstep.ptx_witness report.json kernel.ttir

Needs Triton, no GPU and no ptxas: compilation ends at PTX. "confirmed" means that there is no `bar.sync` between the two lines'
memory instructions in this PTX. Other versions, targets or numbers of warps may differ. An instruction that the compiler
moved or dropped counts as missing. Of several paths, the one with the fewest barriers counts.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

# : Findings that a barrier would fix.
BARRIER_CODES = {"LS308", "LS401", "LS402", "LS403", "LS405"}
LINE = re.compile(r"^\s*\.loc\s+(?P<file>\d+)\s+(?P<line>\d+)\s+\d+(?P<rest>.*)$")
CALLED_AT = re.compile(r"inlined_at\s+(?P<file>\d+)\s+(?P<line>\d+)")
MEMORY = re.compile(r"^\s*(?:@!?%\S+\s+)?(?P<name>(?:ld|st|atom|red)\.(?!param|shared|local)[\w.:]+)")
BARRIER = re.compile(r"^\s*(?:@!?%\S+\s+)?(?P<name>bar(?:rier)?\.sync[\w.]*)")
LABEL = re.compile(r"^(?P<name>\$L\w+):")
BRANCH = re.compile(r"^\s*(?:@!?%\S+\s+)?bra(?:\.uni)?\s+(?P<name>\$L\w+);")


@dataclass(frozen=True)
class Instruction:
    """A memory instruction or a barrier; `line` is the kernel's, 0 where unknown."""

    at: int
    name: str
    line: int

    @property
    def is_barrier(self) -> bool:
        return self.name.startswith("bar")


@dataclass(frozen=True)
class Witness:
    """What the PTX shows about two lines: confirmed, refuted (a barrier is there), or missing."""

    verdict: str
    text: str


class Listing:
    """The memory instructions, barriers and backward branches of one PTX text, in order."""

    def __init__(self, ptx: str) -> None:
        self.instructions: list[Instruction] = []
        self.loops: list[tuple[int, int]] = []  # label, branch back to it
        labels: dict[str, int] = {}
        line = 0
        for at, text in enumerate(ptx.splitlines()):
            if match := LINE.match(text):
                calls = CALLED_AT.findall(match["rest"])
                line = int(calls[-1][1] if calls else match["line"])
            elif match := LABEL.match(text):
                labels[match["name"]] = at
            elif match := BRANCH.match(text):
                if match["name"] in labels:
                    self.loops.append((labels[match["name"]], at))
            elif match := MEMORY.match(text) or BARRIER.match(text):
                self.instructions.append(Instruction(at, match["name"], line))

    def memory_at(self, line: int) -> list[Instruction]:
        return [one for one in self.instructions if one.line == line and not one.is_barrier]

    def barriers_between(self, begin: int, end: int) -> list[Instruction]:
        return [one for one in self.instructions if one.is_barrier and begin < one.at < end]

    def judge(self, first: int, second: int) -> Witness:
        """Whether a barrier is between the memory access of line `first` and a later one of line `second`."""
        before, after = self.memory_at(first), self.memory_at(second)
        if not before or not after:
            return Witness("missing", f"line {second if before else first} has no memory instruction of its own")
        ways = [way for one in before if (way := self.way(one, after)) is not None]
        if not ways:
            return Witness("missing", f"nothing leads from line {first} to line {second}")
        last, next_, barriers = min(ways, key=lambda way: len(way[2]))
        what = f"{last.name} of line {first} and {next_.name} of line {second}"
        if barriers:
            return Witness("refuted", f"{barriers[0].name} stands between {what}")
        return Witness("confirmed", f"no bar.sync between {what}")

    def way(self, last: Instruction, after: list[Instruction]) -> tuple[Instruction, Instruction, list[Instruction]] | None:
        """The path from an instruction to the next of `after`: straight on (unrolled loops, too), or once around a loop."""
        for one in after:
            if last.at < one.at:
                return last, one, self.barriers_between(last.at, one.at)
        for begin, end in self.loops:
            if begin < after[0].at and last.at < end:
                return last, after[0], self.barriers_between(last.at, end) + self.barriers_between(begin, after[0].at)
        return None


def ptx_of(ttir: Path, capability: int = 90, num_warps: int = 4) -> str:
    """The PTX that the installed Triton compiles from a TTIR file."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.backends.nvidia.compiler import CUDABackend
    from triton.compiler.compiler import IRSource

    from lockstep.triton_backend import versions

    class NvidiaBackend(CUDABackend):
        """While Lockstep is Triton's backend, the plain one refuses its own targets."""

        @staticmethod
        def supports_target(target: GPUTarget) -> bool:
            return target.backend == "cuda"

    target = GPUTarget("cuda", capability, 32)
    backend = NvidiaBackend(target)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = IRSource(str(ttir), context, backend)
    options = backend.parse_options({**source.parse_options(), "num_warps": num_warps})
    stages: dict = {}
    backend.add_stages(stages, options, source.language)
    functions = backend.get_codegen_implementation(options)
    module = versions.make_ir(source, target, options, functions, backend.get_module_map(), context)
    metadata = {"target": target, **options.__dict__}
    for stage in ("ttir", "ttgir", "llir", "ptx"):
        module = stages[stage](module, metadata)
    return str(module)


def judge_report(report: dict, listing: Listing) -> list[tuple[dict, Witness]]:
    """The findings of a JSON report that a barrier would fix, each with the PTX's answer."""
    judged = []
    for finding in report["findings"]:
        if finding["code"] not in BARRIER_CODES or not finding["notes"] or not finding["line"]:
            continue
        judged.append((finding, listing.judge(finding["notes"][-1]["line"], finding["line"])))
    return judged


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lockstep.ptx_witness", description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="the file of lockstep run --report json=FILE")
    parser.add_argument("ttir", type=Path, help="of lockstep emit --locations")
    parser.add_argument("--capability", type=int, default=90)
    parser.add_argument("--num-warps", type=int, default=4)
    options = parser.parse_args(words)
    import triton

    listing = Listing(ptx_of(options.ttir, options.capability, options.num_warps))
    judged = judge_report(json.loads(options.report.read_text(encoding="utf-8")), listing)
    where = f"PTX of triton {triton.__version__} for sm_{options.capability}, {options.num_warps} warps"
    for finding, witness in judged:
        print(f"{finding['code']} line {finding['line']}: {witness.verdict}: {witness.text} ({where})")
    if not judged:
        print("no finding that a barrier would fix")
    return 0


if __name__ == "__main__":
    sys.exit(main())
