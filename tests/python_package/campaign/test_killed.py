"""A campaign that is killed goes on where it was: worker, driver or the whole process group, at random moments.

What it exports at the end is, byte for byte, what an undisturbed run exports."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scale_plan import SCALE

#: 60 and 1,920 cases; in each a crash and two mismatches for every dtype, so that not only passes are compared.
PLAN = '[limits]\ntime = "20s"\n' + SCALE + """
reference = "numpy:small_sources:crash_and_differ"
checks = "all"
[run.axes]
dtype = ["f32", "f16", "bf16"]
n = { from = 1, to = %d }
block = [16, 64]
"""
KINDS = ("worker", "driver", "group")


def children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def start(folder, *words: str) -> subprocess.Popen:
    """In a process group of its own, as a shell has it."""
    command = [sys.executable, "-m", "lockstep", "campaign", *words, "--jobs", "2"]
    with (folder.path / "log").open("a") as log:
        return subprocess.Popen(command, cwd=folder.path, start_new_session=True, stdout=log, stderr=log)


def kill(process: subprocess.Popen, kind: str) -> None:
    workers = children(process.pid)
    if kind == "worker":
        for one in workers[:1]:
            os.kill(one, signal.SIGKILL)
        return
    if kind == "driver":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{one}/cmdline").exists() and b"campaign.worker" in Path(f"/proc/{one}/cmdline").read_bytes() for one in workers):
        assert time.monotonic() < deadline, "workers outlive their driver"
        time.sleep(0.05)


def disturbed(folder, kills: list[tuple[str, float]]) -> int:
    """Runs the plan; kills at (kind, seconds after the start); how many kills hit a running campaign."""
    hits = 0
    process = start(folder, "run", "plan.toml")
    for kind, delay in kills:
        time.sleep(delay)
        if process.poll() is not None:
            break
        hits += 1
        kill(process, kind)
        if process.poll() is not None:
            process = start(folder, "run", "plan.toml") if not (folder.path / "plan.db").exists() else start(folder, "resume", "plan.db")
    process.wait(timeout=600)
    if process.returncode == 2:  # killed before the plan was in the file, so that there is nothing to go on with
        process = start(folder, "run", "plan.toml")
        process.wait(timeout=600)
    assert process.returncode == 1, (folder.path / "log").read_text()
    return hits


def check(folder, size: int, kills: list[tuple[str, float]]) -> int:
    folder.run(PLAN % size, jobs=2)
    expected = folder.export()
    for name in ("plan.db", "plan.db-wal", "plan.db-shm"):
        (folder.path / name).unlink(missing_ok=True)
    hits = disturbed(folder, kills)
    assert folder.export() == expected
    counts = {one["result"]["verdict"] for one in folder.results()}
    assert counts == {"pass", "crash", "mismatch"}
    return hits


def test_killed_three_times(folder):
    lot = random.Random(12)
    assert check(folder, 10, [(kind, lot.uniform(0.5, 1.0)) for kind in KINDS]) >= 1


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_ten_random_moments(folder, seed):
    lot = random.Random(seed)
    kinds = [*KINDS * 3, lot.choice(KINDS)]
    lot.shuffle(kinds)
    assert check(folder, 320, [(kind, lot.uniform(0.1, 2.5)) for kind in kinds]) == 10
