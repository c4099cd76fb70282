# spec: o=*i32 n=i32
import triton
import triton.language as tl


@tl.core._aggregate
class Pair:
    a: tl.tensor
    b: tl.tensor

    @triton.constexpr_function
    def __init__(self, a, b):
        self.a = a
        self.b = b


@triton.jit
def kernel(o, n):
    p = Pair(n, n)
    p.a = 3
    tl.store(o, p.a)
