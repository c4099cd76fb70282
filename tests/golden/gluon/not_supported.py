# args: check-language {file}
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(x, out, held: gl.constexpr):
    gl.store(out, gl.bank_conflicts(x, held))
