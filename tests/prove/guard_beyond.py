#!/usr/bin/env python3
"""lockstep.guard beyond published boundaries: launches that must raise, and one within each boundary that must not.

The kernels are those of published.py, and two of fla-core 0.5.2 as they are.

Usage: guard_beyond.py            tensors without memory: the checks alone, anywhere
       guard_beyond.py --gpu      on a GPU of 32 GiB or more: what raised wrote nothing, what is within runs, and what
                                  each launch beyond does without guard, in a process of its own
       guard_beyond.py --unguarded NUMBER      one of those launches; it may end the process's GPU
"""

import importlib
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import torch

import lockstep

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_published import CASES  # noqa: E402

MARK, GIVEN = 0x5A, 0x3C  # each byte of an output before a launch, and of what is only read
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "i32": torch.int32, "i64": torch.int64}
PART = 1 << 28  # bytes that are compared at once


@dataclass(frozen=True)
class Boundary:
    """A published overflow: the largest number of `name` that is safe, and numbers beyond it."""

    report: str
    kernel: str
    grid: str
    contract: dict
    sizes: dict
    name: str
    within: int
    beyond: tuple
    output: str
    assume: tuple = ()
    tables: dict = field(default_factory=dict)  # name -> the list of its integers, an expression of the sizes
    module: str = "published"
    more: tuple = ()  # other outputs

    def import_kernel(self):
        return getattr(importlib.import_module(self.module), self.kernel)


def published(report, kernel, within, beyond, output, sizes=None, tables=None):
    """The boundary of test_published.py with this largest number; `sizes`: other ones, which a launch needs."""
    grid, words, options, given, name = next(one[1:6] for one in CASES if (one[0], one[6]) == (kernel, within))
    contract = {one: int(text) if text.isdigit() else text for one, _, text in (word.partition("=") for word in words)}
    return Boundary(report, kernel, grid, contract, given | (sizes or {}), name, within, beyond, output, tuple(options[1::2]), tables or {})


BOUNDARIES = [
    published("fla#1080", "chunk_scores", 17476, (17477, 32768), "A"),
    published("fla#1080, lengths", "chunk_scores_of_lengths", 262144, (262145, 279632), "A", {"C": "cdiv(total, 64)"},
              {"starts": "[0, total]", "chunks": "[one for c in range(C) for one in (0, c)]"}),
    published("fla#1173", "chunk_rows", 524288, (524289, 600000), "out"),
    published("dion#102", "batched", 274, (275, 320), "c", {"c_batch": 2560 * 16, "c_row": 16}),
    published("megablocks#185", "copy_rows", 524288, (524289,), "b", tables={"indices": "[N - 1]"}),
    published("megablocks#185, stored", "scatter_rows", 524288, (524289,), "b", tables={"index_b": "[N - 1]"}),
    published("FlagGems#4156", "copy_rows", 16384, (16385,), "b", tables={"indices": "[N - 1]"}),
    published("FlagGems#4156, 102400", "copy_rows", 20972, (20973,), "b", tables={"indices": "[N - 1]"}),
    published("sglang#4727", "expert_tiles", 299594, (299595, 320000), "c"),
    published("liger#1296", "expert_tiles", 1048576, (1048577, 1079839), "c"),
    published("fla#769", "block_queries", 14563, (14564, 16384), "out"),
    published("fla#964", "sparse_forward", 65536, (65537,), "o"),
    published("fla#964, gradients", "sparse_backward", 32768, (32769, 40000), "dq"),
    published("liger#1246", "expert_weights", 512, (513,), "out", tables={"experts": "[E - 1]"}),
    published("mamba#988", "steps_of_chunks", 2, (3,), "out"),
    Boundary("fla-core 0.5.2", "l2norm_fwd_kernel1", "T", {"x": "f16[T,D]", "y": "f16[T,D]", "rstd": "f32[T]", "eps": "f32", "BD": 1024},
             {"D": 1024, "eps": 1e-6}, "T", 2097152, (2097153, 3000000), "y", module="fla.modules.l2norm", more=("rstd",)),
    Boundary("fla-core 0.5.2, gradients", "l2norm_bwd_kernel1", "T",
             {"y": "f16[T,D]", "rstd": "f32[T]", "dy": "f16[T,D]", "dx": "f16[T,D]", "eps": "f32", "BD": 1024},
             {"D": 1024, "eps": 1e-6}, "T", 2097152, (2097153, 3000000), "dx", module="fla.modules.l2norm"),
]  # fmt: skip


class Launch:
    """The arguments of one launch; `memory`: that of its tensors, each byte MARK or GIVEN until something is written."""

    def __init__(self, boundary, number, device):
        self.boundary, self.arguments, self.memory = boundary, {}, {}
        self.scope = {"cdiv": lambda x, y: -(-x // y), **{n: one for n, one in boundary.contract.items() if isinstance(one, int)}}
        self.scope[boundary.name] = number
        for name, size in boundary.sizes.items():
            self.scope[name] = self.value(size)
        for name in boundary.import_kernel().arg_names:
            self.arguments[name] = self.argument(name, device)
        self.grid = tuple(self.value(one) for one in split(boundary.grid))

    def value(self, expression):
        return eval(expression, self.scope) if isinstance(expression, str) else expression  # noqa: S307 (of this file)

    def argument(self, name, device):
        word = self.boundary.contract.get(name)
        shaped = re.fullmatch(r"(\w+)\[(.*)\](?::\((.*)\))?", word) if isinstance(word, str) else None
        if not shaped:
            return self.scope[name]
        shape = [self.value(one) for one in split(shaped[2])]
        if name in self.boundary.tables:
            return torch.tensor(self.value(self.boundary.tables[name]), dtype=TYPES[shaped[1]], device="cpu" if device == "meta" else device)
        strides = [self.value(one) for one in split(shaped[3])] if shaped[3] else [prod(shape[at + 1 :]) for at in range(len(shape))]
        elements = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))
        size = TYPES[shaped[1]].itemsize
        self.memory[name] = torch.full((elements * size,), self.mark(name), dtype=torch.uint8, device=device)
        return self.memory[name].view(TYPES[shaped[1]]).as_strided(shape, strides)

    def mark(self, name):
        return MARK if name in (self.boundary.output, *self.boundary.more) else GIVEN

    def written(self):
        """The names of the tensors of which a byte was changed."""
        return [name for name, memory in self.memory.items() if any(bool((part != self.mark(name)).any()) for part in memory.split(PART))]

    def run(self, kernel):
        kernel[self.grid](**self.arguments)


def split(text):
    """At commas outside of parentheses."""
    return [one.strip() for one in re.split(r",(?![^(]*\))", text)]


def prod(numbers):
    result = 1
    for one in numbers:
        result *= one
    return result


def guard_of(boundary):
    kernel = boundary.import_kernel()
    answer = lockstep.prove(kernel, grid=boundary.grid, assume=list(boundary.assume), **boundary.contract)
    assert answer.holds, answer
    return lockstep.guard(kernel, answer)


def check(boundary, device):
    """Prints a line for each launch; returns how many went wrong."""
    guarded, failures = guard_of(boundary), 0
    for number in (boundary.within, *boundary.beyond):
        launch, words = Launch(boundary, number, device), None
        try:
            guarded.check(launch.grid, **launch.arguments) if device == "meta" else launch.run(guarded)
        except lockstep.OutsideProof as problem:
            words = str(problem).partition("outside of its proof: ")[2]
        wrong = [] if (words is None) == (number == boundary.within) else ["WRONG ANSWER"]
        if device != "meta":
            torch.cuda.synchronize()
            changed, wanted = set(launch.written()), {boundary.output, *boundary.more} if words is None else set()
            wrong += [] if changed == wanted else [f"WROTE {changed}"]
        print(f"{boundary.report}: {boundary.name} = {number}: {f'raised: {words}' if words else 'admitted'}", *wrong, sep="; ")
        failures += len(wrong)
    return failures


def unguarded(place):
    """Prints what the launch beyond does to memory without guard."""
    boundary, number = [(one, number) for one in BOUNDARIES for number in one.beyond][place]
    launch = Launch(boundary, number, "cuda")
    try:
        launch.run(boundary.import_kernel())
        torch.cuda.synchronize()
        result = "ends without an error"
    except RuntimeError as problem:
        result = str(problem).splitlines()[0]
    print(f"{boundary.report}: {boundary.name} = {number}: without guard: {result}")


def main():
    if sys.argv[1:2] == ["--unguarded"]:
        unguarded(int(sys.argv[2]))
        return 0
    device = "cuda" if "--gpu" in sys.argv else "meta"
    begin, failures, count = time.monotonic(), 0, sum(len(one.beyond) for one in BOUNDARIES)
    for boundary in BOUNDARIES:
        failures += check(boundary, device)
        if device == "cuda":
            torch.cuda.empty_cache()
    print(f"{count} launches beyond {len(BOUNDARIES)} boundaries, {failures} failures, {time.monotonic() - begin:.0f} s", flush=True)
    if device == "cuda":
        for place in range(count):
            subprocess.run([sys.executable, __file__, "--unguarded", str(place)], check=False, timeout=120)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
