# spec: x=*i64 n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [n, n], [n, 1], [B, B])
    d.atomic_add([0, 0], d.load([0, 0]))
