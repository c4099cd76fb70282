"""The op files of this folder and their cases."""

from __future__ import annotations

import functools
import importlib
import sys
from pathlib import Path

from support.case import Case

FOLDER = Path(__file__).resolve().parents[1]
NOT_OPS = {"conftest", "record", "test_ops", "test_support"}


def op_files() -> list[str]:
    """Stems such as arith_addf, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in NOT_OPS)


@functools.cache
def cases_of(stem: str) -> tuple[Case, ...]:
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    cases = tuple(importlib.import_module(stem).cases())
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), f"{stem}: names occur twice: {sorted({n for n in names if names.count(n) > 1})}"
    assert cases, f"{stem}: no cases"
    return cases


def shard(stems: list[str], text: str) -> list[str]:
    """The part "i/n" (i from 1) of the files; "" is all."""
    if not text:
        return stems
    index, count = (int(part) for part in text.split("/"))
    return stems[index - 1 :: count]
