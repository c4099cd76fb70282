"""What a plan says once for all of its runs: [defaults], and [defaults.KIND] for those of one source.

A run's own key wins over its kind's default, that over the default of all. Tables (axes, options, environment) are joined by
their names; `{ more = [...] }` adds to a list instead of replacing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lockstep.campaign.tables import Document, Key

NAME = "defaults"
#: Keys of a run that cannot have a default: what tells one run from another.
_OF_ONE_RUN = ("name",)


@dataclass
class Joined:
    """A run's table with its defaults filled in."""

    table: dict[str, Any] = field(default_factory=dict)
    # : key, or (key of a table, name in it) -> the table of the TOML that sets it
    places: dict[str | tuple[str, str], str] = field(default_factory=dict)


class Defaults:
    """Raises PlanError for keys that no run could have."""

    def __init__(self, document: Document, given: Any, run_keys: Mapping[str, Key]) -> None:
        from lockstep.campaign import sources

        self._document, self._run_keys = document, run_keys
        if not isinstance(given, dict):
            raise document.wrong("", NAME, f"`{NAME}` is a table: [{NAME}]")
        self._of_kind = {name: value for name, value in given.items() if name in sources.KINDS}
        self._of_all = {name: value for name, value in given.items() if name not in self._of_kind}
        self._check_general()
        for kind, table in self._of_kind.items():
            keys = {name: key for name, key in {**run_keys, **sources.load(kind).KEYS}.items() if name not in (*_OF_ONE_RUN, "kind")}
            self._check(f"{NAME}.{kind}", table, keys)

    def _check_general(self) -> None:
        from lockstep.campaign import sources

        keys = {name: key for name, key in self._run_keys.items() if name not in _OF_ONE_RUN}
        for name in self._of_all:
            if name not in keys and (kinds := [kind for kind in sources.KINDS if name in sources.load(kind).KEYS]):
                tables = ", ".join(f"[{NAME}.{kind}]" for kind in kinds)
                raise self._document.wrong(NAME, name, f"`{name}` is not a key of every run", f"it belongs to a source: {tables}")
        self._check(NAME, self._of_all, keys)

    def _check(self, table: str, given: Any, keys: Mapping[str, Key]) -> None:
        optional = {name: Key(key.types, key.what) for name, key in keys.items()}
        self._document.check(table, given, optional)

    def kind_of(self, table: Mapping[str, Any]) -> Any:
        """The source that a run names, or the source of the defaults."""
        return table.get("kind", self._of_all.get("kind"))

    def join(self, number: int, kind: str, table: Mapping[str, Any], keys: Mapping[str, Key]) -> Joined:
        """The run's table with all defaults written out. Raises PlanError for `more` without a list to add to."""
        joined, own = Joined(), f"run.{number}"
        layers = ((NAME, self._of_all), (f"{NAME}.{kind}", self._of_kind.get(kind, {})), (own, table))
        for place, layer in layers:
            for name, value in layer.items():
                self._put(joined, place, name, value, keys)
        return joined

    def _put(self, joined: Joined, place: str, name: str, value: Any, keys: Mapping[str, Key]) -> None:
        before = joined.table.get(name)
        if isinstance(value, dict) and set(value) == {"more"} and name in keys and list in keys[name].types:
            value = self._longer(before, place, name, value["more"])
        elif isinstance(value, dict):
            joined.places |= {(name, one): place for one in value}
            value = {**before, **value} if isinstance(before, dict) else value
        joined.table[name] = value
        joined.places[name] = place

    def _longer(self, before: Any, place: str, name: str, more: Any) -> list[Any]:
        if not isinstance(before, list):
            raise self._document.wrong(place, name, f"`{name}` has no list that `more` could extend", f"a list of that name in [{NAME}]")
        if not isinstance(more, list):
            raise self._document.wrong(place, name, f"`more` is a list, not {more!r}")
        return before + more
