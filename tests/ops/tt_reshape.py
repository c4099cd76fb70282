"""tt.reshape: the same elements in row-major order. With allow_reorder any order will do on a GPU; Lockstep keeps the order."""

from support import tiles

TARGETS = {
    (1,): [(1, 1), (1, 1, 1)],
    (64,): [(8, 8), (1, 64), (64, 1), (2, 4, 8), (2, 2, 2, 2, 4), (4, 1, 16)],
    (4, 16): [(64,), (16, 4), (1, 4, 1, 16), (4, 2, 8), (2, 32)],
    (8, 1): [(8,), (1, 8), (2, 4)],
    (2, 1, 8): [(2, 8), (16,), (1, 2, 1, 8, 1), (8, 2)],
    (2, 2, 2, 2, 4): [(64,), (4, 4, 4), (2, 2, 1, 2, 8)],
}


def apply(kernel: tiles.Kernel, x: tiles.Tile):
    for shape in TARGETS[x.shape]:
        text = f"tt.reshape {x.name} : {x.type()} -> {tiles.type_text(x.element, shape)}"
        kernel.output(kernel.add(text, x.element, x.values.reshape(shape)))


def reorder(words: str):
    kernel = tiles.Kernel(7)
    for form in ("dense", "strided", "affine", "uniform"):
        x = kernel.make(form, "i32", (4, 16))
        kernel.output(kernel.add(f"tt.reshape {x.name} {words} : {x.type()} -> tensor<8x8xi32>", "i32", x.values.reshape(8, 8)))
    return kernel.case(words, gpu="the compiler chooses the order")


def cases():
    yield from tiles.over_types(apply, list(TARGETS))
    yield reorder("allow_reorder")
    yield reorder("allow_reorder efficient_layout")
