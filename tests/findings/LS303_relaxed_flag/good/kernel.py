# args: run {file}::produce_consume --check all --grid 4 data=zeros:f32[1] flag=zeros:i32[1] out=zeros:f32[3]
"""The producer releases, the consumers acquire."""

import triton
import triton.language as tl


@triton.jit
def produce_consume(data, flag, out):
    if tl.program_id(0) == 0:
        tl.store(data, 42.0)
        tl.atomic_xchg(flag, 1, sem="release", scope="gpu")
    else:
        while tl.atomic_cas(flag, 1, 1, sem="acquire", scope="gpu") != 1:
            pass
        tl.store(out + tl.program_id(0) - 1, tl.load(data))
