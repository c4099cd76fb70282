# args: run {file}::produce_consume --check all --grid 4 data=zeros:f32[1] flag=zeros:i32[1] out=zeros:f32[3]
"""The flag tells that the data is there, but neither side of it orders anything: the data may come later than the flag."""

import triton
import triton.language as tl


@triton.jit
def produce_consume(data, flag, out):
    if tl.program_id(0) == 0:
        tl.store(data, 42.0)
        tl.atomic_xchg(flag, 1, sem="relaxed", scope="gpu")
    else:
        while tl.atomic_cas(flag, 1, 1, sem="relaxed", scope="gpu") != 1:
            pass
        tl.store(out + tl.program_id(0) - 1, tl.load(data))
