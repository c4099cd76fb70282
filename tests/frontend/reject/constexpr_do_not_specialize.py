# spec: o=*i32 n=4
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n"])
def kernel(o, n: tl.constexpr):
    tl.store(o, n)
