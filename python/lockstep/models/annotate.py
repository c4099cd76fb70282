"""A comment before each launch in the code that Inductor generates: which FX nodes the kernel implements, from which lines.

    # lockstep: {"kernel": ..., "reads": [[buffer, node]], "writes": [[buffer, node]], "uses": {node: [nodes]}, "nodes": [[node, target, module, place]],
                 "places": [[file, line, function, code]]}        (of a user's kernel also "sources", see own_kernels)

Being text of the generated file, it lives as long as the file, in Inductor's caches too. It changes no code. With
`keep_graphs` a line `# lockstep graph: {...}` has the whole graph, for judging (graph_text)."""

from __future__ import annotations

import contextlib
import functools
import json
import operator
import sys
import weakref
from collections.abc import Iterator
from typing import Any

from lockstep.models import graph_text, own_kernels, places

LAUNCH = "# lockstep: "
GRAPH = "# lockstep graph: "
GUESS = "?"  # before a node that a buffer may hold

_forward_places: dict[tuple[str, str], places.Place] = {}  # (number of the compiled graph, source function) -> line
_written: weakref.WeakSet[Any] = weakref.WeakSet()  # graphs whose text is written
_is_keeping = False


@contextlib.contextmanager
def keep_graphs() -> Iterator[None]:
    """Generated files made inside have their graphs."""
    global _is_keeping
    before, _is_keeping = _is_keeping, True
    try:
        yield
    finally:
        _is_keeping = before


def wrapped(raw: Any) -> Any:
    """The method codegen_comment of a scheduling class, which is called before each launch is written."""

    @functools.wraps(raw)
    def codegen_comment(self: Any, node_schedule: Any, *args: Any, **kwargs: Any) -> Any:
        result = raw(self, node_schedule, *args, **kwargs)
        from torch._inductor.virtualized import V

        name = (args[0] if args else kwargs.get("kernel_name")) or ""
        comment(V.graph, V.graph.wrapper_code, _of_schedule(V.graph, list(node_schedule), name))
        return result

    return codegen_comment


def comment(graph: Any, wrapper: Any, row: dict[str, Any]) -> None:
    """Writes the comment of a launch; before the first one of a graph that of the graph, where it is kept."""
    if _is_keeping and graph not in _written and hasattr(graph, "module"):
        _written.add(graph)
        wrapper.make_comment(GRAPH + graph_text.write(graph))
    wrapper.make_comment(LAUNCH + json.dumps(row, separators=(",", ":")))


def _of_schedule(graph: Any, schedule: list[Any], kernel: str) -> dict[str, Any]:
    reads: dict[str, Any] = {}
    writes: dict[str, Any] = {}
    for one in _leaves(schedule):
        dependencies = getattr(one, "read_writes", None)
        if dependencies is None:
            continue
        for kind, into in ((dependencies.reads, reads), (dependencies.writes, writes)):
            for dependency in kind:
                into.setdefault(_real_name(graph, dependency.name), _node_of(graph, dependency.name, into is writes))
        for changed in _changed_by_template(one):
            writes.setdefault(_real_name(graph, changed), _node_of(graph, changed, True))
    reads = {name: node for name, node in reads.items() if name not in writes or name in graph.graph_input_names}
    nodes = _implemented(graph, [one for one in _origins(schedule) if not own_kernels.target_of(one)], set(reads.values()), [one and one.removeprefix(GUESS) for one in writes.values()])
    return described(graph, kernel, sorted(reads.items()), sorted(writes.items()), nodes)


def described(graph: Any, kernel: str, reads: list[Any], writes: list[Any], nodes: list[Any]) -> dict[str, Any]:
    """The comment's row: pairs of buffers and FX nodes' names, and the FX nodes that the kernel implements."""
    lines: dict[places.Place, int] = {}
    rows = [_node_row(node, lines) for node in nodes]
    known = sorted({node for _, node in reads if node})
    uses = {name: [node.name for node in nodes if name in {one.name for one in node.all_input_nodes}] for name in known}
    return {"graph": _number(), "kernel": kernel, "reads": reads, "writes": writes, "uses": uses, "nodes": rows,
            "places": [[one.file, one.line, one.function, one.code] for one in lines]}  # fmt: skip


def _implemented(graph: Any, origins: list[Any], reads: set[str | None], writes: list[str | None]) -> list[Any]:
    """The nodes between what a kernel reads and what it writes, in the graph's order; else all that the scheduler names: a
    node's origins go back beyond what is in memory already."""
    by_name = {node.name: node for node in graph.module.graph.nodes} if hasattr(graph, "module") else {}
    if not writes or any(name is None or name not in by_name for name in writes):
        wanted = {*origins, *(by_name[name] for name in writes if name in by_name)}
        return [node for node in by_name.values() if node in wanted and node.op == "call_function"] or origins
    found: dict[Any, None] = {}
    waiting = [by_name[name] for name in writes if name is not None]
    while waiting:
        node = waiting.pop()
        if node in found or node.op != "call_function":
            continue
        found[node] = None
        waiting += [one for one in node.all_input_nodes if one.name not in reads]
    return [node for node in graph.module.graph.nodes if node in found] if len(found) <= len(origins) + len(writes) + 8 else origins


def _changed_by_template(one: Any) -> list[str]:
    """A template stores one result; others (flex attention's gradients of query and value) are arguments that it changes."""
    outputs = one.get_outputs() if getattr(one, "is_template", lambda: False)() and hasattr(one, "get_outputs") else []
    return [output.get_name() for output in outputs if output.get_mutations()]


def _leaves(schedule: list[Any]) -> list[Any]:
    """The scheduler's nodes themselves, out of groups (foreach, combo, fused)."""
    found: list[Any] = []
    for one in schedule:
        inner = one.get_nodes() if hasattr(one, "get_nodes") else []
        found += inner if inner and inner != [one] else [one]
    return found


def _origins(schedule: list[Any]) -> list[Any]:
    """FX nodes of the schedule in the graph's order."""
    found: dict[Any, None] = {}
    for one in _leaves(schedule):
        for node in getattr(getattr(one, "node", None), "origins", ()):
            if node.op == "call_function":
                found[node] = None
    order = {node: place for node in found for place, node in enumerate(node.graph.nodes)} if len({n.graph for n in found}) == 1 else {}
    return sorted(found, key=lambda node: order.get(node, 0)) if order else list(found)


def _real_name(graph: Any, name: str) -> str:
    """The variable of the generated code: a buffer that changes another has no variable of its own."""
    scheduler = getattr(graph, "scheduler", None)
    return getattr(scheduler, "mutation_real_name", {}).get(name, name)


def _node_of(graph: Any, name: str, is_written: bool) -> str | None:
    """The FX node whose value a buffer holds; None for a part of one (a split reduction's, what atomics add to)."""
    real = _real_name(graph, name)
    if name != real:
        own = _origin_name(graph, name)
        is_last = getattr(graph.scheduler, "mutation_renames", {}).get(real) == name
        own = own or (_origin_name(graph, real) if is_last and real not in graph.graph_input_names and not (is_written and _is_copied_into(graph, real)) else None)
        return own or (None if is_written else own_kernels.arguments(graph).get(real))
    given = own_kernels.arguments(graph).get(name)
    if given is not None and name not in graph.graph_input_names:
        return given
    changes_later = real in getattr(getattr(graph, "scheduler", None), "mutation_real_name", {}).values()
    if changes_later and real not in graph.graph_input_names:
        return None
    if name in graph.graph_input_names and not is_written:
        return name  # a view of an input that changes nothing has made itself the input's origin
    own = _origin_name(graph, name)
    return own or (_guessed(graph, name) if is_written else None)


def _is_copied_into(graph: Any, name: str) -> bool:
    """Whether the graph copies into a buffer's node, or into a view of it: its memory is no longer the node's value."""
    waiting = [getattr(graph.try_get_buffer(name), "origin_node", None)]
    while waiting:
        node = waiting.pop()
        for user in node.users if node is not None else ():
            target = str(getattr(user.target, "_overloadpacket", "")).rpartition(".")[2]
            if user.args and user.args[0] is node and target == "copy_":
                return True
            if user.args and user.args[0] is node and target in own_kernels.VIEWS:
                waiting.append(user)
    return False


def _guessed(graph: Any, name: str) -> str | None:
    """"?NODE": the last node that a buffer comes from, if it has the buffer's shape and type. It may be a step on the way to it."""
    buffer = graph.try_get_buffer(name)
    order = {node: place for place, node in enumerate(graph.module.graph.nodes)} if hasattr(graph, "module") else {}
    known = [node for node in getattr(buffer, "origins", ()) if node in order]
    if not known or buffer is None:
        return None
    last = max(known, key=order.__getitem__)
    value, layout = last.meta.get("val"), getattr(buffer, "layout", None)
    fits = getattr(value, "dtype", None) == getattr(layout, "dtype", 0) and [str(one) for one in value.shape] == [str(one) for one in layout.size]
    return GUESS + last.name if fits else None


def _origin_name(graph: Any, name: str) -> str | None:
    buffer = graph.try_get_buffer(name)
    inner = getattr(getattr(buffer, "data", None), "data", None)
    for one in (buffer, inner):
        node = getattr(one, "origin_node", None)
        if node is not None:
            return str(node.name)
    return _part_name(buffer)


def _part_name(buffer: Any) -> str | None:
    """The FX node that takes a buffer out of the several results of an op that Inductor leaves to ATen."""
    maker = next(iter(getattr(buffer, "inputs", None) or ()), None)
    call, indices = getattr(maker, "fx_node", None), getattr(buffer, "indices", None)
    if call is None or not indices or len(indices) != 1:
        return None
    return next((str(one.name) for one in call.users if one.target is operator.getitem and one.args[1] == indices[0][1]), None)


def _node_row(node: Any, known: dict[places.Place, int]) -> list[Any]:
    place = _place_of(node)
    for other in () if place else (*node.users, *node.all_input_nodes):  # made by a pass of Inductor
        place = place or _place_of(other)
    number = known.setdefault(place, len(known)) if place else -1
    return [node.name, own_kernels.target_of(node) or graph_text.target_text(node.target), places.module_of(node.meta), number]


def _place_of(node: Any) -> places.Place | None:
    """From the node's own stack trace; of the backward's nodes, from that of the forward node that they belong to."""
    place = places.place_of_trace(node.meta.get("stack_trace"), own_kernels.package_of(node))
    stack = node.meta.get("source_fn_stack")
    source = ((stack or node.meta.get("fwd_source_fn_stack") or [("",)])[-1])[0]
    if place is not None and stack:
        _forward_places.setdefault((_number(), source), place)
    return place or _forward_places.get((_number(), source))


def _number() -> str:
    """Of the compiled graph in the process; its backward has the same."""
    aot = sys.modules.get("torch._functorch._aot_autograd.logging_utils")
    graphs = getattr(aot, "graph_being_compiled", None) or [""]
    return str(graphs[-1]).partition("_")[0]
