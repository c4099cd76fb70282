"""Which code a result came from: hashes of the files that it depends on, versions of packages and of Lockstep.

A result is *current* while all of these are unchanged, else it is old: `run` and `resume` run its case again, and all others
show it as old and do not count it. Invariants: the dependencies of a case follow from the case and the files alone, on the
machine that drives the campaign; hashes are taken before the cases run, so that a file that changes meanwhile makes results
old, never the reverse."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep.campaign.case import canonical, case_id

if TYPE_CHECKING:
    from lockstep.campaign.sources import Needs
    from lockstep.campaign.state import State

UNKNOWN = ""  # the origin of results of state files that did not note it
_DIGITS = 16
_MOST_NAMED = 4


class Origins:
    """The origins of one campaign's cases, as its files are now; each file is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.texts: dict[str, str] = {}  # id -> canonical text, of those that `of` gave
        self._hashes: dict[str, str] = {}  # by the name relative to the root
        self._stamps: dict[str, tuple[int, int] | None] = {}
        self._by_needs: dict[Needs, str] = {}
        self._changes: dict[str, list[str]] = {}

    # ---- of cases ----

    def of(self, case: Mapping[str, Any]) -> str:
        """The id of what a case depends on now."""
        from lockstep.campaign import sources

        given = getattr(sources.load(case["source"]["kind"]), "needs", None)
        needs = given(case, self.root) if given is not None else sources.Needs()
        if needs not in self._by_needs:
            text = canonical(self._made(needs))
            self._by_needs[needs] = case_id(text)
            self.texts[case_id(text)] = text
        return self._by_needs[needs]

    def _made(self, needs: Needs) -> dict[str, Any]:
        from lockstep import __version__
        from lockstep.campaign import imports

        python = [file for file in needs.files if file.endswith(".py")]
        found = imports.closure(python, needs.modules, needs.folders)
        names = {os.path.relpath(file, self.root) for file in (*found.files, *needs.files)}
        packages = {name: _version(name) for name in found.packages}
        return {"files": {name: self._hash(name) for name in names}, "packages": packages, "lockstep": __version__}

    def _hash(self, name: str) -> str:
        if name not in self._hashes:
            path = os.path.join(self.root, name)
            self._stamps[name] = _stamp(path)
            self._hashes[name] = _hash_of(path)
        return self._hashes[name]

    def moved(self) -> list[str]:
        """Files that changed since they were read."""
        paths = {name: os.path.join(self.root, name) for name in self._hashes}
        return sorted(name for name, path in paths.items() if _stamp(path) != self._stamps[name] and _hash_of(path) != self._hashes[name])

    def touching(self, names: Iterable[str]) -> set[str]:
        """The origins, given out by `of`, that contain one of these files."""
        wanted = set(names)
        return {key for key, text in self.texts.items() if wanted & json.loads(text)["files"].keys()}

    # ---- of results ----

    def changes(self, key: str, text: str) -> list[str]:
        """What changed: names of files, packages with both versions; nothing where the origin is current."""
        if key not in self._changes:
            self._changes[key] = self._compared(json.loads(text)) if text else ["code that the state file does not name"]
        return self._changes[key]

    def _compared(self, told: Mapping[str, Any]) -> list[str]:
        from lockstep import __version__

        changed = [name for name, was in told["files"].items() if self._hash(name) != was]
        for name, was in told["packages"].items():
            if _version(name) != was:
                changed.append(f"{name} {was or 'missing'} → {_version(name) or 'missing'}")
        if told["lockstep"] != __version__:
            changed.append(f"lockstep {told['lockstep']} → {__version__}")
        return changed


def judge(state: State, root: Path | None = None) -> Origins | None:
    """From now on `state` tells current results from old ones. None: the campaign's files are not here; then only
    results that never had an origin are old. root: else the one that the state file names."""
    if root is None and (told := state.value("root")):
        root = Path(told)
    if root is None or not root.is_dir():
        state.judge(lambda key: key != UNKNOWN)
        return None
    origins, texts = Origins(root), state.origins()
    state.judge(lambda key: key in origins.texts or (key in texts and not origins.changes(key, texts[key])))
    return origins


def why_old(state: State, origins: Origins | None) -> str:
    """What changed under the old results, for people; "" where nothing is old."""
    keys, texts = state.old_origins(), state.origins()
    known = origins.changes if origins is not None else lambda key, text: ["code that the state file does not name"]
    names = sorted({name for key in keys for name in known(key, texts.get(key, ""))})
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def print_note(state: State) -> Origins | None:
    """Judges the state, and prints on stderr which results are old."""
    origins = judge(state)
    if text := note(state, origins):
        print(f"lockstep: {text}", file=sys.stderr)
    return origins


def note(state: State, origins: Origins | None) -> str:
    """A line about old results; "" where there are none."""
    count = sum(state.old_verdicts().values())
    if not count:
        return ""
    verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in state.old_verdicts().items())
    return (f"old: {count:,} result{'' if count == 1 else 's'} ({verdicts}) of code that has changed since "
            f"({why_old(state, origins)}); not counted; `lockstep campaign resume {state.path}` runs them again")  # fmt: skip


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size


def _hash_of(path: str) -> str:
    """The file's hash; "" for an unreadable file."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:_DIGITS] if hasattr(hashlib, "file_digest") else _hash_bytes(file.read())
    except OSError:
        return ""


def _hash_bytes(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


_versions: dict[str, str] = {}


def _version(name: str) -> str:
    """The version of the package behind an import name; "" where there is none."""
    if name not in _versions:
        _versions[name] = _looked_up(name)
    return _versions[name]


def _looked_up(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        owners = _owners().get(name, [])
        return ", ".join(sorted({f"{one} {importlib.metadata.version(one)}" for one in owners}))


def _owners() -> Mapping[str, list[str]]:
    if not _owners_found:
        _owners_found.append(importlib.metadata.packages_distributions())
    return _owners_found[0]


_owners_found: list[Mapping[str, list[str]]] = []
