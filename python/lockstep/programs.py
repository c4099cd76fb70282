"""Sets of programs of a grid, kept as ranges of program numbers, so that a billion programs cost nothing to name.

Invariant: ranges are sorted, disjoint, inclusive, and count programs with x fastest, then y, then z."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence


class ProgramSet:
    """Iterates over program ids (x, y, z); `len`, `in` and `str` take no time that grows with the grid.

    >>> finished = ProgramSet([(0, 6), (8, 127)], (128, 1, 1))
    >>> len(finished), (7, 0, 0) in finished, str(finished)
    (127, False, '0..6, 8..127')
    """

    def __init__(self, ranges: Sequence[tuple[int, int]], grid: tuple[int, int, int]) -> None:
        self.ranges = [(int(first), int(last)) for first, last in ranges]
        self.grid = grid

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.ranges)

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        for first, last in self.ranges:
            for number in range(first, last + 1):
                yield self._id_of(number)

    def _id_of(self, number: int) -> tuple[int, int, int]:
        x, y, _ = self.grid
        return number % x, number // x % y, number // (x * y)

    def __contains__(self, program: object) -> bool:
        if isinstance(program, int):
            program = self._id_of(program)
        if not isinstance(program, tuple) or len(program) != 3:
            return False
        if not all(isinstance(i, int) and 0 <= i < extent for i, extent in zip(program, self.grid, strict=True)):
            return False
        number = program[0] + self.grid[0] * (program[1] + self.grid[1] * program[2])
        at = bisect_right(self.ranges, number, key=lambda one: one[0]) - 1
        return at >= 0 and self.ranges[at][0] <= number <= self.ranges[at][1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProgramSet) and (self.ranges, self.grid) == (other.ranges, other.grid)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """Numbers for grids of one dimension, ids otherwise; shortens long sets."""
        shown = [self._range_text(first, last) for first, last in self.ranges[:8]]
        return ", ".join(shown + (["..."] if len(self.ranges) > 8 else [])) or "none"

    def _range_text(self, first: int, last: int) -> str:
        if self.grid[1:] == (1, 1):
            return str(first) if first == last else f"{first}..{last}"
        texts = ["({},{},{})".format(*self._id_of(number)) for number in (first, last)]
        return texts[0] if first == last else "..".join(texts)

    def __repr__(self) -> str:
        return f"ProgramSet({self.ranges!r}, {self.grid!r})"
