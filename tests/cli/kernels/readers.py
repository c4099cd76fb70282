"""Many programs read one element, each at another time of its clock; the last waits for all of them but the first, and stores."""

import triton
import triton.language as tl


@triton.jit
def readers(x, cells, flags, out, waits_from):
    pid = tl.program_id(0)
    last = tl.num_programs(0) - 1
    if pid < last:
        for _ in range(pid + 1):
            tl.atomic_add(cells + pid, 1, sem="release")
        tl.store(out + pid, tl.load(x))
        tl.atomic_xchg(flags + pid, 1, sem="release")
    else:
        for other in range(waits_from, last):
            while tl.atomic_add(flags + other, 0, sem="acquire") == 0:
                pass
        tl.store(x, 7.0)
