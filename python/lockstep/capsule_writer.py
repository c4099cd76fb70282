"""Writes one capsule: a zip of a launch's TTIR, arguments, memory before and after, sources and facts (docs/capsules.md).

Pure Python of the standard library, so that a GPU machine needs nothing of Lockstep's engine. Invariant: a file appears
under its name only when it is complete. Not here: what a launch's arguments are (recorded_arguments) and when one is
recorded (recording)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any

FORMAT = "lockstep-capsule"
VERSION = 1
_MAX_SOURCE_BYTES = 1 << 20  # of one file
_CONTEXT = 3  # lines around those that the TTIR names
_LOCATION = re.compile(r'loc\("((?:[^"\\]|\\.)*)":(\d+):\d+')
_MOMENT = (1980, 1, 1, 0, 0, 0)  # of every member, so that the same launch gives the same file


@dataclass
class Storage:
    """The bytes behind arguments. `after` is None where the launch changed nothing."""

    before: bytes
    after: bytes | None = None
    addresses: list[tuple[int, int, int]] = field(default_factory=list)  # (offset, storage, offset in it)
    is_unwritten: bool = False  # nobody had written it before the launch


@dataclass
class Launch:
    """The content of a capsule for one launch; `arguments` and `facts` as in docs/capsules.md."""

    kernel: str
    ttir: str
    grid: tuple[int, int, int]
    arguments: list[dict[str, Any]]
    storages: list[Storage]
    has_outputs: bool = True
    facts: dict[str, Any] = field(default_factory=dict)  # target, options, versions, constants, recorded_by


def source_excerpts(ttir: str) -> list[tuple[str, int, str]]:
    """(path, first line, text) for every file that the TTIR names and this machine has: the named lines, and their neighbours."""
    named: dict[str, list[int]] = {}
    for path, line in _LOCATION.findall(ttir):
        named.setdefault(path, []).append(int(line))
    found = []
    for path, lines in sorted(named.items()):
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(_MAX_SOURCE_BYTES + 1)
        except (OSError, UnicodeDecodeError):
            continue
        rows = text.splitlines(keepends=True)
        first = max(min(lines) - _CONTEXT, 1)
        excerpt = "".join(rows[first - 1 : max(lines) + _CONTEXT])
        if len(text) <= _MAX_SOURCE_BYTES and excerpt:
            found.append((path, first, excerpt))
    return found


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class _Archive:
    """The members of the zip, each with a fixed time."""

    def __init__(self, path: str, is_packed: bool) -> None:
        self._form = zipfile.ZIP_DEFLATED if is_packed else zipfile.ZIP_STORED
        self._zip = zipfile.ZipFile(path, "w", self._form, compresslevel=6)

    def add(self, name: str, content: bytes) -> dict[str, Any]:
        """Writes a member; returns its entry in the manifest."""
        member = zipfile.ZipInfo(name, _MOMENT)
        member.compress_type = self._form
        member.external_attr = 0o644 << 16
        self._zip.writestr(member, content)
        return {"file": name, "bytes": len(content), "sha256": _digest(content)}

    def close(self) -> None:
        self._zip.close()


def _add_storage(archive: _Archive, number: int, storage: Storage) -> dict[str, Any]:
    entry: dict[str, Any] = {"before": archive.add(f"before/{number}.bin", storage.before)}
    if storage.after is not None and storage.after != storage.before:
        entry["after"] = archive.add(f"after/{number}.bin", storage.after)
    if storage.addresses:
        entry["addresses"] = [list(one) for one in storage.addresses]
    if storage.is_unwritten:
        entry["unwritten"] = True
    return entry


def _fill(archive: _Archive, launch: Launch) -> None:
    sources = []
    for number, (path, first, text) in enumerate(source_excerpts(launch.ttir)):
        member = archive.add(f"source/{number}.py", text.encode())
        sources.append({"path": path, "first_line": first, "text": member})
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "kernel": launch.kernel,
        "grid": list(launch.grid),
        **launch.facts,
        "has_outputs": launch.has_outputs,
        "ttir": archive.add("kernel.ttir", launch.ttir.encode()),
        "arguments": launch.arguments,
        "storages": [_add_storage(archive, number, storage) for number, storage in enumerate(launch.storages)],
        "sources": sources,
    }
    archive.add("manifest.json", json.dumps(manifest, indent=1, allow_nan=False).encode())


def write(path: str, launch: Launch, is_packed: bool = True) -> int:
    """Writes the capsule, deflated or stored; returns its size in bytes. Raises OSError."""
    unfinished = f"{path}.{os.getpid()}.part"
    try:
        archive = _Archive(unfinished, is_packed)
        try:
            _fill(archive, launch)
        finally:
            archive.close()
        size = os.path.getsize(unfinished)
        os.replace(unfinished, path)
        return size
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise
