"""Other numbers for a suite's tests: what torch and NumPy draw for a test is drawn anew, transformed, or laid out anew.

A value of the axis `values` changes the floats that a test draws itself (calls of torch.randn and the like
from the suite's files; what a package draws inside is left alone), `seed` which numbers they are, `draws_layout` how they
lie in memory. Where a distribution changes, a suite's bounds of errors no longer fit (sources/tests says when results are
still compared)."""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

_DRAWS = ("rand", "randn", "randint", "randperm", "normal")
_FLOATS = ("rand", "randn", "normal")
_SPREAD = 1_000_003  # between the seeds that one `seed` makes of two generators


def _zeros(x: Any) -> Any:
    return x * 0


def _ties(x: Any) -> Any:
    """Few different numbers: equal neighbours, equal maxima."""
    return (x * 2).round() / 2


def _sparse(x: Any) -> Any:
    """Nine of ten are 0."""
    kept = (x.reshape(-1).cumsum(0) * 0 + 1).cumsum(0) % 10 == 0
    return x * kept.reshape(x.shape)


def _outlier(x: Any) -> Any:
    """The first number is far from all others."""
    flat = x.clone().reshape(-1)
    if flat.numel():
        flat[0] = 3e3
    return flat.reshape(x.shape)


VALUES: dict[str, Callable[[Any], Any]] = {
    "zeros": _zeros,
    "negative": lambda x: -x.abs(),
    "positive": lambda x: x.abs(),
    "large": lambda x: x * 1e3,
    "tiny": lambda x: x * 1e-6,
    "ties": _ties,
    "sparse": _sparse,
    "outlier": _outlier,
}


def _swapped(x: Any) -> Any:
    """The same elements with the last two dimensions exchanged in memory: column after column."""
    return x.transpose(-1, -2).contiguous().transpose(-1, -2) if x.dim() >= 2 else x


def _reversed_dims(x: Any) -> Any:
    """Makes the first dimension the contiguous one."""
    order = list(range(x.dim()))[::-1]
    return x.permute(order).contiguous().permute(order) if x.dim() >= 2 else x


LAYOUTS: dict[str, Callable[[Any], Any]] = {"columns": _swapped, "reversed": _reversed_dims}


@contextlib.contextmanager
def changed(root: str, *, seed: int = 0, values: str = "", layout: str = "",
            made: Callable[[Any], Any] | None = None) -> Iterator[None]:  # fmt: skip
    """While it is entered, files below `root` draw other numbers; `made`: the change of floats that comes first, for example another
    type. KeyError for a name that is none of ours."""
    transforms = [made] if made is not None else []
    transforms += [VALUES[values]] if values else []
    transforms += [LAYOUTS[layout]] if layout else []
    torch = sys.modules.get("torch")
    if torch is None or (seed == 0 and not transforms):
        yield
        return
    inside = os.path.join(os.path.realpath(root), "")
    begun: weakref.WeakSet[Any] = weakref.WeakSet()
    originals = {name: getattr(torch, name) for name in _DRAWS}

    def draw(name: str) -> Callable[..., Any]:
        def drawn(*args: Any, **kwargs: Any) -> Any:
            if not sys._getframe(1).f_code.co_filename.startswith(inside):
                return originals[name](*args, **kwargs)
            _begin(kwargs.get("generator"))
            tensor = originals[name](*args, **kwargs)
            if name not in _FLOATS or not tensor.is_floating_point():
                return tensor
            with torch.no_grad():
                for transform in transforms:
                    tensor = transform(tensor)
            return tensor.requires_grad_(bool(kwargs.get("requires_grad")))

        return drawn

    def _begin(generator: Any) -> None:
        if seed and generator is not None and generator not in begun:
            begun.add(generator)
            generator.manual_seed((generator.initial_seed() + seed * _SPREAD) % 2**63)

    if seed:
        torch.manual_seed(seed * _SPREAD)
    try:
        for name in _DRAWS:
            setattr(torch, name, draw(name))
        yield
    finally:
        for name, original in originals.items():
            setattr(torch, name, original)
