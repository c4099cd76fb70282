# args: run {file}::swapped --num-ctas 2 --grid 1 x=arange:f32[8,8] out=zeros:f32[8,8] SIZE=8 --print out
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

ROWS = gl.constexpr(gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 0], cga_layout=[[1, 0]]))
COLUMNS = gl.constexpr(gl.BlockedLayout([1, 1], [8, 4], [4, 1], [1, 0], cga_layout=[[0, 1]]))


@gluon.jit
def swapped(x, out, SIZE: gl.constexpr):
    """Each of two blocks stores half of the rows and loads half of the columns, of which the other one stored half."""
    cells: gl.constexpr = gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[1, 0], cga_layout=[[1, 0]])
    r = gl.arange(0, SIZE, gl.SliceLayout(1, ROWS))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, ROWS))[None, :]
    stage = gl.allocate_shared_memory(gl.float32, [SIZE, SIZE], cells, gl.load(x + r * SIZE + c))
    r = gl.arange(0, SIZE, gl.SliceLayout(1, COLUMNS))[:, None]
    c = gl.arange(0, SIZE, gl.SliceLayout(0, COLUMNS))[None, :]
    gl.store(out + c * SIZE + r, stage.load(COLUMNS))
