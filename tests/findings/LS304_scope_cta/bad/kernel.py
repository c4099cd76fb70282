# args: run {file}::produce_consume --check all --grid 4 data=zeros:f32[1] flag=zeros:i32[1] out=zeros:f32[3]
"""The flag is released and acquired, but only for threads of the same block: other programs see nothing of it."""

import triton
import triton.language as tl


@triton.jit
def produce_consume(data, flag, out):
    if tl.program_id(0) == 0:
        tl.store(data, 42.0)
        tl.atomic_xchg(flag, 1, sem="release", scope="cta")
    else:
        while tl.atomic_cas(flag, 1, 1, sem="acquire", scope="cta") != 1:
            pass
        tl.store(out + tl.program_id(0) - 1, tl.load(data))
