"""tt.map_elementwise.return: covered by tt.map_elementwise; here the order of packed results of two types."""

import numpy as np
from support import values
from support.asm import by_thread
from tt_map_elementwise import case


def cases():
    body = [
        "%x = arith.sitofp %a0 : i32 to f32",
        "%y = arith.sitofp %a1 : i32 to f32",
        "tt.map_elementwise.return %a1, %a0, %x, %y : i32, i32, f32, f32",
    ]

    def reference(a):
        return [a.reshape(-1, 2)[:, ::-1].ravel(), a.astype(np.float32)]

    yield case("grouped by result", body, [values.integers("i32", 512)], ["i32", "f32"], reference, 2, gpu_bound=by_thread(reference))
