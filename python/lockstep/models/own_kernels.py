"""Triton kernels of the user's own inside compiled code: torch.library.triton_op, kernels that a compiled function launches.

Inductor copies such a kernel into a file of its own. The comment before its launch has the FX node that launches it, and where the
kernel and the functions that it calls come from: `"sources": {name: [file, line of its def]}`. The graph does not say what a kernel
computes, so it has no bounds: what it wrote is taken as it is."""

from __future__ import annotations

import functools
import linecache
import re
from typing import TYPE_CHECKING, Any

from lockstep.models import places

if TYPE_CHECKING:
    from lockstep.models.origin import Origin

VIEWS = ("as_strided", "view", "reshape", "_unsafe_view", "permute", "transpose", "t", "slice", "select", "expand", "unsqueeze", "squeeze", "alias", "detach")
_WRAPPERS = ("triton_kernel_wrapper_mutation", "triton_kernel_wrapper_functional")
Sources = dict[str, tuple[str, int]]


def _kernel_of(node: Any) -> Any:
    """The jitted function that an FX node launches; None for other nodes."""
    if getattr(node.target, "__name__", "") not in _WRAPPERS:
        return None
    from torch._higher_order_ops.triton_kernel_wrap import kernel_side_table

    kernel = kernel_side_table.get_kernel(node.kwargs["kernel_idx"])
    while not hasattr(kernel, "__name__"):  # autotuners and heuristics
        kernel = kernel.fn
    return kernel


def target_of(node: Any) -> str:
    """"triton.NAME" of an FX node that launches a kernel; "" for others."""
    kernel = _kernel_of(node)
    return f"triton.{kernel.__name__}" if kernel is not None else ""


def package_of(node: Any) -> str:
    """The folder of the installed package that has a node's kernel: its lines are not the model's. "" for a kernel of the program."""
    code = getattr(getattr(_kernel_of(node), "fn", None), "__code__", None)
    return places.package_folder(code.co_filename) if code is not None else ""


def arguments(graph: Any) -> dict[str, str]:
    """Buffers that kernels of the user are given -> FX nodes whose values these are. Their own origins end in the launch."""
    found: dict[str, str] = {}
    for one in getattr(graph, "operations", ()):
        if hasattr(one, "kernel_idx") and getattr(one, "fx_node", None) is not None:
            given = one.fx_node.kwargs.get("kwargs", {})
            for name, value in one.kwargs.items():
                if hasattr(value, "get_name") and hasattr(given.get(name), "meta") and _is_whole(graph, value, given[name]):
                    found.setdefault(value.get_name(), given[name].name)
    return found


def _is_whole(graph: Any, value: Any, node: Any) -> bool:
    """Whether a node is its buffer as it is, and no view of it."""
    buffer = graph.try_get_buffer(value.get_name())
    shape = getattr(node.meta.get("val"), "shape", None)
    return shape is not None and buffer is not None and [str(one) for one in buffer.get_size()] == [str(one) for one in shape]


def changed(node: Any) -> list[str]:
    """The nodes whose memory a launch may change: its tensors, and what they are views of."""
    names: dict[str, None] = {}
    for one in node.kwargs.get("kwargs", {}).values():
        while hasattr(one, "meta"):
            names[one.name] = None
            is_view = str(getattr(one.target, "_overloadpacket", "")).rpartition(".")[2] in VIEWS
            one = one.args[0] if is_view and one.args else None
    return list(names)


def wrapped(raw: Any) -> Any:
    """The method codegen_comment of UserDefinedTritonKernel, which is called before each launch is written."""

    @functools.wraps(raw)
    def codegen_comment(self: Any, wrapper: Any, kernel_name: str | None = None) -> Any:
        result = raw(self, wrapper, kernel_name)
        from torch._inductor.virtualized import V

        from lockstep.models import annotate

        kernel = self.get_kernel_and_metadata()[0]
        known = arguments(V.graph)
        reads, writes = ([(one.get_name(), known.get(one.get_name())) for one in some if hasattr(one, "get_name")] for some in (self.inputs, self.mutable_args))
        row = annotate.described(V.graph, kernel.__name__, reads, writes, [self.fx_node]) | {"sources": sources(kernel), "changes": changed(self.fx_node)}
        annotate.comment(V.graph, wrapper, row)
        return result

    return codegen_comment


def sources(kernel: Any) -> dict[str, list[Any]]:
    """Where a kernel and the jitted functions that it calls begin."""
    found: dict[str, list[Any]] = {}
    waiting = [kernel]
    while waiting:
        one = waiting.pop()
        code = getattr(getattr(one, "fn", None), "__code__", None)
        if code is None or code.co_name in found:
            continue
        lines = linecache.getlines(code.co_filename)
        begin = next((number for number in range(code.co_firstlineno, len(lines) + 1) if re.match(r"\s*(async )?def ", lines[number - 1])), code.co_firstlineno)
        found[code.co_name] = [code.co_filename, begin]
        waiting += [value for name, value in one.fn.__globals__.items() if name in code.co_names]
    return found


def place_in_source(origin: Origin, file: str, line: int) -> tuple[str, int, str] | None:
    """File, line and text in the user's source of a line of Inductor's copy; None where the copy's line is not that of the source."""
    lines = linecache.getlines(file)
    for number in range(min(line, len(lines)), 0, -1):
        named = re.match(r"def (\w+)\(", lines[number - 1])
        if named is None:
            continue
        source, begin = origin.sources.get(named[1], ("", 0))
        text = linecache.getline(source, begin + line - number).strip() if source else ""
        return (source, begin + line - number, text) if text and text == lines[line - 1].strip() else None
    return None
