# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def next_of(count):
    return count + 1


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    count: tl.constexpr = n * B
    plain = count
    tl.store(o, next_of(plain))
    tl.store(o, next_of(count))
