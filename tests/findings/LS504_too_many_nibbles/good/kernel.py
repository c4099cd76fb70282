# args: run {file}::unpack --grid 4 --check all packed=arange:i64[4] out=zeros:i32[64] PER_WORD=16
"""Words of 64 bits have sixteen nibbles."""

import triton
import triton.language as tl


@triton.jit
def unpack(packed, out, PER_WORD: tl.constexpr):
    word = tl.load(packed + tl.program_id(0))
    place = tl.arange(0, PER_WORD)
    tl.store(out + tl.program_id(0) * PER_WORD + place, (word >> (4 * place).to(tl.int64)) & 15)
