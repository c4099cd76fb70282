"""Bounds of flex attention's gradients: f32's own results lie inside, wrong formulas outside. The kernels are in test_models_own_kernels.py."""

import json
import math

import pytest
import torch
from lockstep.models import graph_text
from lockstep.models.bounds.attention import RULES
from lockstep.models.bounds.elementwise import RULES as OPS
from lockstep.models.bounds.evaluate import Evaluator
from lockstep.models.bounds.interval import Cannot, exact

BATCHES, HEADS, KEY_HEADS, QUERIES, KEYS, DEPTH, SCALE = 2, 4, 2, 12, 10, 8, 0.3
CAP = 5.0


def score_bounds(score, b, h, q, k, bias=None):
    capped = OPS["mul"]("float32", OPS["tanh"]("float32", OPS["div"]("float32", score, CAP)), CAP)
    return capped if bias is None else OPS["add"]("float32", capped, bias.map(lambda one: one[h, q - k + KEYS]))


def joint_bounds(score, b, h, q, k, slope, bias=None):
    """The slopes of the score, of its four places, and of the bias."""
    curve = OPS["tanh"]("float32", OPS["div"]("float32", score, CAP))
    made = OPS["mul"]("float32", slope, OPS["rsub"]("float32", OPS["square"]("float32", curve), 1.0))
    return [made, None, None, None, None] + ([RULES["zeros_and_scatter"]("float32", bias.shape, [h, q - k + KEYS], slope)] if bias is not None else [])


def mask_of(b, h, q, k):
    return q >= k


def blocks():
    """The lists of a block mask with one block for all queries and keys, which the mask goes through."""
    one, zero = torch.ones(1, 1, 1, dtype=torch.int32), torch.zeros(1, 1, 1, 1, dtype=torch.int32)
    return (QUERIES, KEYS, one, zero, None, None, one, zero, None, None, None, None, None, None, 128, 128, mask_of)


def forward(q, k, v, bias=None):
    """The result and the logarithms to base 2 of the sums, as torch computes them."""
    k, v = (one.repeat_interleave(HEADS // KEY_HEADS, 1) for one in (k, v))
    scores = CAP * torch.tanh(q @ k.transpose(-1, -2) * SCALE / CAP)
    if bias is not None:
        scores = scores + bias[:, torch.arange(QUERIES)[:, None] - torch.arange(KEYS) + KEYS]
    scores = scores.masked_fill(torch.arange(QUERIES)[:, None] < torch.arange(KEYS), -torch.inf)
    return torch.softmax(scores, -1) @ v, torch.logsumexp(scores, -1) / math.log(2)


def values(dtype):
    torch.manual_seed(3)
    q = torch.randn(BATCHES, HEADS, QUERIES, DEPTH).to(dtype)
    k, v = (torch.randn(BATCHES, KEY_HEADS, KEYS, DEPTH).to(dtype) for _ in range(2))
    return q, k, v, torch.randn(BATCHES, HEADS, QUERIES, DEPTH).to(dtype), torch.randn(BATCHES, HEADS, QUERIES)


def bounds(q, k, v, slopes, sum_slopes, out, sums, *bias):
    given = [exact(one) for one in (q, k, v, out, sums, slopes)]
    more = exact(sum_slopes) if sum_slopes is not None else None
    return RULES["flex_attention_backward"]("", *given, more, score_bounds, joint_bounds, blocks(), SCALE, None, [exact(one) for one in bias])


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
    assert made[3] == ()


def test_the_gradient_of_what_a_score_mod_reads():
    q, k, v, slopes, _ = values(torch.float32)
    bias = torch.randn(HEADS, QUERIES + KEYS)
    out, sums = forward(q, k, v, bias)
    made = bounds(q, k, v, slopes, None, out, sums, bias)
    leaves = [one.requires_grad_() for one in (q, k, v, bias)]
    grads = torch.autograd.grad((forward(*leaves)[0] * slopes).sum(), leaves)
    (limits,) = made[3]
    assert [outside(one, within) for one, within in zip(grads, (*made[:3], limits), strict=True)] == [0, 0, 0, 0]
    assert float((limits.high - limits.low).max()) < 1e-4 * float(grads[3].abs().max())
    assert outside(grads[3] * (1 + 1e-3), limits) > 0.8 * grads[3].count_nonzero()
    assert outside(grads[3].roll(1, 1), limits) > 0.8 * grads[3].count_nonzero()


def test_a_function_of_the_graph_may_have_several_results():
    inner = [["x", "placeholder", "x", [], {}, "float32", []], ["place", "placeholder", "place", [], {}, "int32", []],
             ["add", "call_function", "flex_lib.zeros_and_scatter.default", [[3], [{"n": "place"}], {"n": "x"}], {}, "float32", [3]],
             ["output", "output", "output", [[{"n": "x"}, None, {"n": "add"}]], {}, "", None]]  # fmt: skip
    nodes = graph_text.read(json.dumps([["joint", "get_attr", "joint", [], {"graph": inner}, "", None]]))
    x, none, added = Evaluator(nodes, {}, lambda _: None).bounds("joint")(exact(torch.tensor([[1.0, 2.0], [4.0, 8.0]])), torch.tensor([[2, 0]]))
    assert none is None and x.shape == (2, 2)
    assert outside(torch.tensor([10.0, 0.0, 5.0]), added) == 0
    assert outside(torch.tensor([10.0, 0.1, 5.001]), added) == 2


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
