"""The namespaces under triton.language, as modules whose contents the C++ front end knows."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from .values import BuiltinName


@functools.lru_cache(maxsize=4096)
def exists(space: str, name: str) -> bool:
    from lockstep import _native

    return _native.is_language_name(space, name)


class _Namespace(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not exists(self.__name__, name):
            raise AttributeError(f"{self.__name__} (Lockstep's stand-in) has no {name!r}")
        language = sys.modules["triton.language"]
        return vars(language)[name] if name in vars(language) else BuiltinName(f"{self.__name__}.{name}")


def add_module(parent: str, name: str) -> None:
    """Makes `import parent.name` work; puts a dotted name into the module before the dot."""
    full = f"{parent}.{name}"
    module = _Namespace(full, "Names that kernels can use.")
    module.__path__ = []  # a package: its submodules are in sys.modules
    sys.modules[full] = module
    owner, _, last = full.rpartition(".")
    if owner != parent:
        setattr(sys.modules[owner], last, module)
