# spec: o=*i32 n=i32
import triton
import triton.language as tl


@tl.core._aggregate
class Pair:
    a: tl.tensor
    b: tl.tensor

    @triton.constexpr_function
    def __init__(self, a):
        self.a = a


@triton.jit
def kernel(o, n):
    p = Pair(n)
    tl.store(o, p.a)
