"""Bounds of ops that move, copy and make elements: both ends move alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from lockstep.models.bounds.elementwise import integers, settled, truth, where
from lockstep.models.bounds.interval import FLOATS, Cannot, Interval, Maybe, Places, Value, as_interval, rounded, unit


def moved(function: Callable[..., Any]) -> Callable[..., Value]:
    """A view, a copy or a choice by known places; the first argument has the elements."""

    def rule(dtype: str, a: Value, *args: Any, **named: Any) -> Value:
        if isinstance(a, (Interval, Maybe)):
            return a.map(lambda one: function(one, *args, **named))
        return function(a, *args, **named)

    return rule


def several(function: Callable[..., Any]) -> Callable[..., tuple[Value, ...]]:
    """split and similar ones: a tuple of views."""

    def rule(dtype: str, a: Value, *args: Any) -> tuple[Value, ...]:
        if isinstance(a, Interval):
            return tuple(Interval(low, high, a.dtype) for low, high in zip(function(a.low, *args), function(a.high, *args), strict=True))
        if isinstance(a, Maybe):
            raise Cannot("parts of comparisons that are too close")
        return tuple(function(a, *args))

    return rule


def joined(function: Callable[..., torch.Tensor]) -> Callable[..., Value]:
    def rule(dtype: str, parts: list[Value], dim: int = 0) -> Value:
        if dtype not in FLOATS:
            if any(isinstance(one, Maybe) for one in parts):
                raise Cannot("comparisons that are too close")
            return function(list(parts), dim)
        ends = [as_interval(one, dtype) for one in parts]
        ends = [one for one in ends if one.low.numel() or one.low.dim() != 1] or ends
        return Interval(function([one.low for one in ends], dim), function([one.high for one in ends], dim), dtype)

    return rule


def replaced(function: Callable[..., torch.Tensor]) -> Callable[..., Value]:
    """A copy of the first argument where some elements come from the last."""

    def rule(dtype: str, a: Value, *args: Any, **named: Any) -> Value:
        *middle, source = args if not named.get("_source_second") else (*args[1:], args[0])
        if dtype not in FLOATS and not isinstance(a, (Interval, Maybe)):
            return function(a, source, *middle)
        if dtype == "bool":
            known, put = truth(a), truth(source)
            return settled(Maybe(function(known.certain, put.certain, *middle), function(known.possible, put.possible, *middle)))
        x, y = as_interval(a, dtype), as_interval(source, dtype)
        if dtype not in FLOATS and bool((y.magnitude() > 2**53).any()):
            raise Cannot("integers beyond 2^53 among others that are not known")
        ends = function(x.low, y.low, *middle), function(x.high, y.high, *middle)
        return Interval(*ends, dtype) if dtype in FLOATS else integers(*ends, dtype)

    return rule


def slice_scatter(dtype: str, a: Value, source: Value, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Value:
    return replaced(lambda x, y: torch.slice_scatter(x, y, dim, start, end, step))(dtype, a, source)


def select_scatter(dtype: str, a: Value, source: Value, dim: int, index: int) -> Value:
    return replaced(lambda x, y: torch.select_scatter(x, y, dim, index))(dtype, a, source)


def scatter(dtype: str, a: Value, dim: int, index: Any, source: Value, **_: Any) -> Value:
    if isinstance(index, Places):
        return _scattered_to_any(dtype, as_interval(a, dtype), dim, index, as_interval(source, dtype))

    def put(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x.scatter(dim, index, y.to(x.dtype).expand(index.shape) if not y.dim() else y.to(x.dtype))

    return replaced(put)(dtype, a, source)


def _scattered_to_any(dtype: str, x: Interval, dim: int, places: Places, source: Interval) -> Value:
    """Where equal numbers may come in any order, each of them may get the element, or keep its own."""
    axis = dim % max(len(x.shape), 1)
    if dtype not in FLOATS or not places.keeps or places.dim != axis or places.numbers.shape != x.shape:
        raise Cannot("places of equal elements, which may come in any order, of another tensor")
    low, high = x.low, x.high
    y = source.map(lambda one: one.expand(places.shape))
    for number in range(places.shape[axis]):
        value, least, most = (one.narrow(axis, number, 1) for one in (places.values, y.low, y.high))
        may_be = (places.numbers == value) | (places.numbers.isnan() & value.isnan())
        is_sole = may_be & (may_be.sum(axis, True) == 1)
        low = torch.where(is_sole, least, torch.where(may_be, torch.minimum(low, least), low))
        high = torch.where(is_sole, most, torch.where(may_be, torch.maximum(high, most), high))
    return Interval(low, high, dtype)


def _added_up(dtype: str, put: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], a: Value, source: Value) -> Interval:
    """Elements that are added to places one after another, in any order. In f16 and bf16 atomics round after each."""
    x, y = as_interval(a, dtype), as_interval(source, dtype)
    y = Interval(*torch.broadcast_tensors(y.low, y.high), y.dtype)
    counts = put(torch.zeros_like(x.low), torch.ones_like(y.low)) + 1
    limits = torch.finfo(FLOATS[dtype])
    is_narrow = dtype in ("float16", "bfloat16")
    each = counts * (unit(dtype) + (limits.eps / 2 if is_narrow else 0.0))
    error = each * (1 + each) * put(x.magnitude(), y.magnitude()) + (counts * limits.tiny * limits.eps if is_narrow else 0.0)
    return rounded(put(x.low, y.low) - error, put(x.high, y.high) + error, dtype)


def scatter_add(dtype: str, a: Value, dim: int, index: Any, source: Value) -> Value:
    return _added_up(dtype, lambda x, y: x.scatter_add(dim, index, y), a, source)


def index(dtype: str, a: Value, places: list[Any]) -> Value:
    known = tuple(slice(None) if one is None else one for one in places)
    if any(isinstance(one, (Interval, Maybe)) for one in known):
        raise Cannot("an index that is not known exactly")
    return moved(lambda one: one[known])(dtype, a)


def index_put(dtype: str, a: Value, places: list[Any], source: Value, accumulate: bool = False, *_: Any) -> Value:
    if any(isinstance(one, (Interval, Maybe)) for one in places):
        raise Cannot("an index that is not known exactly")

    def put(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.ops.aten.index_put.default(x, places, y.to(x.dtype), accumulate)  # None: a whole dimension

    if not accumulate or dtype not in FLOATS:
        return replaced(put)(dtype, a, source)
    return _added_up(dtype, put, a, source)


def _inside(places: list[Any], shape: torch.Size) -> list[Any]:
    return [None if one is None else torch.clamp(one, -size, size - 1) for one, size in zip(places, shape, strict=False)]


def masked_index(dtype: str, a: Value, mask: Any, places: list[Any], fill: float) -> Value:
    """Where the mask is off, nothing is read."""
    return where(dtype, mask, index(dtype, a, _inside(places, a.shape)), fill)


def masked_index_put(dtype: str, a: Value, mask: Any, places: list[Any], source: Value) -> Value:
    return index_put(dtype, a, _inside(places, a.shape), where(dtype, mask, source, 0), True)


def embedding(dtype: str, weight: Value, places: Any, *_: Any) -> Value:
    return moved(lambda one: one[places])(dtype, weight)


def made(function: Callable[..., torch.Tensor]) -> Callable[..., Value]:
    """Tensors of constants; the graph's dtype decides."""

    def rule(dtype: str, *args: Any, **named: Any) -> Value:
        if dtype in FLOATS:
            ends = function(*args, dtype=torch.float64)  # torch's default type would round a constant of f64
            if ends.numel() and dtype != "float64":
                ends = ends.to(FLOATS[dtype]).to(torch.float64)
            return Interval(ends, ends, dtype)
        return function(*args).to(getattr(torch, dtype))

    return rule


def like(value: float | None) -> Callable[..., Value]:
    def rule(dtype: str, a: Value, *args: Any, **_: Any) -> Value:
        return made(lambda **kind: torch.full(a.shape, args[0] if value is None else value, **kind))(dtype)

    return rule


def unset(dtype: str, size: Any, *_: Any, **__: Any) -> Value:
    """New memory, of which each element may be anything. `size`: or a tensor of it."""
    shape = tuple(size.shape) if isinstance(size, torch.Tensor) else tuple(size)
    if dtype == "bool":
        return Maybe(torch.zeros(shape, dtype=torch.bool), torch.ones(shape, dtype=torch.bool))
    end = torch.full(shape, torch.nan if dtype in FLOATS else torch.inf, dtype=torch.float64)
    return Interval(-end, end, dtype)


def iota(dtype: str, length: int, start: int = 0, step: int = 1, **_: Any) -> torch.Tensor:
    return (torch.arange(length, dtype=torch.int64) * step + start).to(getattr(torch, dtype))


def padded(dtype: str, a: Value, widths: list[int], value: float = 0.0) -> Value:
    return moved(lambda one: torch.nn.functional.pad(one, widths, value=value))(dtype, a)


def _pooled(one: torch.Tensor, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil: bool = False) -> Any:
    return torch.nn.functional.max_pool2d(one, kernel, stride or None, padding, dilation, ceil, return_indices=True)


def max_pool(dtype: Any, a: Value, *args: Any) -> tuple[Value, Value]:
    x = as_interval(a)
    low, places = _pooled(x.low, *args)
    if not x.is_exact:
        return Interval(low, _pooled(x.high, *args)[0], x.dtype), None
    return Interval(low, low, x.dtype), places


def low_memory_pool(dtype: Any, a: Value, kernel: list[int], stride: list[int], padding: list[int], dilation: list[int], ceil: bool = False) -> tuple[Value, Value]:
    """The largest elements, and the number of each in its window."""
    values, places = max_pool(dtype, a, kernel, stride or kernel, padding, dilation, ceil)
    if places is None or len(kernel) != 2:
        return values, None
    rows, columns = (torch.arange(size) * step - before for size, step, before in zip(places.shape[-2:], stride or kernel, padding, strict=True))
    width = as_interval(a).shape[-1]
    down, right = (places // width - rows[:, None]) // dilation[0], (places % width - columns) // dilation[1]
    return values, (down * kernel[1] + right).to(torch.int8)


def places_of_offsets(_: str, offsets: Value, kernel: list[int], size: list[int], stride: list[int], padding: list[int], dilation: list[int]) -> torch.Tensor:
    """Numbers in windows as places in the planes that were pooled."""
    if not isinstance(offsets, torch.Tensor) or len(kernel) != 2:
        raise Cannot("numbers in a window that are not known, or not of two dimensions")
    wide = offsets.to(torch.int64)
    rows, columns = (torch.arange(count) * step - before for count, step, before in zip(wide.shape[-2:], stride or kernel, padding, strict=True))
    down, right = rows[:, None] + wide // kernel[1] * dilation[0], columns + wide % kernel[1] * dilation[1]
    return down * size[1] + right


def _laid_out(one: torch.Tensor, strides: Any) -> torch.Tensor:
    """The memory of a tensor that has these strides in the graph, in one dimension."""
    if strides is None or any(not isinstance(step, int) for step in strides):
        raise Cannot("the strides in memory are not known here")
    memory = one.new_zeros(1 + sum((size - 1) * step for size, step in zip(one.shape, strides, strict=True)) if one.numel() else 0)
    memory.as_strided(tuple(one.shape), strides).copy_(one)
    return memory


def as_strided(dtype: str, a: Value, size: list[int], strides: list[int], offset: int = 0, _strides: Any = None) -> Value:
    """A view by strides of its own, of memory as the graph lays it out."""
    return moved(lambda one: torch.as_strided(_laid_out(one, _strides), size, strides, offset or 0))(dtype, a)


def as_strided_scatter(dtype: str, a: Value, source: Value, size: list[int], strides: list[int], offset: int = 0, _strides: Any = None) -> Value:
    def put(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        memory = _laid_out(x, _strides)
        memory.as_strided(size, strides, offset or 0).copy_(y)
        return memory.as_strided(tuple(x.shape), _strides)

    return replaced(put)(dtype, a, source)


def _expanded(one: torch.Tensor, size: list[int], **_: Any) -> torch.Tensor:
    return one.expand(size)


def _reshaped(one: torch.Tensor, size: list[int]) -> torch.Tensor:
    return one.reshape(size)


def _sliced(one: torch.Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> torch.Tensor:
    places: list[Any] = [slice(None)] * one.dim()
    places[dim] = slice(start, end, step)
    return one[tuple(places)]


_same = moved(lambda one, *_, **__: one)
RULES: dict[str, Callable[..., Any]] = {
    "view": moved(_reshaped), "reshape": moved(_reshaped), "_unsafe_view": moved(_reshaped), "permute": moved(torch.permute),
    "transpose": moved(torch.transpose), "t": moved(torch.t), "expand": moved(_expanded), "unsqueeze": moved(torch.unsqueeze),
    "squeeze": moved(torch.squeeze), "slice": moved(_sliced), "select": moved(torch.select), "clone": _same, "alias": _same, "detach": _same,
    "contiguous": _same, "lift_fresh_copy": _same, "repeat": moved(lambda one, sizes: one.repeat(sizes)), "flip": moved(torch.flip),
    "roll": moved(torch.roll), "constant_pad_nd": padded, "diagonal": moved(torch.diagonal), "tril": moved(torch.tril), "triu": moved(torch.triu),
    "split": several(torch.split), "split_with_sizes": several(torch.split), "unbind": several(torch.unbind), "chunk": several(torch.chunk),
    "cat": joined(torch.cat), "stack": joined(torch.stack), "slice_scatter": slice_scatter, "select_scatter": select_scatter,
    "gather": lambda d, a, dim, where, **_: moved(lambda one: torch.gather(one, dim, where))(d, a), "scatter": scatter,
    "scatter_add": scatter_add, "index": index, "_unsafe_index": index, "index_select": lambda d, a, dim, where: moved(lambda one: one.index_select(dim, where))(d, a),
    "index_put": index_put, "_unsafe_index_put": index_put, "index_put_": index_put, "_unsafe_masked_index": masked_index, "_unsafe_masked_index_put_accumulate": masked_index_put, "embedding": embedding, "full": made(torch.full),
    "scalar_tensor": made(torch.tensor), "zeros": made(torch.zeros), "ones": made(torch.ones), "arange": made(torch.arange), "iota": iota,
    "full_like": like(None), "empty": unset, "empty_strided": unset, "empty_like": unset, "new_empty": lambda d, _, size: unset(d, size), "zeros_like": like(0), "ones_like": like(1), "max_pool2d_with_indices": max_pool,
    "_low_memory_max_pool_with_offsets": low_memory_pool, "_low_memory_max_pool_offsets_to_indices": places_of_offsets, "unfold": moved(lambda one, dim, size, step: one.unfold(dim, size, step)),
    "upsample_nearest2d": moved(lambda one, size, *_: torch.nn.functional.interpolate(one, size=size, mode="nearest")),
    "broadcast_in_dim": moved(lambda one, shape, dims: one.reshape([one.shape[dims.index(i)] if i in dims else 1 for i in range(len(shape))]).expand(shape)),
    "rev": moved(torch.flip), "as_strided": as_strided, "as_strided_scatter": as_strided_scatter, "pixel_shuffle": moved(torch.nn.functional.pixel_shuffle),
}  # fmt: skip
