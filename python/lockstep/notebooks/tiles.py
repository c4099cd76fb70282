"""lockstep.tile(array, expect=...): a tile or an output as a heat map in a notebook, as text elsewhere.

Invariant: looking changes nothing; elements that differ from the reference by more than the tolerance are marked."""

from __future__ import annotations

from typing import Any

_MOST_TEXT = 8


class TileView:
    """Made by lockstep.tile. `values`: rows of numbers; `wrong`: (row, column) of elements beyond the tolerance."""

    def __init__(self, name: str, shape: tuple[int, ...], values: list[list[float]], wrong: set[tuple[int, int]], summary: str) -> None:
        self.name, self.shape, self.values, self.wrong, self.summary = name, shape, values, wrong, summary

    def __repr__(self) -> str:
        rows = [" ".join(f"{number:>10.4g}" for number in row[:_MOST_TEXT]) + (" ..." if len(row) > _MOST_TEXT else "")
                for row in self.values[:_MOST_TEXT]]  # fmt: skip
        return "\n".join([f"{self.name} {self.shape}{self.summary}", *rows, *(["..."] if len(self.values) > _MOST_TEXT else [])])

    def _repr_html_(self) -> str:
        from lockstep.notebooks import html_views

        return html_views.tile(self)


def tile(array: Any, *, expect: Any = None, name: str = "", rtol: float = 1e-5, atol: float = 1e-8) -> TileView:
    """Shows an array: a heat map in a notebook. Of more than two dimensions the last two are rows and columns, one below another.

    expect: what it should be; elements that differ by more than atol + rtol * |expect| are framed.

    >>> import lockstep
    >>> lockstep.tile([[1.0, 2.0], [3.0, 4.0]], expect=[[1.0, 2.0], [3.0, 5.0]]).wrong
    {(1, 1)}
    """
    values = _rows(array)
    wrong = set()
    summary = ""
    if expect is not None:
        reference = _rows(expect)
        if [len(row) for row in reference] != [len(row) for row in values]:
            raise ValueError(f"expect has another shape: {_shape(expect)}, not {_shape(array)}")
        wrong = {(i, j) for i, row in enumerate(values) for j, number in enumerate(row)
                 if not _agrees(number, reference[i][j], rtol, atol)}  # fmt: skip
        count = sum(map(len, values))
        summary = f", {len(wrong):,} of {count:,} elements differ" if wrong else f", all {count:,} elements agree"
    return TileView(name or type(array).__name__, _shape(array), values, wrong, summary)


def _agrees(number: float, wanted: float, rtol: float, atol: float) -> bool:
    if number != number or wanted != wanted:
        return number != number and wanted != wanted
    return number == wanted or abs(number - wanted) <= atol + rtol * abs(wanted)


def _plain(array: Any) -> Any:
    """Nested lists of any object with tolist(), of torch's tensors and of DLPack."""
    if hasattr(array, "detach"):
        array = array.detach().cpu()
    if hasattr(array, "tolist"):
        return array.tolist()
    if hasattr(array, "__dlpack__"):
        import numpy

        return numpy.from_dlpack(array).tolist()
    return array


def _shape(array: Any) -> tuple[int, ...]:
    if hasattr(array, "shape"):
        return tuple(int(extent) for extent in array.shape)
    return (len(array), *_shape(array[0])) if isinstance(array, (list, tuple)) and array else (0,) * isinstance(array, (list, tuple))


_ROW = 32  # elements of a row of a tile with one dimension


def _rows(array: Any) -> list[list[float]]:
    plain = _plain(array)
    if not isinstance(plain, (list, tuple)):
        return [[float(plain)]]
    if plain and isinstance(plain[0], (list, tuple)):
        return [row for part in plain for row in (_rows(part) if part and isinstance(part[0], (list, tuple)) else [list(map(float, part))])]
    return [list(map(float, plain[at : at + _ROW])) for at in range(0, len(plain), _ROW)]
