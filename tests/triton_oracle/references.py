"""References of the examples in float64, each with a bound that any order of summation keeps.

u = 2^-24 is half a unit in the last place of f32, gamma(n) = n u / (1 - n u) bounds the relative error of a sum of n terms
(Higham, Accuracy and Stability of Numerical Algorithms, chapter 3); an f16 result is off by half its last place more,
2^-11 |y| or 2^-25 below the normal range. Products of two f16 numbers are exact in f32. exp, exp2, sqrt and division are
allowed 4 u (two units in the last place). Terms of second order are covered by the factor 1.01 at the end.
"""

from __future__ import annotations

import numpy as np

U = 2.0**-24


def gamma(terms: int) -> float:
    return terms * U / (1 - terms * U)


def f16_rounding(value: np.ndarray) -> np.ndarray:
    return 2.0**-11 * np.abs(value) + 2.0**-25


def vector_add(a):
    return {"out": (a["x"] + a["y"], 0.0)}  # one correctly rounded f32 operation: exact


def softmax(a):
    x = a["x"].astype(np.float64)
    distance = x - x.max(axis=1, keepdims=True)
    power = np.exp(distance)
    result = power / power.sum(axis=1, keepdims=True)
    each = U * np.abs(distance).max(axis=1, keepdims=True) + 4 * U  # the rounded difference, then exp
    bound = result * (2 * each + gamma(x.shape[1]) + 4 * U) + 2.0**-126
    return {"out": (result, 1.01 * bound)}


def product(a, extra_terms: int):
    left, right = a["a"].astype(np.float64), a["b"].astype(np.float64)
    return left @ right, gamma(left.shape[1] + extra_terms) * (np.abs(left) @ np.abs(right))


def matmul(a):
    result, bound = product(a, 0)
    return {"out": (result, 1.01 * (bound + f16_rounding(result)))}


def splitk_matmul(a):
    result, bound = product(a, 4)
    return {"out": (result, 1.01 * bound)}


def layer_norm(a):
    x, weight, bias = (a[name].astype(np.float64) for name in ("x", "weight", "bias"))
    columns = x.shape[1]
    mean = x.mean(axis=1, keepdims=True)
    distance = x - mean
    variance = (distance**2).mean(axis=1, keepdims=True)
    rstd = 1 / np.sqrt(variance + float(np.float32(1e-5)))
    result = distance * rstd * weight + bias

    mean_bound = gamma(columns + 1) * np.abs(x).mean(axis=1, keepdims=True)
    distance_bound = mean_bound + U * np.abs(distance)
    variance_bound = (2 * np.abs(distance) * distance_bound).mean(axis=1, keepdims=True) + gamma(columns + 2) * variance
    rstd_relative = variance_bound / (2 * variance) + 9 * U
    scaled = np.abs(rstd * weight)
    bound = scaled * distance_bound + np.abs(distance) * scaled * (rstd_relative + 3 * U) + U * np.abs(result)
    return {
        "out": (result, 1.01 * (bound + f16_rounding(result))),
        "mean": (mean[:, 0], 1.01 * mean_bound[:, 0]),
        "rstd": (rstd[:, 0], 1.01 * (rstd * rstd_relative)[:, 0]),
    }


def attention(a):
    q, k, v = (a[name].astype(np.float64) for name in ("q", "k", "v"))
    length, depth = q.shape[1:]
    log2_scale = 0.125 * 1.4426950408889634
    score = q @ k.transpose(0, 2, 1) * log2_scale
    score_bound = gamma(depth) * (np.abs(q) @ np.abs(k).transpose(0, 2, 1)) * log2_scale + 4 * U * np.abs(score)
    visible = np.tril(np.ones((length, length), dtype=bool))
    score = np.where(visible, score, -np.inf)
    distance = score - score.max(axis=2, keepdims=True)
    weight = np.exp2(distance)
    probability = weight / weight.sum(axis=2, keepdims=True)
    result = probability @ v

    reach = np.where(visible, np.abs(distance), 0).max(axis=2, keepdims=True)
    blocks = length // 32 + 1
    relative = np.log(2) * np.where(visible, score_bound, 0) + blocks * (np.log(2) * U * reach + 6 * U) + 4 * U
    sum_relative = (probability * relative).sum(axis=2, keepdims=True) + gamma(length + blocks)
    numerator = (probability * (relative + 2.0**-11 + gamma(length + blocks))) @ np.abs(v)
    numerator += 2.0**-25 * np.abs(v).sum(axis=1, keepdims=True)  # f16 weights below the normal range
    bound = numerator + np.abs(result) * (sum_relative + 4 * U)
    return {"out": (result, 1.01 * (bound + f16_rounding(result)))}


OF = {f.__name__: f for f in (vector_add, softmax, matmul, layer_norm, attention, splitk_matmul)}
