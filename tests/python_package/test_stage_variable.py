"""LOCKSTEP_STAGE=ttgir: what Triton's passes make runs, with the same results, or is refused by the name of an op."""

import backend_kernels as kernels
import lockstep
import pytest
import torch
import triton
import triton.language as tl
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)
from lockstep.triton_backend import kernel as loaded


@triton.jit
def row_sums(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(out + row, tl.sum(tl.load(x + row * columns + i, mask=i < columns, other=0.0), axis=0))


@pytest.fixture
def texts(monkeypatch):
    """What launches load, in order."""
    seen = []
    load = loaded.load

    def watched(binary, name, **options):
        seen.append(binary.decode())
        return load(binary, name, **options)

    monkeypatch.setattr(loaded, "load", watched)
    monkeypatch.setenv("LOCKSTEP_STAGE", "ttgir")
    return seen


def fresh(kernel):
    """The function without what other tests have compiled."""
    return triton.jit(kernel.fn)


def test_a_launch_runs_what_the_passes_make(texts):
    x, y, out = torch.randn(1000), torch.randn(1000), torch.empty(1000)
    fresh(kernels.add)[(4,)](x, y, out, 1000, BLOCK=256, num_warps=8)
    assert torch.equal(out, x + y)
    assert '"ttg.num-warps" = 8' in texts[0] and 'ttg.target = "cuda:90"' in texts[0] and "#ttg.blocked" in texts[0]


def test_reductions_run_and_the_gpu_is_the_modelled_one(texts):
    x, out = torch.randint(0, 9, (5, 100)).float(), torch.empty(5)
    with lockstep.options(target="sm_80"):
        fresh(row_sums)[(5,)](x, out, 100, BLOCK=128)
    assert torch.equal(out, x.sum(1))
    assert 'ttg.target = "cuda:80"' in texts[0]


def test_findings_name_the_line_of_the_kernel(texts):
    x, out = torch.randn(100), torch.empty(100)
    with pytest.raises(lockstep.OutOfBoundsError) as caught:
        fresh(kernels.add)[(1,)](x, x, out, 200, BLOCK=256)
    assert "backend_kernels.py" in str(caught.value)
    assert "#ttg.blocked" in texts[0]


def test_another_word_is_refused(monkeypatch):
    monkeypatch.setenv("LOCKSTEP_STAGE", "ptx")
    x = torch.randn(100)
    with pytest.raises(lockstep.OptionError, match="LOCKSTEP_STAGE: 'ptx' is not a stage that runs"):
        fresh(kernels.add)[(1,)](x, x, torch.empty(100), 100, BLOCK=128)
