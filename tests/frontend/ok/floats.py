"""Float types: promotion, literals, casts."""
# spec: h=*fp16 b=*bf16 f=*fp32 d=*fp64 o=*fp32 n=i32 s=fp32 B=32
import math

import triton
import triton.language as tl

DT = tl.float16


@triton.jit
def kernel(h, b, f, d, o, n, s, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(h + i); y = tl.load(b + i); z = tl.load(f + i); w = tl.load(d + i)
    tl.store(o + i, x * 3.3); tl.store(o + i, x / 2.0); tl.store(o + i, y * 2); tl.store(o + i, y / y); tl.store(o + i, x + y)
    tl.store(o + i, x + z); tl.store(o + i, z * w); tl.store(o + i, z + 1e300); tl.store(o + i, z + 1e-40); tl.store(o + i, x % 3.0)
    q = 3.3
    tl.store(o + i, x * q); tl.store(o + i, n * x); tl.store(o + i, s * x); tl.store(o + i, 1 / z); tl.store(o + i, 2.0 - y)
    tl.store(o + i, x > 0.5); tl.store(o + i, tl.maximum(x, 0.0)); tl.store(o + i, tl.maximum(y, y)); tl.store(o + i, tl.where(x > 0, x, 0.0))
    tl.store(o + i, tl.where(z > 0, y, float("-inf"))); tl.store(o + i, tl.fma(x, x, x)); tl.store(o + i, tl.clamp(z, 0.0, s))
    tl.store(o + i, z * math.pi); tl.store(o + i, z == float("nan")); tl.store(h + i, z); tl.store(b + i, w); tl.store(h + i, n); tl.store(b + i, x)
    tl.store(h + i, y); tl.store(d + i, y); tl.store(o + i, tl.exp(1.5)); tl.store(o + i, -z); tl.store(o + i, (z * 2).to(tl.int32).to(tl.float32, bitcast=True))
    tl.store(o + i, x.to(DT) + tl.full((B,), 0.1, tl.bfloat16)); tl.store(o + i, tl.full((B,), n, tl.float32)); tl.store(o + i, tl.abs(x) + tl.floor(z))
