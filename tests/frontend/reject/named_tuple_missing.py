# spec: o=*i32 n=i32
import triton
import triton.language as tl


from collections import namedtuple

Point = namedtuple("Point", "x y")


@triton.jit
def kernel(o, n):
    p = Point(n)
    tl.store(o, p.x)
