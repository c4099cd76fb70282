"""Boolean tensors, masks, and/or/not."""
# spec: x=*u1 y=*u1 o=*i32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = (i < n) & (i > 2) | (i == 0) ^ ~(i != 5)
    b = tl.load(y + i, mask=m, other=0)
    c = not (n > 3)
    d = n > 3 and n < 5
    e = n > 3 or n < 5 or n == 7
    f = -b
    g = b + b
    h = b * 2
    tl.store(o + i, tl.where(m & c & d & e, g, h))
    tl.store(y + i, b ^ True, mask=i < n)
    tl.store(y, True)
    tl.store(o + i, f)
