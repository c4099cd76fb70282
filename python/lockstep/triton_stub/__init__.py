"""A small `triton` for machines that have none: kernel files import it and launch through Lockstep's C++ front end.

Invariant: a real Triton always wins; the stand-in is found only after every other way to import `triton` has failed, and
only after `install()`. It has what kernel files say at module level (jit, autotune, heuristics, Config, the names of
triton.language, cdiv, testing), not Triton's compiler: kernels are read from their file, nothing is traced."""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class _Finder(MetaPathFinder):
    """Last in sys.meta_path: finds `triton` and its modules in this folder."""

    folder = os.path.dirname(os.path.abspath(__file__))

    def find_spec(self, fullname: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != "triton":
            return None
        return PathFinder.find_spec(fullname, [self.folder])


def install() -> bool:
    """Makes `import triton` work where there is none. True if the stand-in is what `import triton` gives.

    >>> import lockstep.triton_stub
    >>> lockstep.triton_stub.install()  # doctest: +SKIP
    True
    """
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
    return is_stub()


def uninstall() -> None:
    """Undoes install(); modules that were imported stay as they are."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]


def is_stub() -> bool:
    """Whether `import triton` gives, or would give, the stand-in."""
    module = sys.modules.get("triton")
    if module is not None:
        return getattr(module, "is_lockstep_stub", False)
    spec = importlib.util.find_spec("triton")
    return spec is not None and os.path.dirname(os.path.dirname(spec.origin or "")) == _Finder.folder
