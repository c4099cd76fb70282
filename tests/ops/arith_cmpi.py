"""arith.cmpi: all ten predicates; s.. read two's complement (of i1, true is -1), u.. do not."""

import operator

import numpy as np
from support import elements, integer_binary, kernels, references, strided, structured, values

PREDICATES = {
    "eq": (operator.eq, False),
    "ne": (operator.ne, False),
    "slt": (operator.lt, True),
    "sle": (operator.le, True),
    "sgt": (operator.gt, True),
    "sge": (operator.ge, True),
    "ult": (operator.lt, False),
    "ule": (operator.le, False),
    "ugt": (operator.gt, False),
    "uge": (operator.ge, False),
}


def case(name, predicate, element, a, b, shape=None):
    function, is_signed = PREDICATES[predicate]
    reference = references.on_integers(function, "i1", is_signed)
    line = f"%r = arith.cmpi {predicate}, %a, %b : TILE({element})"
    return kernels.elementwise(name, line, {"a": a, "b": b}, {"r": "i1"}, reference, shape)


def cases():
    for predicate, (function, is_signed) in PREDICATES.items():
        for element in elements.INTEGERS:
            a, b = values.all_pairs("i1") if element == "i1" else values.pairs(element, 1024)
            yield case(f"{predicate}_{element}", predicate, element, a, b)
        for label, shape in integer_binary.SHAPES.items():
            a, b = values.pairs("i64", 64 if shape == () else 256)
            yield case(f"{predicate}_i64_{label}", predicate, "i64", a, b, shape)
        for element in ("i8", "i32", "i64"):
            yield structured.integer_case(f"arith.cmpi {predicate},", element, function, is_signed, "i1")
        yield strided.case(f"arith.cmpi {predicate},", "i32", references.on_integers(function, "i1", is_signed), "i1")
        on_bits = references.on_integers(function, "i1", is_signed)
        yield structured.mask_case(f"arith.cmpi {predicate},", lambda a, b, on_bits=on_bits: on_bits(a, b).reshape(np.shape(a)))
