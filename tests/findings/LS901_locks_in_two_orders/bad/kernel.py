# args: run {file}::move --check all --schedules 32 --grid 4 accounts=full(10):i32[2] locks=zeros:i32[2]
"""Each program takes the lock of its own account first: two that run at once hold one lock each. In the order of the grid nothing shows."""

import triton
import triton.language as tl


@triton.jit
def move(accounts, locks):
    pid = tl.program_id(0)
    first = pid % 2
    second = 1 - first
    while tl.atomic_cas(locks + first, 0, 1) == 1:
        pass
    while tl.atomic_cas(locks + second, 0, 1) == 1:
        pass
    tl.store(accounts + pid % 2, tl.load(accounts + pid % 2) - 1)
    tl.store(accounts + 1 - pid % 2, tl.load(accounts + 1 - pid % 2) + 1)
    tl.atomic_xchg(locks + second, 0)
    tl.atomic_xchg(locks + first, 0)
