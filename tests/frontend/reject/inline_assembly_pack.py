# spec: x=*fp32 o=*fp32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [a], dtype=tl.float32, is_pure=True, pack=64)
    tl.store(o + i, b)
