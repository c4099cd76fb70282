import triton
import triton.language as tl


@triton.jit
def all_in_one(out):
    tl.store(out, tl.program_id(0) * tl.program_id(0))


@triton.jit
def squares(out):
    tl.store(out + tl.program_id(0), tl.program_id(0) * tl.program_id(0))
