"""tt.bitcast: the same bits as another type of that width; pointers to another type."""

import numpy as np
from support import bitcasts, elements, kernels


def cases():
    every = elements.INTEGERS + elements.FLOAT8 + elements.FLOATS
    foreign = {"f8E4M3FNUZ", "f8E5M2FNUZ"}
    gpu = lambda a, b: "a format that CUDA lacks" if {a, b} & foreign else True  # noqa: E731
    yield from bitcasts.cases("tt.bitcast %a : FROM -> TO", every, gpu)
    lines = [
        "%other = tt.bitcast %a_at : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>",
        "%r = tt.load %other : tensor<64x!tt.ptr<i32>>",
    ]
    given = np.arange(64, dtype=np.float32) * 0.5
    yield kernels.elementwise("pointers", lines, {"a": given}, {"r": "i32"}, lambda a: a.view(np.int32), (64,))
