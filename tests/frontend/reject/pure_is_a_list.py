# spec: x=*i32 n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    lanes = tl.arange(0, B)
    tl.store(x + lanes, tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [tl.load(x + lanes)], tl.int32, is_pure=[1], pack=1))
