# spec: o=*i32 n=i32
import triton
import triton.language as tl


@tl.core._aggregate
class One:
    a: tl.tensor

    def __init__(self, a):
        self.a = a


@triton.jit
def make(n):
    return One(n)


@triton.jit
def kernel(o, n):
    p = make(n)
    tl.store(o, p.a)
