"""arith.cmpf: all sixteen predicates; with a NaN, o.. is false and u.. is true (S-31). -0 equals +0."""

import operator

import numpy as np
from support import elements, float_binary, strided, values

RELATIONS = {"eq": operator.eq, "gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le, "ne": operator.ne}


def unordered(a, b):
    return np.isnan(a) | np.isnan(b)


def ordered_and(relation):
    return lambda a, b: ~unordered(a, b) & relation(a, b)


def unordered_or(relation):
    return lambda a, b: unordered(a, b) | relation(a, b)


PREDICATES = {
    "false": lambda a, b: np.zeros(a.shape, np.bool_),
    "true": lambda a, b: np.ones(a.shape, np.bool_),
    "ord": lambda a, b: ~unordered(a, b),
    "uno": unordered,
}
PREDICATES |= {f"o{name}": ordered_and(relation) for name, relation in RELATIONS.items()}
PREDICATES |= {f"u{name}": unordered_or(relation) for name, relation in RELATIONS.items()}


def case(name, predicate, element, a, b, shape=None):
    line = f"%r = arith.cmpf {predicate}, %a, %b : TILE({element})"
    return float_binary.case(name, line, element, a, b, compared(predicate), shape, "i1")


def compared(predicate):
    return lambda x, y: PREDICATES[predicate](x.astype(np.float64), y.astype(np.float64))


def cases():
    for predicate in PREDICATES:
        for element in elements.FLOATS + elements.FLOAT8:
            a, b = values.pairs(element, 65536 if element in elements.FLOAT8 else 2048)
            yield case(f"{predicate}_{element}", predicate, element, a, b)
        for label, shape in float_binary.SHAPES.items():
            a, b = values.pairs("f32", 64 if shape == () else 256)
            yield case(f"{predicate}_f32_{label}", predicate, "f32", a, b, shape)
        yield strided.case(f"arith.cmpf {predicate},", "bf16", compared(predicate), "i1")
