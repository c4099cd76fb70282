"""The Triton kernels of torch.sparse for block-compressed rows, against dense products in float64: sampled addmm, the
row-block softmax, addmm with all its scalings, scattered products, the attention made of them."""

from __future__ import annotations

import importlib
import math

import pytest
import torch
from support.autograd import Accuracy, agree, all_dtypes, equal, half_dtypes, randn

SIZE, BLOCK = 64, 16


@pytest.fixture
def ops():
    """torch.sparse._triton_ops, read again if something imported it when no GPU was pretended: it defines its kernels
    only then."""
    module = importlib.import_module("torch.sparse._triton_ops")
    return module if module._scatter_mm2 is not None else importlib.reload(module)


def kept_blocks(seed: int = 5, rows: int = SIZE, columns: int = SIZE) -> torch.Tensor:
    """Which elements lie in a stored block; every row of blocks has one."""
    kept = torch.rand(rows // BLOCK, columns // BLOCK, generator=torch.Generator().manual_seed(seed)) < 0.5
    kept[:, 0] = True
    return kept.repeat_interleave(BLOCK, 0).repeat_interleave(BLOCK, 1)


def block_rows(dense: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """dense, with a tiny number where a stored element would be zero, so that to_sparse_bsr keeps its block."""
    filled = torch.where(kept & (dense == 0), torch.full_like(dense, 0.5), dense)
    return (filled * kept).to_sparse_bsr((BLOCK, BLOCK))


@all_dtypes
@pytest.mark.parametrize("alpha,beta", [(1.0, 0.0), (0.5, 2.0)])
def test_sampled_addmm(corpus, ops, dtype, alpha, beta):
    kept = kept_blocks()
    start, left, right = (
        randn(SIZE, SIZE, dtype=dtype),
        randn(SIZE, 32, dtype=dtype, seed=1),
        randn(32, SIZE, dtype=dtype, seed=2),
    )
    out = ops.sampled_addmm(block_rows(start, kept), left, right, alpha=alpha, beta=beta, skip_checks=True)
    expected = (alpha * (left.double() @ right.double()) + beta * start.double()) * kept
    agree(corpus, "values", out.to_dense(), expected, Accuracy(2, 32))


@all_dtypes
def test_block_softmax(corpus, ops, dtype):
    kept = kept_blocks()
    scores = randn(SIZE, SIZE, dtype=dtype)
    out = ops.bsr_softmax(block_rows(scores, kept))
    expected = torch.softmax(scores.double().masked_fill(~kept, -math.inf), -1)
    agree(corpus, "values", out.to_dense(), expected, Accuracy(2, 64))


@all_dtypes
@pytest.mark.parametrize("alpha,beta,scaled", [(1, 0, False), (1, 1, False), (0.5, 2.0, True)])
def test_bsr_dense_addmm(corpus, ops, dtype, alpha, beta, scaled):
    kept = kept_blocks()
    sparse, dense, start = (
        randn(SIZE, SIZE, dtype=dtype),
        randn(SIZE, 48, dtype=dtype, seed=1),
        randn(SIZE, 48, dtype=dtype, seed=2),
    )
    left, right = (randn(n, dtype=dtype, seed=3 + n) if scaled else None for n in (SIZE, 48))
    out = ops.bsr_dense_addmm(
        start, block_rows(sparse, kept), dense, alpha=alpha, beta=beta, left_alpha=left, right_alpha=right
    )
    product = alpha * ((sparse.double() * kept) @ dense.double())
    if scaled:
        product = left.double()[:, None] * product * right.double()[None, :]
    agree(corpus, "values", out, beta * start.double() + product, Accuracy(4, 64))


def test_bsr_dense_addmm_of_bytes(corpus, ops):
    """8-bit products need blocks of 32."""
    kept = kept_blocks().repeat_interleave(2, 0).repeat_interleave(2, 1)
    draw, size = torch.Generator().manual_seed(0), 2 * SIZE
    sparse = torch.randint(1, 128, (size, size), dtype=torch.int8, generator=draw) * kept
    dense = torch.randint(-128, 128, (size, 64), dtype=torch.int8, generator=draw)
    start = torch.randint(-1000, 1000, (size, 64), dtype=torch.int32, generator=draw)
    out = ops.bsr_dense_addmm(
        start.clone(), sparse.to_sparse_bsr((2 * BLOCK, 2 * BLOCK)), dense, out=torch.empty_like(start)
    )
    equal(corpus, "values", out, start.long() + sparse.long() @ dense.long())


@half_dtypes
def test_bsr_dense_mm(corpus, ops, dtype):
    kept = kept_blocks()
    sparse, dense = randn(SIZE, SIZE, dtype=dtype), randn(SIZE, 32, dtype=dtype, seed=1)
    out = ops.bsr_dense_mm(block_rows(sparse, kept), dense)
    agree(corpus, "values", out, (sparse.double() * kept) @ dense.double(), Accuracy(2, 64))


@all_dtypes
def test_scatter_mm(corpus, ops, dtype):
    blocks, others = randn(4, 32, 32, dtype=dtype), randn(4, 32, 32, dtype=dtype, seed=1)
    offsets, pairs = (
        torch.tensor([0, 1, 4], dtype=torch.int32),
        torch.tensor([[0, 1], [2, 0], [1, 3], [3, 2]], dtype=torch.int32),
    )
    out = ops.scatter_mm(blocks, others, ("scatter_mm", offsets, pairs))
    products = [blocks[p].double() @ others[q].double() for p, q in pairs.tolist()]
    agree(corpus, "sums", out, torch.stack((products[0], products[1] + products[2] + products[3])), Accuracy(2, 96))


@half_dtypes
@pytest.mark.parametrize("form", ["bsr_strided_mm", "bsr_strided_mm_compressed"])
def test_bsr_scatter_mm(corpus, ops, dtype, form):
    kept = kept_blocks()
    sparse, dense = randn(SIZE, SIZE, dtype=dtype), randn(SIZE, 32, dtype=dtype, seed=1)
    bsr = block_rows(sparse, kept)
    indices = ops.bsr_scatter_mm_indices_data(bsr, dense, indices_format=form)
    out = ops.bsr_scatter_mm(bsr, dense, indices_data=indices)
    agree(corpus, "values", out, (sparse.double() * kept) @ dense.double(), Accuracy(2, 64))


@half_dtypes
def test_attention_over_blocks(corpus, ops, dtype):
    kept = kept_blocks()
    q, k, v = (randn(1, SIZE, 32, dtype=dtype, seed=seed) for seed in range(3))
    mask = torch.where(kept, 1.0, 0.0).to(dtype).unsqueeze(0).to_sparse_bsr((BLOCK, BLOCK))
    out = ops._scaled_dot_product_attention(q, k, v, mask, 0.0, False, None)
    scores = (q.double() @ k.double().mT / math.sqrt(32)).masked_fill(~kept, -math.inf)
    # Scores and probabilities are stored in the input's type between the three kernels.
    agree(corpus, "values", out, torch.softmax(scores, -1) @ v.double(), Accuracy(8, 64))


def test_reads_past_the_view_are_reported(corpus, ops):
    """Given all but the last row pointer, the kernels read the next one too: in the allocation, outside the view."""
    import lockstep

    scores = block_rows(randn(SIZE, SIZE), kept_blocks())
    with (
        lockstep.options(bounds="view"),
        pytest.raises(lockstep.KernelError, match="outside the view: crow_indices_ptr"),
    ):
        ops.bsr_softmax(scores)
