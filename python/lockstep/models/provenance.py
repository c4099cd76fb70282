"""A finding in a generated kernel, told in the model's terms: notes with the FX node, its op and the model's line.

A kernel implements several nodes. A store is the node whose value its buffer holds. A load belongs to the nodes that use the
value; an op of the kernel's line (an exp, a division, a sum) to nodes of the same kind. Where that leaves several, all are named."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lockstep.models import origin as origins
from lockstep.models import own_kernels
from lockstep.models.origin import Origin, OriginNode

if TYPE_CHECKING:
    from lockstep._native import LaunchReport

_MOST_NODES = 4  # in the notes of a finding; more are counted
#: What a line of a generated kernel contains -> parts of ops' names that lower to it.
_KINDS = (
    (r"\.exp\(|exp2\(", ("exp", "softmax", "sigmoid", "silu")), (r"\.rsqrt\(|_rsqrt\(", ("rsqrt", "norm")),
    (r"sqrt(_rn)?\(", ("sqrt", "std")), (r"\.log(1p|2|10)?\(", ("log",)), (r"\.erf\(", ("erf", "gelu")), (r"\.tanh\(", ("tanh", "gelu")),
    (r"\.sin\(", ("sin",)), (r"\.cos\(", ("cos",)), (r"\.pow\(", ("pow",)), (r"tl\.sum\(", ("sum", "mean", "norm")),
    (r"welford", ("var", "std", "norm")), (r"max2\(|maximum\(", ("max", "relu", "clamp")), (r"min2\(|minimum\(", ("min", "clamp")),
    (r"tl\.where\(", ("where", "mask", "fill", "tri", "clamp")), (r"tl\.fma\(", ("fma", "addcmul", "lerp")), (r"sigmoid\(", ("sigmoid", "silu")),
    (r"device_assert\(", ("index", "embedding", "gather", "scatter", "take", "nll")), (r"\brand|randn", ("rand", "dropout", "bernoulli")),
    (r" / |div_rn\(|div_floor", ("div", "mean", "reciprocal", "true_divide")),
)  # fmt: skip
_SIGNS = ((r"(?<=\w) \* (?=\w)", ("mul",)), (r"(?<=\w) \+ (?=\w)", ("add", "cumsum")), (r"(?<=\w) - (?=\w)", ("sub",)))


def nodes_of(origin: Origin, line: str, argument: str, arguments: dict[str, str]) -> list[OriginNode]:
    """The nodes that a kernel's line implements, as few as the line allows. `arguments`: the kernel's parameters -> buffers."""
    buffer = arguments.get(argument, "")
    if "tl.store(" in line or "atomic" in line:
        stored = origin.stored(buffer)
        if stored is not None:
            return [stored]
        written = [one for one in map(origin.stored, origin.writes) if one is not None]
        return written or list(origin.nodes)
    if "tl.load(" in line:
        return [one for one in map(origin.node, origin.uses.get(origin.reads.get(buffer) or "", ())) if one is not None] or list(origin.nodes)
    for patterns in (_KINDS, _SIGNS):
        for pattern, parts in patterns:
            if re.search(pattern, line):
                fitting = [one for one in origin.nodes if any(part in one.op for part in parts)]
                if fitting:
                    return fitting
    return list(origin.nodes)


def arguments_of(frame: Any, kernel_file: str, kernel: str) -> dict[str, str]:
    """The kernel's parameters -> the variables that the generated code passes for them."""
    source = "".join(linecache.getlines(kernel_file))
    declared = re.search(rf"def {re.escape(kernel)}\(([^)]*)\)", source)
    call = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    passed = re.search(r"\.run\((.*)\)\s*$", call)
    if declared is None or passed is None:
        return {}
    parameters = [one.partition(":")[0].strip() for one in declared[1].split(",")]
    given = re.split(r",\s*(?![^(]*\))", passed[1])
    return {name: re.sub(r"^reinterpret_tensor\((\w+),.*$", r"\1", text.strip()) for name, text in zip(parameters, given, strict=False)}


def annotate(report: LaunchReport) -> None:
    """Adds notes to the findings of a launch that generated code is making in this thread; does nothing for other launches."""
    frame = origins.caller()
    if frame is None or not report.findings or any(one.notes and one.notes[-1][0].startswith(_FIRST) for one in report.findings):
        return
    origin = origins.of_frame(frame)
    if origin is None:
        return
    for number, finding in enumerate(report.findings):
        arguments = arguments_of(frame, finding.file, report.kernel)
        line = linecache.getline(finding.file, finding.line)
        for message, file, place in _source_notes(origin, finding) + notes_of(origin, nodes_of(origin, line, finding.argument, arguments)):
            text = linecache.getline(file, place) if file else ""
            report.add_note(number, message, file, place, len(text) - len(text.lstrip()) + 1)


_FIRST = "of the model: "
_OWN = "of the kernel's source: "


def _source_notes(origin: Origin, finding: Any) -> list[tuple[str, str, int]]:
    """Of a user's kernel: the line that Inductor copied."""
    found = own_kernels.place_in_source(origin, finding.file, finding.line) if origin.sources else None
    return [(f"{_OWN}{found[2]}", found[0], found[1])] if found else []


def notes_of(origin: Origin, nodes: list[OriginNode]) -> list[tuple[str, str, int]]:
    """Message, file and line of each note: one for each line of the model."""
    places: dict[tuple[str, int, str], list[OriginNode]] = {}
    for node in nodes:
        place = node.place
        places.setdefault((place.file, place.line, place.code) if place else ("", 0, ""), []).append(node)
    rows = []
    for (file, line, code), here in sorted(places.items(), key=lambda one: one[0][0] == ""):
        names = ", ".join(str(one) for one in here[:_MOST_NODES]) + (f" and {len(here) - _MOST_NODES} more" if len(here) > _MOST_NODES else "")
        rows.append((f"{_FIRST}{names}" + (f": {code}" if code else ""), file, line))
    shown = rows[:_MOST_NODES]
    return shown + ([(f"{_FIRST}{len(rows) - _MOST_NODES} more lines", "", 0)] if len(rows) > _MOST_NODES else [])


def outer_frames(kernel: str) -> Callable[[str, int], list[tuple[str, str, int]]] | None:
    """Of the launch that this thread is making: for a line of the kernel the graph's call and the model's lines (name, file, line). None
    outside of generated code."""
    frame = origins.caller()
    origin = origins.of_frame(frame) if frame is not None else None
    if frame is None or origin is None:
        return None
    call = (f"the compiled graph {origin.graph or '?'}", origin.file, origin.line)
    passed: dict[str, dict[str, str]] = {}

    def frames(file: str, line: int) -> list[tuple[str, str, int]]:
        if file not in passed:  # before the launch returns, while the frame stands at its call
            passed[file] = arguments_of(frame, file, kernel)
        text = linecache.getline(file, line)
        argument = next((one for one in passed[file] if re.search(rf"\(\s*{re.escape(one)}\b", text)), "")
        rows = notes_of(origin, nodes_of(origin, text, argument, passed[file]))
        return [call, *((message.removeprefix(_FIRST).partition(": ")[0], place, number) for message, place, number in rows if place)]

    return frames


def launch_text() -> str:
    """The lines of the model that the launch which this thread is making comes from; "" outside of generated code."""
    origin = origins.of_caller()
    if origin is None:
        return ""
    rows = [f"  {file}:{line}: {message.removeprefix(_FIRST)}" if file else f"  {message}" for message, file, line in notes_of(origin, list(origin.nodes))]
    rows += [f"  its source: {file}:{line}" for name, (file, line) in origin.sources.items() if name == origin.kernel]
    return "\n".join([f"{origin.kernel or 'a kernel'} of the compiled graph {origin.graph}, called at {origin.file}:{origin.line}", *rows, ""])
