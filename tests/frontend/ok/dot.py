"""tl.dot in every type and precision."""
# spec: a=*fp32 b=*fp32 o=*fp32 K=32
import triton
import triton.language as tl


@triton.jit
def kernel(a, b, o, K: tl.constexpr):
    r = tl.arange(0, K)[:, None] * K + tl.arange(0, K)[None, :]
    x = tl.load(a + r); y = tl.load(b + r)
    d = tl.dot(x, y); d = tl.dot(x, y, d, input_precision="ieee"); d += tl.dot(x, y, allow_tf32=False); d += tl.dot(x, y, input_precision="tf32x3")
    d = tl.dot(x.to(tl.float16), y.to(tl.float16), acc=d)
    x8 = x.to(tl.int8); di = tl.dot(x8, x8, out_dtype=tl.int32)
    xf = x.to(tl.float8e5); d = tl.dot(xf, xf, d, max_num_imprecise_acc=16)
    h = tl.dot(x.to(tl.float16), y.to(tl.float16), out_dtype=tl.float16)
    xf2 = tl.dot(xf, xf); xn = x.to(tl.float8e4nv); xg = tl.dot(xn, xf)
    f64 = tl.dot(x.to(tl.float64), y.to(tl.float64))
    x3 = tl.reshape(x, (2, K//2, K)); y3 = tl.reshape(tl.join(y, y), (2, K, K)); d3 = tl.dot(x3, y3)
    tl.store(o + r, d + di + tl.reshape(d3, (K, K)) + h + xf2 + xg + f64)
