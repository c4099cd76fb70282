# args: run {file}::loop_variable --grid 1 x=full(100):i8[1] out=zeros:i64[16] --print out --expect out=@{folder}/loop_variable.npy
"""The variable of a range loop is an i32 scalar: it widens i8, divides towards zero and wraps at 32 bits."""

import triton
import triton.language as tl


@triton.jit
def loop_variable(x, out):
    small = tl.load(x)
    for i in range(20, 24):
        tl.store(out + i - 20, small + i * 2)
    for i in range(0, 4):
        tl.store(out + 4 + i, (i - 3) // 2)
        tl.store(out + 8 + i, (i - 3) % 2)
    for i in range(65536, 65540):
        tl.store(out + 12 + i - 65536, i * i)
