"""fp8 types, fp8e4b15 among them, and every direction of a cast."""
# spec: x=*fp32 h=*fp16 e=*fp8e5 n=*fp8e4nv c=*fp8e4b15 b=*bf16 d=*fp64 BLOCK=64
import triton
import triton.language as tl


@triton.jit
def kernel(x, h, e, n, c, b, d, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    tl.store(e + lanes, a)
    tl.store(n + lanes, a)
    tl.store(n + lanes, tl.load(e + lanes).to(tl.float16).to(tl.float8e4nv))
    tl.store(b + lanes, tl.load(n + lanes).to(tl.bfloat16))
    tl.store(d + lanes, tl.load(e + lanes).to(tl.float64))
    tl.store(h + lanes, a.to(tl.float16, fp_downcast_rounding="rtz"))
    tl.store(b + lanes, a.to(tl.bfloat16, fp_downcast_rounding="rtz"))
    tl.store(e + lanes, tl.load(d + lanes))
    tl.store(b + lanes, tl.load(h + lanes))
