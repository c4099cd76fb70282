# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    rows = tl.make_tensor_descriptor(o, (n,), (1,), B)
    rows.store([0], tl.arange(0, B))
