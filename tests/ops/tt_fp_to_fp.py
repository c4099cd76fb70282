"""tt.fp_to_fp: any float type to any other, to nearest even or toward zero. f8 saturates; what the target's instructions do
otherwise (f8E5M2 to bf16; narrowing to f8 before sm_90) is written out here from the PTX that Triton 3.6 emits."""

import numpy as np
from support import casts, elements, references

ALL = elements.FLOAT8 + elements.FLOATS
UP = {("f8E4M3FN", "f16"), ("f8E4M3FN", "bf16"), ("f8E4M3FN", "f32"), ("f8E5M2", "f16"), ("f8E5M2", "bf16"), ("f8E5M2", "f32"), ("f16", "f32")}
DOWN = {(a, b) for a in ("f16", "bf16", "f32") for b in ("f8E4M3FN", "f8E5M2")} | {("f32", "f16"), ("f32", "bf16")}
ZERO = {("f32", "f8E5M2"), ("f32", "f16"), ("f32", "bf16")}
NOT_ON_CUDA = "Triton 3.6 does not compile this pair for CUDA"


def nearest(array, to):
    if elements.name_of(array.dtype) == "f8E5M2" and to == "bf16":
        return e5m2_to_bf16(array)
    return references.rounded(references.wide(array), to, "saturate" if to in elements.FLOAT8 else "infinity")


def e5m2_to_bf16(array):
    """The bits are shifted to bf16's and multiplied by 2^112: infinity and NaN become numbers."""
    raw = elements.bits(array).astype(np.int64)
    exponent, fraction = (raw & 0x7C) >> 2, raw & 3
    magnitude = np.where(exponent == 0, fraction * 2.0**-16, (1 + fraction / 4) * 2.0 ** (exponent - 15.0))
    return np.where(raw & 0x80, -magnitude, magnitude).astype(elements.DTYPE["bf16"])


def toward_zero(array, to):
    cut = references.toward_zero(array, to)
    if elements.FORMAT[to].has_infinity:
        return cut
    infinite = np.isinf(references.wide(array))
    largest = np.copysign(elements.FORMAT[to].largest, references.wide(array)).astype(elements.DTYPE[to])
    return np.where(infinite, largest, cut).astype(elements.DTYPE[to])


def through_f16(array, to):
    """sm_89: f32 is cut to f16 first."""
    return references.rounded(references.wide(references.toward_zero(array.astype(np.float32), "f16")), to, "saturate")


def in_software(array, to):
    """sm_80: half a unit is added to the bits of an f16; bf16 is moved to the format by a subtraction."""
    if elements.name_of(array.dtype) == "bf16":
        raw = elements.bits(array).astype(np.int64)
        moved = (np.clip(raw & 0x7FFF, 0x3800, 0x57E0) + 0x10 - 0x3800) << 3
        result = (moved >> 8) & 0xFF | (raw >> 15) << 7
    else:
        half = array if array.dtype == np.float16 else references.toward_zero(array, "f16")
        result = (((elements.bits(half).astype(np.int64) & 0xFFFE) + 0x80) >> 8) & 0xFF
    return elements.from_bits(result.astype(np.uint64), to)


def is_narrowing(a, b):
    return elements.width(a) > elements.width(b)


def cases():
    wider = "tt.fp_to_fp %a : FROM -> TO"
    yield from casts.cases(
        wider, ALL, ALL, nearest, lambda a, b: a != b and not is_narrowing(a, b), lambda a, b: True if (a, b) in UP else NOT_ON_CUDA
    )
    rtne = "tt.fp_to_fp %a, rounding = rtne : FROM -> TO"
    yield from casts.cases(rtne, ALL, ALL, nearest, is_narrowing, lambda a, b: True if (a, b) in DOWN else NOT_ON_CUDA)
    rtz = "tt.fp_to_fp %a, rounding = rtz : FROM -> TO"
    for case in casts.cases(rtz, ALL, ALL, toward_zero, is_narrowing, lambda a, b: True if (a, b) in ZERO else NOT_ON_CUDA):
        case.name += " toward zero"
        yield case
    yield from casts.ranks(rtne, "f32", "f8E4M3FN", nearest)
    for source in ("f16", "bf16", "f32"):
        given = casts.sources(source)
        yield casts.case(f"{source} to f8E5M2 on sm_80", rtne, source, "f8E5M2", given, in_software, target="sm_80")
        for target in ("f8E4M3FN", "f8E5M2"):
            cut = nearest if source == "f16" else through_f16
            yield casts.case(f"{source} to {target} on sm_89", rtne, source, target, given, cut, target="sm_89")
            yield casts.case(f"{source} to {target} on sm_100", rtne, source, target, given, nearest, target="sm_100")
    for source, target, op in (("f32", "f8E4M3FN", rtne), ("f8E4M3FN", "f16", wider)):
        refused = casts.case(f"{source} to {target} on sm_80", op, source, target, casts.sources(source), nearest, target="sm_80")
        refused.exit_code, refused.reference, refused.output = 2, None, says_why
        yield refused


def says_why(text):
    return None if "sm_80 has no arithmetic of f8E4M3FN" in text and "LS1904" in text else f"no word of the type: {text}"
