#!/usr/bin/env python3
"""`--bits` of products of buffers against the models of tests/ops/support/dots.py: 16 products of f16 and the sum so far, 25
bits. ttng.warp_group_dot: measured on an H200. ttng.tc_gen5_mma: published of a B200 (MMA-Sim, arXiv 2511.10909); nothing of it
was measured. No GPU.

tensor_bits.py LOCKSTEP. Exit code 1: other bytes, a warning that is missing, or bytes that the plain run has, too."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ops"))

from support import dots  # noqa: E402

PUBLISHED = "arXiv 2511.10909"


def run(command: str, kernel: str, tensors: list[np.ndarray], more: list[str]) -> tuple[np.ndarray, str]:
    """The square result of f32, and what was said."""
    size, result = len(tensors[0]), f"arg{len(tensors)}"
    with tempfile.TemporaryDirectory() as name:
        words = ["run", str(HERE / "3.6" / kernel), "--grid", "1", f"{result}=empty:f32[{size},{size}]", "--save", f"{result}=@{name}/out.npy", *more]
        for number, tensor in enumerate(tensors):
            np.save(f"{name}/{number}.npy", tensor)
            words.append(f"arg{number}=@{name}/{number}.npy")
        done = subprocess.run([command, *words], capture_output=True, text=True, check=True)
        return np.load(f"{name}/out.npy"), done.stdout + done.stderr


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return dots.tensor_core(a, b, np.zeros((len(a), b.shape[1]), np.float32), 16, 25)


def is_as_model(command: str, kernel: str, tensors: list[np.ndarray], model: np.ndarray, says_so: bool) -> bool:
    plain, _ = run(command, kernel, tensors, [])
    bits, said = run(command, kernel, tensors, ["--bits"])
    differing = int((bits.view(np.uint32) != model.view(np.uint32)).sum())
    changed = int((plain.view(np.uint32) != bits.view(np.uint32)).sum())
    print(f"{kernel}: {differing} of {bits.size} elements differ from the model, {changed} from the run without --bits; published: {PUBLISHED in said}")
    return differing == 0 and changed > 0 and (PUBLISHED in said) == says_so


def main() -> int:
    draw = np.random.default_rng(27)
    a, b = (draw.standard_normal((128, 128)).astype(np.float16) for _ in range(2))
    x, y, z = (draw.standard_normal((64, 64)).astype(np.float16) for _ in range(3))
    is_good = is_as_model(sys.argv[1], "tcgen05.left_in_tensor_memory.sm100.ttgir", [a, b], multiply(a, b), True)
    return 0 if is_as_model(sys.argv[1], "wgmma.two_products.sm90.ttgir", [x, y, z], multiply(multiply(x, y).astype(np.float16), z.T), False) and is_good else 1


if __name__ == "__main__":
    sys.exit(main())
