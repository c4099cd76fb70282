# spec: out=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(out):
    total = 0
    for i in tl.static_range(0, 4):
        total += i
    else:
        total += 1
    tl.store(out, total)
