# args: run {file}::unpack --grid 4 --check all packed=arange:i32[4] out=zeros:i32[64] PER_WORD=16
"""A word of 32 bits has eight nibbles, not sixteen: half of the shifts are as wide as the word or wider."""

import triton
import triton.language as tl


@triton.jit
def unpack(packed, out, PER_WORD: tl.constexpr):
    word = tl.load(packed + tl.program_id(0))
    place = tl.arange(0, PER_WORD)
    tl.store(out + tl.program_id(0) * PER_WORD + place, (word >> (4 * place)) & 15)
