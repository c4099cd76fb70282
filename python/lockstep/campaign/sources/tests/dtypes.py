"""Another float type for a suite's test: the one that it has as a parameter, else the one that it draws its floats in.

A test that is parametrised by torch's types was written for any of them; of one that is not, what its files draw in f32,
f16 or bf16 (draws.py) is made in the type that is asked for. Whether the suite's bounds follow the type is not known here
(sources/tests: the key `follows_dtype`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lockstep.campaign.sources import Refused

if TYPE_CHECKING:
    import pytest

_NAMES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}


def _floats() -> dict[str, Any]:
    import torch

    return {name: getattr(torch, torch_name) for name, torch_name in _NAMES.items()}


@contextlib.contextmanager
def replaced(item: pytest.Item, wanted: str) -> Iterator[Callable[[Any], Any] | None]:
    """While it is entered the test's types are `wanted`. Yields what is to become of floats that it draws; None: its
    parameters say their type. Raises Refused where that changes nothing, and for a type that is none of ours."""
    floats = _floats()
    if wanted not in floats:
        raise Refused(f"there is no type {wanted!r} for the axis `dtype`; there are {', '.join(floats)}")
    callspec = getattr(item, "callspec", None)
    parameters: dict[str, Any] = callspec.params if callspec is not None else {}
    own = {name: value for name, value in parameters.items() if any(value is one for one in floats.values())}
    if own:
        if all(value is floats[wanted] for value in own.values()):
            raise Refused(f"the test is in {wanted} as it is")
        parameters.update(dict.fromkeys(own, floats[wanted]))
        try:
            yield None
        finally:
            parameters.update(own)
        return
    changed = 0

    def made(drawn: Any) -> Any:
        nonlocal changed
        if drawn.dtype is floats[wanted] or not any(drawn.dtype is one for one in floats.values()):
            return drawn
        changed += 1
        return drawn.to(floats[wanted])

    yield made
    if not changed:
        raise Refused(f"the test draws no values that could become {wanted}")
