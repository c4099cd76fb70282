"""tt.make_range: start, start + 1, .. end - 1."""

from support import tiles


def cases():
    kernel = tiles.Kernel()
    for start, count in [(0, 1), (0, 2), (0, 1024), (7, 1), (5, 16), (1000, 64), (2**31 - 257, 256), (65536, 2048)]:
        kernel.output(kernel.range(count, start))
    yield kernel.case("i32")
    kernel = tiles.Kernel()
    attributes = "tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<8> : tensor<1xi32>"
    values = tiles.np.arange(8, 72, dtype=tiles.np.int32)
    kernel.output(kernel.add(f"tt.make_range {{end = 72 : i32, start = 8 : i32, {attributes}}} : tensor<64xi32>", "i32", values))
    yield kernel.case("with hints")
