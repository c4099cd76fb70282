"""Arguments and results as plain JSON with numbers for their tensors: ["t", 0] · ["l", [...]] · ["u", [...]] (a tuple) ·
["d", [[key, ...], ...]] · ["v", scalar]. Invariant: what is neither is refused by its type's name."""

from __future__ import annotations

from typing import Any

from lockstep.judging.tensors import FLOATS

Nest = list[Any]


class NotPlain(ValueError):
    """A value that is not a tensor, list, tuple, dict, number, text or None."""


def to_nest(value: Any, tensors: list[Any]) -> Nest:
    """Appends the tensors in their order. Raises NotPlain."""
    import torch

    if isinstance(value, torch.Tensor):
        tensors.append(value)
        return ["t", len(tensors) - 1]
    if isinstance(value, list | tuple) and type(value) in (list, tuple, torch.Size):
        return ["l" if isinstance(value, list) else "u", [to_nest(one, tensors) for one in value]]
    if type(value) is dict:
        return ["d", [[key, to_nest(one, tensors)] for key, one in value.items()]]
    if value is None or isinstance(value, bool | int | float | str):
        return ["v", value]
    if isinstance(value, torch.dtype):
        return ["v", {"dtype": str(value).removeprefix("torch.")}]
    if isinstance(value, torch.device):
        return ["v", {"device": str(value)}]
    raise NotPlain(f"a value of type {type(value).__name__}")


def from_nest(nest: Nest, tensors: list[Any]) -> Any:
    """The value with these tensors."""
    kind, what = nest
    if kind == "t":
        return tensors[what]
    if kind == "l":
        return [from_nest(one, tensors) for one in what]
    if kind == "u":
        return tuple(from_nest(one, tensors) for one in what)
    if kind == "d":
        return {key: from_nest(one, tensors) for key, one in what}
    if isinstance(what, dict):
        import torch

        return torch.device(what["device"]) if "device" in what else getattr(torch, what["dtype"])
    return what


def is_nest(nest: Any, count: int) -> bool:
    """Whether it is one of `count` tensors, each once, and of plain numbers and texts: a candidate's process may send anything."""
    return sorted(_numbers(nest, 0)) == list(range(count))


def _numbers(nest: Any, depth: int) -> list[int]:
    """Those of its tensors; -1 where it is none."""
    if type(nest) is not list or len(nest) != 2 or depth > 32:
        return [-1]
    kind, what = nest
    if kind == "t":
        return [what] if type(what) is int else [-1]
    if kind in ("l", "u") and type(what) is list:
        return [one for part in what for one in _numbers(part, depth + 1)]
    if kind == "d" and type(what) is list and all(type(one) is list and len(one) == 2 and isinstance(one[0], str | int) for one in what):
        return [one for _, part in what for one in _numbers(part, depth + 1)]
    is_type = type(what) is dict and list(what) == ["dtype"] and what["dtype"] in (*FLOATS, "int64", "int32", "int16", "int8", "uint8", "bool")
    return [] if kind == "v" and (is_type or what is None or type(what) in (bool, int, float, str)) else [-1]


def flat_results(value: Any) -> list[Any]:
    """The tensors of a result in order; numbers become tensors without dimensions."""
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [one for part in value for one in flat_results(part)]
    return [torch.tensor(value)] if isinstance(value, bool | int | float) else []
