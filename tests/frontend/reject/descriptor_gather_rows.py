# spec: x=*fp16 n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [n, n], [n, 1], [B, B])
    y = d.gather(tl.arange(0, 8), 0)
