"""A descriptor made on the host: one handle, then shape and strides."""
# spec: d=tensordesc<fp16[16,32]> e=tensordesc<u8[1,64]> o=*i32
import triton
import triton.language as tl


@triton.jit
def doubled(source):
    return source.load([0, 0]) * 2


@triton.jit
def kernel(d, e, o):
    d.store([16, 0], doubled(d))
    e.store([0, 64], e.load([0, 0]) + 1)
    tl.store(o, d.shape[0])
    tl.store(o + 1, d.strides[0])
    tl.store(o + 2, e.shape[1] * 2)
