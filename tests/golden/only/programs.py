# args: run {file}::places --grid 3,2 out=zeros:i32[6] --only "2,1;0" --print out --check all
# args: run {file}::places --grid 3,2 out=empty:i32[6] --only 1,1,0 --print out --check all
# args: run {file}::places --grid 3,2 out=zeros:i32[6] --only 3,0
# args: run {file}::places --grid 3,2 out=zeros:i32[6] --only 1,two
# args: run {file}::places --grid 3,2 out=zeros:i32[6] --only 1 --expect out=@out.npy
# args: run {file}::one_counter --grid 100 out=arange:i32[1] --only 5;7 --check races
# args: run {file}::one_counter --grid 100 out=arange:i32[1] --only 5 --check races
# args: run {file}::rows --grid 65536,16 x=zeros:f32[1048576,4096] --only 0;65535,15 --check overflow stride=4096
"""--only: programs of a grid, by their places. What the others would do is not missed."""

import triton
import triton.language as tl


@triton.jit
def places(out):
    x, y = tl.program_id(0), tl.program_id(1)
    tl.store(out + y * tl.num_programs(0) + x, 10 * y + x + 100)


@triton.jit
def one_counter(out):
    tl.store(out, tl.program_id(0))


@triton.jit
def rows(x, stride):
    row = tl.program_id(1) * 65536 + tl.program_id(0)
    tl.store(x + row * stride + tl.arange(0, 16), 1.0)
