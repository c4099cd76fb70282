"""What Python files import, by their syntax: nothing is imported, so that asking costs no worker and changes nothing.

Files of the user's are followed; of an installed package only its name is kept. Where a file imports by a name that it works
out (`importlib.import_module(name)`), every file of its package, or else of its folder, counts."""

from __future__ import annotations

import ast
import functools
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

_INSTALLED = ("site-packages", "dist-packages")
_OURS = Path(__file__).resolve().parents[1]
_MOST_FILES = 5000  # that one case is followed to


@dataclass
class Found:
    """The Python files that a case depends on."""

    files: set[str] = field(default_factory=set)  # of the user's, absolute
    packages: set[str] = field(default_factory=set)  # installed ones, by the name that is imported


@dataclass(frozen=True)
class _Import:
    level: int  # dots before the name
    module: str
    names: tuple[str, ...] = ()  # of `from module import ...`: each may be a module, too


def closure(files: Sequence[str], modules: Sequence[str], folders: Sequence[str]) -> Found:
    """The imports of Python files and of named modules; looks in `folders` first, then where this process would find them."""
    places = tuple(os.path.abspath(one) for one in folders)
    found = Found()
    left = [os.path.abspath(file) for file in files]
    first = _Resolver(places)
    for module in modules:
        first.resolve(_Import(0, module), places[0] if places else os.getcwd())
    left += first.found.files
    found.packages |= first.found.packages
    while left and len(found.files) < _MOST_FILES:
        file = left.pop()
        if file in found.files:
            continue
        found.files.add(file)
        beside = _direct(file, places)
        found.packages |= beside.packages
        left += beside.files
    return found


@functools.lru_cache(maxsize=8192)
def _direct(file: str, folders: tuple[str, ...]) -> Found:
    """What one file imports itself, and the packages that contain it."""
    resolver = _Resolver(folders)
    if not file.endswith(".py"):
        return resolver.found
    resolver.found.files |= {os.path.join(package, "__init__.py") for package in _packages_around(file)}
    imports = _imports_of(file)
    if imports is None:
        resolver.found.files |= set(_all_beside(file))
    for one in imports or ():
        resolver.resolve(one, os.path.dirname(file))
    return resolver.found


class _Resolver:
    """Names of modules to files."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = folders
        self.found = Found()

    def resolve(self, one: _Import, folder: str) -> None:
        """`folder`: the folder of the importing file."""
        if one.level:
            base = folder
            for _ in range(one.level - 1):
                base = os.path.dirname(base)
            parts, places = [part for part in one.module.split(".") if part], [base]
        else:
            first, *parts = one.module.split(".")
            found = self._top(first, folder)
            if found is None:
                if first not in sys.stdlib_module_names:  # a path that the suite's settings or code add at run time
                    self.found.files |= _named_below(first, self._folders)
                return
            places = self._take(found)
        for part in parts:
            spec = PathFinder.find_spec(part, places) if places else None
            if spec is None:
                return
            places = self._take(spec)
        for name in one.names:
            spec = PathFinder.find_spec(name, places) if places else None
            if spec is not None:
                self._take(spec)

    def _top(self, name: str, folder: str) -> ModuleSpec | None:
        """The module of a name's first part, as a worker would find it; None if there is none, or if it is Python's own."""
        home = os.path.dirname((_packages_around(os.path.join(folder, "x.py")) or [os.path.join(folder, "x")])[-1])
        spec = PathFinder.find_spec(name, [home, *self._folders])
        if spec is not None and spec.origin is not None:
            return spec
        if name in sys.stdlib_module_names:
            return None
        try:
            return importlib.util.find_spec(name) or spec
        except Exception:  # noqa: BLE001 (a module without a spec, or a finder of somebody's that fails)
            return spec

    def _take(self, spec: ModuleSpec) -> list[str]:
        """Keeps a module, and the folder of its own modules if those are to be followed."""
        origin = spec.origin if spec.origin not in (None, "built-in", "frozen", "namespace") else ""
        place = origin or next(iter(spec.submodule_search_locations or ()), "")
        kind = _kind_of(place)
        if kind == "installed":
            self.found.packages.add(spec.name.partition(".")[0])
        if kind != "own":
            return []
        if origin:
            self.found.files.add(os.path.abspath(origin))
        return list(spec.submodule_search_locations or ())


@functools.lru_cache(maxsize=8192)
@functools.lru_cache(maxsize=1024)
def _named_below(name: str, folders: tuple[str, ...]) -> frozenset[str]:
    """Files of modules with this name anywhere below the folders: results depend on whichever the import finds, and on no other."""
    found = set()
    for folder in folders:
        for place, inner, files in os.walk(folder):
            inner[:] = [one for one in inner if not one.startswith(".") and one not in ("__pycache__", "site-packages")]
            if f"{name}.py" in files:
                found.add(os.path.abspath(os.path.join(place, f"{name}.py")))
            if os.path.basename(place) == name and "__init__.py" in files:
                found |= {os.path.abspath(os.path.join(place, one)) for one in files if one.endswith(".py")}
    return frozenset(found)


def _kind_of(place: str) -> str:
    """"own", "installed", or "" for modules of Python and Lockstep."""
    if not place:
        return ""
    path = Path(os.path.realpath(place))
    if path.is_relative_to(_OURS) or path.is_relative_to(_OURS.resolve()):
        return ""
    if any(part in _INSTALLED for part in (*Path(place).parts, *path.parts)):
        return "installed"
    stdlib = {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib")}
    return "" if any(path.is_relative_to(os.path.realpath(one)) for one in stdlib) else "own"


def _packages_around(file: str) -> list[str]:
    """The packages that contain a file, the innermost first."""
    found = []
    folder = os.path.dirname(file)
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        found.append(folder)
        folder = os.path.dirname(folder)
    return found


def _all_beside(file: str) -> Iterator[str]:
    packages = _packages_around(file)
    if not packages:
        folder = os.path.dirname(file)
        yield from (os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".py"))
        return
    for folder, _, names in os.walk(packages[-1]):
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))


def _imports_of(file: str) -> tuple[_Import, ...] | None:
    """The names that a file imports anywhere; None where it computes a name, which may be any module of its package."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ()  # whoever runs it is told; its bytes count all the same
    found: list[_Import] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [_Import(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(_Import(node.level, node.module or "", tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.Call) and _name_of(node.func) in ("import_module", "__import__"):
            name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if not isinstance(name, str) or name.startswith("."):
                return None
            found.append(_Import(0, name))
    return tuple(found)


def _name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
