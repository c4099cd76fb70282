"""All rows of bench/compare.py, in the order of its table; `find(name)` gives one of them."""

from __future__ import annotations

from rows import basic, libraries, linear_attention, products, users
from rows.work import Row

ROWS: list[Row] = basic.ROWS + products.ROWS + libraries.ROWS + linear_attention.ROWS + users.ROWS


def find(name: str) -> Row:
    """The row of that name; KeyError where there is none."""
    return {row.name: row for row in ROWS}[name]
