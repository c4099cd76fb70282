# args: run {file}::read_once --grid "cdiv(n, BLOCK)" x=randn:f32[1000] y=empty:f32[1000] n=1000 BLOCK=128
"""A load that bypasses the cache, written in assembly: it has no predicate, so the last program reads past the end."""

import triton
import triton.language as tl


@triton.jit
def read_once(x, y, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.inline_asm_elementwise("ld.global.L1::no_allocate.f32 $0, [$1];", "=f,l", [x + index],
                                       dtype=tl.float32, is_pure=True, pack=1)
    tl.store(y + index, values, index < n)
