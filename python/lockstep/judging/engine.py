"""The launches of all calls once more, outside of the candidate's process: it records capsules, `lockstep replay` executes them in a
process of its own, and what a kernel stored there must be what the candidate's process says. So what a candidate does to its own
process does not change what a kernel is said to have computed. Invariant: capsules are hostile files: copied, bounded, never executed."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import resource
import shutil
import stat
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lockstep.judging.sides import Loaded
    from lockstep.judging.tensors import Bits

FOLDER = "capsules"
MOST_CAPSULES = 2048
MOST_BYTES = 64 << 20  # of one capsule, packed or not
MOST_IN_ALL = 256 << 20  # of a judgement


@dataclass
class Told:
    """A call as the candidate's process tells it. `capsules`: of its launches, by number. `is_bare`: no op of torch stands between
    what kernels stored and the results."""

    loaded: Loaded
    given: list[Bits]
    state: list[Bits]
    outputs: list[Bits]
    launches: int
    capsules: range
    is_bare: bool


@dataclass
class Replayed:
    """What the engine found."""

    launches: int = 0  # executed again
    left_out: int = 0  # over the limits
    wrong: tuple[int, str] | None = None  # a call, and its kernel whose memory after the launch is not what was recorded
    unfound: tuple[int, str] | None = None  # a call, and what of it no confirmed launch shows


def command() -> str:
    """Lockstep's command; "": there is none."""
    return os.environ.get("LOCKSTEP_COMMAND") or os.environ.get("LOCKSTEP_EXECUTABLE") or shutil.which("lockstep") or ""


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _taken(source: str, target: str) -> dict[int, str]:
    """Copies of the capsules by their number: plain files alone, within the limits."""
    taken: dict[int, str] = {}
    left = 2 * MOST_IN_ALL
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = sorted(os.listdir(source))
    for name in names:
        with contextlib.suppress(OSError):
            number = name.partition("-")[0]
            if not (name.endswith(".capsule") and number.isascii() and number.isdigit() and len(taken) < MOST_CAPSULES) or int(number) in taken:
                continue
            there = os.open(os.path.join(source, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(there, "rb") as file:
                told = os.fstat(there)
                left -= told.st_size
                if stat.S_ISREG(told.st_mode) and told.st_size <= MOST_BYTES and left >= 0:
                    path = taken[int(number)] = os.path.join(target, f"{int(number):04d}.capsule")
                    with open(path, "wb") as copy:
                        copy.write(file.read(MOST_BYTES))
    return taken


def _memory_after(path: str) -> list[bytes]:
    found = []
    with contextlib.suppress(OSError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError), zipfile.ZipFile(path) as capsule:
        for one in capsule.infolist():
            is_unchanged = one.filename.startswith("before/") and one.filename.replace("before", "after", 1) not in capsule.namelist()
            if (is_unchanged or one.filename.startswith("after/")) and one.file_size <= MOST_BYTES:
                found.append(capsule.read(one))
    return found


def _is_in(result: Bits, memory: list[bytes]) -> bool:
    """In the order of its elements, or in another order of its dimensions."""
    if any(result.data in content for content in memory):
        return True
    if not 2 <= len(result.shape) <= 5:
        return False
    elements = np.frombuffer(result.data, f"V{len(result.data) // int(np.prod(result.shape))}").reshape(result.shape)
    orders = itertools.permutations(range(len(result.shape)))
    next(orders)
    return any(elements.transpose(order).tobytes() in content for order in orders for content in memory)


def replay(candidate_folder: str, calls: Sequence[Told], seconds: float) -> Replayed | None:
    """Executes the launches of all calls again. None: there is no command, or it has no answer in time."""
    program = command()
    if not program:
        return None
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        taken = _taken(os.path.join(candidate_folder, FOLDER), folder)
        rows = _rows(program, folder, seconds) if taken else {}
        return None if rows is None else _compared(calls, taken, rows)


def _rows(program: str, folder: str, seconds: float) -> dict[str, dict[str, Any]] | None:
    """What the command says, by name of file."""
    try:
        done = subprocess.run(
            [program, "replay", "--json", "."], capture_output=True, stdin=subprocess.DEVNULL, timeout=max(seconds, 1),
            preexec_fn=_limits, cwd=folder, text=True, errors="replace")
    except (subprocess.TimeoutExpired, OSError):
        return None
    rows: dict[str, dict[str, Any]] = {}
    for line in done.stdout.splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            row = json.loads(line)
            rows[os.path.basename(row["capsule"])] = row
    return rows


def _compared(calls: Sequence[Told], taken: dict[int, str], rows: dict[str, dict[str, Any]]) -> Replayed:
    made = Replayed(len(taken))
    for i, call in enumerate(calls):
        of_call = [taken[one] for one in call.capsules if one in taken]
        made.left_out += max(call.launches - len(of_call), 0)
        for path in of_call:
            row = rows.get(os.path.basename(path), {})
            if (row.get("judgement") or {}).get("inside") is not True and made.wrong is None:
                made.wrong = i, str(row.get("kernel", "a launch"))
        if made.unfound is not None or not call.launches:
            continue
        if not of_call:
            made.unfound = i, "none of its launches was recorded"
        elif call.is_bare and len(of_call) >= call.launches:
            memory = [one for path in of_call for one in _memory_after(path)]
            lost = [k for k, one in enumerate(call.outputs) if one.data and not _is_in(one, memory)]
            made.unfound = (i, f"output {lost[0]} is not in the memory of any kernel after its launch") if lost else None
    return made
