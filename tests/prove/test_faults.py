#!/usr/bin/env python3
"""Planted faults: none is proved, nearly all are refuted by a launch that was run, and the right twins are proved.

Usage: test_faults.py LOCKSTEP [COUNT]: without a count, all.
"""

import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
ADD = '''def add(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask) + tl.load(y + offs, mask), mask)
'''
ROWS = '''def rows(x, out, M, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * stride + cols, cols < N)
        tl.store(out + row * N + cols, value, cols < N)
'''
BLOCKS = '''def blocks(x, out, M, N, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * 8 + tl.arange(0, 8)
    on = (r[:, None] < M) & (c[None, :] < N)
    at = r[:, None] * N + c[None, :]
    tl.store(out + at, tl.load(x + at, on), on)
'''
CLAMPED = '''def clamped(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.minimum(offs, n - 1)
    tl.store(out + offs, tl.load(x + at), offs < n)
'''
SHIFTED = '''def shifted(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + offs - 1, (offs >= 1) & (offs < n), other=0.0)
    right = tl.load(x + offs + 1, offs + 1 < n, other=0.0)
    tl.store(out + offs, left + right, offs < n)
'''
CARRIED = '''def carried(x, out, N, BLOCK: tl.constexpr):
    p = x + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, N, BLOCK):
        total += tl.load(p, start + tl.arange(0, BLOCK) < N, other=0.0)
        p += BLOCK
    tl.store(out + tl.arange(0, BLOCK), total)
'''
GROUPED = '''def grouped(x, out, H, G, BLOCK: tl.constexpr):
    head = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    value = tl.load(x + (head // G) * BLOCK + cols)
    tl.store(out + head * BLOCK + cols, value)
'''
GATHERED = '''def gathered(x, index, out, n, m, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.load(index + offs, offs < n, other=0)
    tl.store(out + offs, tl.load(x + at, offs < n), offs < n)
'''
VECTOR = ["--grid", "cdiv(n, BLOCK)", "x=f32[n]", "out=f32[n]"]

# name, text, contract, (what is replaced, by what): each a fault of its own
BASES = [
    ("add", ADD, [*VECTOR, "y=f32[n]"], [("offs < n", "offs <= n"), ("x + offs, mask", "x + offs"), ("tl.load(y + offs, mask)", "tl.load(y + offs)"),
     (", mask)\n", ")\n"), ("x + offs", "x + offs + 1"), ("offs < n", "offs < n + BLOCK")]),
    ("rows", ROWS, ["--grid", "M", "x=f32[M,N]:(stride,1)", "out=f32[M,N]"],
     [("cols, cols < N", "cols, cols <= N"), ("value, cols < N", "value, cols <= N"), ("row * N", "row * stride"), ("cols, cols < N)", "cols)"),
      ("row * N", "(row + 1) * N"), ("value, cols < N", "value, cols < stride")]),
    ("blocks", BLOCKS, ["--grid", "cdiv(M, BLOCK), cdiv(N, 8)", "x=f32[M,N]", "out=f32[M,N]"],
     [("< M) & (c[None, :] < N)", "< M) & (c[None, :] < M)"), ("r[:, None] < M", "r[:, None] <= M"), ("(r[:, None] < M) & (c[None, :] < N)", "c[None, :] < N"),
      ("r[:, None] < M", "r[:, None] < N"), ("r[:, None] * N", "r[:, None] * M"), ("tl.load(x + at, on)", "tl.load(x + at)")]),
    ("clamped", CLAMPED, VECTOR, [("n - 1", "n"), ("tl.minimum(offs, n - 1)", "offs"), ("offs < n", "offs <= n"), ("tl.minimum", "tl.maximum")]),
    ("shifted", SHIFTED, VECTOR, [("offs >= 1) & ", "offs >= 0) & "), ("offs + 1 < n", "offs < n"), ("(offs >= 1) & ", ""), ("offs + 1 < n", "offs + 1 <= n")]),
    ("carried", CARRIED, ["--grid", "1", "x=f32[N]", "out=f32[BLOCK]"], [("p += BLOCK", "p += BLOCK + 1"), ("< N, other", "<= N, other"),
     ("start + tl.arange(0, BLOCK) < N", "start < N"), ("p += BLOCK", "p += 2 * BLOCK")]),
    ("grouped", GROUPED, ["--grid", "H*G", "x=f32[H,BLOCK]", "out=f32[H*G,BLOCK]"], [("(head // G)", "head"), ("head // G", "head // G + 1"),
     ("out + head * BLOCK", "out + (head + 1) * BLOCK"), ("+ cols, value", "+ cols + 1, value")]),
    ("gathered", GATHERED, ["--grid", "cdiv(n, BLOCK)", "x=f32[m]", "index=i32[n]", "out=f32[n]", "--assume", "index in [0,m)"],
     [("x + at,", "x + at + 1,"), ("out + offs", "out + at"), ("index + offs, offs < n", "index + offs, offs <= n"), ("x + at, offs < n", "x + at * 2, offs < n")]),
]


def prove(lockstep, folder, name, text, contract, block):
    path = Path(folder) / "kernel.py"
    path.write_text(HEAD + text)
    command = [lockstep, "prove", f"{path}::{name}", *contract, f"BLOCK={block}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


def main():
    lockstep, failures = sys.argv[1], []
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 10**6
    planted = [(base, fault, block) for block, base in itertools.product([8, 16, 4, 32, 64, 2, 128], BASES) for fault in base[3]]
    step = max(1, len(planted) // most)
    refuted, proved = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        chosen = planted[::step]
        for (name, text, contract, _), block in {(one[0][0], one[2]): (one[0], one[2]) for one in chosen}.values():
            code, output = prove(lockstep, folder, name, text, contract, block)
            proved += code == 0
            if code != 0:
                failures.append(f"{name} BLOCK={block}: the right kernel is not proved\n{output}")
        for (name, text, contract, _), (old, new), block in chosen:
            assert text.count(old) >= 1, (name, old)
            code, output = prove(lockstep, folder, name, text.replace(old, new, 1), contract, block)
            refuted += code == 1
            if code not in (1, 4):
                failures.append(f"{name} BLOCK={block}: '{old}' became '{new}', exit {code}\n{output}")
            elif code == 4 and "-v" in sys.argv:
                print(f"{name} BLOCK={block}: '{old}' became '{new}': not decided\n{output}")
    if refuted < 0.9 * len(chosen):
        failures.append(f"only {refuted} of {len(chosen)} faults are refuted")
    print("\n".join(failures))
    print(f"{len(chosen)} faults, {refuted} refuted, {proved} right twins proved, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
