# spec: o=*i32 n=i32
import triton
import triton.language as tl


@tl.core._aggregate
class Pair:
    a: tl.tensor
    b: tl.constexpr

    @triton.constexpr_function
    def __init__(self, a, b):
        self.a = a
        self.b = tl.constexpr(b)


@triton.jit
def kernel(o, n):
    p = Pair(n, 3)
    q = Pair(5, p.a)
    tl.store(o, q.a)
