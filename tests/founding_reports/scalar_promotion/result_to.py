# args: run {file}::result_to --grid 1 out=zeros:f32[2] t0=0.5 t1=0.25 --print out --expect out=@{folder}/result_to_float.npy
# args: run {file}::result_to --grid 1 out=zeros:f32[2] t0=5 t1=6 --print out --expect out=@{folder}/result_to_integer.npy
"""The report: the sum of two scalar arguments has a .to() method, whatever their type."""

import triton
import triton.language as tl


@triton.jit
def result_to(out, t0, t1):
    result = t0 + t1
    tl.store(out, result.to(tl.float32))
    half = 0.5
    tl.store(out + 1, (result + half).to(tl.float16).to(tl.float32))
