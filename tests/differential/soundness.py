#!/usr/bin/env python3
"""Legal executions that differ from the interpreter's, held against enclosures: another order of every sum, and
contraction.

    soundness.py --lockstep PROGRAM [--rounds N]

The order of a sum is changed from outside: the elements that a kernel adds up are permuted in its inputs (columns of
a softmax, k of a matrix product, the keys of an attention, rows that atomics add), which changes nothing but the
order in which the same numbers are combined. The permuted run's outputs, put back in place, must lie within the
enclosure of the unpermuted run, with contraction off and on. Prints how many elements differed at all (if none did,
nothing was shown) and how many lay outside; exit code 1 if any did.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
FAULTS = "tests/differential/faults/kernels.py"


@dataclass
class Subject:
    target: str
    grid: str
    scalars: dict[str, object]
    inputs: Callable[[np.random.Generator], dict[str, np.ndarray]]
    outputs: dict[str, tuple[str, tuple[int, ...]]]
    length: int  # of what is permuted
    permute: Callable[[dict, np.ndarray], dict]  # the inputs in another order
    restore: dict[str, Callable] = field(default_factory=dict)  # outputs back in place


def normal(*shape: int, dtype=np.float32):
    return lambda draw: draw.standard_normal(shape).astype(dtype)


def inverse(order: np.ndarray) -> np.ndarray:
    return np.argsort(order)


def columns(*names: str):
    return lambda inputs, order: {name: value[..., order] if name in names else value for name, value in inputs.items()}


def back(value: np.ndarray, order: np.ndarray) -> np.ndarray:
    return value[..., inverse(order)]


SUBJECTS = {
    "softmax": Subject(
        "examples/softmax.py::softmax",
        "20",
        {"x_stride": 781, "out_stride": 781, "rows": 20, "columns": 781, "BLOCK": 1024},
        lambda draw: {"x": normal(20, 781)(draw)},
        {"out": ("f32", (20, 781))},
        781,
        columns("x"),
        {"out": back},
    ),
    "layer_norm": Subject(
        "examples/layer_norm.py::layer_norm",
        "12",
        {"x_stride": 700, "rows": 12, "columns": 700, "eps": 1e-5, "BLOCK": 256},
        lambda draw: {
            "x": normal(12, 700, dtype=np.float16)(draw),
            "weight": normal(700, dtype=np.float16)(draw),
            "bias": normal(700, dtype=np.float16)(draw),
        },
        {"out": ("f16", (12, 700)), "mean": ("f32", (12,)), "rstd": ("f32", (12,))},
        700,
        columns("x", "weight", "bias"),
        {"out": back},
    ),
    "splitk_matmul": Subject(
        "examples/splitk_matmul.py::splitk_matmul",
        "9,4",
        {"m": 80, "n": 72, "k": 500, "TILE_M": 32, "TILE_N": 32, "TILE_K": 32, "SPLIT": 4},
        lambda draw: {"a": normal(80, 500, dtype=np.float16)(draw), "b": normal(500, 72, dtype=np.float16)(draw)},
        {"out": ("f32", (80, 72))},
        500,
        lambda inputs, order: {"a": inputs["a"][:, order], "b": inputs["b"][order]},
    ),
    "cross_entropy": Subject(
        f"{FAULTS}::cross_entropy",
        "16",
        {"columns": 1000, "BLOCK": 128},
        lambda draw: {"logits": normal(16, 1000)(draw), "label": draw.integers(0, 1000, 16)},
        {"loss": ("f32", (16,))},
        1000,
        lambda inputs, order: {"logits": inputs["logits"][:, order], "label": inverse(order)[inputs["label"]]},
    ),
    "column_sums": Subject(
        f"{FAULTS}::column_sums",
        "4,2",
        {"rows": 100, "columns": 120, "BLOCK_M": 32, "BLOCK_N": 64},
        lambda draw: {"x": normal(100, 120)(draw)},
        {"out": ("f32", (120,))},
        100,
        lambda inputs, order: {"x": inputs["x"][order]},
    ),
}
DTYPE = {"f32": np.float32, "f16": np.float16}


class Harness:
    def __init__(self, lockstep: str, folder: Path):
        self.lockstep, self.folder = lockstep, folder

    def call(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.lockstep, *words], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
        )

    def words(self, subject: Subject, inputs: dict) -> list[str]:
        given = ["--grid", subject.grid, *(f"{name}={value}" for name, value in subject.scalars.items())]
        for name, value in inputs.items():
            np.save(self.folder / f"{name}.npy", value)
            given.append(f"{name}=@{self.folder}/{name}.npy")
        return given + [
            f"{name}=zeros:{kind}[{','.join(map(str, shape))}]" for name, (kind, shape) in subject.outputs.items()
        ]

    def run(self, subject: Subject, inputs: dict, fusion: str) -> dict[str, np.ndarray]:
        save = [word for name in subject.outputs for word in ("--save", f"{name}=@{self.folder}/{name}.out.npy")]
        done = self.call("run", subject.target, *self.words(subject, inputs), "--fp-fusion", fusion, *save)
        assert done.returncode == 0, done.stdout + done.stderr
        return {name: np.load(self.folder / f"{name}.out.npy") for name in subject.outputs}

    def outside(self, subject: Subject, inputs: dict, outputs: dict) -> int:
        against = []
        for name, value in outputs.items():
            np.save(self.folder / f"{name}.gpu.npy", value)
            against += ["--against", f"{name}=@{self.folder}/{name}.gpu.npy"]
        done = self.call("enclose", subject.target, *self.words(subject, inputs), *against, "--json", "--check")
        assert done.returncode in (0, 1), done.stdout + done.stderr
        verdicts = json.loads(done.stdout[done.stdout.index("{") :])["verdicts"]
        for one in verdicts:
            if one["outside"]:
                print(f"  {one['name']}: {one['outside']} outside, first {one['first']}")
        return sum(one["outside"] for one in verdicts)


def attempt(harness: Harness, subject: Subject, seed: int) -> tuple[int, int]:
    """Elements that differ from the plain run, and elements outside."""
    draw = np.random.default_rng(seed)
    inputs = subject.inputs(draw)
    order = draw.permutation(subject.length)
    plain = harness.run(subject, inputs, "off")
    other = harness.run(subject, subject.permute(inputs, order), "on" if seed % 2 else "off")
    other = {
        name: subject.restore[name](value, order) if name in subject.restore else value for name, value in other.items()
    }
    different = sum(int((plain[name] != other[name]).sum()) for name in plain)
    return different, harness.outside(
        subject, inputs, {name: np.ascontiguousarray(value) for name, value in other.items()}
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lockstep", default=os.environ.get("LOCKSTEP_EXECUTABLE", "build/lockstep"))
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        harness = Harness(str(Path(options.lockstep).resolve()), Path(folder))
        for name, subject in SUBJECTS.items():
            results = [attempt(harness, subject, seed) for seed in range(options.rounds)]
            different, outside = (sum(column) for column in zip(*results))
            bad += outside != 0 or different == 0
            print(f"{name}: {different} elements in another order's bits, {outside} outside")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
