"""How the open corpus's tests hand tensors to packages: as they are, with gaps, off their storage's start, overlapping.

The adapter of campaigns/open_corpus*.toml (docs/campaigns.md, "Suites"): it stands around the four functions by which the
tests of tests/corpus call a package and its float64 reference. Where an arrangement makes elements equal (one row seen
many times, one tensor for two arguments), the reference gets the same equal elements. What an operation writes in place
is brought back to the tensor that the test knows."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
import importlib
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

VALUES = ("gaps", "offset", "expanded", "shared")
SLACK = 4.0
_FILLER = 77  # what lies in gaps: near enough to real numbers that a wrong stride is a wrong result, not an overflow

_now = ""
_shared: tuple[int, int] | None = None  # the arguments that are one tensor, on the package's side and on the reference's
_installed = False


@contextlib.contextmanager
def arranged(value: str, root: str) -> Iterator[None]:
    """While it is entered, the tests' calls get tensors of this arrangement."""
    global _now
    if value not in VALUES:
        raise ValueError(f"there is no arrangement {value!r}; there are {', '.join(VALUES)}")
    _install()
    _now = value
    try:
        yield
    finally:
        _now = ""


@contextlib.contextmanager
def measured() -> Iterator[dict[str, float]]:
    """Yields what is filled until the block ends: the worst result's error as a share of what the suite allows.

    Inside, the suite allows SLACK times as much as it says: its bounds hold for nearly all numbers, and were seen to hold
    for its own; other seeds and sizes find the few that are beyond. Exact comparisons stay exact."""
    found: dict[str, float] = {}
    recorder = importlib.import_module("recorder")  # of the suite, which collected tests have put on sys.path

    def agreed(self: Any, error: float, bound: float) -> None:
        share = SLACK * error / bound if bound > 0 else float(error > 0)
        if math.isfinite(share):
            found["of_allowed"] = max(share, found.get("of_allowed", 0.0))
        original(self, error, bound)

    original = recorder.Recorder.agreed
    with contextlib.ExitStack() as stack:
        stack.callback(setattr, recorder.Recorder, "agreed", original)
        recorder.Recorder.agreed = agreed
        _widen(stack, "support.autograd", "Accuracy", "bound")
        _widen(stack, "compare", "", "allowed")
        yield found


def _widen(stack: contextlib.ExitStack, module: str, kind: str, name: str) -> None:
    """What the function returns is SLACK times as much, until the stack is left."""
    home = importlib.import_module(module)
    owner = getattr(home, kind) if kind else home
    original = getattr(owner, name)
    setattr(owner, name, lambda *words, **named: SLACK * original(*words, **named))
    stack.callback(setattr, owner, name, original)


# ---- what packages keep ----

_is_cold = False
_has_entries = False


@contextlib.contextmanager
def uncached() -> Iterator[None]:
    """While it is entered, flag_gems compiles what it launches: its LibEntry keeps kernels whatever the launch options are."""
    global _is_cold
    _is_cold = True
    _watch_entries()
    try:
        yield
    finally:
        _is_cold = False
        if _watch_entries():  # imported inside: the entries that ran are not known
            for one in gc.get_objects():
                if isinstance(one, sys.modules["flag_gems.utils.libentry"].LibEntry):
                    _forget(one)


def _forget(entry: Any) -> None:
    for kernels in entry.kernel_cache:
        kernels.clear()


def _watch_entries() -> bool:
    """Wraps LibEntry.run where it is there and was not wrapped before."""
    global _has_entries
    module = sys.modules.get("flag_gems.utils.libentry")
    if module is None or _has_entries:
        return False
    _has_entries = True
    original = module.LibEntry.run

    @functools.wraps(original)
    def run(entry: Any, *args: Any, **kwargs: Any) -> Any:
        if not _is_cold:
            return original(entry, *args, **kwargs)
        _forget(entry)
        try:
            return original(entry, *args, **kwargs)
        finally:
            _forget(entry)

    module.LibEntry.run = run
    return True


# ---- one tensor ----


def _placed(x: Any, arrangement: str) -> Any:
    """A tensor of new memory, no view of anything, with x's elements."""
    import torch

    if arrangement == "gaps":
        strides = [2 * stride for stride in torch.empty(x.shape, device="meta").stride()]
        elements, offset = 2 * x.numel(), 0
    else:
        strides = list(torch.empty(x.shape, device="meta").stride())
        elements, offset = x.numel() + 4, 1
    memory = torch.full((elements,), _FILLER, device=x.device).to(x.dtype)
    with torch.no_grad():
        out = torch.empty(0, dtype=x.dtype, device=x.device).set_(memory.untyped_storage(), offset, x.shape, strides)
        out.copy_(x)
    return out


@functools.cache
def _function() -> Any:
    import torch

    class Arranged(torch.autograd.Function):
        """The same elements in other memory."""

        @staticmethod
        def forward(ctx: Any, x: Any, arrangement: str) -> Any:
            return _placed(x, arrangement)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient, None

    return Arranged


def _can_move(x: Any) -> bool:
    import torch

    return type(x) in (torch.Tensor, torch.nn.Parameter) and x.layout == torch.strided and x.numel() > 1


def _with_rows_equal(x: Any) -> Any:
    """One row, seen as often as there are rows: a stride of 0."""
    can = _can_move(x) and x.is_floating_point() and x.dim() >= 2 and x.shape[0] > 1
    return x[:1].expand(x.shape) if can else x


def _share(tensors: Sequence[Any], differs: Sequence[bool] = ()) -> int:
    """Makes the first two arguments that could be one tensor so, until the next call; returns the second's place.

    tensors: as the test has them: later all may have one type. differs: whether an argument has a gradient. Raises Nothing."""
    global _shared
    for i, one in enumerate(tensors):
        for j in range(i + 1, len(tensors)):
            other = tensors[j]
            if not (_can_move(one) and _can_move(other) and one.is_floating_point()) or (differs and differs[i] != differs[j]):
                continue
            if (one.shape, one.dtype, one.requires_grad) == (other.shape, other.dtype, other.requires_grad):
                _shared = i, j
                return j
    raise Nothing


# ---- the arguments of one call ----


def _for_package(tensors: list[Any]) -> list[Any]:
    if _now == "expanded":
        return [_with_rows_equal(x) for x in tensors]
    if _now == "shared":
        return _one_for_two(tensors)
    return [_function().apply(x, _now) if _can_move(x) else x for x in tensors]


def _for_reference(tensors: list[Any]) -> list[Any]:
    if _now == "expanded":
        return [_with_rows_equal(x) for x in tensors]
    return _one_for_two(tensors) if _now == "shared" else tensors


def _one_for_two(tensors: list[Any]) -> list[Any]:
    assert _shared is not None
    tensors = list(tensors)
    tensors[_shared[1]] = tensors[_shared[0]]
    return tensors


def _contents(tensors: Sequence[Any]) -> list[Any]:
    return [x.detach().clone() if _can_move(x) else None for x in tensors]


def _is_changed(x: Any, before: Any) -> bool:
    import torch

    return before is not None and not torch.equal(x.detach().nan_to_num(), before.nan_to_num())


def _settle(given: Sequence[Any], used: Sequence[Any], before: Sequence[Any]) -> None:
    """After the package's call. An operation that writes to its arguments may not be given overlapping ones."""
    import torch

    changed = [place for place, (x, old) in enumerate(zip(used, before, strict=True)) if _is_changed(x, old)]
    if changed and _now in ("expanded", "shared"):
        raise Nothing("the operation writes to its arguments")
    with torch.no_grad():
        for place in changed:
            if used[place] is not given[place]:
                given[place].data.copy_(used[place])


def _arranged_call(arguments: list[Any], change: Callable[[list[Any]], list[Any]], call: Callable[[list[Any]], Any]) -> Any:
    used = change(arguments)
    if change is not _for_package:
        return call(used)
    before = _contents(used)
    result = call(used)
    _settle(arguments, used, before)
    return result


def _by_position(function: Callable[..., Any], change: Callable[[list[Any]], list[Any]]) -> Callable[..., Any]:
    return lambda *arguments: _arranged_call(list(arguments), change, lambda used: function(*used))


def _by_name(function: Callable[..., Any], change: Callable[[list[Any]], list[Any]]) -> Callable[..., Any]:
    def call(**arguments: Any) -> Any:
        return _arranged_call(list(arguments.values()), change, lambda used: function(**dict(zip(arguments, used, strict=True))))

    return call


# ---- around the suite's functions ----


def _around_agree(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def agree(corpus: Any, operation: Any, reference: Any, inputs: Any, *rest: Any, **named: Any) -> Any:
        if _now:
            operation, reference = _by_name(operation, _for_package), _by_name(reference, _for_reference)
            if _now == "shared":  # the gradient of two arguments that are one is that of the first, a sum whose terms cancel
                names, fixed = list(inputs), named.get("fixed", ())
                second = _share(list(inputs.values()), [name in fixed for name in names])
                assert _shared is not None
                named["fixed"] = (*fixed, names[second])
                named["cancelling"] = (*named.get("cancelling", ()), names[_shared[0]])
        return original(corpus, operation, reference, inputs, *rest, **named)

    return agree


def _around_autograd(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def agree_autograd(corpus: Any, function: Any, reference: Any, inputs: Any, **named: Any) -> Any:
        if _now:
            if _now == "shared":
                wrt = named.get("wrt", ())
                second = list(inputs)[_share(list(inputs.values()), [name in wrt for name in inputs])]
                named["wrt"] = tuple(name for name in wrt if name != second)
            function, reference = _by_position(function, _for_package), _by_position(reference, _for_reference)
        return original(corpus, function, reference, inputs, **named)

    return agree_autograd


def _around_call(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def agree_call(corpus: Any, function: Any, reference: Any, *arguments: Any, **named: Any) -> Any:
        if _now:
            if _now == "shared":
                _share(arguments)
            function, reference = _by_position(function, _for_package), _by_position(reference, _for_reference)
        return original(corpus, function, reference, *arguments, **named)

    return agree_call


def _around_check(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def check(corpus: Any, case: Any, dtype: Any) -> Any:
        if _now:
            plain, inputs = case.call, case.inputs

            def shared(dtype: Any) -> Any:
                found = inputs(dtype)
                if _now == "shared":
                    _share(found)
                return found

            def on_package(module: Any, *inputs: Any) -> Any:
                return _by_position(functools.partial(plain, module), _for_package)(*inputs)

            case = dataclasses.replace(case, inputs=shared, call=on_package, reference=_by_position(case.reference, _for_reference))
        return original(corpus, case, dtype)

    return check


class Nothing(Exception):
    """The call has nothing that could be arranged so."""


_WRAPPERS = {("compare", "agree"): _around_agree, ("support.autograd", "agree_autograd"): _around_autograd,
             ("support.autograd", "agree_call"): _around_call, ("support.gems", "check"): _around_check}  # fmt: skip


def _install() -> None:
    """Puts the wrappers wherever the suite's modules hold the functions. Later imports take them from there."""
    global _installed
    if _installed:
        return
    _installed = True
    for (module, name), wrap in _WRAPPERS.items():
        original = getattr(importlib.import_module(module), name)
        around = wrap(original)
        for other in list(sys.modules.values()):
            if vars(other).get(name) is original if hasattr(other, "__dict__") else False:
                setattr(other, name, around)
