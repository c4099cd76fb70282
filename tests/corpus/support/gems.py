"""flag_gems for the tests: which vendor, where its caches lie, and tables of cases.

flag_gems asks `nvidia-smi` and the like which GPU is there, unless GEMS_VENDOR names the vendor; its generated code
and its tuning database go to FLAGGEMS_CACHE_DIR, here a folder that lives as long as the test session. Functions are
taken from their own modules: the package's top level replaces some of them by ones for a single GPU generation."""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest
import torch

from support.autograd import DTYPES, Accuracy, agree, equal, tensors_of, widened


def gems(module: str) -> ModuleType:
    """The module flag_gems.<module>; skips the test if the package is not installed."""
    if "FLAGGEMS_CACHE_DIR" not in os.environ:
        folder = tempfile.mkdtemp(prefix="lockstep-flag-gems-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["FLAGGEMS_CACHE_DIR"] = folder
    os.environ.setdefault("GEMS_VENDOR", "nvidia")
    pytest.importorskip("yaml", reason="flag_gems needs pyyaml")
    pytest.importorskip("sqlalchemy", reason="flag_gems needs sqlalchemy")
    return importlib.import_module(f"flag_gems.{module}")


@dataclass(frozen=True)
class Case:
    """One function: `call(module, *inputs)` against `reference(*inputs in float64)`. accuracy None: exactly equal, the
    reference rounded to the type of the result first (then it may be computed in the inputs' own type:
    `widen=False`)."""

    name: str
    module: str
    call: Callable[..., Any]
    reference: Callable[..., Any]
    inputs: Callable[[torch.dtype], Sequence[Any]]
    accuracy: Accuracy | None = field(default_factory=Accuracy)
    dtypes: Sequence[str] = tuple(DTYPES)
    widen: bool = True


def parameters(cases: Sequence[Case]) -> Callable:
    """Parametrizes a test by case and dtype."""
    return pytest.mark.parametrize(
        "case,dtype",
        [pytest.param(case, DTYPES[name], id=f"{case.name}-{name}") for case in cases for name in case.dtypes],
    )


def check(corpus, case: Case, dtype: torch.dtype) -> None:
    """Run one case in one type."""
    module = gems(case.module)
    inputs = case.inputs(dtype)
    copies = [
        widened(item) if case.widen else (item.clone() if isinstance(item, torch.Tensor) else item) for item in inputs
    ]
    expected = tensors_of(case.reference(*copies))
    actual = tensors_of(case.call(module, *inputs))
    assert len(actual) == len(expected), f"{len(actual)} results where the reference has {len(expected)}"
    for index, (left, right) in enumerate(zip(actual, expected)):
        if case.accuracy is None or not left.dtype.is_floating_point:
            equal(corpus, f"result {index}", left, right.to(left.dtype))
        else:
            agree(corpus, f"result {index}", left, right, case.accuracy)
