"""A constexpr parameter of the kernel that a launch gives a function: by its name."""
# spec: o=*i32 n=i32 F='twice' NAME='twice'
import triton
import triton.language as tl


@triton.jit
def twice(x):
    return x * 2


@triton.jit
def applied(x, F: tl.constexpr):
    return F(x) + 1


@triton.jit
def kernel(o, n, F: tl.constexpr, NAME: tl.constexpr):
    tl.store(o, F(n))
    if NAME == "twice":
        tl.store(o + 1, n)
