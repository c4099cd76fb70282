"""arith.remf: a - b * trunc(a / b), exact, with the sign of a."""

import numpy as np
from support import compare, float_binary
from support.case import Ulp


def where_quotient_is_right(outputs, answers, inputs):
    """The GPU computes fma(-trunc(a / b), b, a) with a rounded quotient: the remainder where that quotient is the right one (looked
    at below 2^10), a multiple of b away elsewhere; and +0 for every zero."""
    a, b = (array.astype(np.longdouble) for array in inputs)
    working = np.float64 if outputs[0].dtype == np.float64 else np.float32
    quotient = np.trunc(inputs[0].astype(working) / inputs[1].astype(working)).astype(np.longdouble)
    rest = a - quotient * b
    right = (np.abs(quotient) < 1024) & (np.abs(rest) < np.abs(b)) & ((rest == 0) | (np.signbit(rest) == np.signbit(a)))
    kept = [np.where(right, array, 0).astype(array.dtype) for array in (outputs[0], answers[0])]
    return compare.check(kept[:1], kept[1:], inputs, Ulp(0), "H200")


def cases():
    yield from float_binary.cases("arith.remf", np.fmod, gpu_bound=where_quotient_is_right)
