"""Bounds of a node, from what is in memory: its rule on the bounds of its arguments, recursively.

Invariant: a node whose value is known is never computed; without a rule, or without a value of a placeholder, Cannot names it."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch

from lockstep.models.bounds import attention, elementwise, movement, products, random_numbers, reductions
from lockstep.models.bounds.interval import FLOATS, Cannot, Interval, Maybe, Value
from lockstep.models.graph_text import Node, decoded, names_in, nodes_of

RULES: dict[str, Callable[..., Any]] = {**attention.RULES, **movement.RULES, **products.RULES, **random_numbers.RULES, **reductions.RULES, **elementwise.RULES}
_PLAIN_INTEGER = ("add", "sub", "mul", "div", "neg", "abs", "maximum", "minimum", "clamp", "fmod", "remainder", "pow", "sign", "clamp_min", "clamp_max",
                  "bitwise_and", "bitwise_or", "bitwise_not", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "rsub", "floor_divide")  # fmt: skip
_OF_SHAPES = ("sym_size", "sym_stride", "sym_numel")
_SHAPE_ALONE = {"aten.avg_pool2d_backward.default": 1, "aten.sym_size.int": 0, "aten.empty_like.default": 0, "aten.new_empty.default": 0}  # op -> its argument of which only the shape counts


#: What torch's texts of symbolic sizes call.
SIZE_FUNCTIONS: dict[str, Any] = {"max": max, "min": min, "Max": max, "Min": min, "Mod": operator.mod, "PythonMod": operator.mod, "FloorDiv": operator.floordiv}
ORDER = "places of numbers that are not known exactly"
CHANGED: Any = object()  # the value of a node whose memory was changed in a way that the graph does not tell


class Evaluator:
    """Bounds of one graph's nodes while it runs. `look` gives a variable of the generated code, or None."""

    def __init__(self, nodes: Mapping[str, Node], known: Mapping[str, Value], look: Callable[[str], Any]) -> None:
        self._nodes, self._look = nodes, look
        self._values: dict[str, Value] = dict(known)

    def note(self, name: str, value: Value) -> None:
        """A node's value is known from now on."""
        self._values[name] = value

    def bounds(self, name: str) -> Value:
        """Raises Cannot with the node that has no bounds."""
        waiting = [name]
        while waiting:  # no recursion: graphs are deep
            current = waiting[-1]
            if current in self._values:
                if self._values[current] is CHANGED:
                    raise Cannot(f"{current}: a kernel of the user may have changed it")
                waiting.pop()
                continue
            node = self._node(current)
            used = [one for place, one in enumerate(node.args) if place != _SHAPE_ALONE.get(node.target)]
            missing = [one for one in dict.fromkeys(names_in([used, node.kwargs])) if one not in self._values or self._values[one] is CHANGED]
            if missing and node.op == "call_function":
                waiting += missing
                continue
            self._values[current] = self._value(node)
            waiting.pop()
        return self._values[name]

    def _node(self, name: str) -> Node:
        if name not in self._nodes:
            raise Cannot(f"{name} is not a node of the graph")
        return self._nodes[name]

    def _value(self, node: Node) -> Value:
        if node.op != "call_function":
            return self._given(node)
        try:
            return self._computed(node)
        except Cannot as error:
            raise Cannot(f"{node.name} ({node.target}): {error}" if "(" not in str(error).partition(": ")[0] else str(error)) from None
        except (RuntimeError, TypeError, IndexError, ValueError, KeyError, AttributeError, NotImplementedError) as error:
            raise Cannot(f"{node.name} ({node.target}): {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}") from error

    def _given(self, node: Node) -> Any:
        if "graph" in node.kwargs:
            return self._function(node)
        value = self._look(node.name)
        if value is None:
            raise Cannot(f"{node.name} ({node.op}): its value is not in memory here")
        from lockstep.models.bounds.interval import exact

        return exact(value.detach().cpu().clone()) if isinstance(value, torch.Tensor) else value

    def _function(self, node: Node) -> Callable[..., Value]:
        """Of a node that is a graph: its bounds for arguments of any shapes that fit together; a list where it has several results."""
        nodes = {name: replace(one, shape=None) for name, one in nodes_of(node.kwargs["graph"]).items()}
        parameters = [one.name for one in nodes.values() if one.op == "placeholder"]
        returned = next(one for one in nodes.values() if one.op == "output").args[0]
        results = returned if isinstance(returned, (list, tuple)) else [returned]

        def call(*arguments: Value) -> Value:
            if len(arguments) != len(parameters):
                raise Cannot(f"{node.name} has {len(parameters)} parameters")
            inner = Evaluator(nodes, dict(zip(parameters, arguments, strict=True)), self._look)
            made = [inner.bounds(one["n"]) if one is not None else None for one in results]
            return made if len(made) > 1 else made[0]

        return call

    def _computed(self, node: Node) -> Value:
        parts = node.target.split(".")
        name = parts[-1] if "higher_order" in parts else parts[1] if len(parts) > 1 else node.target
        args = [self._shape_of(one) if place == _SHAPE_ALONE.get(node.target) else self.decoded(one) for place, one in enumerate(node.args)]
        named = {key: self.decoded(one) for key, one in node.kwargs.items() if key not in ("device", "layout", "pin_memory", "memory_format", "dtype", "requires_grad")}
        if node.target.endswith("getitem"):
            if args[0][args[1]] is None:
                raise Cannot(ORDER)
            return args[0][args[1]]
        if name in _OF_SHAPES:
            return args[0].shape[args[1]] if name == "sym_size" else args[0].shape.numel()
        if name in ("as_strided", "as_strided_scatter"):
            named["_strides"] = self._nodes[node.args[0]["n"]].strides
        rule = self._rule(name, node, args)
        made = rule(node.dtype or "float32", *args, **named)
        self._check(node, made)
        return made

    def _shape_of(self, value: Any) -> torch.Tensor:
        """A tensor without memory, in the shape of a node that need not be in memory."""
        shape = self._node(value["n"]).shape
        return torch.empty([self.decoded({"s": one}) if isinstance(one, str) else one for one in shape or ()], device="meta")

    def _rule(self, name: str, node: Node, args: list[Any]) -> Callable[..., Any]:
        if name in elementwise.OF_BOOLEANS and node.dtype == "bool":
            return RULES[elementwise.OF_BOOLEANS[name]]
        if name == "sym_sum":
            return lambda _, numbers: sum(numbers)
        if node.target.startswith("_operator.") and not any(isinstance(one, (torch.Tensor, Interval, Maybe, tuple)) for one in args):
            return lambda _, *given: getattr(operator, name)(*given)
        if node.dtype not in FLOATS and node.dtype != "bool" and name in _PLAIN_INTEGER:
            has_ranges = name in elementwise.OF_RANGES and any(isinstance(one, Interval) for one in args)
            return elementwise.of_ranges(name) if has_ranges else _integers(name, node.target)
        if name not in RULES:
            raise Cannot("this op has no rule")
        return RULES[name]

    def _check(self, node: Node, made: Value) -> None:
        if isinstance(made, (Interval, Maybe, torch.Tensor)) and node.shape is not None:
            for got, wanted in zip(made.shape, node.shape, strict=False):
                if isinstance(wanted, int) and got != wanted:
                    raise Cannot(f"its rule gives the shape {list(made.shape)}, the graph says {list(node.shape)}")
            if len(made.shape) != len(node.shape):
                raise Cannot(f"its rule gives the shape {list(made.shape)}, the graph says {list(node.shape)}")

    def decoded(self, value: Any) -> Any:
        return decoded(value, self._read)

    def _read(self, kind: str, text: str) -> Any:
        if kind == "n":
            return self._values[text]
        if kind == "d":
            return getattr(torch, text)
        return self._symbol(text) if kind == "s" else text

    def _symbol(self, text: str) -> int:
        """A symbolic size: an expression over variables of the generated code."""
        found = {}
        for word in set("".join(c if c.isalnum() or c == "_" else " " for c in text).split()):
            value = self._look(word)
            if isinstance(value, (int, float)):
                found[word] = value
        try:
            return int(eval(compile(text, "<size>", "eval"), {"__builtins__": SIZE_FUNCTIONS}, found))  # noqa: S307 - torch's own text
        except (NameError, SyntaxError, TypeError):
            raise Cannot(f"the size {text} is not known here") from None


def _integers(name: str, target: str) -> Callable[..., Any]:
    overloads = getattr(sys.modules["torch"].ops.aten, name)
    function = getattr(overloads, target.split(".")[-1], overloads)

    def rule(dtype: str, *args: Any, **named: Any) -> torch.Tensor:
        if any(isinstance(one, (Interval, Maybe)) for one in args):
            raise Cannot("an integer op on numbers that are not known exactly")
        return function(*args, **named)

    return rule
