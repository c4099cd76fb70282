"""Programs that do what a table says, for test_races.py: loads, stores and atomics of every order on a few cells."""

import triton
import triton.language as tl


@triton.jit
def act(code, cells, seen, STEPS: tl.constexpr):
    pid = tl.program_id(0)
    total = 0
    for i in tl.static_range(STEPS):
        at = (pid * STEPS + i) * 2
        what = tl.load(code + at)
        cell = cells + tl.load(code + at + 1)
        if what == 0:
            total += tl.load(cell)
        elif what == 1:
            tl.store(cell, pid * 64 + i + 1)
        elif what == 2:
            total += tl.atomic_add(cell, 1, sem="relaxed")
        elif what == 3:
            total += tl.atomic_add(cell, 1, sem="acquire")
        elif what == 4:
            total += tl.atomic_add(cell, 1, sem="release")
        elif what == 5:
            total += tl.atomic_add(cell, 1, sem="acq_rel")
        elif what == 6:
            total += tl.atomic_xchg(cell, 7, sem="acq_rel")
        elif what == 7:
            total += tl.atomic_cas(cell, 7, 9, sem="acq_rel")
        elif what == 8:
            total += tl.load(cell, volatile=True)
        elif what == 9:
            total += tl.atomic_add(cell, 1, sem="acq_rel", scope="cta")
    tl.store(seen + pid, total)
