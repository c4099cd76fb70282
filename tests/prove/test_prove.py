#!/usr/bin/env python3
"""`lockstep prove` on right kernels and on twins with one planted fault.

Right ones are proved, faults are refuted by a launch that was run or not decided, and never proved. Where a kernel is
proved, every launch of small sizes that meets the printed conditions is run, and is clean.
Usage: test_prove.py LOCKSTEP [exhaustive]
"""

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels.py"
PROVED, REFUTED, UNDECIDED = 0, 1, 4

VECTOR = ("cdiv(n, BLOCK)", ["x=f32[n]", "y=f32[n]", "out=f32[n]", "BLOCK=8"], ["n"])
ONE = ("cdiv(n, BLOCK)", ["x=f32[n]", "out=f32[n]", "BLOCK=8"], ["n"])
ROWS = ("M", ["x=f32[M,N]:(stride,1)", "out=f32[M,N]", "BLOCK=4"], ["M", "N", "stride"])
BLOCKS = ("cdiv(M, BM), cdiv(N, BN)", ["x=f32[M,N]", "out=f32[M,N]", "BM=4", "BN=2"], ["M", "N"])
TURNS = ("1", ["x=f32[N]", "out=f32[BLOCK]", "BLOCK=4"], ["N"])

# kernel, contract, the answer, words of a condition or reason that has to be printed
CASES = [
    ("add", VECTOR, PROVED, ""),
    ("add", (VECTOR[0], [*VECTOR[1], "n=n"], []), PROVED, ""),
    ("add_mask_off_by_one", VECTOR, REFUTED, "LS101"),
    ("add_mask_missing", VECTOR, REFUTED, "LS101"),
    ("rows", ROWS, PROVED, "(M - 1)*stride"),
    ("rows_other_stride", ROWS, REFUTED, "LS10"),
    ("rows_wide", ROWS, PROVED, ""),
    ("carried", TURNS, PROVED, ""),
    ("carried_twice_as_fast", TURNS, REFUTED, "LS101"),
    ("transposed_turns", ("1", ["x=*f32", "out=f32[BLOCK]", "BLOCK=4"], []), REFUTED, "LS10"),
    ("block_2d", BLOCKS, PROVED, "M*N <= 2147483648"),
    ("block_2d_one_axis", BLOCKS, REFUTED, "LS10"),
    ("grouped", ("H*G", ["x=f32[H,D]", "out=f32[H*G,D]", "D=4"], ["H", "G"]), PROVED, ""),
    ("clamped", ONE, PROVED, ""),
    ("clamped_late", ONE, REFUTED, "LS10"),
    ("gathered", ("cdiv(n, BLOCK)", ["x=f32[n]", "index=i32[n]", "out=f32[n]", "BLOCK=8"], []), UNDECIDED, '--assume "index in [0,n)"'),
    ("shifted", ONE, PROVED, ""),
    ("shifted_lower_end", ONE, REFUTED, "LS10"),
    ("early", ("G", ["x=f32[n]", "out=f32[n]", "BLOCK=8"], []), PROVED, ""),
    ("matmul", ("cdiv(M, BM)*cdiv(N, BN)", ["a=f32[M,K]:(sam,1)", "b=f32[K,N]:(sbk,1)", "c=f32[M,N]:(scm,1)",
                "BM=16", "BN=16", "BK=16", "GROUP=8"], []), PROVED, "(K - 1)*sbk"),
    ("gathered", ("cdiv(n, BLOCK)", ["x=*f32", "index=i32[n]", "out=f32[n]", "BLOCK=8"], []), UNDECIDED, '--assume "index in [0,SIZE)"'),
    ("gathered", ("cdiv(n, BLOCK)", ["x=f32[n]", "index=i32[n]", "out=f32[n]", "BLOCK=8", "--assume", "index in [0,n)"], []), PROVED, ""),
    ("gathered", ("cdiv(n, BLOCK)", ["x=f32[n]", "index=i32[n]", "out=f32[n]", "BLOCK=8", "--assume", "index in [0,n]"], []), REFUTED, "LS10"),
    # Two conditions that nobody knows are not one.
    ("two_choices", ("1", ["x=f32[n]", "a=i32[1]", "b=i32[1]", "out=f32[1]"], []), PROVED, "n <= 1"),
    ("one_choice", ("1", ["x=f32[n]", "a=i32[1]", "b=i32[1]", "out=f32[1]"], []), PROVED, "one_choice holds for all launches\n"),
    ("chosen_by_sizes", ("1", ["x=f32[n + m]", "out=f32[BLOCK]", "BLOCK=1"], ["n", "m"]), PROVED, "(8 if n <= -1 else 1) + 1 <= m + n"),
    # Quotients and remainders of what may be negative are C's.
    ("windowed", (ONE[0], [*ONE[1], "W=W"], ["n", "W"]), PROVED, ""),
    ("rolled", (ONE[0], [*ONE[1], "shift=shift"], ["n", "shift"]), PROVED, ""),
    ("rolled_as_in_python", (ONE[0], [*ONE[1], "shift=shift"], ["n", "shift"]), REFUTED, "LS10"),
    ("clamped", ("cdiv(n, BLOCK)", ["x=f32[-(1 - n) + 1]", "out=f32[n]", "BLOCK=8"], []), PROVED, ""),
    ("interleaved", ("cdiv(T, BLOCK), 16", ["x=*f32", "T", "H=4", "BLOCK=8"], []), PROVED, " 16*T <= elements of x"),
    ("row_blocks", ("cdiv(M, BM)", ["x=f32[M,N]", "out=f32[M,N]", "BM=4", "BN=8"], ["M", "N"]), PROVED, ""),
    ("row_blocks_unchecked", ("cdiv(M, BM)", ["x=f32[M,N]", "out=f32[M,N]", "BM=4", "BN=8"], []), REFUTED, "LS106"),
    ("described", ("cdiv(M, BM), cdiv(N, BN)", ["x=f32[M,4*N]", "out=f32[M,4*N]", "BM=4", "BN=8", "--where", "N % 4 == 0"], []), PROVED, ""),
    ("described_too_long", ("cdiv(M, BM), cdiv(N, BN)", ["x=f32[M,N]", "out=f32[M,N]", "BM=4", "BN=8", "--where", "N % 4 == 0"], []), REFUTED, "LS1"),
    ("early_alone", ("G", ["x=f32[n]", "out=f32[n]", "BLOCK=8"], []), REFUTED, "LS10"),
]


def prove(lockstep, kernel, contract, more=()):
    grid, words, _ = contract
    command = [lockstep, "prove", f"{KERNELS}::{kernel}", "--grid", grid, *words, *more]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=300)
    return done.returncode, done.stdout + done.stderr


def conditions(text):
    """The printed conditions, which are Python's, too."""
    return [line[2:].split("  ")[0] for line in text.splitlines() if re.match(r"  \S.* (<=|>=) ", line)]


def launch(lockstep, kernel, contract, sizes):
    grid, words, names = contract
    scope = dict(sizes, cdiv=lambda a, b: -(-a // b), min=min, max=max)
    given = []
    for word in sorted(words, key=lambda one: "[" in one):  # what shapes name comes first
        name, value = word.split("=", 1)
        shape = re.match(r"(\w+)\[([^\]]*)\](?::\((.*)\))?$", value)
        if value == name:
            continue  # any integer
        if shape is None:
            given.append(word)
            if value.isdigit():
                scope[name] = int(value)
            continue
        extents = [eval(one, scope) for one in shape[2].split(",")]  # noqa: S307 (our own words)
        elements = 1
        if shape[3]:
            for extent, stride in zip(extents, shape[3].split(","), strict=True):
                elements += (extent - 1) * eval(stride, scope)  # noqa: S307
        else:
            for extent in extents:
                elements *= extent
        given.append(f"{name}=zeros:{shape[1]}[{elements}]")
    source = KERNELS.read_text().split(f"def {kernel}(")[1].split("):")[0]
    given += [f"{name}={value}" for name, value in sizes.items() if re.search(rf"\b{name}\b", source)]
    counted = ",".join(str(eval(part, scope)) for part in re.split(r",\s*(?![^(]*\))", grid))  # noqa: S307
    command = [lockstep, "run", f"{KERNELS}::{kernel}", "--check", "none", "--grid", counted, *given]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


def exhaust(lockstep, kernel, contract, text):
    """Every small launch inside the conditions is clean."""
    found, count = [], 0
    needed = conditions(text)
    values = range(1, 13) if len(contract[2]) == 1 else range(1, 6)
    for numbers in itertools.product(values, repeat=len(contract[2])):
        sizes = dict(zip(contract[2], numbers, strict=True))
        scope = dict(sizes, cdiv=lambda a, b: -(-a // b))
        if not all(eval(one, scope) for one in needed):  # noqa: S307
            continue
        code, output = launch(lockstep, kernel, contract, sizes)
        count += 1
        if code != 0:
            found.append(f"{kernel} {sizes}: exit {code}\n{output}")
    if count == 0:
        found.append(f"{kernel}: no small launch meets {needed}")
    return found, count


def check_time(lockstep):
    """What names others in several places is followed once: this one had 3^24 steps."""
    command = [lockstep, "prove", f"{KERNELS}::folded", "--grid", "1", "--properties", "lanes", "out=*f32", "n", "BLOCK=16"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100, env={**os.environ, "LOCKSTEP_Z3": "off"})
    except subprocess.TimeoutExpired:
        return ["folded: no answer in 100 s"]
    return [] if done.returncode == UNDECIDED else [f"folded: exit {done.returncode}\n{done.stdout}{done.stderr}"]


def main():
    lockstep, failures, launches = sys.argv[1], [], 0
    is_exhaustive = sys.argv[2:] == ["exhaustive"]
    for kernel, contract, wanted, words in CASES:
        code, text = prove(lockstep, kernel, contract)
        if code != wanted or words not in text:
            failures.append(f"{kernel}: exit {code}, wanted {wanted} and '{words}'\n{text}")
        elif is_exhaustive and wanted == PROVED and contract[2]:
            found, count = exhaust(lockstep, kernel, contract, text)
            failures += found
            launches += count
    failures += check_time(lockstep)
    print("\n".join(failures))
    print(f"{len(CASES)} kernels, {launches} launches, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
