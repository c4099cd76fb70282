"""The option real: every float of a launch also in f64, over several launches, as long as the bytes stay."""

from __future__ import annotations

import lockstep
import numpy as np
import pytest
from backend_fixture import on_lockstep  # noqa: F401

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")
tl = pytest.importorskip("triton.language")


@triton.jit
def halved_exp(x, out, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.exp(v) * scale + 0.1, mask=at < n)


@triton.jit
def normed(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + at, v / tl.sqrt(tl.sum(v * v, 0)), mask=at < n)


def both(x, out, end):
    with lockstep.options(real=True):
        halved_exp[(3,)](x, out, 40, 0.3, BLOCK=16)
        normed[(1,)](out, end, 40, BLOCK=64)


def test_numbers_without_rounding_pass_from_launch_to_launch():
    torch.manual_seed(1)
    x, out, end = torch.randn(40), torch.empty(40), torch.empty(40)
    both(x, out, end)
    wide = x.double().exp() * 0.3 + 0.1  # 0.3 and 0.1 are what their digits say
    wide = (wide / wide.pow(2).sum().sqrt()).numpy()
    np.testing.assert_allclose(lockstep.real_values(end), wide, rtol=1e-13)
    assert np.abs(end.double().numpy() - wide).max() > 1e-10
    report = lockstep.last_report().real
    (tensor,) = report["tensors"]
    assert report["complete"] and tensor["name"] == "out" and tensor["elements"] == 40 and tensor["unknown"] == 0
    assert 0 < tensor["max_ulp"] < 20
    assert tensor["worst"][0]["place"].startswith(__file__)


def test_what_other_code_writes_is_no_longer_known():
    x, out, end = torch.randn(40), torch.empty(40), torch.empty(40)
    both(x, out, end)
    out[7] += 1
    values = lockstep.real_values(out)
    assert np.isnan(values[7]) and not np.isnan(values[8])
    with lockstep.options(real=True):
        normed[(1,)](out, end, 40, BLOCK=64)
    wide = np.where(np.isnan(values), out.double().numpy(), values)
    np.testing.assert_allclose(lockstep.real_values(end), wide / np.sqrt((wide**2).sum()), rtol=1e-13)


def test_results_are_those_of_a_plain_launch():
    torch.manual_seed(2)
    x = torch.randn(40)
    results = []
    for real in (False, True):
        out = torch.zeros(40)
        with lockstep.options(real=real):
            halved_exp[(3,)](x, out, 40, 0.3, BLOCK=16)
        assert (lockstep.last_report().real is not None) == real
        results.append(out.numpy().tobytes())
    assert results[0] == results[1]


def test_a_tensor_that_no_launch_stored_is_not_known():
    assert np.isnan(lockstep.real_values(torch.ones(3))).all()
