"""Inline assembly over blocks, scalars and pointers; the functions of tl.extra.cuda that are made of it."""
# spec: x=*fp32 h=*fp16 o=*i64 n=i32 BLOCK=64
import triton
import triton.language as tl


@triton.jit
def kernel(x, h, o, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    b = tl.inline_asm_elementwise("add.f32 $0, $1, $2;", "=f,f,f", [a, 1.5], dtype=tl.float32, is_pure=True, pack=1)
    low, high = tl.inline_asm_elementwise(
        asm="""
        {
            mov.b32 {$0, $1}, $2;  // a comment with "quotes" and a \\ backslash
        }
        """,
        constraints="=h,=h,r",
        args=[n],
        dtype=(tl.int16, tl.uint16),
        is_pure=False,
        pack=1,
    )
    two = tl.inline_asm_elementwise("neg.f16x2 $0, $1;", "=r,r", (tl.load(h + lanes),), tl.float16, True, 2)
    where = tl.inline_asm_elementwise("mov.b64 $0, $1;", "=l,l", [x + lanes[:, None]], tl.int64, is_pure=True, pack=1)
    now = tl.extra.cuda.globaltimer() + tl.extra.cuda.smid() + tl.extra.cuda.num_warps() * tl.extra.cuda.num_threads()
    tl.extra.cuda.gdc_wait()
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(x + lanes, b)
    tl.store(h + lanes, two)
    tl.store(o + lanes, now + low + high + where.sum(1))
