"""What the kernels of tests/h200_answers print, by key: registered by the host_*.py files, printed as an H200's answers
in answers.jsonl are.

`check(key)` registers a function without arguments that launches kernels and returns tensors, numbers or text.
`printed` calls it and gives what the log of the measurement has for it: ("v", repr of the numbers) or ("err", the
chain of exceptions, last lines only). Nothing is compared here; test_semantics.py does that.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

CHECKS: dict[str, Callable[[], Any]] = {}


def load() -> None:
    """Registers all checks. Triton 3.4 has no @triton.constexpr_function, by which one kernel's module is imported."""
    import triton

    if not hasattr(triton, "constexpr_function"):
        triton.constexpr_function = lambda function: function
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parents[1] / "semantics")]
    for path in sorted(here.glob("host_*.py")):
        importlib.import_module(path.stem)


def check(key: str) -> Callable:
    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        assert key not in CHECKS, key
        CHECKS[key] = function
        return function

    return register


def T(values, dtype=None) -> torch.Tensor:
    return torch.tensor(values, dtype=dtype)


def go(kernel, *arguments, **keywords) -> None:
    kernel[(1,)](*arguments, **keywords)


def printable(value: Any) -> Any:
    """Tensors as their first 16 elements, 8-bit floats as bits."""
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach()
    if value.dtype in (torch.float8_e5m2, torch.float8_e4m3fn):
        value = value.view(torch.uint8)
    if value.dtype == torch.bfloat16:
        value = value.float()
    return value.flatten()[:16].tolist()


def chain_of(error: BaseException | None) -> str:
    """Types and last lines of an exception and its first two causes; of a fault the class, code and message of the
    first finding."""
    findings = getattr(getattr(error, "report", None), "findings", None)
    if findings:  # Lockstep's: what it is about, not the rendered report
        return f"{type(error).__name__} {findings[0].code}: {findings[0].message}"
    chain = []
    while error is not None:
        chain.append(error)
        error = error.__cause__
    lines = [str(each).strip().splitlines()[-1] if str(each).strip() else "" for each in chain]
    return " <- ".join(f"{type(each).__name__}: {line}"[:260] for each, line in list(zip(chain, lines))[:3])


def printed(key: str) -> tuple[str, str]:
    try:
        value = CHECKS[key]()
    except Exception as error:  # noqa: BLE001 (an exception is an answer)
        return "err", chain_of(error)
    value = [printable(each) for each in value] if isinstance(value, tuple) else printable(value)
    return "v", repr(value)
