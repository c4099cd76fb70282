"""Cases of a binary float op in every type: all pairs of fp8, every pair of special values and random ones else, and ranks
from 0 to 5."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from support import elements, kernels, references, strided, values
from support.case import Case

COUNT = 4096
SHAPES = {"scalar": (), "matrix": (8, 16), "rank5": (2, 4, 2, 4, 4)}
NO_F8 = "Triton has no arithmetic in f8 types: its front end converts them first"


def case(name: str, line: str, element: str, a, b, reference, shape=None, result=None, **options) -> Case:
    """`line` defines %r from %a and %b."""
    result = result or element
    if element in elements.FLOAT8:
        options.setdefault("gpu", NO_F8)
    return kernels.elementwise(name, line, {"a": a, "b": b}, {"r": result}, reference, shape, **options)


def cases(op: str, function: Callable, overflow: str = "infinity", f8_overflow: str = "saturate", **options) -> Iterator[Case]:
    """`function`: on NumPy arrays of f32, f64, or (for narrower types) float64."""
    for element in elements.FLOATS + elements.FLOAT8:
        a, b = values.pairs(element, 65536 if element in elements.FLOAT8 else COUNT)
        reference = references.once_rounded(function, element, f8_overflow if element in elements.FLOAT8 else overflow)
        yield case(element, f"%r = {op} %a, %b : TILE({element})", element, a, b, reference, **options)
    for label, shape in SHAPES.items():
        a, b = values.floats("f32", 256, 5), values.floats("f32", 256, 6)[::-1]
        a, b = (a[:64], b[:64]) if shape == () else (a, b)
        reference = references.once_rounded(function, "f32")
        yield case(f"f32_{label}", f"%r = {op} %a, %b : TILE(f32)", "f32", a, b, reference, shape, **options)
    gpu = "the cases on arrays ask" if "gpu_bound" in options else True
    for element in ("f16", "f32"):
        yield strided.case(op, element, references.once_rounded(function, element), gpu=gpu)
    a, b = values.pairs("f32", 1024)
    line = f"%r = {op} %a, %b fastmath<fast> : TILE(f32)"
    options |= {"gpu": "what a flag allows the GPU is not what Lockstep does"}
    yield case("f32_fastmath", line, "f32", a, b, references.once_rounded(function, "f32"), **options)
