"""The sources of cases: one module for each kind, loaded when a plan or a case names it (docs/campaigns.md, "Sources")."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: kind -> module. A source has KEYS, source(entry, point), run(case, context) and perhaps points(entry).
KINDS = {
    "kernel": "lockstep.campaign.sources.kernel",
    "capsule": "lockstep.campaign.sources.capsule",
    "call": "lockstep.campaign.sources.call",
    "tests": "lockstep.campaign.sources.tests",
    "files": "lockstep.campaign.sources.files",
    "prove": "lockstep.campaign.sources.prove",
    "random": "lockstep.campaign.sources.random",
    "model": "lockstep.campaign.sources.model",
}


@dataclass(frozen=True)
class Context:
    """Where a case runs."""

    root: Path  # the campaign's folder: what a case's paths are relative to
    scratch: Path  # a folder that goes with the worker
    max_bytes: int  # of one case's memory
    seconds: float  # of one launch


@dataclass
class Outcome:
    """What only the source knows of a case that it ran; the worker collects the findings."""

    outputs: dict[str, bytes | str] = field(default_factory=dict)  # elements, or their SHA-256
    mismatch: str = ""  # why the outputs are not the reference's; "" where they are
    error: dict[str, Any] = field(default_factory=dict)  # distances from the reference, by output
    coverage: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)  # what else the source counted


@dataclass(frozen=True)
class Needs:
    """What a case's result depends on, apart from the case itself and Lockstep: `needs(case, root)` of a source (origins.py)."""

    files: tuple[str, ...] = ()  # Python files, whose imports are followed, and others
    modules: tuple[str, ...] = ()  # by name; imports are followed
    folders: tuple[str, ...] = ()  # where modules are looked for first


class Refused(Exception):
    """A source refuses this case, with a reason: the verdict `refused`."""


class TimedOut(Exception):
    """Something that a case needs exceeded its time: the verdict `timeout`."""


def load(kind: str) -> Any:
    """The module of a source. Raises KeyError for an unknown kind."""
    return importlib.import_module(KINDS[kind])


def close() -> None:
    """Closes what sources keep open in this process from one case to the next."""
    for module in [sys.modules[name] for name in KINDS.values() if name in sys.modules]:
        getattr(module, "close", lambda: None)()
