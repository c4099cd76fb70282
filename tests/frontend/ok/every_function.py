"""Functions of triton.language that no other case uses, as functions and as methods."""
# spec: x=*fp32 k=*i32 d=*fp64 o=*fp32 q=*i32 n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, k, d, o, q, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(k + i)
    w = tl.load(d + i)
    tl.store(o + i, tl.ceil(a) + tl.cos(a) + tl.erf(a) + tl.exp2(a) + tl.log(a) + tl.log2(a) + tl.sin(a))
    tl.store(o + i, tl.math.ceil(a) + tl.math.cos(a) + tl.math.erf(a) + tl.math.exp2(a) + tl.math.log(a))
    tl.store(o + i, a.ceil() + a.cos() + a.erf() + a.exp2() + a.log() + a.log2() + a.sin() + a.sqrt_rn())
    tl.store(o + i, tl.sqrt_rn(a) + tl.div_rn(a, a + 1) + tl.fdiv(a, 3.0) + tl.fdiv(a, a, ieee_rounding=True))
    tl.store(o + i, tl.math.log2(a) + tl.math.sin(a) + tl.math.sqrt_rn(a) + tl.math.div_rn(a, a) + tl.math.fdiv(a, a))
    tl.store(d + i, tl.exp(w) + tl.sin(w) + tl.erf(w) + tl.floor(w) + tl.rsqrt(w) + tl.sqrt(w))
    tl.store(q + i, tl.histogram(b, B) + b.histogram(B, mask=b > 3))
    tl.store(q + i, tl.zeros_like(b) + tl.num_programs(0) + tl.num_programs(axis=2))
    tl.store(o + tl.arange(0, 2 * B), tl.cat(a, a, can_reorder=True))
    even, odd = tl.split(tl.reshape(a, (B // 2, 2)))
    low, high = a.reshape(B // 2, 2).split()
    tl.store(o + tl.arange(0, B // 2), even + odd + low * high)
    square = tl.expand_dims(a, 0) + a.expand_dims(1) + tl.sum(tl.expand_dims(b, (0, -1)))
    tl.store(o, tl.sum(square))
    tl.store(o + i, tl.standard.bitonic_merge(a) + tl.bitonic_merge(a, 0, True))
    c0, c1, c2, c3 = tl.philox_impl(b.to(tl.uint32), b.to(tl.uint32), b.to(tl.uint32), b.to(tl.uint32), n.to(tl.uint32), n.to(tl.uint32), 4)
    tl.store(q + i, (c0 ^ c1 ^ c2 ^ c3).to(tl.int32, bitcast=True))
    tl.store(o + i, tl.maximum(a, 0.0, propagate_nan=tl.PropagateNan.ALL) + tl.clamp(a, 0.0, 1.0, tl.PropagateNan.NONE))
    address = o.to(tl.int64)
    tl.store(address.to(tl.pointer_type(tl.float32)), 1.0)
    tl.store(address.to(tl.pi32_t), 1)
    if tl.TRITON_MAX_TENSOR_NUMEL > 1000:
        tl.store(q, 1)
    tl.static_print("every function", B, sep=": ")
