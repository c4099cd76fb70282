# args: run {file}::count_programs --check all --grid 16 start=zeros:i32[16] count=empty:i32[16]
"""Each program has a counter of its own."""

import triton
import triton.language as tl


@triton.jit
def count_programs(start, count):
    program = tl.program_id(0)
    tl.inline_asm_elementwise(
        "{ .reg .b32 t; ld.global.u32 t, [$1]; add.u32 t, t, 1; st.global.u32 [$2], t; mov.b32 $0, t; }",
        "=r,l,l", [start + program, count + program], dtype=tl.int32, is_pure=False, pack=1)
