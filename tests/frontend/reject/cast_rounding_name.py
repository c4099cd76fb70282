# spec: x=*fp32 o=*fp16
import triton
import triton.language as tl


@triton.jit
def kernel(x, o):
    tl.store(o, tl.load(x).to(tl.float16, fp_downcast_rounding=""))
