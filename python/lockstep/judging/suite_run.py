"""Runs a suite's tests with a module of forwarders in place of the program that they import, and sees what the tests hold results
against. Needs torch and pytest alone: a witness has a copy of this file.

A run may draw other numbers (`shift`), change those that were drawn (`values`), or repeat the last run in f64 (`wide`): then every
float is f64, a cast to a narrower type does not round, and calls give what they gave before. Invariant: nothing here decides."""

from __future__ import annotations

import contextlib
import random
import sys
import types
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

# : Functions that hold one tensor against another.
_CHECKS = frozenset(("allclose", "isclose", "equal", "eq", "sub", "rsub", "dist", "mse_loss", "l1_loss"))
_NUMPY_CHECKS = ("allclose", "isclose", "array_equal")
_NUMPY_TESTING = ("assert_allclose", "assert_array_equal", "assert_array_almost_equal", "assert_almost_equal", "assert_equal")
_NORMAL = frozenset(("randn", "normal", "normal_", "randn_like"))
_DRAWN = _NORMAL | frozenset(("rand", "uniform", "uniform_", "rand_like", "randint", "random_", "randperm"))
_NARROW = (torch.float32, torch.float16, torch.bfloat16)
# : Two tensors are held against each other if they are that near, in parts of the largest number.
NEAR = 2.0**-4
_MOST_CHECKS = 6  # of one result


def _outlier(x: Any) -> Any:
    made = x.clone()
    made.reshape(-1)[-1:] = 100.0
    return made


# : Changes of normal numbers.
VALUES: dict[str, Callable[[Any], Any]] = {
    "": lambda x: x, "plus 8": lambda x: x + 8, "times 30": lambda x: x * 30, "times 0.001": lambda x: x * 1e-3, "negative": lambda x: -x.abs(),
    "all equal": lambda x: x.reshape(-1)[:1].expand(x.numel()).reshape(x.shape).clone() if x.numel() else x,
    "ties": lambda x: (x * 2).round() / 2, "an outlier": _outlier}


class Cannot(Exception):
    """The tests ask for something that cannot be forwarded; the text says what."""


@dataclass
class Forwarded:
    """A call of the program, as the tests made it, and what it gave."""

    test: str
    function: str
    given: list[Any]  # the arguments' tensors, before
    value: Any
    results: list[Any]  # the tensors of the value, then arguments that it changed
    changed: dict[int, Any]
    checks: dict[int, list[tuple[str, Any]]] = field(default_factory=dict)  # of each result: by what, against which tensor
    wide: dict[int, list[tuple[str, Any]]] = field(default_factory=dict)  # the same in f64


@dataclass
class Done:
    """How a test ended: "passed", "failed", "skipped"."""

    name: str
    outcome: str
    text: str
    line: int


# : (function, grid, arguments, tensors) -> (value of the result, its tensors, {argument's tensor: its new contents}).
Forward = Callable[[str, Any, Any, list[Any]], tuple[Any, list[Any], dict[int, Any]]]


class _Function(TorchFunctionMode):
    """Sees what the tests hold results against."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    def __torch_function__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(function, "__name__", "").strip("_")
        if name in _CHECKS:
            self._run.note(name, [*args, *(kwargs or {}).values()][:2])
        return function(*args, **(kwargs or {}))


class _Dispatch(TorchDispatchMode):
    """Other numbers, and everything in f64."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run, self._casts = run, 0

    def __torch_dispatch__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        name = function._overloadpacket.__name__
        is_cast = name in ("_to_copy", "to") and kwargs.get("dtype") in _NARROW
        if self._run.wide and not is_cast and name not in _DRAWN and kwargs.get("dtype") in _NARROW:
            kwargs["dtype"] = torch.float64
        if is_cast:
            self._casts += 1
            if self._run.wide and self._casts not in self._run.rounded:
                kwargs["dtype"] = torch.float64
        made = function(*args, **kwargs)
        if name in _DRAWN and torch.is_tensor(made):
            made = self._drawn(name, made)
        if is_cast and not self._run.wide:
            self._run.casts.append((self._casts, made))
        return _widened(made) if self._run.wide else made

    def _drawn(self, name: str, made: Any) -> Any:
        run = self._run
        new = made
        if run.shift and made.dim():
            new = made.reshape(-1).flip(0).reshape(made.shape)
            new = -new if name in _NORMAL else new
        if name in _NORMAL and made.is_floating_point():
            new = VALUES[run.values](new)
        return made.copy_(new) if name.endswith("_") else new


def _widened(value: Any) -> Any:
    if torch.is_tensor(value):
        return value.double() if value.dtype in _NARROW else value
    if isinstance(value, dict):
        return {key: _widened(one) for key, one in value.items()}
    return type(value)(_widened(one) for one in value) if type(value) in (list, tuple) else value


def _same(a: Any, b: Any) -> bool:
    return bool(a.numel() == b.numel() and torch.equal(a.detach().cpu().double().reshape(-1).nan_to_num(), b.detach().cpu().double().reshape(-1).nan_to_num()))


class _Launchable:
    """A kernel that the tests launch themselves: kernel[grid](...)."""

    def __init__(self, run: Run, name: str) -> None:
        self._run, self._name = run, name

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        def launch(*args: Any, **kwargs: Any) -> Any:
            return self._run.call(self._name, grid(kwargs) if callable(grid) else grid, args, kwargs)

        return launch


class Run:
    """One suite. module: the name that the tests import; attributes: of each of its names ["function"], ["kernel"], ["value", V] or
    ["other", what it is]."""

    def __init__(self, words: list[str], folder: str, module: str, attributes: dict[str, Any], forward: Forward) -> None:
        self.words, self.folder, self.module, self.forward = words, folder, module, forward
        self.attributes = attributes
        self.shift, self.values, self.wide = 0, "", False
        self.rounded: set[int] = set()
        self.casts: list[tuple[int, Any]] = []
        self.calls: list[Forwarded] = []
        self.code = 0  # of pytest
        self.tests: list[Done] = []
        self.cannot = ""
        self.test, self._number = "", 0

    # ---- the module in place of the program ----

    def _module(self) -> types.ModuleType:
        made = types.ModuleType(self.module)
        for name, (kind, *what) in self.attributes.items():
            if kind == "value":
                setattr(made, name, what[0])
            elif kind in ("function", "kernel"):
                setattr(made, name, _Launchable(self, name) if kind == "kernel" else self._function(name))
        made.__getattr__ = self._lacks  # type: ignore[method-assign]
        return made

    def _lacks(self, name: str) -> Any:
        if name in self.attributes:
            self.cannot = self.cannot or f"the tests use {name}, which is {self.attributes[name][1]}"
        raise AttributeError(f"module {self.module!r} has no attribute {name!r}")

    def _function(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            return self.call(name, None, args, kwargs)

        call.__name__ = call.__qualname__ = name
        return call

    def call(self, name: str, grid: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Forwards it; in f64 gives what it gave before."""
        tensors = _tensors([args, kwargs])
        if self.wide:
            return self._again(name, tensors)
        if torch.is_grad_enabled() and any(one.requires_grad for one in tensors):
            self.cannot = self.cannot or f"the tests ask {name} for gradients"
            raise Cannot(self.cannot)
        for number, made in self.casts:
            if any(one is made or one.data_ptr() == made.data_ptr() for one in tensors):
                self.rounded.add(number)
        given = [one.detach().clone() for one in tensors]
        value, results, changed = self.forward(name, grid, (args, kwargs), tensors)
        _set(tensors, changed)
        self.calls.append(Forwarded(self.test, name, given, value, [*results, *changed.values()], changed))
        return value

    def _again(self, name: str, tensors: list[Any]) -> Any:
        """What the call gave before. The arguments get the numbers that they had: a cast may have rounded them."""
        before = self.calls[self._number] if self._number < len(self.calls) else None
        self._number += 1
        if before is None or before.function != name or len(before.given) != len(tensors):
            raise Cannot("the tests make other calls in f64")
        _set(tensors, dict(enumerate(before.given)) | before.changed)
        return _widened(before.value)

    # ---- what the tests hold results against ----

    def note(self, how: str, operands: list[Any]) -> None:
        """Two operands of a check; one may be a result of the program."""
        some = [one for one in operands if torch.is_tensor(one)]
        if len(some) != 2 or some[0].numel() != some[1].numel():
            return
        for call in reversed(self.calls[: self._number] if self.wide else self.calls):
            if call.test != self.test:
                break
            for i, result in enumerate(call.results):
                found = [_same(one, result) for one in some]
                kept = (call.wide if self.wide else call.checks).setdefault(i, [])
                if not any(found) or len(kept) >= _MOST_CHECKS:
                    continue
                other = some[found.index(True) ^ 1]
                if not self._is_own(other):
                    kept.append((how, other.detach().clone().reshape(result.shape)))
                    return

    def _is_own(self, other: Any) -> bool:
        """A result of the program that is compared with another."""
        return any(other.untyped_storage().data_ptr() == one.untyped_storage().data_ptr() for call in self.calls for one in call.results)

    @contextlib.contextmanager
    def _numpy(self) -> Iterator[None]:
        numpy = sys.modules.get("numpy")
        if numpy is None:
            yield
            return
        places = [(numpy, one) for one in _NUMPY_CHECKS] + [(numpy.testing, one) for one in _NUMPY_TESTING]
        old = [(place, name, getattr(place, name)) for place, name in places]
        for place, name, function in old:
            setattr(place, name, self._watched(name, function))
        try:
            yield
        finally:
            for place, name, function in old:
                setattr(place, name, function)

    def _watched(self, name: str, function: Any) -> Any:
        def checked(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
            with contextlib.suppress(TypeError, ValueError, RuntimeError):
                self.note(name, [torch.as_tensor(a), torch.as_tensor(b)])
            return function(a, b, *args, **kwargs)

        return checked

    # ---- a run ----

    @contextlib.contextmanager
    def _seeds(self) -> Iterator[None]:
        """Seeds that the tests set are others."""
        old = torch.manual_seed

        def seeded(seed: int) -> Any:
            return old((int(seed) + self.shift * 1_000_003) % 2**63)

        torch.manual_seed = torch.random.manual_seed = seeded
        try:
            yield
        finally:
            torch.manual_seed = torch.random.manual_seed = old

    def run(self, shift: int = 0, values: str = "", wide: bool = False) -> None:
        """Runs the tests; `tests` and, but for a wide run, `calls` are then those of this run."""
        import pytest

        self.shift, self.values, self.wide = shift, values, wide
        self.tests, self._number = [], 0
        if not wide:
            self.calls, self.casts, self.rounded = [], [], set()
        for name in [one for one, made in sys.modules.items() if (getattr(made, "__file__", None) or "").startswith(self.folder + "/") and one != __name__]:
            del sys.modules[name]  # what a test file makes when it is imported is made anew
        sys.modules[self.module] = self._module()
        fixed = ["-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:faulthandler", "--rootdir", self.folder, "--import-mode=prepend"]
        self._seed(shift)
        with self._seeds(), self._numpy(), _Dispatch(self), _Function(self):
            self.code = int(pytest.main([*fixed, *self.words], plugins=[self]))

    # ---- hooks of pytest ----

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        """Each test's numbers are its own, so that it can be run alone."""
        self.test = nodeid
        self._seed(zlib.crc32(nodeid.encode()) % 1_000_003 + self.shift)

    @staticmethod
    def _seed(seed: int) -> None:
        random.seed(seed)
        torch.default_generator.manual_seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            text = getattr(getattr(report.longrepr, "reprcrash", None), "message", "") if report.longrepr else ""
            self.tests.append(Done(report.nodeid, report.outcome, text[:1000], int(report.location[1] or 0) + 1))

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.tests.append(Done(report.nodeid, "not collected", str(report.longrepr)[-1500:], 0))


def _tensors(value: Any) -> list[Any]:
    if torch.is_tensor(value):
        return [value]
    value = list(value.values()) if isinstance(value, dict) else value
    return [one for part in value for one in _tensors(part)] if isinstance(value, list | tuple) else []


def _set(tensors: list[Any], contents: dict[int, Any]) -> None:
    with torch.no_grad():
        for i, new in contents.items():
            tensors[i].copy_(new)
