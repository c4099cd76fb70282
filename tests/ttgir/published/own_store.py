# triton-lang/triton#8259: a load is moved in front of the store to the same address.
# launch: --grid 2 x=zeros:f32[2,512] difference=empty:f32[2,512] rows=2 WIDTH=512 BLOCK=128
# wrong: pipeline outside
# in: 3.5 3.6 3.7 3.8 3.9
import triton
import triton.language as tl


@triton.jit
def own_store(x, difference, rows, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, loop_unroll_factor=1, num_stages=2):
        for start in tl.range(0, WIDTH, BLOCK, loop_unroll_factor=2, num_stages=2, flatten=True):
            column = start + tl.arange(0, BLOCK)
            place = x + row * WIDTH + column
            value = (column + row).to(tl.float32)
            tl.store(place, value)
            loaded = tl.load(place)
            tl.store(difference + row * WIDTH + column, loaded - value)
