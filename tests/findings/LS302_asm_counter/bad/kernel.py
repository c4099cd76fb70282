# args: run {file}::count_programs --check all --grid 16 count=zeros:i32[1]
"""Each program counts itself by a load and a store in assembly: programs that run at once lose each other's."""

import triton
import triton.language as tl


@triton.jit
def count_programs(count):
    tl.inline_asm_elementwise(
        "{ .reg .b32 t; ld.global.u32 t, [$1]; add.u32 t, t, 1; st.global.u32 [$1], t; mov.b32 $0, t; }",
        "=r,l", [count], dtype=tl.int32, is_pure=False, pack=1)
