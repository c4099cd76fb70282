"""arith.truncf: the nearest value of a narrower float, ties to even; or as its rounding mode says. f8 saturates."""

from support import casts, elements, references

ALL = elements.FLOAT8 + elements.FLOATS
NO_F8 = "Triton narrows to f8 by tt.fp_to_fp"


def nearest(array, to):
    wide = references.wide(array)
    return references.rounded(wide, to, "saturate" if to in elements.FLOAT8 else "infinity")


def narrows(a, b):
    return elements.width(a) > elements.width(b)


def cases():
    op = "arith.truncf %a : FROM to TO"
    yield from casts.cases(op, ALL, ALL, nearest, narrows, lambda a, b: NO_F8 if b in elements.FLOAT8 else True)
    yield from casts.ranks(op, "f32", "bf16", nearest)
    for source, target in (("f32", "f16"), ("f32", "bf16"), ("f64", "f32")):
        given = casts.sources(source)
        toward_zero = "arith.truncf %a toward_zero : FROM to TO"
        yield casts.case(f"{source} to {target} toward zero", toward_zero, source, target, given, references.toward_zero, gpu="Triton emits tt.fp_to_fp for it")
