"""Methods and attributes of tensors."""
# spec: x=*fp32 o=*fp32 n=i32 B=64
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = a.exp() + a.abs() + a.sqrt() + a.sum() + a.max(0) + a.min(axis=0) + a.to(tl.float16).exp()
    c = a[None, :].broadcast_to(4, B).trans() 
    d = c.permute(1, 0).reshape(B * 4).sum(0, keep_dims=True)
    e = a.to(tl.int8).sum() + a.to(tl.bfloat16).max(0) + a.to(tl.bfloat16).sum(0)
    f = tl.sum(a.to(tl.int1)) + tl.max(a.to(tl.int16), 0) + tl.min(a.to(tl.float16), 0)
    g = a.argmax(0) + a.argmin(0, tie_break_left=False) + tl.xor_sum(i, 0) + tl.reduce_or(i, 0)
    k = a.cumsum(0) + a.to(tl.bfloat16).cumsum(0, reverse=True) + a.to(tl.int8).cumsum(0) + tl.cumprod(a, 0)
    h = a.shape[0] + a.numel + tl.constexpr(3)
    tl.store(o + i, b + e + f + g + k + h)
    tl.store(o + tl.arange(0, 1), d)
    o.store(a.sum(dtype=tl.float64))
