"""Functions of triton.experimental.gluon.language that are written in Gluon itself."""

from triton.experimental.gluon import jit
from triton.experimental.gluon import language as gl


@jit
def zeros(shape, dtype, layout=None):
    return gl.full(shape, 0, dtype, layout)


@jit
def full_like(input, value, shape=None, dtype=None, layout=None):
    return gl.full(
        input.shape if shape is None else shape,
        value,
        input.dtype if dtype is None else dtype,
        input.type.layout if layout is None else layout,
    )


@jit
def zeros_like(input, shape=None, dtype=None, layout=None):
    return full_like(input, 0, shape=shape, dtype=dtype, layout=layout)
