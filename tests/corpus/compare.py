"""Run an operation of a package on Lockstep and its definition in float64, forward and backward, and compare every
result.

`agree` is the whole test: inputs are rounded to the dtype under test first, so that both sides see the same numbers;
cotangents are drawn once and used on both sides. The bound follows from `tolerance` and the stated number of roundings.
`in_float64` turns a package's own float32 reference into a float64 one. Nothing here depends on a package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from recorder import Recorder
from tolerance import ELEMENT, allowed, errors
from torch.overrides import TorchFunctionMode

Tensors = dict[str, torch.Tensor]
DTYPES = (torch.float32, torch.float16, torch.bfloat16)
HALVES = DTYPES[1:]  # for operations that refuse float32
_NAMES = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16"}


class _Double(TorchFunctionMode):
    """Where a reference asks for float32, it gets float64."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if kwargs.get("dtype") is torch.float32:
            kwargs["dtype"] = torch.float64
        if func is torch.Tensor.float:
            return args[0].double()
        if func in (torch.Tensor.to, torch.Tensor.type):
            args = tuple(torch.float64 if a is torch.float32 else a for a in args)
        if func in _CREATORS and kwargs.get("dtype") is None:
            kwargs["dtype"] = torch.float64
        return func(*args, **kwargs)


_CREATORS = (torch.zeros, torch.ones, torch.empty, torch.full, torch.eye, torch.rand, torch.randn)


def in_float64(reference: Callable[..., Any]) -> Callable[..., Any]:
    """`reference`, with every float32 that it asks for replaced by float64."""

    def run(*args: Any, **kwargs: Any) -> Any:
        with _Double():
            return reference(*args, **kwargs)

    return run


def dtype_cases(*names: str, ci: Sequence[str] = (), dtypes: Sequence[torch.dtype] = DTYPES) -> Any:
    """Parametrise ("variant", "dtype") over `names` and `dtypes`; those not in `ci` ("name-bf16") are campaign work."""
    rows = []
    for name in names:
        for dtype in dtypes:
            label = f"{name}-{_NAMES[dtype]}"
            rows.append(pytest.param(name, dtype, id=label, marks=() if label in ci else pytest.mark.campaign))
    return pytest.mark.parametrize(("variant", "dtype"), rows)


def _flat(result: Any) -> list[torch.Tensor]:
    """The float tensors of a result, in order; tuples and lists opened."""
    if isinstance(result, torch.Tensor):
        return [result] if result.is_floating_point() else []
    if isinstance(result, (tuple, list)):
        return [tensor for part in result for tensor in _flat(part)]
    return []


def _rounded(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """float64 is what tests write for "in the dtype under test"; every other type is kept."""
    return tensor.to(dtype) if tensor.dtype == torch.float64 else tensor


def _leaves(inputs: Tensors, fixed: Sequence[str], convert: Callable[[torch.Tensor], torch.Tensor]) -> Tensors:
    return {
        name: convert(tensor.detach().clone()).requires_grad_(tensor.is_floating_point() and name not in fixed)
        for name, tensor in inputs.items()
    }


def _gradients(outputs: list[torch.Tensor], leaves: Tensors, cotangents: list[torch.Tensor]) -> dict[str, torch.Tensor]:
    wanted = {name: leaf for name, leaf in leaves.items() if leaf.requires_grad}
    pairs = [(out, cotangent.to(out)) for out, cotangent in zip(outputs, cotangents, strict=True) if out.requires_grad]
    if not wanted or not pairs:
        return {}
    found = torch.autograd.grad([p[0] for p in pairs], list(wanted.values()), [p[1] for p in pairs], allow_unused=True)
    return {name: gradient for name, gradient in zip(wanted, found, strict=True) if gradient is not None}


def compare(corpus: Recorder, name: str, out: torch.Tensor, reference: torch.Tensor, bound: float) -> str | None:
    """One result against its reference. Returns what is wrong, or None."""
    rms, element = errors(out.cpu(), reference)
    corpus.agreed(max(rms, element / ELEMENT), bound)
    if rms <= bound and element <= ELEMENT * bound:
        return None
    least = f"rms error {rms:.3g} (allowed {bound:.3g})"
    return f"{name}: {least}, worst element {element:.3g} (allowed {ELEMENT * bound:.3g})"


def agree(
    corpus: Recorder,
    operation: Callable[..., Any],
    reference: Callable[..., Any],
    inputs: Tensors,
    dtype: torch.dtype,
    *,
    roundings: int,
    dots: bool = True,
    tf32: bool = False,
    fixed: Sequence[str] = (),
    backward: bool = True,
    leading: int | None = None,
    cancelling: Sequence[str] = (),
    seed: int = 7,
) -> None:
    """`operation(**inputs)` in `dtype` must agree with `reference(**inputs)` in float64, and so must all gradients.

    inputs: float64 tensors are rounded to `dtype`, others are passed as they are. fixed: names without a gradient.
    roundings, dots, tf32: see tolerance.py. leading: only so many outputs are differentiated (some packages ignore the
    gradient of a final state). cancelling: inputs whose gradient sums, over the sequence, terms of both signs that are
    larger than the sum (gates and what they are made of): 16 times the roundings.
    """
    rounded = {name: _rounded(tensor, dtype) for name, tensor in inputs.items()}
    fixed = fixed if backward else list(inputs)
    leaves = _leaves(rounded, fixed, lambda t: t.cuda())
    exact = _leaves(rounded, fixed, lambda t: t.double() if t.is_floating_point() else t)
    outputs, expected = _flat(operation(**leaves)), _flat(reference(**exact))
    assert len(outputs) == len(expected), f"{len(outputs)} outputs, the reference has {len(expected)}"
    generator = torch.Generator().manual_seed(seed)
    cotangents = [
        _rounded(torch.randn(out.shape, generator=generator, dtype=torch.float64), out.dtype) for out in outputs
    ]
    with corpus.backward():
        gradients = _gradients(outputs[:leading], leaves, cotangents[:leading])
    expected_gradients = _gradients(expected[:leading], exact, [c.double() for c in cotangents[:leading]])
    bound = allowed(dtype, roundings, dots=dots, tf32=tf32)
    wrong = [
        compare(corpus, f"output {i}", out, ref, bound)
        for i, (out, ref) in enumerate(zip(outputs, expected, strict=True))
    ]
    wrong += [f"no gradient of {name}" for name in sorted(set(expected_gradients) - set(gradients))]
    wrong += [
        compare(
            corpus, f"gradient of {name}", gradient, expected_gradients[name], bound * (4 if name in cancelling else 1)
        )
        for name, gradient in gradients.items()
        if name in expected_gradients
    ]
    assert not any(wrong), "\n".join(line for line in wrong if line)
