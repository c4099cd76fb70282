# spec: x=*fp16 o=*fp16 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n):
    d = tl.make_tensor_descriptor(x, n, [1], [16])
    tl.store(o + tl.arange(0, 16), d.load([0]))
