import triton
import triton.language as tl


@triton.jit
def long_sum(x, out, n):
    total = tl.zeros([16], dtype=tl.float16)
    for start in range(0, n, 16):
        total += tl.load(x + start + tl.arange(0, 16))
    tl.store(out, tl.sum(total, axis=0))
