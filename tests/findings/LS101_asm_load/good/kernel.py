# args: run {file}::read_once --grid "cdiv(n, BLOCK)" x=randn:f32[1000] y=empty:f32[1000] n=1000 BLOCK=128
"""The load is predicated."""

import triton
import triton.language as tl


@triton.jit
def read_once(x, y, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = (index < n).to(tl.int32)
    values = tl.inline_asm_elementwise(
        "{ .reg .pred p; setp.ne.s32 p, $2, 0; mov.b32 $0, 0; @p ld.global.L1::no_allocate.f32 $0, [$1]; }",
        "=f,l,r", [x + index, inside], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(y + index, values, index < n)
