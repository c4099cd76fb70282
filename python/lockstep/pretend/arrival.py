"""Pretends when a program imports torch, and activates Lockstep when it imports Triton.

A program under `python -m lockstep` that needs neither pays for neither. Invariant: the program sees torch and Triton
only after the pretence or the activation is in force; without Triton the stand-in takes its place. Child processes do
the same: `environment` is what they must inherit."""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_SITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class AfterImport(importlib.abc.MetaPathFinder):
    """Runs a function once when a module of that name has been executed. It gets the module."""

    def __init__(self, actions: dict[str, Callable[[ModuleType], Any]]) -> None:
        self._actions = actions

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        action = self._actions.pop(name, None)
        if action is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_then_act(module: ModuleType) -> None:
            execute(module)
            action(module)

        spec.loader.exec_module = execute_then_act  # type: ignore[method-assign]
        return spec


def _pretend(torch: ModuleType) -> None:
    from lockstep.pretend import pretend_cuda, uninitialised

    pretend_cuda()
    uninitialised.start()


def _activate(triton: ModuleType) -> None:
    from lockstep import activation

    activation.active().__enter__()


def prepare(*, pretend: bool) -> None:
    """Arranges this for the process. pretend: torch's "cuda" means the CPU."""
    if importlib.util.find_spec("triton") is None:
        from lockstep import triton_stub

        triton_stub.install()
        actions: dict[str, Callable[[ModuleType], Any]] = {}
    else:
        actions = {"triton": _activate}
    if pretend:
        actions["torch"] = _pretend
    for name in list(actions):
        if name in sys.modules:
            actions.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, AfterImport(actions))


def environment(base: Mapping[str, str], *, pretend: bool) -> dict[str, str]:
    """Variables for child processes that prepare themselves at their start: PYTHONPATH leads to Lockstep's sitecustomize."""
    result = {name: value for name, value in base.items() if name != "TRITON_INTERPRET"}
    result["LOCKSTEP"] = "1"
    result["LOCKSTEP_PRETEND"] = "1" if pretend else "0"
    places = [place for place in base.get("PYTHONPATH", "").split(os.pathsep) if place]
    if _SITE not in places:
        places.insert(0, _SITE)
    if _ROOT not in places and not _is_installed():
        places.insert(1, _ROOT)
    result["PYTHONPATH"] = os.pathsep.join(places)
    return result


def _is_installed() -> bool:
    """Whether other processes of this Python find lockstep without help."""
    import site

    packages = [*site.getsitepackages(), site.getusersitepackages()]
    return any(os.path.realpath(place) == os.path.realpath(_ROOT) for place in packages)
