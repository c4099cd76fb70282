#!/usr/bin/env python3
"""Published overflows: the largest size that the printed conditions admit is the boundary that was reported.

Usage: test_published.py LOCKSTEP
"""

import json
import subprocess
import sys
from pathlib import Path

KERNELS = Path(__file__).resolve().parent / "published.py"
WRAP = 2**31 - 1
SCORES = ["k=bf16[B,T,H,K]", "beta=f32[B,T,H]", "A=f32[B,T,H,BT]", "H=any", "K=any", "BT=64", "BK=64"]
LENGTHS = ["k=bf16[total,H,K]", "beta=f32[total,H]", "A=f32[total,H,BT]", "starts=i64[N+1]", "chunks=i64[2*C]", "H=any", "K=any", "BT=64", "BK=64"]
LENGTHS_ASSUMED = ["--assume", "starts rises from 0 to total", "--assume", "chunks counts chunks of BT in N sequences of starts"]
TILES = ["a=bf16[tokens,n_cols]:(stride_am,1)", "c=bf16[tokens,n_cols]:(stride_cm,1)", "BM=16", "BN=16"]
TILES_GRID = "cdiv(tokens, BM), cdiv(n_cols, BN)"

EXPERTS = ["w=bf16[E,N]:(stride_w_E,1)", "experts=i32[R]", "out=bf16[R,N]", "BLOCK=16"]


def greatest(last_offset):
    """The largest number whose last offset is an i32."""
    number = 1
    while last_offset(number + 1) <= WRAP:
        number += 1
    return number


# kernel, grid, contract, other options, sizes, the name, its largest number as it was reported
CASES = [
    ("chunk_scores", "cdiv(T, BT), B*H", SCORES, [], {"B": 16, "H": 64, "K": 128}, "T", 17476),
    ("chunk_scores_of_lengths", "C, H", LENGTHS, LENGTHS_ASSUMED, {"H": 64, "K": 128, "C": 1, "N": 1}, "total", 262144),
    ("chunk_rows", "H", ["k=bf16[T,H,K]", "out=bf16[T,H,K]", "H=any", "K=any", "BT=64", "BK=128"], [], {"H": 32, "K": 128}, "T",
     WRAP // (32 * 128) + 1),
    ("batched", "cdiv(M, BM), B", ["a=bf16[B,M,K]:(a_batch,a_row,1)", "c=bf16[B,M,K]:(c_batch,c_row,1)", "BM=16", "BK=16"], [],
     {"M": 2560, "K": 16, "a_batch": 2560 * 3072, "a_row": 3072, "c_batch": 1, "c_row": 1}, "B", 274),
    ("copy_rows", "R", ["a=bf16[N,columns]", "b=bf16[R,columns]", "indices=i32[R]", "BLOCK=16"], ["--assume", "indices in [0,N)"],
     {"R": 1, "columns": 131072}, "N", 16384),
    ("expert_tiles", TILES_GRID, TILES, [], {"n_cols": 7168, "stride_am": 7168, "stride_cm": 7168}, "tokens", WRAP // 7168 + 1),
    ("expert_tiles_wide", TILES_GRID, TILES, [], {"n_cols": 7168, "stride_am": 7168, "stride_cm": 7168}, "tokens", WRAP),
    ("copy_rows", "R", ["a=bf16[N,columns]", "b=bf16[R,columns]", "indices=i32[R]", "BLOCK=16"], ["--assume", "indices in [0,N)"],
     {"R": 1, "columns": 102400}, "N", 20972),
    ("copy_rows", "R", ["a=bf16[N,columns]", "b=bf16[R,columns]", "indices=i32[R]", "BLOCK=16"], ["--assume", "indices in [0,N)"],
     {"R": 1, "columns": 4096}, "N", 524288),
    ("scatter_rows", "R", ["a=bf16[R,columns]", "b=bf16[N,columns]", "index_b=i32[R]", "BLOCK=16"], ["--assume", "index_b in [0,N)"],
     {"R": 1, "columns": 4096}, "N", 524288),
    # Reported at T = 16384, blocks of 512: beyond.
    ("block_queries", "T, B*HQ", ["q=bf16[B,T,HQ,K]", "out=bf16[B,T*NB,HQ,K]", "S=512", "NB=NB", "HQ=24", "K=64"], [], {"B": 4, "NB": 32}, "T",
     greatest(lambda T: ((3 * T * 32 + (T - 1) // 512) * 24 + 23) * 64 + 63)),
    # Reported as just inside.
    ("sparse_forward", "T, B", ["q=bf16[B,T,HQ,K]", "o=bf16[B,T,HQ,K]", "HQ=128", "K=256"], [], {"B": 1}, "T", 65536),
    ("sparse_backward", "T, NV, B", ["q=bf16[B,T,HQ,K]", "dq=bf16[NV,B,T,HQ,K]", "HQ=128", "K=256"], [], {"B": 1, "NV": 2}, "T", 32768),
    ("expert_weights", "R, cdiv(N, BLOCK)", EXPERTS, ["--assume", "experts in [0,E)"], {"R": 1, "N": 2048, "stride_w_E": 2048 * 2048}, "E", 512),
    ("expert_weights_wide", "R, cdiv(N, BLOCK)", EXPERTS, ["--assume", "experts in [0,E)"], {"R": 1, "N": 2048, "stride_w_E": 2048 * 2048}, "E", WRAP),
    # liger#1296: 1,079,839 rows of 2048 are beyond.
    ("expert_tiles", TILES_GRID, TILES, [], {"n_cols": 2048, "stride_am": 2048, "stride_cm": 2048}, "tokens", 1048576),
    ("steps_of_chunks", "cdiv(L, BLOCK), B", ["dt=f32[B,L]:(stride_batch,1)", "out=f32[B,L]", "BLOCK=16"], [], {"L": 16, "stride_batch": 1436549120}, "B", 2),
]


def cdiv(a, b):
    return -(-a // b)


def largest(conditions, sizes, name):
    def admits(number):
        scope = dict(sizes, cdiv=cdiv, min=min, max=max, **{name: number})
        return all(eval(one, scope) for one in conditions)  # noqa: S307 (Lockstep's own words)

    low, high = 0, WRAP + 1
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if admits(middle) else (low, middle)
    return low


def main():
    lockstep, failures = sys.argv[1], []
    for kernel, grid, contract, more, sizes, name, wanted in CASES:
        command = [lockstep, "prove", f"{KERNELS}::{kernel}", "--json", "--grid", grid, *contract, *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        try:
            report = json.loads(done.stdout)
        except json.JSONDecodeError:
            failures.append(f"{kernel}: {done.stderr}")
            continue
        conditions = [one["expression"] for one in report["conditions"]]
        if report["answer"] != "holds":
            failures.append(f"{kernel}: {report['answer']} {report['undecided']} {conditions}")
            continue
        found = largest(conditions, sizes, name)
        if found != wanted:
            failures.append(f"{kernel}: {name} <= {found}, reported {wanted}: {conditions}")
    print("\n".join(failures))
    print(f"{len(CASES)} boundaries, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
