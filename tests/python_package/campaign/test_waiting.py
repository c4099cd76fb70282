"""What waits for somebody's tests has an end, and says what it waited for."""

import os
import subprocess
import sys
import time

import pytest
from lockstep.campaign import __main__ as command
from lockstep.campaign import waiting
from lockstep.campaign.problems import Stuck
from lockstep.campaign.sources.tests import listing

SUITE = """
import time, torch, triton, triton.language as tl

@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)

@triton.jit
def endless(x):
    while tl.load(x) == 0:
        tl.store(x + 1, 1)

def test_double():
    double[(1,)](torch.ones(20, device="cuda"), 20, BLOCK=32)
"""
SLEEPS = "\ndef test_that_hangs():\n    time.sleep(1000)\n"
LOOPS = "\ndef test_that_loops():\n    endless[(1,)](torch.zeros(2, dtype=torch.int32, device='cuda'))\n"


@pytest.fixture
def suite(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider")

    def run(text, *options):
        (tmp_path / "test_it.py").write_text(text)
        return command.main(["--from-tests", "pytest test_it.py", "--write-only", *options])

    return run


def test_a_test_that_hangs_while_recording_is_named(suite, capfd):
    start = time.monotonic()
    assert suite(SUITE + SLEEPS, "--patience", "20") == 2
    assert time.monotonic() - start < 120
    said = capfd.readouterr().err
    assert "recording: waiting for test_it.py::test_that_hangs: nothing new for 2" in said
    assert "in test_that_hangs" in said, said  # the stack
    assert not os.path.exists("campaign/campaign.toml")


def test_a_launch_without_an_end_fails_its_test_and_is_recorded(suite, capfd, tmp_path):
    assert suite(SUITE + LOOPS, "--patience", "40") == 0
    assert "2 launches recorded" in capfd.readouterr().out
    assert sorted(one.name[5:] for one in (tmp_path / "campaign" / "capsules").iterdir()) == ["double.capsule", "endless.capsule"]
    # The launches of an earlier run go: they have its kernels.
    assert suite(SUITE.replace("double", "twice")) == 0
    assert [one.name for one in (tmp_path / "campaign" / "capsules").iterdir()] == ["0000-twice.capsule"]


def test_a_recording_that_fails_is_told(suite, capfd):
    assert suite("raise SystemExit(1)\n") == 2
    assert "ended with exit code" in capfd.readouterr().err
    assert suite(SUITE, "--patience", "soon") == 2


def test_a_suite_that_leaves_a_process_behind_is_listed(tmp_path, monkeypatch):
    """It holds the ends of pipes that it was given."""
    (tmp_path / "conftest.py").write_text("import subprocess, sys\nleft = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n")
    (tmp_path / "test_it.py").write_text("def test_one():\n    assert 1\n")
    start = time.monotonic()
    assert listing.listed({"suite": "pytest test_it.py"}, str(tmp_path)) == {"test_it.py::test_one": []}
    assert time.monotonic() - start < 50


def test_a_suite_that_cannot_be_collected_in_time_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 6.0)
    (tmp_path / "test_it.py").write_text("import time\ntime.sleep(1000)\n")
    with pytest.raises(listing.CannotList, match="waiting for pytest to collect the suite: nothing new for 6 s") as stuck:
        listing.listed({"suite": "pytest test_it.py"}, str(tmp_path))
    assert "test_it.py" in str(stuck.value)


def test_what_is_waited_for_is_told_before_the_end(capfd, monkeypatch):
    monkeypatch.setattr(waiting, "_NOTE", 0.5)
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], stderr=subprocess.DEVNULL)
    with pytest.raises(Stuck):
        waiting.wait(process, waiting.since(time.monotonic(), "waiting for sleep"), 3.0)
    assert process.poll() is not None
    assert "lockstep: waiting for sleep for 1 s\nlockstep: waiting for sleep for 1 s\n" in capfd.readouterr().err.replace("for 0 s", "for 1 s")
