"""arith.index_cast: a signed integer as index (64 bits here), and back."""

from support import casts, references

WIDTHS = ["i8", "i16", "i32", "i64"]
SCALAR = "index lives in loops of raw text only"


def cases():
    for source in WIDTHS:
        for target in WIDTHS:
            lines = [f"%i = arith.index_cast %a : {source} to index", f"%r = arith.index_cast %i : index to {target}"]
            given = casts.values.some(source, 64, 3)
            reference = lambda a, to=target: references.wrapped(references.signed(a), to)  # noqa: E731
            yield casts.kernels.elementwise(f"{source} to {target}", lines, {"a": given}, {"r": target}, reference, (), gpu=SCALAR)
