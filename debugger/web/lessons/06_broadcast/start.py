import triton
import triton.language as tl


@triton.jit
def differences(a, b, out, N: tl.constexpr):
    i = tl.arange(0, N)
    left = tl.load(a + i)
    right = tl.load(b + i)
    table = left[None, :] - right[:, None]
    tl.store(out + i[:, None] * N + i[None, :], table)
