"""Bit casts between all types of one width."""

from __future__ import annotations

from support import casts, elements


def reinterpreted(array, to):
    return elements.bits(array).view(elements.DTYPE[to])


def fits(a, b):
    return "i1" not in (a, b) and elements.width(a) == elements.width(b)


def cases(op: str, types: list[str], gpu=lambda a, b: True):
    yield from casts.cases(op, types, types, reinterpreted, fits, gpu)
    yield from casts.ranks(op, "f32", "i32", reinterpreted)
