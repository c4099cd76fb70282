"""An FX graph as one line of JSON, and back: what judging needs of it, without torch's objects.

A node is [name, op, target, args, kwargs, dtype, shape, strides]; a function of a node has its nodes in kwargs["graph"]. In arguments {"n": name} is a node, {"d": name} a dtype, {"v": text}
a device, {"o": text} another object of torch, {"s": text} a symbolic integer, {"slice": [a, b, c]} a slice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Node:
    """An FX node. `dtype` is torch's name ("float32"), "" where the value is not a tensor; `shape` has texts where it is symbolic."""

    name: str
    op: str
    target: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    dtype: str
    shape: tuple[Any, ...] | None
    strides: tuple[Any, ...] | None = None  # of a node that another reads by strides of its own (as_strided)


def target_text(target: Any) -> str:
    """"aten.add.Tensor", "_operator.getitem", "name" of a placeholder."""
    if isinstance(target, str):
        return target
    if hasattr(target, "_overloadpacket"):
        return str(target)
    return f"{getattr(target, '__module__', '')}.{getattr(target, '__qualname__', getattr(target, '__name__', repr(target)))}".strip(".")


def write(graph: Any) -> str:
    """The line of a GraphLowering's graph."""
    return json.dumps([_row(node) for node in graph.module.graph.nodes], separators=(",", ":"))


def _row(node: Any) -> list[Any]:
    value = node.meta.get("val")
    dtype = str(getattr(value, "dtype", "")).removeprefix("torch.")
    shape = [one if isinstance(one, int) else str(one) for one in value.shape] if dtype else None
    kwargs = {name: _encoded(one) for name, one in node.kwargs.items()}
    inner = _inner(node)
    if inner is not None:
        kwargs["graph"] = [_row(one) for one in inner.nodes]
    row = [node.name, node.op, target_text(node.target), _encoded(node.args), kwargs, dtype, shape]
    is_strided = shape is not None and any("as_strided" in target_text(one.target) for one in node.users)
    return [*row, [one if isinstance(one, int) else str(one) for one in value.stride()]] if is_strided else row


def _inner(node: Any) -> Any:
    """The graph of a function that an op is given (a score mod, a mask mod); None for other nodes."""
    if node.op != "get_attr":
        return None
    value = node.graph.owning_module
    for part in str(node.target).split("."):
        value = getattr(value, part, None)
    return getattr(value, "graph", None)


def _encoded(value: Any) -> Any:
    import torch

    if isinstance(value, torch.fx.Node):
        return {"n": value.name}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_encoded(one) for one in value]
    if isinstance(value, torch.dtype):
        return {"d": str(value).removeprefix("torch.")}
    if isinstance(value, torch.device):
        return {"v": str(value)}
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return {"s": str(value)}
    if isinstance(value, slice):
        return {"slice": [_encoded(one) for one in (value.start, value.stop, value.step)]}
    return {"o": str(value)}


def read(text: str) -> dict[str, Node]:
    """The nodes by name, in the graph's order. Raises ValueError for a text that `write` did not make."""
    return nodes_of(json.loads(text))


def nodes_of(rows: list[Any]) -> dict[str, Node]:
    nodes = {}
    for name, op, target, args, kwargs, dtype, shape, *strides in rows:
        nodes[name] = Node(name, op, target, tuple(args), kwargs, dtype, tuple(shape) if shape is not None else None, tuple(strides[0]) if strides else None)
    return nodes


def names_in(value: Any) -> list[str]:
    """The nodes that an encoded argument mentions, in order."""
    if isinstance(value, dict):
        return [value["n"]] if "n" in value else [name for one in value.get("slice", ()) for name in names_in(one)]
    return [name for one in value for name in names_in(one)] if isinstance(value, (list, tuple)) else []


def decoded(value: Any, reading: Callable[[str, Any], Any]) -> Any:
    """An encoded argument with what `reading(kind, text)` makes of nodes, dtypes, devices, objects and symbolic integers."""
    if isinstance(value, (list, tuple)):
        return [decoded(one, reading) for one in value]
    if not isinstance(value, dict):
        return value
    (kind, inner), *_ = value.items()
    return slice(*[decoded(one, reading) for one in inner]) if kind == "slice" else reading(kind, inner)
