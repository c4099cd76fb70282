"""CUDA graphs: capturing runs the work at once and records it; replay() makes the recorded calls again.

What is recorded: every operator of torch below autograd (a dispatch mode sees them, backward passes included) and every
launch of a Triton kernel. A replayed operator computes from the recorded tensors' present contents and its results
are written into the recorded results, so the addresses that a program kept stay the ones that are filled. What a GPU
refuses to capture (a value read by the host) is refused here too; Python's own computations are not part of a graph."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from lockstep.pretend.captures import LaunchRecorder

_pools = itertools.count(1)
_capturing: list[CUDAGraph] = []
_FORBIDDEN = ("aten::_local_scalar_dense", "aten::item", "aten::nonzero", "aten::masked_select", "aten::equal",
              "aten::is_nonzero")  # fmt: skip


def is_capturing() -> bool:
    return bool(_capturing)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))


def _address(tensor: torch.Tensor) -> int | None:
    return tensor.untyped_storage()._cdata if tensor.layout == torch.strided else None


def _owned_results(result: Any, inputs: Any) -> list[torch.Tensor | None]:
    """Per tensor of the result: itself where the operator made its memory, None where the memory is an input's."""
    known = {_address(tensor) for tensor in _tensors(inputs)}
    return [None if _address(tensor) in known else tensor for tensor in _tensors(result)]


class _Recorder(TorchDispatchMode):
    def __init__(self, graph: CUDAGraph) -> None:
        super().__init__()
        self._graph = graph

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        if func._schema.name in _FORBIDDEN:
            raise RuntimeError(f"CUDA error: operation not permitted when stream is capturing ({func._schema.name})")
        result = func(*args, **kwargs)
        owned = _owned_results(result, (args, kwargs))
        self._graph._calls.append(lambda: _again(func, args, kwargs, owned))
        return result


def _again(func: Callable[..., Any], args: tuple, kwargs: dict, owned: list[torch.Tensor | None]) -> None:
    for fresh, kept in zip(_tensors(func(*args, **kwargs)), owned, strict=True):
        if kept is not None:
            kept.copy_(fresh)


class CUDAGraph:
    """torch.cuda.CUDAGraph of the pretended GPU."""

    def __init__(self, keep_graph: bool = False) -> None:
        self._calls: list[Callable[[], Any]] = []
        self._mode: _Recorder | None = None
        self._launches = LaunchRecorder(self._calls.append)
        self._pool = (0, next(_pools))
        self._is_captured = False

    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global", **options: Any) -> None:
        """Starts recording on this thread; later calls run at once and are recorded."""
        if _capturing:
            raise RuntimeError("a CUDA graph is being captured already; only one capture may run at a time")
        if self._is_captured:
            raise RuntimeError("This CUDAGraph instance already owns a captured graph. To capture a new graph, "
                               "create a new instance.")  # fmt: skip
        self._pool = pool if pool is not None else self._pool
        self._calls = []
        self._launches = LaunchRecorder(self._calls.append)
        self._launches.start()
        self._mode = _Recorder(self)
        self._mode.__enter__()
        _capturing.append(self)

    def capture_end(self) -> None:
        if not _capturing or _capturing[-1] is not self or self._mode is None:
            raise RuntimeError("capture_end() without capture_begin() on this graph")
        _capturing.pop()
        self._mode.__exit__(None, None, None)
        self._mode = None
        missed = self._launches.stop()
        if missed:
            self._calls = []
            raise RuntimeError(f"{missed} kernel launches of this capture cannot be replayed (code of torch.compile "
                               "launches past Triton's own path); under lockstep.pretend_cuda() run it without a "
                               "CUDA graph")  # fmt: skip
        self._is_captured = True

    def instantiate(self) -> None:
        """Does nothing: the record is what replays."""

    def replay(self) -> None:
        """Makes the recorded calls again, in order."""
        if not self._is_captured:
            raise RuntimeError("Called CUDAGraph::replay without a preceding successful capture.")
        with torch.no_grad():
            for call in self._calls:
                call()

    def reset(self) -> None:
        self._calls, self._is_captured = [], False

    def pool(self) -> Any:
        return self._pool

    def enable_debug_mode(self) -> None:
        """Accepted; there is no CUDA graph to dump."""

    def debug_dump(self, debug_path: str) -> None:
        raise RuntimeError("CUDAGraph.debug_dump: there is no CUDA graph to dump under pretend_cuda()")

    def raw_cuda_graph(self) -> int:
        raise RuntimeError("CUDAGraph.raw_cuda_graph: there is no CUDA graph under pretend_cuda()")

    raw_cuda_graph_exec = raw_cuda_graph
    get_graph_data = raw_cuda_graph


def pool_handle() -> tuple[int, int]:
    return (0, next(_pools))
