"""tt.histogram: how many lanes hold 0, 1, .. bins - 1, modulo the larger of the bins and 32 (S-100); other values, and lanes masked off, are
not counted."""

import numpy as np
from support import tiles, values


def add(kernel: tiles.Kernel, x: tiles.Tile, bins: int, mask: tiles.Tile | None = None, result="i32"):
    wrapped = x.values.astype(np.int64) & (max(bins, 32) - 1)
    kept = wrapped[(wrapped < bins) & (mask.values if mask else True)]
    counts = np.bincount(kept, minlength=bins).astype(tiles.dtype_of(result))
    text = f"tt.histogram {x.name}{', ' + mask.name if mask else ''} : {x.type()} -> tensor<{bins}x{result}>"
    kernel.output(kernel.add(text, result, counts))


def some(element: str, count: int, limit: int, seed: int) -> np.ndarray:
    """Mostly inside [0, limit), some outside on either side."""
    raw = values.random_bits(count, seed)
    inside = (raw >> np.uint64(8)) % np.uint64(limit)
    array = inside.astype(np.int64)
    array[::7] += limit
    array[::11] = -1 - array[::11]
    array[1::13] = limit
    return array.astype(tiles.dtype_of(element))


def cases():
    for element in ("i32", "i64", "i16", "i8"):
        for bins in (1, 2, 8, 64, 256):
            kernel = tiles.Kernel(bins)
            for count in (1, 32, 512):
                x = kernel.loaded(some(element, count, min(bins, 100), bins + count), element)
                add(kernel, x, bins)
                for form in tiles.forms("i1", (count,)):
                    add(kernel, x, bins, kernel.make(form, "i1", (count,)))
            yield kernel.case(f"{element} in {bins} bins")
    kernel = tiles.Kernel(6)
    far = kernel.loaded((np.arange(512) * 37 - 9000).astype(np.int32), "i32")
    for bins in (1, 2, 4, 8, 16, 32, 64, 512):
        add(kernel, far, bins)
    yield kernel.case("far outside")
    kernel = tiles.Kernel(5)
    for form in ("affine", "uniform"):
        add(kernel, kernel.make(form, "i32", (64,)), 32)
    add(kernel, kernel.range(64), 64)
    yield kernel.case("ranges and splats")
