#!/usr/bin/env python3
"""Faults planted in the outputs of Triton's passes: does `lockstep stages` name the pass?

  planted.py [--seeds 0-99] [--kinds WORD] [--list]

A seed chooses a launch (LAUNCHES), a GPU, warps and stages, a pass whose output Lockstep executes, a kind of fault (FAULTS)
and one place in the text. The changed text takes the pass's place, and the passes behind it continue from there. Outcomes:

  named      this pass is the first wrong, by an element outside of its bounds or by a finding
  elsewhere  another pass is named
  missed     no pass is named, though the planted text leaves other bytes than the pass's own output
  refused    Triton's verifier does not take the text, so no pass could have made it; another place is drawn, 60 times at most
  no effect  the planted text leaves the same bytes: on this launch it is no fault

Exit code 1: fewer than 95 % of the faults that have an effect are named. Needs Triton and the package of this build
(PYTHONPATH); LOCKSTEP_COMMAND names the command."""

from __future__ import annotations

import argparse
import collections
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from lockstep.pipeline import judging, stages

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LAUNCHES = [
    "softmax.py::softmax --grid rows x=randn:f32[6,100] out=empty:f32[6,100] x_stride=100 out_stride=100 rows=6 columns=100 BLOCK=128",
    "vector_add.py::vector_add --grid 4 x=randn:f32[500] y=randn:f32[500] out=empty:f32[500] n=500 BLOCK=128",
    "layer_norm.py::layer_norm --grid rows x=randn:f16[6,100] weight=rand:f16[100] bias=randn:f16[100] out=empty:f16[6,100] "
    "mean=empty:f32[6] rstd=empty:f32[6] x_stride=100 rows=6 columns=100 eps=1e-5 BLOCK=128",
    "matmul.py::matmul --grid 6 a=randn:f16[70,60] b=randn:f16[60,40] out=empty:f16[70,40] m=70 n=40 k=60 a_row=60 a_column=1 "
    "b_row=40 b_column=1 out_row=40 out_column=1 TILE_M=32 TILE_N=32 TILE_K=32 GROUP=2",
    "matmul.py::matmul --grid 2 a=randn:f16[64,200] b=randn:f16[200,128] out=empty:f16[64,128] m=64 n=128 k=200 a_row=200 a_column=1 "
    "b_row=128 b_column=1 out_row=128 out_column=1 TILE_M=64 TILE_N=64 TILE_K=32 GROUP=1",
    "matmul.py::matmul --grid 1 a=randn:f16[64,256] b=randn:f16[256,64] out=empty:f16[64,64] m=64 n=64 k=256 a_row=256 a_column=1 "
    "b_row=64 b_column=1 out_row=64 out_column=1 TILE_M=64 TILE_N=64 TILE_K=64 GROUP=1",
    "matmul.py::matmul --grid 1 a=randn:f32[32,199] b=randn:f32[199,32] out=empty:f32[32,32] m=32 n=32 k=199 a_row=199 a_column=1 "
    "b_row=32 b_column=1 out_row=32 out_column=1 TILE_M=32 TILE_N=32 TILE_K=32 GROUP=1",
    "splitk_matmul.py::splitk_matmul --grid 6,2 a=randn:f16[70,60] b=randn:f16[60,40] out=zeros:f32[70,40] m=70 n=40 k=60 TILE_M=32 "
    "TILE_N=32 TILE_K=32 SPLIT=2",
]  # fmt: skip


def replaced(pattern: str, by: Callable[[re.Match[str]], str]) -> Callable[[str], Iterator[str]]:
    """Every text with one match of the pattern replaced."""

    def changes(text: str) -> Iterator[str]:
        for match in re.finditer(pattern, text, re.MULTILINE):
            made = by(match)
            if made != match.group():
                yield text[: match.start()] + made + text[match.end() :]

    return changes


def without_line(pattern: str) -> Callable[[str], Iterator[str]]:
    return replaced(rf"^.*{pattern}.*\n", lambda match: "")


def swapped_pair(match: re.Match[str]) -> str:
    first, second = match["first"], match["second"]
    return match.group().replace(f"{first}, {second}", f"{second}, {first}")


def next_number(match: re.Match[str]) -> str:
    return f"{match[1]}{int(match[2]) + 1}{match[3]}"


def another_buffer(text: str) -> Iterator[str]:
    """A view of one buffer shows another of the same type."""
    buffers = re.findall(r"^ *(%[\w#]+) = ttg\.local_alloc .*(!ttg\.memdesc<.*>)", text, re.MULTILINE)
    for name, kind in buffers:
        for other in (one for one, same in buffers if same == kind and one != name):
            yield from replaced(rf"(ttg\.memdesc_index ){re.escape(name)}\[", lambda m, other=other: f"{m[1]}{other}[")(text)


FAULTS: dict[str, Callable[[str], Iterator[str]]] = {
    "mask compares otherwise": replaced(r"arith\.cmpi (slt|sle)", lambda m: "arith.cmpi " + {"slt": "sle", "sle": "slt"}[m[1]]),
    "mask dropped": replaced(r"(tt\.store %[\w#]+, %[\w#]+), %[\w#]+( [:{e])", lambda m: m[1] + m[2]),
    "mask of another value": replaced(r"(arith\.andi %[\w#]+), (%[\w#]+)", lambda m: f"{m[1]}, {m[1].split()[-1]}"),
    "another op": replaced(r"arith\.(addf|addi|maxnumf|muli|mulf)\b", lambda m: "arith." + {
        "addf": "subf", "addi": "subi", "maxnumf": "minnumf", "muli": "addi", "mulf": "addf"}[m[1]]),
    "operands swapped": replaced(r"arith\.(?:subf|subi|divf|divsi|remsi|select) (?P<first>%[\w#]+), (?P<second>%[\w#]+)", swapped_pair),
    "range moved": replaced(r"end = (\d+) : i32, start = 0 : i32", lambda m: f"end = {int(m[1]) + 1} : i32, start = 1 : i32"),
    "integer constant off by one": replaced(r"(arith\.constant )([1-9]\d*)( : i32)", next_number),
    "other value of masked lanes": replaced(r"(arith\.constant dense<)0\.000000e\+00(> : tensor<)", lambda m: f"{m[1]}1.500000e+00{m[2]}"),
    "carried values swapped": replaced(r"scf\.yield (?P<first>%[\w#]+), (?P<second>%[\w#]+)", swapped_pair),
    "program of another axis": replaced(r"tt\.get_program_id x", lambda m: "tt.get_program_id y"),
    "dimension swapped": replaced(r"(tt\.expand_dims %[\w#]+ \{axis = )([01])", lambda m: m[1] + ("1" if m[2] == "0" else "0")),
    "another slot of the ring": replaced(r"(ttg\.memdesc_index %[\w#]+\[)%[\w#]+\]", lambda m: f"{m[1]}%c0_i32]"),
    "another buffer": another_buffer,
    "ring wraps early": replaced(r"(arith\.cmpi sge, %[\w#]+, %c)([2-9])(_i32)", lambda m: f"{m[1]}{int(m[2]) - 1}{m[3]}"),
    "argument less aligned": replaced(r"(tt\.func public @.*%(?:m|n|k|rows|columns|a_row|b_row|out_row|x_stride): i32)( loc|,|\))",
                                      lambda m: f"{m[1]} {{tt.divisibility = 16 : i32}}{m[2]}"),
    "copies claimed contiguous": replaced(r"(async_copy_global_to_local [^{\n]*?)( : tensor)", lambda m: f"{m[1]} {{contiguity = 8 : i32}}{m[2]}"),
    "wait dropped": without_line(r"ttg\.async_wait"),
    "wait for one less": replaced(r"(ttg\.async_wait .*\{num = )(\d+)( : i32)", next_number),
    "copy not waited for in time": replaced(r"(ttg\.async_wait .*\{num = )0( : i32)", lambda m: f"{m[1]}2{m[2]}"),
    "product not waited for": replaced(r"(ttng\.warp_group_dot_wait .*\{pendings = )(\d+)( : i32)", next_number),
    "store dropped": without_line(r"ttg\.local_store"),
}  # fmt: skip
TRIES = 60


class Planter:
    """Keeps the texts and verdicts of launches without a fault."""

    def __init__(self, folder: Path, kinds: list[str]) -> None:
        self.folder, self.kinds = folder, kinds
        self.clean: dict[str, tuple[stages.Stages, dict[str, judging.Verdict]]] = {}

    def clean_run(self, words: list[str], options: dict[str, object]) -> tuple[stages.Stages, dict[str, judging.Verdict]]:
        key = repr((words, options))
        if key not in self.clean:
            known: dict[str, judging.Verdict] = {}
            keep = self.folder / f"clean{len(self.clean)}"
            found = stages.judge_launch(words, keep=str(keep), known=known, **options)  # type: ignore[arg-type]
            assert found.first_wrong is None, found.text()
            self.clean[key] = found, known
        return self.clean[key]

    def plant(self, seed: int) -> tuple[str, str, str]:
        """(outcome, kind of fault, words) of a seed."""
        draw = random.Random(seed)
        for attempt in range(TRIES):
            words = draw.choice(LAUNCHES).split()
            words[0] = str(EXAMPLES / words[0])
            options = {"arch": draw.choice(["sm_80", "sm_90"]), "num_warps": draw.choice([1, 4, 8]), "num_stages": draw.choice([1, 3])}
            clean, known = self.clean_run(words, options)
            passes = [one for one in clean.stages if one.file and one.verdict is not None and one.verdict.kind == judging.INSIDE]
            victim = draw.choice(passes)
            kind = draw.choice(self.kinds)
            texts = list(FAULTS[kind](Path(victim.file).read_text(encoding="utf-8")))
            if not texts:
                continue
            planted = self.folder / f"planted{seed}.{Path(victim.file).suffix}"
            planted.write_text(draw.choice(texts), encoding="utf-8")
            found = stages.judge_launch(words, keep=str(self.folder / f"seed{seed}-{attempt}"), known=known,
                                        plant=(victim.number, str(planted)), **options)  # type: ignore[arg-type] # fmt: skip
            if found.failure is not None and found.failure.number == victim.number:
                continue  # refused
            where = f"{Path(words[0]).name}, {options}, pass {victim.number} {victim.name}"
            return self.outcome(found, victim), kind, where + (f": {found.first_wrong.verdict.words}" if found.first_wrong else "")
        return "refused", "", ""

    @staticmethod
    def outcome(found: stages.Stages, victim: stages.Stage) -> str:
        if found.first_wrong is not None:
            return "named" if found.first_wrong.number == victim.number else "elsewhere"
        there = next(one for one in found.stages if one.number == victim.number)
        if there.verdict is None:
            return "no effect"
        if there.verdict.kind == judging.NOT_EXECUTED:
            return "not executed"
        assert victim.verdict is not None
        return "no effect" if there.verdict.is_equal == victim.verdict.is_equal else "missed"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0-99")
    parser.add_argument("--kinds", default="", help="only kinds of faults whose name has this word: wait, ring, mask ...")
    parser.add_argument("--list", action="store_true", help="a line for each seed")
    chosen = parser.parse_args()
    first, _, last = chosen.seeds.partition("-")
    table: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        planter = Planter(Path(folder), [kind for kind in FAULTS if chosen.kinds in kind])
        for seed in range(int(first), int(last or first) + 1):
            outcome, kind, words = planter.plant(seed)
            table[kind][outcome] += 1
            if chosen.list or outcome in ("missed", "elsewhere"):
                print(f"{seed:5} {outcome}: {kind}: {words}", flush=True)
    for kind, counts in sorted(table.items()):
        print(f"{kind or '(none drawn)':32} " + ", ".join(f"{outcome} {count}" for outcome, count in counts.most_common()))
    total = sum(table.values(), collections.Counter())
    faults = total["named"] + total["missed"] + total["elsewhere"] + total["not executed"]
    print(f"{total['named']} of {faults} faults named, {total['no effect']} without effect, {total['refused']} refused by Triton")
    return 0 if faults and total["named"] >= 0.95 * faults else 1


if __name__ == "__main__":
    os.environ.setdefault("LOCKSTEP_COMMAND", "lockstep")
    sys.exit(main())
