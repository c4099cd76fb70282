import triton
import triton.language as tl


@triton.jit
def long_sum(x, out, n):
    total = tl.zeros([16], dtype=tl.float32)
    for start in range(0, n, 16):
        total += tl.load(x + start + tl.arange(0, 16)).to(tl.float32)
    tl.store(out, tl.sum(total, axis=0))
