"""Other sizes for a test that says its sizes as numbers: the same number is replaced wherever the test's own code says it.

Of a test that draws `randn(3, 5, 100)`, compares with `reference(x).view(15, 100)` and allows an error for sums of 100
terms, all three become 77 together. Replaced are constants of the code that the test reaches (its function, the functions
and the numbers of the suite's own files that it names, the lambdas among its parameters) and numbers in its parameters; never those of
files that the suite keeps out, such as bounds of errors. Whether the package takes such sizes is not known here: a test
that raises before its first launch, or in its own code, makes no case of it (sources/tests)."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import itertools
import os
import types
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

from lockstep.campaign.sources.tests.own_files import OwnFiles

if TYPE_CHECKING:
    import pytest

LEAST = 7  # smaller numbers are counts, ranks and exponents more often than sizes
MOST = 8192


class Code:
    """The functions that a test reaches in its suite's own files, without the files that a pattern of `keep` names."""

    def __init__(self, item: pytest.Item, root: str, keep: Sequence[str] = ()) -> None:
        self._own = OwnFiles(item, root)
        self._keep = keep
        self._seen: set[int] = set()
        self.functions: list[types.FunctionType] = []
        self._globals: dict[tuple[int, str], dict[str, Any]] = {}  # (its id, name) -> the module's dictionary
        self._walk(getattr(item, "obj", None))
        callspec = getattr(item, "callspec", None)
        self.parameters: dict[str, Any] = callspec.params if callspec is not None else {}
        for value in self.parameters.values():
            self._walk(value)

    def _is_own(self, function: types.FunctionType) -> bool:
        name = os.path.realpath(function.__code__.co_filename)
        if not self._own.has(name):
            return False
        return not any(fnmatch(os.path.relpath(name, self._own.root), pattern) for pattern in self._keep)

    def _walk(self, value: Any) -> None:
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, types.MethodType):
            self._walk(value.__func__)
        elif isinstance(value, functools.partial):
            for part in (value.func, *value.args, *value.keywords.values()):
                self._walk(part)
        elif isinstance(value, types.FunctionType):
            self._walk_function(value)
        elif isinstance(value, type):
            for member in vars(value).values():
                self._walk(member.fget if isinstance(member, property) else member)
        elif isinstance(value, (tuple, list)):
            for part in value:
                self._walk(part)
        elif dataclasses.is_dataclass(value):
            for part in vars(value).values():
                self._walk(part)

    def _walk_function(self, function: types.FunctionType) -> None:
        function = inspect.unwrap(function)  # type: ignore[assignment]
        if not isinstance(function, types.FunctionType) or not self._is_own(function):
            return
        self._seen.add(id(function))
        self.functions.append(function)
        for cell in function.__closure__ or ():
            with contextlib.suppress(ValueError):  # a cell that is still empty
                self._walk(cell.cell_contents)
        for code in _nested(function.__code__):
            for name in code.co_names:
                value = function.__globals__.get(name)
                if next(_integers(value), None) is not None:
                    self._globals[id(function.__globals__), name] = function.__globals__
                self._walk(value)

    def numbers(self) -> list[int]:
        """The integers that may be sizes, each once, sorted."""
        found: set[int] = set()
        for function in self.functions:
            for code in _nested(function.__code__):
                found.update(number for constant in code.co_consts for number in _integers(constant))
            found.update(_integers(function.__defaults__))
        found.update(number for (_, name), space in self._globals.items() for number in _integers(space[name]))
        found.update(number for value in self.parameters.values() for number in _integers(value))
        return sorted(number for number in found if LEAST <= number <= MOST)

    def _constants(self) -> Iterator[Any]:
        """Everything that holds numbers."""
        for function in self.functions:
            yield function.__defaults__
            yield from (constant for code in _nested(function.__code__) for constant in code.co_consts)
        yield from (space[name] for (_, name), space in self._globals.items())
        yield from self.parameters.values()

    def disordered(self, numbers: Mapping[int, int]) -> Any:
        """Offsets (0 and rising numbers) that would no longer rise: no caller passes these. None: there are none."""
        for constant in self._constants():
            for one in _sequences(constant):
                if len(one) > 2 and one[0] == 0 and _rises(one) and not _rises(_other(one, numbers)):
                    return _other(one, numbers)
        return None

    @contextlib.contextmanager
    def replaced(self, numbers: Mapping[int, int]) -> Iterator[None]:
        """Inside, the test contains other numbers."""
        kept = [(one, one.__code__, one.__defaults__) for one in self.functions]
        globals_ = [(space, name, space[name]) for (_, name), space in self._globals.items()]
        parameters = dict(self.parameters)
        try:
            for function in self.functions:
                function.__code__ = _with(function.__code__, numbers)
                function.__defaults__ = _other(function.__defaults__, numbers)
            for space, name, value in globals_:
                space[name] = _other(value, numbers)
            self.parameters.update({name: _other(value, numbers) for name, value in parameters.items()})
            yield
        finally:
            for function, code, defaults in kept:
                function.__code__, function.__defaults__ = code, defaults
            for space, name, value in globals_:
                space[name] = value
            self.parameters.update(parameters)


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nested(constant)


def _integers(value: Any) -> Iterator[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _integers(part)


def _sequences(value: Any) -> Iterator[Any]:
    """Tuples and lists of integers, at any depth."""
    if isinstance(value, (tuple, list)):
        if all(isinstance(part, int) for part in value):
            yield value
        for part in value:
            yield from _sequences(part)


def _rises(numbers: Sequence[int]) -> bool:
    return all(one < other for one, other in itertools.pairwise(numbers))


def _other(value: Any, numbers: Mapping[int, int]) -> Any:
    if isinstance(value, types.CodeType):
        return _with(value, numbers)
    if isinstance(value, int) and not isinstance(value, bool):
        return numbers.get(value, value)
    if type(value) in (tuple, list):
        return type(value)(_other(part, numbers) for part in value)
    return value


@functools.lru_cache(maxsize=4096)
def _cached(code: types.CodeType, numbers: tuple[tuple[int, int], ...]) -> types.CodeType:
    return code.replace(co_consts=tuple(_other(constant, dict(numbers)) for constant in code.co_consts))


def _with(code: types.CodeType, numbers: Mapping[int, int]) -> types.CodeType:
    return _cached(code, tuple(sorted(numbers.items())))


def others(number: int) -> list[int]:
    """Sizes beside one that a test uses, most telling first: odd ones below and above it, one that 16 divides, a prime
    that nothing divides, and twice as much."""
    odd = number - 1 if number % 2 == 0 else number - 2
    above = number + 1 if number % 2 == 0 else number + 2
    tile = (number + 15) // 16 * 16
    wanted = [odd, above, tile if tile != number else number + 16, 13 if number > 13 else 5, 2 * number]
    return list(dict.fromkeys(one for one in wanted if one > 1 and one != number))
