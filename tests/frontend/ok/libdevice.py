"""Functions of libdevice, chosen by the types of their arguments."""
# spec: x=*fp32 d=*fp64 i=*i32 q=*i64 u=*u32 o=*fp32 s=fp32 BLOCK=64
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as device_functions


@triton.jit
def kernel(x, d, i, q, u, o, s, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    wide = tl.load(d + lanes)
    count = tl.load(i + lanes)
    long = tl.load(q + lanes)
    plain = tl.load(u + lanes)
    b = libdevice.tanh(a) + libdevice.pow(a, s) + tl.extra.libdevice.exp(a) + tl.extra.cuda.libdevice.log1p(a)
    b += libdevice.pow(a, count) + device_functions.fma_rz(a, b, 2.0) + libdevice.rsqrt(s) + libdevice.nextafter(0.5, a)
    wide = libdevice.erfinv(wide) + libdevice.atan2(wide, wide) + libdevice.ldexp(wide, count)
    odd = libdevice.isnan(a) | libdevice.isinf(wide) | libdevice.finitef(a) | libdevice.isfinited(wide)
    count = libdevice.clz(long) + libdevice.popc(count) + libdevice.float2int_rn(a) + libdevice.byte_perm(count, count, 0x1234)
    long = libdevice.mulhi(long, long) + libdevice.double2ll_rd(wide) + libdevice.brev(long)
    plain = libdevice.mulhi(plain, plain) + libdevice.sad(plain, plain, plain)
    b = tl.where(odd, b, libdevice.int2float_rn(count)) + libdevice.cyl_bessel_i0(b[None, :] + a[:, None])[:, None].sum(0).sum(0).sum(0)
    tl.store(o + lanes, b)
    tl.store(d + lanes, wide)
    tl.store(i + lanes, count)
    tl.store(q + lanes, long)
    tl.store(u + lanes, plain)
