# spec: o=*i32 n=i32
import triton
import triton.language as tl


@tl.core._aggregate
class One:
    a: tl.tensor

    @triton.constexpr_function
    def __init__(self, a):
        self.a = a


@triton.jit
def kernel(o, n):
    p = One(n)
    tl.store(o, p.a + p.b)
