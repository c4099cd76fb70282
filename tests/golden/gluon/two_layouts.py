# args: emit {file}::kernel --sig out=*i32
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(out):
    lanes: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    pairs: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    gl.store(out + gl.arange(0, 256, lanes), gl.arange(0, 256, pairs))
