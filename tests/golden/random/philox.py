# args: run {file} --grid 1 out=zeros:f32[12] words=zeros:i32[16] seed=42 --print out --print words
"""Philox as an H200 gave it: rand, randn and randint of seed 42 at offsets 0..3, and the four words of seed -1."""

import triton
import triton.language as tl


@triton.jit
def numbers(out, words, seed):
    i = tl.arange(0, 4)
    tl.store(out + i, tl.rand(seed, i))
    tl.store(out + 4 + i, tl.randn(seed, i))
    tl.store(out + 8 + i, tl.randint(seed, i).to(tl.float32))
    a, b, c, d = tl.randint4x(-1, i)
    tl.store(words + i, a.to(tl.int32, bitcast=True))
    tl.store(words + 4 + i, b.to(tl.int32, bitcast=True))
    tl.store(words + 8 + i, c.to(tl.int32, bitcast=True))
    tl.store(words + 12 + i, d.to(tl.int32, bitcast=True))
