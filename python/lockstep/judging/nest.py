"""Arguments and results as plain JSON with numbers for their tensors: ["t", 0] · ["l", [...]] · ["u", [...]] (a tuple) ·
["d", [[key, ...], ...]] · ["v", scalar]. Invariant: what is neither is refused by its type's name."""

from __future__ import annotations

from typing import Any

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

        return getattr(torch, what["dtype"])
    return what


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
