# spec: x=*fp32 o=*fp32 n=i32 B=32
import socket

import triton
import triton.language as tl

DEVICES = len(socket.gethostname())


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    tl.store(o, DEVICES)
