"""The launches of one call once more, outside of the candidate's process: it records capsules, `lockstep replay` executes each in a
process of its own, and what a kernel stored there must be what the candidate's process says. So what a candidate does to its own
process does not change what a kernel is said to have computed. Invariant: capsules are hostile files: copied, bounded, never executed."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import stat
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass, field
from typing import Any

FOLDER = "capsules"
MOST_CAPSULES = 64
MOST_BYTES = 64 << 20  # of one capsule, packed or not


@dataclass
class Replayed:
    """What the engine found."""

    launches: int = 0
    wrong: list[str] = field(default_factory=list)  # kernels whose memory after the launch is not what was recorded
    after: list[bytes] = field(default_factory=list)  # storages, as the engine confirms them


def command() -> str:
    """Lockstep's command; "": there is none."""
    return os.environ.get("LOCKSTEP_COMMAND") or os.environ.get("LOCKSTEP_EXECUTABLE") or shutil.which("lockstep") or ""


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _taken(source: str, target: str) -> list[str]:
    """Copies of the capsules: plain files alone, within the limits."""
    taken = []
    with contextlib.suppress(OSError):
        for name in sorted(os.listdir(source))[:MOST_CAPSULES]:
            there = os.open(os.path.join(source, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(there, "rb") as file:
                told = os.fstat(there)
                if name.endswith(".capsule") and stat.S_ISREG(told.st_mode) and told.st_size <= MOST_BYTES:
                    path = os.path.join(target, f"{len(taken):04d}.capsule")
                    with open(path, "wb") as copy:
                        copy.write(file.read(MOST_BYTES))
                    taken.append(path)
    return taken


def _memory_after(path: str) -> list[bytes]:
    found = []
    with contextlib.suppress(OSError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError), zipfile.ZipFile(path) as capsule:
        for one in capsule.infolist():
            is_unchanged = one.filename.startswith("before/") and one.filename.replace("before", "after", 1) not in capsule.namelist()
            if (is_unchanged or one.filename.startswith("after/")) and one.file_size <= MOST_BYTES:
                found.append(capsule.read(one))
    return found


def replay(candidate_folder: str, seconds: float) -> Replayed | None:
    """None: there is no command, or it has no answer in time."""
    program = command()
    if not program:
        return None
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        taken = _taken(os.path.join(candidate_folder, FOLDER), folder)
        if not taken:
            return Replayed()
        try:
            done = subprocess.run(
                [program, "replay", "--json", *taken], capture_output=True, stdin=subprocess.DEVNULL, timeout=max(seconds, 1),
                preexec_fn=_limits, cwd=folder, text=True, errors="replace")
        except (subprocess.TimeoutExpired, OSError):
            return None
        rows: dict[str, dict[str, Any]] = {}
        for line in done.stdout.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                row = json.loads(line)
                rows[row["capsule"]] = row
        made = Replayed(len(taken))
        for path in taken:
            row = rows.get(path, {})
            judgement = row.get("judgement") or {}
            if judgement.get("inside") is not True:
                made.wrong.append(str(row.get("kernel", "a launch")))
            else:
                made.after += _memory_after(path)
        return made
