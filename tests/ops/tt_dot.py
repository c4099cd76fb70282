"""tt.dot: c + a * b. Lockstep adds in order of k with one rounding per step, and is compared bit for bit with that chain; a
tensor core adds in its own way, so the H200's answers are compared with the exact sum within S-71's bound."""

from __future__ import annotations

from support import elements
from support.dots import Problem

SHAPES = [(16, 16, 16), (16, 32, 64), (64, 32, 32), (64, 64, 128), (128, 16, 32), (1, 16, 64), (32, 16, 256)]
F8 = elements.FLOAT8[:2]
FOREIGN = "a format that CUDA lacks"


def types():
    """(a, b, c, precision)."""
    for element in ("f16", "bf16"):
        yield element, element, "f32", "ieee"
    yield "f16", "f16", "f16", "ieee"
    for a in elements.FLOAT8:
        for b in elements.FLOAT8:
            yield a, b, "f32", "ieee"
    yield "f8E4M3FN", "f8E4M3FN", "f16", "ieee"
    for precision in ("tf32", "tf32x3", "bf16x3", "bf16x6", "ieee"):
        yield "f32", "f32", "f32", precision
    yield "f64", "f64", "f64", "ieee"
    yield "i8", "i8", "i32", "ieee"


def gpu_of(a, b, shape):
    if {a, b} & set(elements.FLOAT8[2:]):
        return FOREIGN
    if shape[2] < (32 if elements.width(a) == 8 else 16) or shape[0] < 16 or shape[1] < 8:
        return "smaller than a tensor core's tile"
    return True


def cases():
    for a, b, c, precision in types():
        for shape in SHAPES if (a, b) != ("f64", "f64") else SHAPES[:3]:
            for kind in ("moderate", "special") if shape == (16, 32, 64) else ("moderate",):
                problem = Problem(a, b, c, *shape, precision=precision, values=kind)
                yield problem.case(gpu=gpu_of(a, b, shape))
    for imprecise in (32, 64, 128):
        yield Problem("f8E4M3FN", "f8E4M3FN", "f32", 64, 32, 128, imprecise=imprecise).case()
    for batch, shape in ((2, (16, 16, 16)), (4, (32, 16, 32))):
        for a, precision in (("f16", "ieee"), ("f32", "tf32"), ("f32", "ieee")):
            yield Problem(a, a, "f32", *shape, precision=precision, batch=batch).case()
    for element, shape in (("f32", (4, 8, 2)), ("f16", (1, 1, 1)), ("f64", (2, 4, 512)), ("i8", (8, 8, 8)), ("bf16", (2, 4, 8))):
        result = {"f64": "f64", "i8": "i32"}.get(element, "f32")
        problem = Problem(element, element, result, *shape)
        yield problem.case(gpu="smaller than a tensor core's tile")
    yield Problem("f16", "f16", "f32", 32, 32, 32, transposed=True).case()
    yield Problem("f32", "f32", "f32", 32, 32, 32, precision="tf32", transposed=True).case()
    refused = Problem("f8E4M3FN", "f8E4M3FN", "f32", 16, 16, 32).case("f8E4M3FN on sm_80")
    refused.target, refused.exit_code, refused.reference, refused.output = "sm_80", 2, None, says_why
    yield refused


def says_why(text):
    return None if "sm_80 has no arithmetic of f8E4M3FN" in text else f"no word of the type: {text}"


