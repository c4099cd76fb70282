"""fla-core's tests are collected only where it is installed. It looks at the GPU when it is imported: tests import it
in their bodies.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import pytest

try:
    version("fla-core")
    collect_ignore_glob: list[str] = []
except PackageNotFoundError:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def full_float32(pretended_gpu: None) -> Iterator[None]:
    """float32 products are not cut to tf32 (Triton's default): float32 results must then be right to 1e-6, not to 1e-3.

    A kernel is compiled once per process, so this holds for a whole session.
    """
    from triton import knobs

    with knobs.language.scope():
        knobs.language.fp32_default = "ieee"
        yield


@pytest.fixture(autouse=True)
def older_gpu(pretended_gpu: None) -> Iterator[None]:
    """fla-core refuses its gated backward pass on Hopper with this Triton: its tests run as sm_80 unless LOCKSTEP_AS
    says otherwise.

    The package looks at the GPU when it is first imported, which happens in a test's body.
    """
    import lockstep

    if os.environ.get("LOCKSTEP_AS"):
        yield
        return
    with lockstep.options(target="sm_80"):
        yield
