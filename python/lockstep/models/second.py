"""A second opinion on a result: its nodes once more by Inductor's CPU backend (C++), and in f64, from what the kernel read.

Both begin with the same values as the bounds do. A side agrees with f64 if each element lies within torch.testing's tolerance of the
result's type (integers and booleans: if all are equal). That is no proof: it tells the Triton kernel's error from an error of the
lowering, which both backends share."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import torch

from lockstep.models.bounds.evaluate import CHANGED, Evaluator
from lockstep.models.bounds.interval import FLOATS, Cannot, Interval, Value
from lockstep.models.graph_text import Node, decoded, names_in

#: torch.testing's relative tolerance of each type; the absolute one is 1e-5, of f64 1e-7.
_TOLERANCE = {"float16": 1e-3, "bfloat16": 1.6e-2, "float32": 1.3e-6, "float64": 1e-7}
_NOT_AGAIN = ("inductor_random", "inductor_seed", "inductor_seeds", "inductor_lookup_seed", "inductor_randint", "rand", "randn", "bernoulli")
_PLAIN = {"max_autotune": False, "combo_kernels": False, "cpp_wrapper": False, "triton.cudagraphs": False}


@dataclass(frozen=True)
class Opinion:
    """How far a side is from f64."""

    off: int  # elements that do not agree
    elements: int
    farthest: float

    def __str__(self) -> str:
        return f"{self.off} of {self.elements} elements, farthest {self.farthest:.3g}"


def opinion(got: torch.Tensor, exact: torch.Tensor) -> Opinion:
    """Of a result against f64's. Raises Cannot where the shapes differ."""
    if got.shape != exact.shape:
        raise Cannot(f"shapes {list(got.shape)} and {list(exact.shape)}")
    x, y = got.to(torch.float64), exact.to(torch.float64)
    name = str(got.dtype).removeprefix("torch.")
    limits = _TOLERANCE.get(name)
    same = (x == y) | (x.isnan() & y.isnan())
    if limits is not None:
        largest = torch.finfo(FLOATS[name]).max
        y = torch.where(y.abs() > largest, torch.inf * y.sign(), y)  # too large for the type
        same |= (y.isfinite() & ((x - y).abs() <= (1e-7 if name == "float64" else 1e-5) + limits * y.abs())) | (x == y)
    distance = torch.where((x == y) | (x.isnan() & y.isnan()), 0.0, (x - y).abs())
    return Opinion(int((~same).sum()), got.numel(), float(torch.nan_to_num(distance, nan=torch.inf, posinf=torch.inf).max()) if got.numel() else 0.0)


def text_of(triton: Opinion, cpp: Opinion) -> str:
    """Which of the two sides agrees with f64."""
    if not triton.off and not cpp.off:
        return "Triton and C++ agree with f64"
    if not triton.off:
        return f"Triton agrees with f64, C++ does not: {cpp}"
    if not cpp.off:
        return f"C++ agrees with f64, Triton does not: {triton}"
    return f"neither agrees with f64: Triton {triton}; C++ {cpp}"


def ask(nodes: Mapping[str, Node], known: Mapping[str, Value], look: Callable[[str], Any], names: list[str]) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    """Of each named node the C++ side's value and that of f64. Raises Cannot with the node that cannot be computed again, or the compiler's error."""
    with ThreadPoolExecutor(1) as thread:  # without the state of torch's dispatch that a launch has, and without the pretence
        return thread.submit(_ask, nodes, known, look, names).result()


def _ask(nodes: Mapping[str, Node], known: Mapping[str, Value], look: Callable[[str], Any], names: list[str]) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    with torch.no_grad():
        ours, theirs = _Again(nodes, known, look, wide=False), _Again(nodes, known, look, wide=True)
        for one in (ours, theirs):
            one.build(names)
        return dict(zip(names, zip(_compiled(ours), theirs.run(), strict=True), strict=True))


def _compiled(again: _Again) -> list[torch.Tensor]:
    from torch._inductor import config
    from torch._inductor.compile_fx import compile_fx

    if any(one.device.type != "cpu" for one in again.inputs):
        raise Cannot("Inductor's C++ side: this thread's tensors pretend to be on a GPU")
    try:
        with config.patch(_PLAIN):
            made = compile_fx(again.module(), again.inputs)
            return list(made(*again.inputs))
    except Exception as error:
        text = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
        raise Cannot(f"Inductor's C++ side: {type(error).__name__}: {text[:200]}") from error


class _Again:
    """The nodes between known values and results as an FX graph on the CPU. `wide`: all floats are f64, and conversions do not round."""

    def __init__(self, nodes: Mapping[str, Node], known: Mapping[str, Value], look: Callable[[str], Any], *, wide: bool) -> None:
        self._nodes, self._known, self._look, self._wide = nodes, known, look, wide
        self._sizes = Evaluator(nodes, known, look)
        self._graph = torch.fx.Graph()
        self._made: dict[str, Any] = {}
        self.inputs: list[torch.Tensor] = []

    def build(self, names: list[str]) -> None:
        """Raises Cannot."""
        for name in names:
            self._add(name, is_result=True)
        self._graph.output(tuple(self._made[name] for name in names))

    def module(self) -> torch.fx.GraphModule:
        return torch.fx.GraphModule({}, self._graph)

    def run(self) -> list[torch.Tensor]:
        """Node by node, as torch computes. Raises Cannot."""
        try:
            return list(torch.fx.Interpreter(self.module()).run(*self.inputs))
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as error:
            raise Cannot(f"in f64: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}") from error

    def _add(self, name: str, *, is_result: bool = False) -> None:
        waiting = [name]
        while waiting:  # no recursion: graphs are deep
            current = waiting[-1]
            if current in self._made:
                waiting.pop()
                continue
            node = self._nodes.get(current)
            if node is None:
                raise Cannot(f"{current} is not a node of the graph")
            if node.op != "call_function" or (current in self._known and not (is_result and current == name)):
                self._made[current] = self._given(node)
                continue
            missing = [one for one in dict.fromkeys(names_in([node.args, node.kwargs])) if one not in self._made]
            if missing:
                waiting += missing
            else:
                self._made[current] = self._call(node)

    def _given(self, node: Node) -> Any:
        value = self._known.get(node.name)
        if value is CHANGED:
            raise Cannot(f"{node.name}: a kernel of the user may have changed it")
        if value is None:
            value = self._look(node.name)
            value = value.detach().cpu().clone() if isinstance(value, torch.Tensor) else value
        if value is None:
            raise Cannot(f"{node.name} ({node.op}): its value is not in memory here")
        if isinstance(value, (bool, int, float)):
            return value
        tensor = value.low.to(FLOATS[value.dtype]) if isinstance(value, Interval) else value
        if not isinstance(tensor, torch.Tensor):
            raise Cannot(f"{node.name}: a value of type {type(tensor).__name__}")
        if node.strides is not None:
            strides = [self._sizes.decoded({"s": one}) if isinstance(one, str) else one for one in node.strides]
            tensor = torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype, device="cpu").copy_(tensor)
        self.inputs.append(tensor.to(torch.float64) if self._wide and tensor.is_floating_point() else tensor)
        return self._graph.placeholder(node.name)

    def _call(self, node: Node) -> Any:
        parts = node.target.split(".")
        if "operator" in parts[0] and parts[-1] != "getitem" or "sym_" in node.target:
            return self._sizes.bounds(node.name)
        args, named = decoded(node.args, self._read), {key: decoded(one, self._read) for key, one in node.kwargs.items()}
        if parts[-1] == "getitem":
            source = args[0]
            return source[args[1]] if isinstance(source, tuple) else self._graph.call_function(operator.getitem, (source, args[1]))
        name = parts[1] if len(parts) > 1 else node.target
        if parts[0] not in ("aten", "prims") or name in _NOT_AGAIN or (name == "view" and parts[-1] == "dtype"):
            raise Cannot(f"{node.name} ({node.target}): this op is not computed again")
        if name == "prepare_softmax_online":
            return self._softmax_parts(*args)
        import torch._inductor.inductor_prims  # noqa: F401 - its ops are not there before

        packet = getattr(getattr(torch.ops, parts[0]), name)
        return self._graph.call_function(getattr(packet, parts[2] if len(parts) > 2 else "default"), tuple(args), named)

    def _softmax_parts(self, x: Any, dim: int) -> tuple[Any, Any]:
        """Inductor's op of its GPU passes, which the C++ side lacks: the maximum and the sum of the exponentials."""
        aten = torch.ops.aten
        top = self._graph.call_function(aten.amax.default, (x, [dim], True))
        away = self._graph.call_function(aten.exp.default, (self._graph.call_function(aten.sub.Tensor, (x, top)),))
        return top, self._graph.call_function(aten.sum.dim_IntList, (away, [dim], True))

    def _read(self, kind: str, text: str) -> Any:
        if kind == "n":
            return self._made[text]
        if kind == "d":
            dtype = getattr(torch, text)
            return torch.float64 if self._wide and dtype.is_floating_point else dtype
        if kind == "v":
            return torch.device("cpu")
        if kind == "o":
            kinds = {str(one): one for one in (torch.strided, torch.contiguous_format, torch.preserve_format, torch.channels_last)}
            if text not in kinds:
                raise Cannot(f"the argument {text}")
            return kinds[text]
        return self._sizes.decoded({kind: text})
