"""lockstep.profile() and the option profile: what they count, that they change nothing, the trace, the environment."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import lockstep
import pytest
from backend_fixture import on_lockstep  # noqa: F401
from lockstep import settings

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")
tl = pytest.importorskip("triton.language")


@triton.jit
def twice(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index, mask=index < n) * 2, mask=index < n)


@triton.jit
def pick(where, x, out, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + tl.load(where + index)))


def launch_twice(n: int = 4000) -> torch.Tensor:
    x, out = torch.arange(n, dtype=torch.float32), torch.empty(n)
    twice[(triton.cdiv(n, 64),)](x, out, n, BLOCK=64)
    return out


def test_counts_every_launch_of_the_block():
    launch_twice()
    assert lockstep.last_report().profile is None
    with lockstep.profile() as times:
        first, second = launch_twice(), launch_twice()
        assert lockstep.last_report().profile.launches == 1
    launch_twice()
    assert torch.equal(first, second)
    assert torch.equal(first, launch_twice())
    profile = times.kernels["twice"]
    assert (profile.launches, profile.programs) == (2, 126)
    rows = profile.rows
    assert sum(row["bytes_read"] for row in rows) == sum(row["bytes_written"] for row in rows) == 2 * 16000
    assert {Path(row["file"]).name for row in rows if row["op"] == "tt.load"} == {"test_profile.py"}
    assert 0 < sum(row["seconds"] for row in rows) <= profile.seconds * profile.threads
    text = str(times)
    assert text.startswith("profile of twice: 2 launches, 126 programs in ")
    assert "tl.store(out + index, tl.load(x + index" in text


def test_trace_nests_ops_in_lines_in_programs(tmp_path):
    with lockstep.options(threads=2), lockstep.profile(trace=True) as times:
        launch_twice()
        launch_twice()
    times.save_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    open_slices: dict[tuple[int, str], tuple[float, float]] = {}
    inside = {"line": "programs", "op": "line"}
    for event in trace["traceEvents"]:
        assert event["ph"] in ("M", "X")
        if event["ph"] == "M":
            continue
        begin, end = event["ts"], event["ts"] + event["dur"]
        if event["cat"] in inside:
            outer = open_slices[event["tid"], inside[event["cat"]]]
            assert outer[0] - 0.002 <= begin <= end <= outer[1] + 0.002
        open_slices[event["tid"], event["cat"]] = begin, end
    assert {category for _, category in open_slices} == {"programs", "line", "op"}
    assert trace["otherData"]["rows"]


def test_a_trace_needs_its_slices(tmp_path):
    with lockstep.profile() as times:
        launch_twice()
    with pytest.raises(ValueError, match=r"profile\(trace=True\)"):
        times.save_trace(tmp_path / "trace.json")


def test_says_what_costs_time():
    with lockstep.profile() as times:
        where = (torch.arange(64, dtype=torch.int32) * 29) % 64
        pick[(1,)](where, torch.ones(64), torch.empty(64), BLOCK=64)
    ((file, line, text),) = times.kernels["pick"].advice
    assert Path(file).name == "test_profile.py"
    assert line > 0
    assert text.startswith("tt.load took its addresses lane by lane (1 of 1 calls)")


@pytest.mark.parametrize(("value", "profile"), [("1", True), ("trace", "trace"), ("0", False)])
def test_environment(value, profile):
    assert settings.from_environment({"LOCKSTEP_PROFILE": value}).profile == profile


def test_refuses_other_values():
    with pytest.raises(lockstep.OptionError, match="the option profile must be True, False or 'trace', not 'lines'"):
        lockstep.options(profile="lines")


def test_profile_of_a_whole_program(tmp_path):
    script = tmp_path / "script.py"
    source = Path(__file__).read_text()
    kernel = source[source.index("@triton.jit") : source.index("@triton.jit\ndef pick")]
    script.write_text(f"import torch, triton\nimport triton.language as tl\n\n\n{kernel}\n"
                      "twice[(2,)](torch.ones(100), torch.empty(100), 100, BLOCK=64)\n")  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "lockstep", "--profile", str(script)], capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "profile of twice: 2 programs in " in done.stderr
