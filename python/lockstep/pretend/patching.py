"""Patches as rows of a table: whose attribute, its new value, and why. Applied and undone as one set.

Invariant: after undo() every attribute is what it was before apply(), attributes that did not exist are gone, and that
holds too when applying failed half-way. This module knows nothing of torch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_ABSENT = object()


@dataclass(frozen=True)
class Patch:
    """One attribute of a module or class (or entry of a dict) that is replaced while pretending."""

    owner: Any
    name: Any
    value: Any
    reason: str


def _entries(owner: Any) -> Any:
    return owner if isinstance(owner, dict) else vars(owner)


def _put(owner: Any, name: Any, value: Any) -> None:
    if isinstance(owner, dict):
        owner[name] = value
    else:
        setattr(owner, name, value)


class PatchSet:
    """Patches that are in force together."""

    def __init__(self) -> None:
        self._saved: list[tuple[Any, Any, Any]] = []

    @property
    def is_applied(self) -> bool:
        return bool(self._saved)

    def apply(self, patches: Iterable[Patch]) -> None:
        """Sets the values in order. Undoes the earlier ones if one fails."""
        try:
            for patch in patches:
                self._saved.append((patch.owner, patch.name, _entries(patch.owner).get(patch.name, _ABSENT)))
                _put(patch.owner, patch.name, patch.value)
        except BaseException:
            self.undo()
            raise

    def undo(self) -> None:
        """Restores every attribute, the last one first."""
        while self._saved:
            owner, name, value = self._saved.pop()
            if value is not _ABSENT:
                _put(owner, name, value)
            elif isinstance(owner, dict):
                owner.pop(name, None)
            elif name in vars(owner):
                delattr(owner, name)
