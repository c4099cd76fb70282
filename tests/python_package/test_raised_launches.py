"""Launches that raise are recorded as they were before, and what is raised ends with the command that replays them."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import lockstep
import pytest
import torch
import triton
import triton.language as tl
from test_plugin import everything_is_imported, suite  # noqa: F401

pytest_plugins = "pytester"
EXECUTABLE = os.environ.get("LOCKSTEP_EXECUTABLE", "")


@triton.jit
def double_in_place(x, n, BLOCK: tl.constexpr):
    """Doubles what it has, block after block, then reads past its end."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)
    tl.store(x + at, tl.load(x + at + n))


@triton.jit
def add_up(x, out, BLOCK: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, BLOCK)), 0))


@triton.jit
def count(bins, out, BLOCK: tl.constexpr):
    """A race between programs."""
    at = tl.load(bins + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.store(out + at, tl.load(out + at) + 1)


@triton.jit
def endless(x):
    while tl.load(x) == 0:
        tl.store(x + 1, 1)


def contents(path: str) -> tuple[dict[str, Any], list[bytes]]:
    with zipfile.ZipFile(path) as archive:
        told = json.loads(archive.read("manifest.json"))
        return told, [archive.read(one["before"]["file"]) for one in told["storages"]]


def pasted(text: str, folder: Path) -> tuple[int, str]:
    """Runs the command that a text ends with, as a shell would, to its end."""
    if not EXECUTABLE:
        pytest.skip("LOCKSTEP_EXECUTABLE is not set")
    last = text.rstrip("\n").splitlines()[-1]
    assert last.startswith("replay: lockstep debug "), text
    path = f"{Path(EXECUTABLE).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", last.removeprefix("replay: ")], cwd=folder, env={**os.environ, "PATH": path}, text=True,
                          input="continue\ncontinue\ninfo findings\nquit\n", capture_output=True, check=False)  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_a_launch_that_raises_is_recorded_as_it_was_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    x = torch.arange(64, dtype=torch.float32)
    with lockstep.record("capsules") as recorder, pytest.raises(lockstep.OutOfBoundsError) as raised:
        double_in_place[(2,)](x, 64, BLOCK=32)
    assert recorder.written == ["capsules/0000-double_in_place.capsule"]
    assert not recorder.skipped
    told, (before,) = contents(recorder.written[0])
    assert before == torch.arange(64, dtype=torch.float32).numpy().tobytes()
    assert x[1] != 1  # the launch changed it
    assert (told["has_outputs"], told["raised"]) == (False, {"type": "OutOfBoundsError", "codes": ["LS101"]})
    assert str(raised.value).endswith("\nreplay: lockstep debug capsules/0000-double_in_place.capsule")
    code, said = pasted(str(raised.value), tmp_path)
    assert code == 1 and "LS101" in said, said


def test_memory_that_nobody_wrote_is_unwritten_in_the_replay(tmp_path: Path) -> None:
    from lockstep.pretend import uninitialised

    uninitialised.start()
    try:
        with lockstep.pretend_cuda(), lockstep.options(check="all"), lockstep.record(tmp_path) as recorder:
            with pytest.raises(lockstep.KernelFault) as raised:
                add_up[(1,)](torch.empty(32, device="cuda"), torch.zeros(1, device="cuda"), BLOCK=32)
    finally:
        uninitialised.stop()
    told, _ = contents(recorder.written[0])
    assert [one.get("unwritten", False) for one in told["storages"]].count(True) == 1
    assert str(raised.value).endswith("--check all --command 'catch error'")
    assert "finding LS201: read of uninitialised x" in pasted(str(raised.value), tmp_path)[1]


def test_the_command_looks_for_what_the_launch_was_looked_for(tmp_path: Path) -> None:
    bins, out = torch.arange(64, dtype=torch.int32) % 32, torch.zeros(32, dtype=torch.int32)
    with lockstep.options(check="all", bounds="view"), lockstep.record(tmp_path / "one.capsule"), pytest.raises(lockstep.KernelFault) as raised:
        count[(2,)](bins, out, BLOCK=32)
    assert str(raised.value).endswith("--check all --bounds view --command 'catch error'")
    assert raised.value.finding.code in ("LS301", "LS302")  # a race
    assert f"finding {raised.value.finding.code}" in pasted(str(raised.value), tmp_path)[1]


def test_a_launch_that_is_stopped_is_recorded(tmp_path: Path) -> None:
    with lockstep.options(timeout=0.2), lockstep.record(tmp_path) as recorder, pytest.raises(lockstep.LaunchTimeout) as raised:
        endless[(1,)](torch.zeros(2, dtype=torch.int32))
    assert len(recorder.written) == 1
    assert str(raised.value).splitlines()[-1].startswith("replay: lockstep debug ")


def test_what_cannot_be_written_does_not_hide_what_was_raised(tmp_path: Path) -> None:
    with lockstep.record(tmp_path / "folder") as recorder, pytest.raises(lockstep.OutOfBoundsError) as raised:
        (tmp_path / "folder").rmdir()
        double_in_place[(1,)](torch.zeros(8), 8, BLOCK=32)
    assert "replay:" not in str(raised.value) and sum(recorder.skipped.values()) == 1


def test_the_command_records_a_program_that_ends_with_the_exception(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import sys\nsys.path.insert(0, %r)\nimport torch\nfrom test_raised_launches import double_in_place\n"
        "double_in_place[(2,)](torch.zeros(64, device='cuda'), 64, BLOCK=32)\n" % str(Path(__file__).parent)
    )
    done = subprocess.run([sys.executable, "-m", "lockstep", "record", "-o", "kept", "train.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "lockstep: 1 of 1 launches recorded in kept" in done.stderr
    line = next(line for line in done.stderr.splitlines() if line.startswith("replay: "))
    code, said = pasted(line, tmp_path)
    assert code == 1 and "LS101" in said, said


# ---- pytest --lockstep-capsules ----

FAILS = """
    def test_raises():
        launch(copy_masked)
        launch(copy)

    def test_is_wrong():
        for _ in range(6):
            x, out = launch(copy_masked)
        assert out[0] == 1

    def test_is_right():
        launch(copy_masked)

    def test_expects():
        with pytest.raises(lockstep.KernelFault):
            launch(copy)
"""


def kept(folder: Path) -> list[str]:
    return sorted(one.name for one in (folder / "kept").glob("*.capsule"))


def commands(result: Any) -> list[str]:
    return [line for line in result.outlines if line.startswith("replay: ")]


def test_failing_tests_keep_their_launches(suite: Any, pytester: pytest.Pytester) -> None:  # noqa: F811
    result = suite(FAILS, "--lockstep-capsules", "kept")
    result.assert_outcomes(passed=2, failed=2)
    names = kept(pytester.path)
    assert [re.sub(r"-[0-9a-f]{8}-", "-", name) for name in names] == [
        *(f"test_suite.py__test_is_wrong-{n}-copy_masked.capsule" for n in range(4)), "test_suite.py__test_raises-0-copy.capsule",
    ]  # fmt: skip
    result.stdout.fnmatch_lines(["*lockstep capsules*", "copy (LS101)", "replay: lockstep debug kept/*test_raises*copy.capsule"])
    result.stdout.fnmatch_lines(["none of its launches went wrong by itself; the last:", "replay: lockstep debug kept/*test_is_wrong*-0-*"])
    result.stdout.fnmatch_lines(["lockstep: 5 capsules of failing tests in kept"])
    raising = next(line for line in commands(result) if "test_raises" in line)
    code, said = pasted(raising, pytester.path)
    assert code == 1 and "LS101" in said, said
    wrong = next(line for line in commands(result) if "test_is_wrong" in line)
    code, said = pasted(wrong, pytester.path)
    assert code == 0, said
    # A test that is mended takes its capsules away with it; the other's stay.
    fixed = suite(FAILS.replace("launch(copy)\n\n    def test_is_wrong", "\n\n    def test_is_wrong"), "--lockstep-capsules", "kept", "-k", "raises")
    fixed.assert_outcomes(passed=1, deselected=3)
    assert len(kept(pytester.path)) == 4


def test_findings_that_fail_a_test_are_kept_with_their_checkers(suite: Any, pytester: pytest.Pytester) -> None:  # noqa: F811
    result = suite("""
    def test_rows():
        launch_rows()
    """, "--lockstep-capsules=kept", "--lockstep-checkers=all")  # fmt: skip
    result.assert_outcomes(failed=1)
    (line,) = {line for line in commands(result)}
    assert "--check all --bounds view" in line
    code, said = pasted(line, pytester.path)
    assert code == 1 and re.search(r"LS10\d", said), said


def test_a_test_keeps_a_bounded_number(suite: Any, pytester: pytest.Pytester) -> None:  # noqa: F811
    result = suite("""
    def test_many():
        for _ in range(20):
            with pytest.raises(lockstep.KernelFault):
                launch(copy)
        assert False
    """, "--lockstep-capsules=kept")  # fmt: skip
    assert len(kept(pytester.path)) == 8
    result.stdout.fnmatch_lines(["lockstep: 8 capsules of failing tests in kept; 12 not kept: at most 8 a test, 200 and 1 GiB a session"])


def test_without_the_option_nothing_is_kept(suite: Any, pytester: pytest.Pytester) -> None:  # noqa: F811
    result = suite(FAILS, "--lockstep")
    assert not commands(result) and not (pytester.path / "kept").exists()
