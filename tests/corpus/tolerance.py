"""How far a kernel's result may lie from a float64 reference, and why.

Every format has a unit roundoff u (half the distance from 1 to the next number). A value that is rounded r times on its
way from the inputs to the output, each time by an independent error of at most u relative to what is added up at that
point, has a root-mean-square error of at most u * sqrt(r) relative to the root mean square of the result; single
elements are allowed six such standard deviations, relative to their own size plus the root mean square (an element that
cancels to nearly nothing was still summed from terms of ordinary size). `roundings` is therefore the one number a test
states: how many roundings follow one another. For float32 kernels with dots, u is that of tf32 if Triton multiplies
float32 so (its default; TRITON_F32_DEFAULT=ieee changes it). In full float32 the accumulators are as coarse as the
values, so that every sum of some TERMS products adds as many roundings.
"""

from __future__ import annotations

import torch
from triton import knobs

_UNIT = {torch.float64: 2.0**-53, torch.float32: 2.0**-24, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
TF32 = 2.0**-10  # operands keep 10 bits behind the point and are cut, not rounded, on their way into the tensor cores
ELEMENT = 6.0
TERMS = 64


def allowed(dtype: torch.dtype, roundings: int, *, dots: bool = True, tf32: bool = False) -> float:
    """The root-mean-square error that is allowed. dots: matrix products take part. tf32: the kernels themselves ask for
    tf32.
    """
    if dtype != torch.float32 or not dots:
        return _UNIT[dtype] * roundings**0.5
    if tf32 or knobs.language.fp32_default != "ieee":
        return TF32 * roundings**0.5
    return _UNIT[dtype] * (roundings * TERMS) ** 0.5


def errors(out: torch.Tensor, reference: torch.Tensor) -> tuple[float, float]:
    """(rms of the error / rms of the reference, largest error of an element / (its size + rms)). NaN and inf must match
    exactly.
    """
    out, reference = out.detach().double(), reference.detach().double()
    if out.shape != reference.shape:
        raise AssertionError(f"shape {tuple(out.shape)}, the reference has {tuple(reference.shape)}")
    finite = reference.isfinite()
    if not torch.equal(
        torch.where(finite, torch.zeros_like(out), out).nan_to_num(nan=7.0),
        torch.where(finite, torch.zeros_like(out), reference).nan_to_num(nan=7.0),
    ):
        return float("inf"), float("inf")
    out, reference = out[finite], reference[finite]
    if not out.isfinite().all():
        return float("inf"), float("inf")
    if out.numel() == 0:
        return 0.0, 0.0
    difference = out - reference
    rms = reference.square().mean().sqrt()
    if rms == 0:
        worst = float(difference.abs().max())
        return worst, worst
    element = (difference.abs() / (reference.abs() + rms)).max()
    return float(difference.square().mean().sqrt() / rms), float(element)
