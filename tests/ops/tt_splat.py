"""tt.splat: every lane holds the scalar."""

from support import tiles


def cases():
    for number, element in enumerate(tiles.ALL):
        kernel = tiles.Kernel(number)
        scalar = kernel.dense(element, ())
        for shape in tiles.SHAPES:
            kernel.output(kernel.splat(scalar, shape))
        yield kernel.case(element, gpu=tiles.NO_GPU.get(element, True))
