"""flag_gems' kernels that make, move, select and resize data: exactly, where nothing is computed."""

from __future__ import annotations

import torch
from support.autograd import Accuracy, equal, randn
from support.gems import Case, check, gems, parameters

F = torch.nn.functional
SHAPE = (12, 40)


def normal(dtype):
    return (randn(*SHAPE, dtype=dtype),)


def image(dtype):
    return (randn(2, 3, 13, 11, dtype=dtype),)


def small_integers(dtype):
    return randn(300, scale=9).round().to(dtype), randn(50, scale=9, seed=1).round().to(dtype)


def scattered(x, index, src):
    return x.scatter_add(1, index, src.to(x.dtype))


def antialiased(x):
    return torch.ops.aten._upsample_bicubic2d_aa(x, [7, 20], False)


CASES = [
    Case("diag", "ops.diag", lambda m, x: m.diag(x, 2), lambda x: torch.diag(x, 2).clone(), normal, None),
    Case(
        "embedding",
        "ops.embedding",
        lambda m, w, i: m.embedding(w, i),
        lambda w, i: w[i],
        lambda dtype: (randn(30, 44, dtype=dtype), torch.arange(21).mul(7).remainder(30).view(3, 7)),
        None,
    ),
    Case(
        "hstack",
        "ops.hstack",
        lambda m, *x: m.hstack(list(x)),
        lambda *x: torch.hstack(list(x)),
        lambda dtype: [randn(6, n, dtype=dtype, seed=n) for n in (3, 5, 1, 9, 4)],
        None,
    ),
    Case(
        "stack",
        "ops.stack",
        lambda m, *x: m.stack(list(x), 1),
        lambda *x: torch.stack(list(x), 1),
        lambda dtype: [randn(6, 7, dtype=dtype, seed=n) for n in range(5)],
        None,
    ),
    Case(
        "index-select",
        "ops.index_select",
        lambda m, x, i: m.index_select(x, 1, i),
        lambda x, i: x.index_select(1, i),
        lambda dtype: (randn(*SHAPE, dtype=dtype), torch.tensor([3, 39, 0, 17, 17])),
        None,
    ),
    Case("isin", "ops.isin", lambda m, x, y: m.isin(x, y), torch.isin, small_integers, None),
    Case(
        "isin-not",
        "ops.isin",
        lambda m, x, y: m.isin(x, y, invert=True),
        lambda x, y: torch.isin(x, y, invert=True),
        small_integers,
        None,
        ("f32",),
    ),
    Case(
        "masked-select", "ops.masked_select", lambda m, x: m.masked_select(x, x > 0), lambda x: x[x > 0], normal, None
    ),
    Case(
        "nonzero", "ops.nonzero", lambda m, x: m.nonzero(torch.relu(x)), lambda x: torch.relu(x).nonzero(), normal, None
    ),
    Case(
        "reflection-pad1d",
        "ops.reflection_pad1d",
        lambda m, x: m.reflection_pad1d(x, (3, 5)),
        lambda x: F.pad(x, (3, 5), "reflect"),
        normal,
        None,
    ),
    Case(
        "replication-pad1d",
        "ops.replication_pad1d",
        lambda m, x: m.replication_pad1d(x, (3, 5)),
        lambda x: F.pad(x, (3, 5), "replicate"),
        lambda dtype: (randn(2, 5, 30, dtype=dtype),),
        None,
    ),
    Case(
        "replication-pad3d",
        "ops.replication_pad3d",
        lambda m, x: m.replication_pad3d(x, (1, 2, 3, 1, 2, 1)),
        lambda x: F.pad(x, (1, 2, 3, 1, 2, 1), "replicate"),
        lambda dtype: (randn(1, 2, 3, 4, 5, dtype=dtype),),
        None,
    ),
    Case("roll", "ops.roll", lambda m, x: m.roll(x, 7, 1), lambda x: x.roll(7, 1), normal, None),
    Case("roll-flat", "ops.roll", lambda m, x: m.roll(x, -3), lambda x: x.roll(-3), normal, None, ("f32",)),
    Case(
        "scatter-add",
        "ops.scatter_add_",
        lambda m, x, i, s: m.scatter_add_(x, 1, i, s),
        scattered,
        lambda dtype: (
            randn(*SHAPE, dtype=dtype),
            torch.randint(0, 40, SHAPE, generator=torch.Generator().manual_seed(3)),
            randn(*SHAPE, dtype=dtype, seed=1),
        ),
        Accuracy(1, 8),
    ),
    Case(
        "slice-scatter",
        "ops.slice_scatter",
        lambda m, x, s: m.slice_scatter(x, s, 1, 3, 33, 3),
        lambda x, s: torch.slice_scatter(x, s, 1, 3, 33, 3),
        lambda dtype: (randn(*SHAPE, dtype=dtype), randn(12, 10, dtype=dtype, seed=1)),
        None,
    ),
    Case("t-copy", "ops.t_copy", lambda m, x: m.t_copy(x), lambda x: x.T.contiguous(), normal, None),
    Case("tril", "ops.tril", lambda m, x: m.tril(x, 2), lambda x: x.tril(2), normal, None),
    Case(
        "avg-pool2d",
        "ops.avg_pool2d",
        lambda m, x: m.avg_pool2d(x, 3, 2, 1),
        lambda x: F.avg_pool2d(x, 3, 2, 1),
        image,
        Accuracy(2, 9),
    ),
    Case(
        "max-pool2d",
        "ops.max_pool2d_with_indices",
        lambda m, x: m.max_pool2d_with_indices(x, 3, 2, 1),
        lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True),
        image,
        None,
    ),
    Case(
        "upsample-nearest",
        "ops.upsample_nearest2d",
        lambda m, x: m.upsample_nearest2d(x, [26, 33]),
        lambda x: F.interpolate(x, [26, 33], mode="nearest"),
        image,
        None,
    ),
    Case(
        "upsample-bicubic",
        "ops.upsample_bicubic2d",
        lambda m, x: m.upsample_bicubic2d(x, [26, 15], False),
        lambda x: F.interpolate(x, [26, 15], mode="bicubic", align_corners=False),
        image,
        Accuracy(4, 200),
    ),
    Case(
        "upsample-bicubic-aa",
        "ops.upsample_bicubic2d_aa",
        lambda m, x: m._upsample_bicubic2d_aa(x, [7, 20], False),
        antialiased,
        image,
        Accuracy(4, 200),
    ),
    Case(
        "upsample-bicubic-aa-up",
        "ops.upsample_bicubic2d_aa",
        lambda m, x: m._upsample_bicubic2d_aa(x, [20, 25], False),
        lambda x: torch.ops.aten._upsample_bicubic2d_aa(x, [20, 25], False),
        image,
        Accuracy(4, 200),
    ),
    Case(
        "ones",
        "ops.ones",
        lambda m, x: m.ones((5, 300), dtype=x.dtype, device=x.device),
        lambda x: torch.ones(5, 300),
        normal,
        None,
    ),
    Case(
        "zeros",
        "ops.zeros",
        lambda m, x: m.zeros((5, 300), dtype=x.dtype, device=x.device),
        lambda x: torch.zeros(5, 300),
        normal,
        None,
    ),
    Case(
        "eye",
        "ops.eye_m",
        lambda m, x: m.eye_m(30, 45, dtype=x.dtype, device=x.device),
        lambda x: torch.eye(30, 45),
        normal,
        None,
    ),
    Case(
        "linspace",
        "ops.linspace",
        lambda m, x: m.linspace(-2, 5, 50, dtype=x.dtype, device=x.device),
        lambda x: torch.linspace(-2, 5, 50, dtype=torch.float64),
        normal,
        Accuracy(2, 4),
    ),
]


@parameters(CASES)
def test_movement(corpus, case, dtype):
    check(corpus, case, dtype)


def test_one_hot(corpus):
    index = torch.arange(60).mul(7).remainder(11).view(6, 10)
    equal(corpus, "values", gems("ops.one_hot").one_hot(index, 11), F.one_hot(index, 11))


def test_random_permutation(corpus):
    """Keys are drawn by torch and sorted with the values by a kernel: whatever the draw, the result is a
    permutation."""
    found = gems("ops.randperm").randperm(100, device="cuda")
    equal(corpus, "a permutation", found.sort().values, torch.arange(100))
    assert not torch.equal(found, torch.arange(100))


def test_sort_by_key(corpus):
    keys = randn(100, scale=40).round().clamp(-120, 120).to(torch.int8)
    found = gems("ops.randperm").sort_by_key(keys, torch.arange(100), 8)
    equal(corpus, "keys in order", keys[found], keys.sort().values)
