#!/usr/bin/env python3
"""Contracts from recorded launches: which argument is a size or a stride of which tensor, and what is an output.

Usage: test_like.py LOCKSTEP
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CAPSULES = ROOT / "tests/differential/capsules"
SOFTMAX, ADD, SUMS = (CAPSULES / f"{name}.capsule" for name in (
    "examples-0000-softmax", "examples-0001-vector_add", "gated_delta-0000-chunk_local_cumsum_scalar_kernel"))
OUTPUT, UPDATE, HEADS = (CAPSULES / f"{name}.capsule" for name in (
    "gated_delta-0004-chunk_fwd_kernel_o", "gated_delta-0002-recompute_w_u_fwd_kernel", "attention-0001-attention"))
OTHER = CAPSULES / "gated_delta-0006-chunk_local_cumsum_scalar_kernel.capsule"  # of another type
# target, capsules, words, exit code, what is printed
CASES = [
    ("examples/softmax.py::softmax", [SOFTMAX], [], 0, "columns <= 256"),
    ("examples/softmax.py::softmax", [SOFTMAX], [], 0, '"out=fp32[rows,columns]:(out_stride,1) out"'),
    ("examples/vector_add.py::vector_add", [ADD], [], 0, '"out=fp32[n] out" "n" "BLOCK=256" --grid "cdiv(n, BLOCK), 1, 1"'),
    ("examples/vector_add.py::vector_add", [ADD, ADD], [], 0, "contract, like 2 launches"),
    ("examples/vector_add.py::vector_add", [ADD], ["--grid", "n // BLOCK", "--where", "n >= BLOCK"], 0, "n <= 256 "),
    ("examples/vector_add.py::vector_add", [ADD], ["out=fp32[n + 1] out"], 1, "LS203"),
    (str(SUMS), [SUMS], [], 0, '"o=fp32[1,T,H] out"'),
    (str(SUMS), [SUMS, OTHER], [], 2, "is a launch of another kernel"),
    # Extents of 2 are H, cdiv(T, BT) and more; what was recorded meets the conditions of what is meant.
    (str(OUTPUT), [OUTPUT], [], 0, '"h=fp32[1,H,cdiv(T, BT),BT,BT]"'),
    (str(OUTPUT), [OUTPUT], [], 0, '--grid "1, cdiv(T, BT), H"'),
    (str(UPDATE), [UPDATE], [], 0, "recompute_w_u_fwd_kernel holds for all launches\n"),
    (str(UPDATE), [UPDATE], ["--grid", "cdiv(T, BT), cdiv(T, BT), 1"], 4,
     "not met by what was recorded, so the contract says something else: (cdiv(T, 64) - 1)*T <= 1"),
    (str(HEADS), [HEADS], [], 0, '"k=fp16[heads,length,DEPTH]:(head_stride,DEPTH,1)"'),
    (str(ADD), [ROOT / "README.md"], [], 2, "README.md"),
]


def main():
    failures = []
    for target, capsules, words, code, printed in CASES:
        like = [word for one in capsules for word in ("--like", str(one))]
        done = subprocess.run([sys.argv[1], "prove", target, *like, *words, "--properties", "all"], capture_output=True, text=True,
                              errors="replace", check=False, timeout=120, cwd=ROOT)
        if done.returncode != code or printed not in done.stdout + done.stderr:
            failures.append(f"{target} {words}: exit {done.returncode}, wanted {code} and {printed}\n{done.stdout}{done.stderr}")
    print("\n".join(failures))
    print(f"{len(CASES)} cases, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
