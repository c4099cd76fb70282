"""Bounds of flex attention's gradients: f32's own results lie inside, wrong formulas outside. The kernels are in test_models_own_kernels.py."""

import math

import pytest
import torch
from lockstep.models.bounds.attention import RULES
from lockstep.models.bounds.elementwise import RULES as OPS
from lockstep.models.bounds.interval import Cannot, exact

BATCHES, HEADS, KEY_HEADS, QUERIES, KEYS, DEPTH, SCALE = 2, 4, 2, 12, 10, 8, 0.3
CAP = 5.0


def score_bounds(score, b, h, q, k):
    return OPS["mul"]("float32", OPS["tanh"]("float32", OPS["div"]("float32", score, CAP)), CAP)


def joint_bounds(score, b, h, q, k, slope):
    curve = OPS["tanh"]("float32", OPS["div"]("float32", score, CAP))
    return OPS["mul"]("float32", slope, OPS["rsub"]("float32", OPS["square"]("float32", curve), 1.0))


def mask_of(b, h, q, k):
    return q >= k


def blocks():
    """The lists of a block mask with one block for all queries and keys, which the mask goes through."""
    one, zero = torch.ones(1, 1, 1, dtype=torch.int32), torch.zeros(1, 1, 1, 1, dtype=torch.int32)
    return (QUERIES, KEYS, one, zero, None, None, one, zero, None, None, None, None, None, None, 128, 128, mask_of)


def forward(q, k, v):
    """The result and the logarithms to base 2 of the sums, as torch computes them."""
    k, v = (one.repeat_interleave(HEADS // KEY_HEADS, 1) for one in (k, v))
    scores = CAP * torch.tanh(q @ k.transpose(-1, -2) * SCALE / CAP)
    scores = scores.masked_fill(torch.arange(QUERIES)[:, None] < torch.arange(KEYS), -torch.inf)
    return torch.softmax(scores, -1) @ v, torch.logsumexp(scores, -1) / math.log(2)


def values(dtype):
    torch.manual_seed(3)
    q = torch.randn(BATCHES, HEADS, QUERIES, DEPTH).to(dtype)
    k, v = (torch.randn(BATCHES, KEY_HEADS, KEYS, DEPTH).to(dtype) for _ in range(2))
    return q, k, v, torch.randn(BATCHES, HEADS, QUERIES, DEPTH).to(dtype), torch.randn(BATCHES, HEADS, QUERIES)


def bounds(q, k, v, slopes, sum_slopes, out, sums):
    given = [exact(one) for one in (q, k, v, out, sums, slopes)]
    more = exact(sum_slopes) if sum_slopes is not None else None
    return RULES["flex_attention_backward"]("", *given, more, score_bounds, joint_bounds, blocks(), SCALE)


def outside(got, limits):
    return int(((got.double() < limits.low) | (got.double() > limits.high)).sum())


@pytest.mark.parametrize("with_sums", [False, True])
def test_gradients_lie_within_their_bounds(with_sums):
    q, k, v, slopes, sum_slopes = values(torch.float32)
    sum_slopes = sum_slopes if with_sums else None
    out, sums = forward(q, k, v)
    made = bounds(q, k, v, slopes, sum_slopes, out, sums)
    for dtype in (torch.float32, torch.float64):
        leaves = [one.to(dtype).requires_grad_() for one in (q, k, v)]
        results = forward(*leaves)
        total = (results[0] * slopes).sum() + ((results[1] * sum_slopes).sum() if with_sums else 0)
        grads = torch.autograd.grad(total, leaves)
        assert [outside(one, limits) for one, limits in zip(grads, made[:3], strict=True)] == [0, 0, 0]
    widths = [float(((limits.high - limits.low) / one.abs().mean()).mean()) for one, limits in zip(grads, made[:3], strict=True)]
    assert max(widths) < 1e-4, widths
    with pytest.raises(Cannot, match="what a score mod reads"):
        made[3][0]


def test_wrong_gradients_lie_outside():
    q, k, v, slopes, sum_slopes = values(torch.float32)
    out, sums = forward(q, k, v)
    made = bounds(q, k, v, slopes, None, out, sums)
    leaves = [one.double().requires_grad_() for one in (q, k, v)]
    grads = torch.autograd.grad((forward(*leaves)[0] * slopes).sum(), leaves)
    for wrong in (bounds(q, k, v, slopes, sum_slopes, out, sums), bounds(q, k, v, slopes, None, out, sums + 0.001), bounds(q, k, v, slopes, None, out * 1.01, sums)):
        assert outside(grads[0], wrong[0]) > 0.9 * grads[0][:, :, 1:].numel()  # the first query has one key: its slope is 0
    assert outside(grads[2] * (1 + 1e-4), made[2]) > 0.5 * grads[2].numel()


def test_keys_that_batches_share_have_no_bounds():
    q, k, v, slopes, _ = values(torch.bfloat16)
    out, sums = forward(q.float(), k.float(), v.float())
    with pytest.raises(Cannot, match="queries of several batches share"):
        bounds(q, k[:1], v[:1], slopes, None, out.bfloat16(), sums)
    made = bounds(q, k, v, slopes, None, out.bfloat16(), sums)
    leaves = [one.double().requires_grad_() for one in (q, k, v)]
    grads = torch.autograd.grad((forward(*leaves)[0] * slopes).sum(), leaves)
    assert outside(grads[2], made[2]) == 0
