"""Compares what each generated kernel stores with the bounds of the FX nodes that it implements, from what it read.

    with judging() as judge:
        compiled(x)
    judge.launches        # records.Launch, in order

A kernel is judged by its own inputs, so an error counts where it is made and not in the kernels after it. What has no bounds is
named in the record. Invariant: judging changes no value and no launch."""

from __future__ import annotations

import contextlib
import functools
import linecache
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from types import FrameType
from typing import Any

import torch

from lockstep.models import annotate, graph_text, second
from lockstep.models import origin as origins
from lockstep.models.annotate import GUESS
from lockstep.models.bounds.evaluate import CHANGED, ORDER, SIZE_FUNCTIONS, Evaluator
from lockstep.models.bounds.interval import FLOATS, Cannot, Interval, Maybe, Places, Value, exact, stored
from lockstep.models.origin import Origin
from lockstep.models.provenance import arguments_of
from lockstep.models.records import Launch, Output, bits_of

_LONGEST_CHAIN = 100  # of buffers that take each other over
_MOST_ELEMENTS = 1 << 23  # of a launch's buffers; beyond it intervals cost too much memory


class Judge:
    """Launches of this process's generated code. `seconds` is what judging cost. `asks_cpp`: results outside or without bounds get a second opinion."""

    def __init__(self, *, asks_cpp: bool = False) -> None:
        self._asks_cpp = asks_cpp
        self.launches: list[Launch] = []
        self.seconds = 0.0
        self._graphs: dict[str, dict[str, graph_text.Node] | None] = {}
        self._frame: FrameType | None = None
        self._known: dict[str, Value] = {}
        self._beside: dict[str, set[str]] = {}  # buffer with a part of a node -> nodes that its launch stored, too

    def run(self, raw: Any, tuner: Any, args: Any, kwargs: Any) -> Any:
        frame = origins.caller()
        origin = origins.of_frame(frame) if frame is not None and not kwargs.get("benchmark_run") else None
        if frame is None or origin is None:
            return raw(tuner, *args, **kwargs)
        start = time.perf_counter()
        if frame is not self._frame:
            self._frame, self._known, self._beside = frame, {}, {}
        record = self._record(origin, tuner)
        memory = _Memory(frame)
        nodes = self._graph(frame)
        for buffer, node in origin.reads.items():
            tensor = memory.tensor(buffer, nodes.get(node) if nodes and node else None)
            self._keep(nodes, node, tensor)
            if node is not None and tensor is not None:
                record.reads[node] = bits_of(tensor)
        self.seconds += time.perf_counter() - start
        try:
            result = raw(tuner, *args, **kwargs)
        except Exception as error:
            record.failed = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            raise
        start = time.perf_counter()
        if origin.sources:  # a user's kernel: the graph does not say what it computes
            self._known |= dict.fromkeys(origin.changes, CHANGED)
            for buffer, node in (origin.reads | origin.writes).items():
                self._keep(nodes, node, memory.tensor(buffer, None))
            self.seconds += time.perf_counter() - start
            return result
        stored = stored_buffers("".join(linecache.getlines(record.file)), arguments_of(frame, record.file, tuner.fn.__name__))
        inner: dict[str, str | None] = {}
        if stored:
            inner = {name: node for name, node in origin.writes.items() if name not in stored}
            origin = replace(origin, writes={name: node for name, node in origin.writes.items() if name in stored})
        self._compare(record, origin, nodes, memory, inner)
        self.seconds += time.perf_counter() - start
        return result

    def close(self) -> None:
        self._frame, self._known, self._beside = None, {}, {}

    def _record(self, origin: Origin, tuner: Any) -> Launch:
        places = list(dict.fromkeys(f"{one.place.file}:{one.place.line}" for one in origin.nodes if one.place is not None))
        record = Launch(len(self.launches), origin.kernel or tuner.fn.__name__, str(getattr(tuner, "filename", None) or ""),
                        origin.graph, [one.name for one in origin.nodes], places)  # fmt: skip
        self.launches.append(record)
        return record

    def _graph(self, frame: FrameType) -> dict[str, graph_text.Node] | None:
        file = frame.f_code.co_filename
        if file not in self._graphs:
            text = origins.graph_of(frame)
            self._graphs[file] = graph_text.read(text) if text else None
        return self._graphs[file]

    def _keep(self, nodes: dict[str, graph_text.Node] | None, name: str | None, tensor: torch.Tensor | None) -> None:
        """Notes a node's value, if memory has it as the graph does."""
        if nodes is None or name not in nodes or tensor is None or tensor.numel() > _MOST_ELEMENTS:
            return
        node = nodes[name]
        if str(tensor.dtype) == f"torch.{node.dtype}" and node.shape is not None and len(node.shape) == tensor.dim():
            with contextlib.suppress(Cannot):
                self._known[name] = exact(tensor.detach().cpu().clone())

    def _compare(self, record: Launch, origin: Origin, nodes: dict[str, graph_text.Node] | None, memory: _Memory, inner: dict[str, str | None]) -> None:
        """`inner`: the kernel's other buffers -> nodes."""
        order = {name: place for place, name in enumerate(nodes or {})}
        writes = sorted(origin.writes.items(), key=lambda one: order.get((one[1] or "").removeprefix(GUESS), -1))
        names = {(name or "").removeprefix(GUESS) for _, name in writes}
        known = {name: value for name, value in self._known.items() if name not in names or name in origin.reads.values()}
        again = {one.name for one in origin.nodes}.difference(one for one in origin.reads.values() if one)
        again = again.union(*(self._beside.get(buffer, ()) for buffer in origin.reads))  # the part was made of them before they were rounded
        recomputed = {name: value for name, value in known.items() if name not in again}
        as_computed, as_stored, by_itself = (Evaluator(nodes or {}, one, memory.variable) for one in (known, known, recomputed))
        doubtful: list[tuple[Output, torch.Tensor]] = []
        with torch.no_grad():
            for buffer, name in writes:
                tensor = memory.tensor(buffer, None)
                if tensor is None:
                    continue  # it never was in memory: another buffer of the fused kernel
                if name is None:
                    record.parts += 1
                    self._beside[buffer] = names - {""}
                    continue
                self._beside.pop(buffer, None)
                node = name.removeprefix(GUESS)
                readings = (as_stored, as_computed, by_itself)
                output = self._output(origin, node, buffer, tensor)
                self._hold(output, tensor, nodes, readings)
                if output.outside and (earlier := inner.get(memory.former(buffer))):  # one memory for both: the later store was removed
                    first = self._output(origin, earlier.removeprefix(GUESS), buffer, tensor)
                    self._hold(first, tensor, nodes, readings)
                    output, node = (output, node) if first.outside or first.cannot else (first, first.node)
                if name.startswith(GUESS) and (output.outside or output.cannot):
                    record.parts += 1  # a step on the way to the node; the kernels that read it are judged with it
                    continue
                record.outputs.append(output)
                if output.outside or output.cannot:
                    doubtful.append((output, tensor.detach().cpu().clone()))
                self._keep(nodes, node, tensor)
                if node in self._known:
                    as_stored.note(node, self._known[node])
        if self._asks_cpp and nodes is not None:
            kept = {name: value for name, value in self._known.items() if name in names}
            for output, tensor in doubtful:
                others = {name: value for name, value in kept.items() if name != output.node}
                _ask(output, tensor, nodes, known | others, memory.variable)

    def _hold(self, output: Output, tensor: torch.Tensor, nodes: Any, evaluators: tuple[Evaluator, ...]) -> None:
        """By the best of three readings: later nodes use what the kernel stored for an earlier one, or what it had before rounding, or
        all but what it read is computed by the kernel itself, although an earlier one stored it. What went into a part that it read, too."""
        if nodes is None:
            output.cannot = "the generated file has no graph (an older cache)"
            return
        if tensor.numel() > _MOST_ELEMENTS:
            output.cannot = f"{tensor.numel()} elements are more than are judged"
            return
        got, before, why = tensor.detach().cpu(), None, ""
        for evaluator in evaluators:
            output.outside, output.worst, output.example, output.cannot = 0, 0.0, "", ""
            try:
                hold(output, got, evaluator.bounds(output.node))
            except Cannot as error:
                why = why or str(error)
                continue
            if not output.outside:
                return
            before = before or (output.outside, output.worst, output.example)
        output.cannot = "" if before else why
        if before:
            output.outside, output.worst, output.example = before

    def _output(self, origin: Origin, name: str, buffer: str, tensor: torch.Tensor) -> Output:
        node = origin.node(name)
        place = node.place if node else None
        return Output(name, node.op if node else "", f"{place.file}:{place.line}" if place else "", place.code if place else "", buffer,
                      tensor.numel(), bits=bits_of(tensor))  # fmt: skip


def _ask(output: Output, got: torch.Tensor, nodes: dict[str, graph_text.Node], known: dict[str, Value], look: Any) -> None:
    """Fills in the second opinion on a result; `known` has what the launch stored for other nodes, too."""
    try:
        if ORDER in output.cannot:
            raise Cannot(ORDER)
        cpp, exact64 = second.ask(nodes, known, look, [output.node])[output.node]
        output.second = second.text_of(second.opinion(got, exact64), second.opinion(cpp, exact64))
        if output.outside:
            theirs = replace(output)
            hold(theirs, cpp, Evaluator(nodes, known, look).bounds(output.node))
            output.second += f"; {theirs.outside} elements of C++ lie outside of the bounds, too" if theirs.outside else "; C++ lies within the bounds"
    except Cannot as error:
        output.second = f"none: {error}"


def stored_buffers(source: str, arguments: dict[str, str]) -> set[str]:
    """The variables whose parameters a kernel's text stores to. Inductor removes a store whose buffer no kernel reads, and leaves the buffer."""
    begins = r"(?:store|atomic_\w+)\(\s*(?:tl\.make_block_ptr\(\s*)?"
    return {name for parameter, name in arguments.items() if re.search(begins + re.escape(parameter) + r"\b", source)}


def hold(output: Output, got: torch.Tensor, bounds: Value) -> None:
    """Fills in how far a tensor is from its bounds. Raises Cannot where shapes or kinds do not fit."""
    if isinstance(bounds, (bool, int, float)):
        bounds = torch.tensor(bounds)
    shape = tuple(getattr(bounds, "shape", ()))
    if tuple(got.shape) != shape:
        raise Cannot(f"the buffer has the shape {list(got.shape)}, the node {list(shape)}")
    if isinstance(bounds, Interval):
        is_range = bounds.dtype not in FLOATS
        if got.dtype.is_floating_point == is_range:
            raise Cannot(f"the buffer has {got.dtype}, the node {bounds.dtype}")
        _hold_numbers(output, got, bounds if is_range else stored(bounds, str(got.dtype).removeprefix("torch.")))
        return
    if isinstance(bounds, Maybe):
        outside = (got.bool() & ~bounds.possible) | (~got.bool() & bounds.certain)
    elif isinstance(bounds, Places):
        outside = bounds.outside(got)
    elif isinstance(bounds, torch.Tensor):
        outside = got.to(bounds.dtype) != bounds
    else:
        raise Cannot(f"a node of type {type(bounds).__name__}")
    _note(output, outside, got, bounds)


def _hold_numbers(output: Output, got: torch.Tensor, bounds: Interval) -> None:
    value = got.to(torch.float64)
    free = bounds.low.isnan() | bounds.high.isnan()
    outside = ~free & ~((value >= bounds.low) & (value <= bounds.high))
    middle, radius = (bounds.low + bounds.high) / 2, (bounds.high - bounds.low) / 2
    share = torch.where(free | middle.isinf() | radius.isinf() | (radius == 0), 0.0, (value - middle).abs() / radius)
    share = torch.nan_to_num(share, nan=0.0, posinf=1e30)
    output.worst = float(share.max()) if share.numel() else 0.0
    _note(output, outside, got, bounds)


def _note(output: Output, outside: torch.Tensor, got: torch.Tensor, bounds: Any) -> None:
    output.outside = int(outside.sum())
    if not output.outside:
        return
    place = tuple(int(one) for one in outside.nonzero()[0])
    if isinstance(bounds, Places):
        wanted = (bounds.values if bounds.keeps else bounds.values.squeeze(bounds.dim))[place].item()
        output.example = f"[{', '.join(map(str, place))}] is {got[place].item()}, not a place of {wanted:.9g} that no other element has"
        return
    low, high = (bounds.low, bounds.high) if isinstance(bounds, Interval) else (bounds.certain, bounds.possible) if isinstance(bounds, Maybe) else (bounds, bounds)
    output.example = f"[{', '.join(map(str, place))}] is {got[place].item():.9g}, not within {low[place].item():.9g} .. {high[place].item():.9g}"


class _Memory:
    """The variables of a frame of generated code."""

    def __init__(self, frame: FrameType) -> None:
        self._frame = frame
        self._locals = frame.f_locals
        self._lines: list[str] | None = None

    def variable(self, name: str) -> Any:
        value = self._locals.get(name)
        return self._frame.f_globals.get(name) if value is None and name.startswith(("_tensor_constant", "constant")) else value

    def tensor(self, name: str, node: graph_text.Node | None) -> torch.Tensor | None:
        """A buffer's tensor; None where there is none. A buffer that another has taken over is read through that."""
        value = self.variable(name)
        if value is None and node is not None:
            value = self._taken_over(name)
        return value if isinstance(value, torch.Tensor) else None

    def former(self, name: str) -> str:
        """The buffer whose memory one has taken over; "" for none."""
        if self._lines is None:
            self._lines = linecache.getlines(self._frame.f_code.co_filename)[: self._frame.f_lineno]
        taken = re.findall(rf"^\s*{re.escape(name)} = (?:reinterpret_tensor\()?(\w+)[;,].*# reuse", "".join(self._lines), re.MULTILINE)
        return taken[-1] if taken else ""

    def _taken_over(self, name: str) -> torch.Tensor | None:
        if self._lines is None:
            self._lines = linecache.getlines(self._frame.f_code.co_filename)[: self._frame.f_lineno]
        text = "".join(self._lines)
        heir, seen = name, set()
        while heir not in self._locals and heir not in seen:
            seen.add(heir)
            taken = re.findall(rf"^\s*(\w+) = (?:reinterpret_tensor\()?{re.escape(heir)}[;,].*# reuse", text, re.MULTILINE)
            heir = taken[-1] if taken else heir
        value = self._locals.get(heir)
        shape, strides = self._laid_out(name, text) if isinstance(value, torch.Tensor) else (None, None)
        return value.as_strided(shape, strides, value.storage_offset()) if shape is not None else None

    def _laid_out(self, name: str, text: str) -> tuple[Any, Any]:
        """Shape and strides of a variable, from the code that made it: an allocation, a check, another variable. (None, None) if unknown."""
        for _ in range(_LONGEST_CHAIN):
            said = re.findall(rf"^\s*(?:{re.escape(name)} = empty_strided_\w+\(|assert_size_stride\({re.escape(name)}, |{re.escape(name)} = reinterpret_tensor\(\w+, )"
                              r"(\([^)]*\)), (\([^)]*\))", text, re.MULTILINE)  # fmt: skip
            if said:
                sizes = [self._sizes(part) for part in said[-1]]
                return (None, None) if None in sizes else (sizes[0], sizes[1])
            before = re.findall(rf"^\s*{re.escape(name)} = (\w+); del", text, re.MULTILINE)
            if not before:
                return None, None
            name = before[-1]
        return None, None

    def _sizes(self, text: str) -> tuple[int, ...] | None:
        """The numbers of "(2, 16*s0, 3)"; symbols are variables of the frame. None where one is not known."""
        known = {name: value for name, value in self._locals.items() if isinstance(value, int)}
        try:
            sizes = eval(compile(text, "<sizes>", "eval"), {"__builtins__": SIZE_FUNCTIONS}, known)  # noqa: S307 - torch's own text
        except (NameError, SyntaxError, TypeError):
            return None
        return sizes if isinstance(sizes, tuple) and all(isinstance(one, int) for one in sizes) else None


@contextlib.contextmanager
def judging(*, asks_cpp: bool = False) -> Iterator[Judge]:
    """Judges the launches of all generated code that runs inside; compile inside, too, for files with their graphs. `asks_cpp`: of Judge."""
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    judge, raw = Judge(asks_cpp=asks_cpp), CachingAutotuner.run

    @functools.wraps(raw)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        return judge.run(raw, self, args, kwargs)

    CachingAutotuner.run = run
    try:
        with annotate.keep_graphs():
            yield judge
    finally:
        CachingAutotuner.run = raw
        judge.close()
