import triton
import triton.language as tl


@triton.jit
def count(counts):
    tl.store(counts, tl.load(counts) + 1)
