#!/usr/bin/env python3
"""What Gluon costs: a matmul of 512^3 and a causal attention of N=1024, each against its Triton kin, in one run, in turn.

  PYTHONPATH=build/python python bench/gluon.py [--as sm_90] [--repeats 7] [--most 10]

Of each: the shortest time of Gluon over that of the same numbers by Triton's language. Exit code 1 where a ratio is over --most."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/python_package"), str(ROOT / "examples")]

import lockstep  # noqa: E402
import torch  # noqa: E402
from attention import attention  # noqa: E402
from gluon_names import kernels  # noqa: E402
from matmul import matmul  # noqa: E402


def described(tensor: torch.Tensor) -> object:
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    return TensorDescriptor.from_tensor(tensor, [64, 64], gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16))


def pairs(gluon: object) -> dict[str, tuple[Callable[[], object], Callable[[], object], torch.Tensor, torch.Tensor]]:
    """By name: the launch by Gluon, the one by Triton, and what each stores."""
    size, length = 512, 1024
    a, b = (torch.randn(size, size, dtype=torch.float16) for _ in range(2))
    mine, kin = torch.empty(size, size), torch.empty(size, size, dtype=torch.float16)
    boxes = described(a), described(b)
    q, k, v = (torch.randn(2, length, 64, dtype=torch.float16) for _ in range(3))
    own, other = torch.empty_like(q), torch.empty_like(q)
    heads = [described(one.view(-1, 64)) for one in (q, k, v)]
    return {
        "matmul f16 512^3, tiles 64x64x64": (
            lambda: gluon.matmul[(8, 8)](*boxes, mine, size // 64, size, TILE=64, TILE_K=64, STAGES=3, LEFT=0),
            lambda: matmul[(64,)](a, b, kin, size, size, size, size, 1, size, 1, size, 1, TILE_M=64, TILE_N=64, TILE_K=32, GROUP=2),
            mine, kin),
        "attention f16, 2 heads, N=1024, D=64, causal": (
            lambda: gluon.attention[(length // 64, 2)](*heads, own, length, 0.125, SIZE=64),
            lambda: attention[(length // 64, 2)](q, k, v, other, 2, length, length * 64, 0.125, TILE_M=64, TILE_N=32, DEPTH=64),
            own, other),
    }  # fmt: skip


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--as", dest="target", default="sm_90")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--most", type=float, default=10.0)
    asked = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder, lockstep.active(as_=asked.target):
        for name, (*launches, mine, kin) in pairs(kernels(folder, "gluon_kernels")[0]).items():
            times: list[list[float]] = [[], []]
            for _ in range(asked.repeats + 1):  # the first one compiles
                for launch, taken in zip(launches, times):
                    before = time.perf_counter()
                    launch()
                    taken.append(time.perf_counter() - before)
            torch.testing.assert_close(mine.half(), kin, rtol=1e-2, atol=2e-2)
            gluon, triton = (min(taken[1:]) for taken in times)
            worst = max(worst, gluon / triton)
            print(f"{name:46} {gluon * 1e3:9.3f} ms  {gluon / triton:6.2f}x")
    return 0 if worst <= asked.most else 1


if __name__ == "__main__":
    sys.exit(main())
