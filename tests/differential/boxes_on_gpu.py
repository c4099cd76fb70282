#!/usr/bin/env python3
"""Loops whose tiles the copy engine brings, on a GPU of sm_90: every element inside its bounds.

  boxes_on_gpu.py LOCKSTEP [--sanitizer memcheck|racecheck|synccheck]

Matrix products and attention with whole and cut tiles, both orders of operands, rows of 32 to 512 bytes, 4 and 8 warps,
one and two products in a loop; strides that the engine does not take, so that threads copy; tiles with negative
coordinates. Under a sanitizer: a few of them. Exit code 1: a launch failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: rows, columns, depth; tile; warps, stages; type; whether the operands are stored transposed.
PRODUCTS = [
    (320, 576, 208, 128, 256, 64, 8, 4, "bf16", False), (304, 528, 208, 128, 256, 64, 8, 3, "f16", False),
    (112, 80, 48, 64, 32, 32, 4, 3, "f16", False), (256, 256, 1024, 128, 128, 64, 4, 3, "bf16", False),
    (112, 80, 48, 64, 32, 32, 4, 5, "f16", False), (192, 320, 80, 64, 128, 64, 4, 4, "f16", False),
    (129, 130, 131, 64, 64, 32, 4, 3, "f16", False), (64, 64, 16, 64, 64, 64, 4, 4, "f16", False),
    (208, 144, 176, 64, 16, 16, 4, 4, "bf16", False), (512, 512, 512, 256, 128, 64, 8, 3, "bf16", False),
    (80, 48, 1008, 128, 128, 128, 8, 2, "f16", False), (320, 576, 192, 128, 256, 64, 8, 4, "f16", True),
    (304, 528, 208, 64, 64, 32, 4, 3, "f16", True),
    # More programs than blocks, which take one after another.
    (832, 768, 160, 64, 64, 128, 4, 7, "f16", False), (1000, 900, 264, 64, 64, 128, 4, 6, "bf16", True),
    (832, 3328, 96, 64, 256, 64, 4, 4, "bf16", False), (1664, 2304, 32, 128, 256, 64, 8, 4, "f16", False),
]
#: Of them, under a sanitizer.
FEW = (0, 1, 2, 13, 14)
#: width of a head, length, tile; warps, stages.
ATTENTIONS = [(64, 256, 128, 64, 4, 3), (128, 256, 128, 128, 8, 3), (64, 256, 128, 64, 8, 3), (128, 256, 128, 64, 8, 3),
              (64, 192, 64, 64, 4, 4), (128, 384, 128, 128, 8, 2), (64, 512, 128, 128, 8, 3), (32, 256, 64, 64, 4, 3)]


def product(m: int, n: int, k: int, tile_m: int, tile_n: int, tile_k: int, warps: int, stages: int, kind: str,
            is_transposed: bool) -> list[str]:
    a, b = ((k, m), (n, k)) if is_transposed else ((m, k), (k, n))
    strides = f"a_row=1 a_column={m} b_row=1 b_column={k}" if is_transposed else f"a_row={k} a_column=1 b_row={n} b_column=1"
    return ["examples/matmul.py::matmul", "--grid", "cdiv(m, TILE_M) * cdiv(n, TILE_N)", f"a=randn:{kind}[{a[0]},{a[1]}]",
            f"b=randn:{kind}[{b[0]},{b[1]}]", f"out=empty:{kind}[{m},{n}]", f"m={m}", f"n={n}", f"k={k}", *strides.split(),
            f"out_row={n}", "out_column=1", f"TILE_M={tile_m}", f"TILE_N={tile_n}", f"TILE_K={tile_k}", "GROUP=2",
            "--num-warps", str(warps), "--num-stages", str(stages)]


def attention(depth: int, length: int, tile_m: int, tile_n: int, warps: int, stages: int, is_causal: bool) -> list[str]:
    tensors = [f"{name}={make}:f16[2,{length},{depth}]" for name, make in (("q", "randn"), ("k", "randn"), ("v", "randn"), ("out", "empty"))]
    return ["bench/gpu_kernels.py::attention", "--grid", f"{length // tile_m},2", *tensors, f"length={length}",
            f"head_stride={length * depth}", "scale=0.18", f"TILE_M={tile_m}", f"TILE_N={tile_n}", f"DEPTH={depth}",
            f"CAUSAL={is_causal}", "--num-warps", str(warps), "--num-stages", str(stages)]


def before_its_row(tile: int, tile_k: int, warps: int, stages: int) -> list[str]:
    return ["tests/differential/boxes_kernel.py::before_its_row", "--grid", f"{128 // tile},{128 // tile}", "a=randn:f16[129,256]",
            "b=randn:f16[192,128]", "out=empty:f32[128,128]", "n=128", "k=192", "a_row=256", "b_row=128", f"TILE_M={tile}",
            f"TILE_N={tile}", f"TILE_K={tile_k}", "--num-warps", str(warps), "--num-stages", str(stages)]


def weighted(m: int, n: int, k: int, tile_m: int, tile_n: int, tile_k: int, warps: int, stages: int) -> list[str]:
    return ["tests/differential/boxes_kernel.py::weighted", "--grid", f"{-(-m // tile_m)},{-(-n // tile_n)}", f"a=randn:f16[{m},{k}]",
            f"b=randn:f16[{k},{n}]", f"bias=randn:f32[{n}]", f"out=empty:f16[{m},{n}]", f"m={m}", f"n={n}", f"k={k}", f"a_row={k}",
            f"b_row={n}", f"out_row={n}", f"TILE_M={tile_m}", f"TILE_N={tile_n}", f"TILE_K={tile_k}", "--num-warps", str(warps),
            "--num-stages", str(stages)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lockstep", type=Path)
    parser.add_argument("--sanitizer", choices=["memcheck", "racecheck", "synccheck"])
    options = parser.parse_args()
    few = 3 if options.sanitizer else None
    launches = [product(*PRODUCTS[i]) for i in (FEW if options.sanitizer else range(len(PRODUCTS)))]
    launches += [attention(*one, is_causal) for one in ATTENTIONS[:few] for is_causal in (False, True)]
    launches += [before_its_row(64, 64, 4, 4), before_its_row(128, 32, 8, 3)]
    launches += [weighted(800, 776, 136, 64, 64, 128, 4, 7), weighted(1600, 2552, 48, 128, 256, 64, 8, 3)]
    prefix = ["compute-sanitizer", "--tool", options.sanitizer, "--error-exitcode", "9"] if options.sanitizer else []
    failed = 0
    for words in launches:
        command = [*prefix, str(options.lockstep.resolve()), "diff", *words]
        done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            failed += 1
            print(f"exit code {done.returncode}: {' '.join(words)}\n{done.stdout[-800:]}{done.stderr[-400:]}", flush=True)
    print(f"{len(launches)} launches, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
