"""Where a launch of Inductor's code comes from: the comment that `annotate` wrote before it, found through the caller's frame.

Invariant: a launch that no generated code makes costs a walk over the frames, and only where there is something to say."""

from __future__ import annotations

import json
import linecache
import sys
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from lockstep.models.annotate import GRAPH, GUESS, LAUNCH
from lockstep.models.places import Place

_PLAIN = "# Topologically Sorted Source Nodes: "  # Inductor's own comment, in files that Lockstep did not write into
_UNSORTED = "# Unsorted Source Nodes: "
_FAR = 60  # lines between the comment and the call: allocations of buffers


@dataclass(frozen=True)
class OriginNode:
    """An FX node that a kernel implements."""

    name: str
    target: str  # "aten.add.Tensor"; "" where only the name is known
    module: str  # "layers.0.norm"
    place: Place | None

    @property
    def op(self) -> str:
        """The op without its overload: "aten.add"."""
        return ".".join(self.target.split(".")[:2])

    def __str__(self) -> str:
        return f"{self.name} ({self.op or 'node'}" + (f", {self.module})" if self.module else ")")


@dataclass(frozen=True)
class Origin:
    """The launch's kernel, its nodes in the graph's order, and the FX nodes whose values its buffers hold."""

    kernel: str
    graph: str  # number of the compiled graph
    file: str  # of the generated code
    line: int
    nodes: tuple[OriginNode, ...]
    reads: dict[str, str | None] = field(default_factory=dict)
    writes: dict[str, str | None] = field(default_factory=dict)
    uses: dict[str, list[str]] = field(default_factory=dict)  # a node that is read -> the kernel's nodes that use it
    sources: dict[str, tuple[str, int]] = field(default_factory=dict)  # of a user's kernel: function -> file, line of its def

    changes: tuple[str, ...] = ()  # nodes whose memory a user's kernel may change

    def node(self, name: str | None) -> OriginNode | None:
        return next((one for one in self.nodes if one.name == name), None)

    def stored(self, buffer: str) -> OriginNode | None:
        """The node whose value a buffer gets, as far as it is known."""
        return self.node((self.writes.get(buffer) or "").removeprefix(GUESS))


def caller() -> FrameType | None:
    """The frame of Inductor's generated code that is launching in this thread."""
    module = sys.modules.get("torch._inductor.codecache")
    if module is None:
        return None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "call" and "AsyncCompile" in frame.f_globals and "assert_size_stride" in frame.f_globals:
            return frame
        frame = frame.f_back
    return None


def of_frame(frame: FrameType) -> Origin | None:
    """The origin of the launch that a frame of generated code is making; None where the file has no comment."""
    file, line = frame.f_code.co_filename, frame.f_lineno
    lines = linecache.getlines(file, frame.f_globals)
    for number in range(line - 1, max(line - _FAR, 0), -1):
        text = lines[number - 1].strip() if number <= len(lines) else ""
        if text.startswith(LAUNCH):
            return _read(json.loads(text[len(LAUNCH) :]), file, line)
        if text.startswith((_PLAIN, _UNSORTED)):
            return _read_plain(text, file, line)
        if ".run(" in text:
            return None
    return None


def graph_of(frame: FrameType) -> str | None:
    """The text of the graph in generated code, for graph_text.read."""
    for text in linecache.getlines(frame.f_code.co_filename, frame.f_globals):
        if text.strip().startswith(GRAPH):
            return text.strip()[len(GRAPH) :]
    return None


def _read(row: dict[str, Any], file: str, line: int) -> Origin:
    places = [Place(*one).now() for one in row["places"]]
    nodes = tuple(OriginNode(name, target, module, places[place] if place >= 0 else None) for name, target, module, place in row["nodes"])
    return Origin(row["kernel"], row["graph"], file, line, nodes, dict(row["reads"]), dict(row["writes"]), row["uses"],
                  {name: (file_, line_) for name, (file_, line_) in row.get("sources", {}).items()}, tuple(row.get("changes", ())))  # fmt: skip


def _read_plain(text: str, file: str, line: int) -> Origin:
    """Of Inductor's own comment: names of nodes alone."""
    names = text.partition("[")[2].partition("]")[0].split(", ")
    return Origin("", "", file, line, tuple(OriginNode(name, "", "", None) for name in names if name))


def of_caller() -> Origin | None:
    """The origin of the launch that this thread is making; None outside of Inductor's code."""
    frame = caller()
    return of_frame(frame) if frame is not None else None
