"""How a package's function is held against a reference in float64, forward and backward.

The reference is an ordinary torch function; it gets the inputs *as rounded to the kernel's type*, widened to float64,
and torch differentiates it. Every output and every gradient is then compared under `Accuracy`'s bound, stated per
case. The bound is elementwise: a few roundings in the kernel's type relative to the element and to the output's root
mean square (an element that comes out near zero by cancellation still carries the rounding of what cancelled), plus
float32's error of adding `terms` summands: that many roundings at most, and no more than four standard deviations of
their random walk. Nothing is compared with what a kernel printed before."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import torch

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
all_dtypes = pytest.mark.parametrize("dtype", list(DTYPES.values()), ids=list(DTYPES))
half_dtypes = pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["f16", "bf16"])
float32_only = pytest.mark.parametrize("dtype", [torch.float32], ids=["f32"])

TF32_EPS = 2.0**-10  # what the tensor cores keep of a float32 operand


@dataclass(frozen=True)
class Accuracy:
    """roundings: how many times values of the output's size are rounded to the kernel's type on the way; terms: the
    longest sum that is kept in float32; tf32: float32 operands of a product are rounded as tensor cores do;
    scale: the size of what is added up where it is larger than the output's root mean square; eps: the spacing at 1 of
    the type that intermediate values are rounded to, where it is not the output's own (fp8, a bf16 buffer...)."""

    roundings: float = 2.0
    terms: int = 1
    tf32: bool = False
    scale: float = 0.0
    eps: float = 0.0

    def bound(self, reference: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """The largest difference that is allowed, per element, in float64."""
        own = torch.finfo(dtype).eps if dtype.is_floating_point else 0.0
        if self.tf32 and dtype == torch.float32:
            own = TF32_EPS
        finite = reference[torch.isfinite(reference)]
        rms = float(finite.square().mean().sqrt()) if finite.numel() else 0.0
        size = max(rms, self.scale)
        accumulated = torch.finfo(torch.float32).eps * min(self.terms, 4.0 * math.sqrt(self.terms)) * size
        relative = self.roundings * max(own, self.eps)
        tiny = torch.finfo(dtype).tiny if dtype.is_floating_point else 0.0
        return relative * (torch.nan_to_num(reference, posinf=0.0, neginf=0.0).abs() + size) + accumulated + tiny


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def randn(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0, scale: float = 1.0) -> torch.Tensor:
    """Normal numbers of this seed, drawn in float32 and rounded to dtype."""
    return (torch.randn(shape, generator=generator(seed)) * scale).to(dtype)


def widened(value: Any) -> Any:
    """A float64 copy of a floating tensor that needs a gradient where the original does; anything else as it is."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.detach().double().clone().requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)):
        return type(value)(widened(item) for item in value)
    return value


def tensors_of(outputs: Any) -> list[torch.Tensor]:
    """The tensors that a function returned, in order."""
    if isinstance(outputs, torch.Tensor):
        return [outputs]
    return [item for item in outputs if isinstance(item, torch.Tensor)]


def agree(corpus, what: str, actual: torch.Tensor, reference: torch.Tensor, accuracy: Accuracy = Accuracy()) -> None:
    """One result against its reference: the shape, then every element under the bound; the worst goes to the record."""
    assert actual.shape == reference.shape, (
        f"{what}: shape {tuple(actual.shape)}, the reference has {tuple(reference.shape)}"
    )
    error, limit = worst(actual, reference, accuracy.bound(reference.detach().double(), actual.dtype))
    corpus.agreed(error, limit)
    assert error <= limit, f"{what}: an element differs by {error:.3g} where {limit:.3g} is allowed"


def equal(corpus, what: str, actual: torch.Tensor, reference: torch.Tensor) -> None:
    """One result that must be exactly the reference: integers, booleans, copies, roundings."""
    assert actual.shape == reference.shape, (
        f"{what}: shape {tuple(actual.shape)}, the reference has {tuple(reference.shape)}"
    )
    left, right = actual.detach().double(), reference.detach().double()
    same = (left == right) | (torch.isnan(left) & torch.isnan(right))
    corpus.agreed(0.0 if bool(same.all()) else math.inf, 0.0)
    assert same.all(), f"{what}: {int((~same).sum())} of {same.numel()} elements differ"


def agree_autograd(
    corpus,
    function: Callable,
    reference: Callable,
    inputs: Mapping[str, Any],
    *,
    accuracy: Accuracy = Accuracy(),
    gradient: Accuracy | None = None,
    gradients: Mapping[str, Accuracy] | None = None,
    wrt: tuple[str, ...] = (),
    seed: int = 1,
) -> None:
    """Call both with the values of `inputs`, backpropagate the same random cotangents, compare outputs and the
    gradients of the inputs named in `wrt`. `gradient` is for all gradients (default: as `accuracy`), `gradients` for
    single ones."""
    inputs = dict(inputs)
    for name in wrt:
        inputs[name] = inputs[name].detach().clone().requires_grad_(True)
    expected_inputs = {name: widened(value) for name, value in inputs.items()}
    expected = tensors_of(reference(*expected_inputs.values()))
    actual = tensors_of(function(*inputs.values()))
    assert len(actual) == len(expected), f"{len(actual)} outputs where the reference has {len(expected)}"
    # In-place kernels overwrite what they return a gradient for: what is compared is copied first.
    kept = [item.detach().clone() for item in actual]
    for index, (left, right) in enumerate(zip(kept, expected)):
        agree(corpus, f"output {index}", left, right, accuracy)
    if not wrt:
        return
    cotangents = [
        (a, e, randn(*a.shape, seed=seed + i).to(a.dtype))
        for i, (a, e) in enumerate(zip(actual, expected))
        if a.requires_grad
    ]
    torch.autograd.backward([e for _, e, _ in cotangents], [c.double() for _, _, c in cotangents])
    with corpus.backward():
        torch.autograd.backward([a for a, _, _ in cotangents], [c.clone() for _, _, c in cotangents])
    for name in wrt:
        chosen = (gradients or {}).get(name) or gradient or accuracy
        assert inputs[name].grad is not None, f"no gradient for {name}"
        agree(corpus, f"gradient of {name}", inputs[name].grad, expected_inputs[name].grad, chosen)


def agree_call(
    corpus,
    function: Callable,
    reference: Callable,
    *arguments: Any,
    accuracy: Accuracy = Accuracy(),
) -> None:
    """Call both with the arguments (the reference with float64 copies) and compare what they return."""
    copies = [widened(argument) for argument in arguments]
    expected = tensors_of(reference(*copies))
    actual = tensors_of(function(*arguments))
    assert len(actual) == len(expected), f"{len(actual)} outputs where the reference has {len(expected)}"
    for index, (left, right) in enumerate(zip(actual, expected)):
        agree(corpus, f"output {index}", left, right, accuracy)


def worst(actual: torch.Tensor, reference: torch.Tensor, bound: torch.Tensor) -> tuple[float, float]:
    """(error, bound) of the element whose error is largest relative to its bound; infinite where one side is NaN or
    infinite and the other is not the same."""
    left, right = actual.detach().double(), reference.detach().double()
    same = (left == right) | (torch.isnan(left) & torch.isnan(right))
    error = torch.where(same, torch.zeros_like(right), (left - right).abs())
    error = torch.where(torch.isnan(error), torch.full_like(error, math.inf), error)
    limit = bound.to(error.dtype).broadcast_to(error.shape)
    ratio = torch.where(error == 0, torch.zeros_like(error), error / limit.clamp(min=1e-300))
    if ratio.numel() == 0:
        return 0.0, 0.0
    index = int(ratio.reshape(-1).argmax())
    return float(error.reshape(-1)[index]), float(limit.reshape(-1)[index])
