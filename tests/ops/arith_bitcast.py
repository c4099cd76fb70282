"""arith.bitcast: the same bits as another type of that width."""

from support import bitcasts, elements


def cases():
    every = elements.INTEGERS + elements.FLOAT8 + elements.FLOATS
    gpu = lambda a, b: "Triton casts f8 by tt.bitcast" if {a, b} & set(elements.FLOAT8) else True  # noqa: E731
    yield from bitcasts.cases("arith.bitcast %a : FROM to TO", every, gpu)
