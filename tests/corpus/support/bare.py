"""Kernel modules of packages whose top level asks for much more than a kernel needs (model hubs, compiled CUDA
libraries).

`bare_package(name)` puts an empty package into sys.modules whose __path__ is the real package's folder: its submodules
are then imported from the real files, but its __init__.py does not run. `triton_stub(name, ...)` does the same for one
module that a kernel file imports from and that cannot be imported here; what it holds is stated where it is made.
Nothing of a package is copied."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

import pytest


def bare_package(name: str) -> None:
    """Make `name` importable as a package without running its __init__.py; skips the test if it is not installed."""
    if name in sys.modules:
        return
    parent, _, leaf = name.rpartition(".")
    if parent:
        bare_package(parent)
        folders = [str(Path(folder) / leaf) for folder in sys.modules[parent].__path__]
    else:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            pytest.skip(f"{name} is not installed")
        folders = list(spec.submodule_search_locations)
    package = types.ModuleType(name)
    package.__path__ = folders
    sys.modules[name] = package
    if parent:
        setattr(sys.modules[parent], leaf, package)


def triton_stub(name: str, **members: Any) -> None:
    """A module of that name with these members, in place of one that cannot be imported here."""
    if name not in sys.modules:
        module = types.ModuleType(name)
        vars(module).update(members)
        sys.modules[name] = module
