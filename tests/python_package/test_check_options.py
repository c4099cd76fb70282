"""Options of checkers from Python: orders of programs and of lanes, residency, what a launch was compiled for, GPUs by name,
and findings that do not count: comments in the source and baselines."""

import linecache
import os
import pickle
import re
import subprocess
import sys

import lockstep
import pytest
import torch
import triton
import triton.language as tl
from lockstep import settings

pytest_plugins = "pytester"


@triton.jit
def last_wins(out):
    tl.atomic_xchg(out, tl.program_id(0))


@triton.jit
def barrier(arrived):
    tl.atomic_add(arrived, 1)
    while tl.atomic_add(arrived, 0) < tl.num_programs(0):
        pass


@triton.jit
def mirror(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, i)
    tl.store(x + i, tl.load(out + BLOCK - 1 - i))


@triton.jit
def recurrence(state, rows, D: tl.constexpr):
    i = tl.arange(0, D)[:, None] * D + tl.arange(0, D)[None, :]
    for r in range(1, rows):
        before = tl.load(state + (r - 1) * D * D + i)
        tl.store(state + r * D * D + i, tl.dot(before, before, out_dtype=tl.float32).to(tl.float16) + 1)


@triton.jit
def past_the_end(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i)
    tl.store(out + i, value)


@triton.jit
def known_past_the_end(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i)  # lockstep: ignore[LS101] the tail is padding
    tl.store(out + i, value)


def zeros(count):
    return torch.zeros(count, dtype=torch.int32)


def codes_of(kernel, grid, *args, launch=None, **changes):
    """The codes of a launch under these options, and its report."""
    changes = {"findings": "ignore", "check": "all"} | changes
    with lockstep.active(), lockstep.options(**changes), lockstep.reports() as seen:
        kernel[grid](*args, **(launch or {}))
    return [finding.code for finding in seen[0].findings], seen[0]


def test_orders_of_programs_are_tried():
    out = zeros(1)
    codes, report = codes_of(last_wins, (4,), out, schedules=8)
    assert (codes, report.schedules, out.item()) == (["LS310"], 8, 3)
    assert (report.checkers["races"], report.checkers["division"]) == ("text", "text")
    assert codes_of(last_wins, (4,), zeros(1))[0] == []


def test_one_order_is_shown_again():
    codes, report = codes_of(last_wins, (8,), zeros(1), schedules=16, schedule_seed=7)
    number = int(re.search(r"in schedule (\d+)", report.findings[0].message)[1])
    value = int(re.search(rf"(\d+) in schedule {number}", report.findings[0].message)[1])
    out = zeros(1)
    assert codes_of(last_wins, (8,), out, schedule=number, schedule_seed=7)[1].schedules == 1
    assert (codes, out.item()) == (["LS310"], value)


def test_residency():
    assert codes_of(barrier, (4,), zeros(1))[0] == []
    with pytest.raises(lockstep.Deadlock):
        codes_of(barrier, (4,), zeros(1), resident=3)
    assert codes_of(barrier, (4,), zeros(1), resident=4)[0] == []


def test_order_of_lanes():
    x, out = zeros(32), zeros(32)
    assert codes_of(mirror, (1,), x, out, launch={"BLOCK": 32})[0] == ["LS401"]
    assert x.tolist() == list(range(32))[::-1]
    codes_of(mirror, (1,), x, zeros(32), launch={"BLOCK": 32}, lane_order="late-store")
    assert x.tolist() != list(range(32))[::-1]


def test_a_seed_draws_an_order_of_lanes():
    def outcome(seed):
        x = zeros(32)
        codes_of(mirror, (1,), x, zeros(32), launch={"BLOCK": 32}, lane_order="random", lane_seed=seed)
        return x.tolist()

    assert outcome(1) == outcome(1)
    assert len({tuple(outcome(seed)) for seed in range(4)}) > 1


def test_checkers_know_what_the_launch_was_compiled_for():
    state, size = torch.zeros(4 * 16 * 16, dtype=torch.float16), {"D": 16}
    assert "LS406" in codes_of(recurrence, (1,), state, 4, launch=size)[0]
    assert "LS406" not in codes_of(recurrence, (1,), state, 4, launch=size | {"num_stages": 1})[0]


def test_a_gpu_by_name():
    codes, report = codes_of(last_wins, (2,), zeros(1), target="H100", check="lints")
    assert "LSP00" in codes and any("h100" in finding.message for finding in report.findings)
    assert "LSP00" not in codes_of(last_wins, (2,), zeros(1), target="sm_90", check="lints")[0]
    with lockstep.options(target="a100") as now:
        assert now.target == "a100"
    grid = 108 * 16 + 1  # an A100 has room for 108 * 16 programs of 4 warps
    with pytest.raises(lockstep.Deadlock):
        codes_of(barrier, (grid,), zeros(1), target="a100", check="none")
    assert codes_of(barrier, (grid,), zeros(1), target="h100", check="none")[0] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lane_order": "backward"}, "'forward' or 'reverse' or 'random' or 'late-store', not 'backward'"),
        ({"schedules": 0}, "the option schedules must be a whole number from 1 to 1048576, not 0"),
        ({"schedules": True}, "not True"),
        ({"schedule": -1}, "the option schedule must be a whole number from 0"),
        ({"schedule_seed": 1.5}, "the option schedule_seed must be a whole number"),
        ({"resident": "many"}, "the option resident must be a whole number from 0"),
        ({"baseline": "nowhere.txt"}, "the option baseline must be an existing file, not 'nowhere.txt'"),
        ({"baseline": 3}, "the option baseline must be the path of a file, not 3"),
        ({"baseline": __file__}, "the option baseline must be a baseline: "),
        ({"update_baseline": os.path.dirname(__file__)}, "the option update_baseline must be a readable file"),
        ({"target": "h300"}, "sm_120, a100, h100, h200, not 'h300'"),
    ],
)
def test_wrong_values_say_what_is_right(change, message):
    with pytest.raises(lockstep.OptionError) as caught:
        lockstep.set_options(**change)
    assert message in str(caught.value)


def test_the_environment(tmp_path):
    path = tmp_path / "known.txt"
    path.write_text("# nothing is known\n")
    given = settings.from_environment(
        {"LOCKSTEP_SCHEDULES": "4", "LOCKSTEP_SCHEDULE_SEED": "9", "LOCKSTEP_SCHEDULE": "3", "LOCKSTEP_RESIDENT": "2",
         "LOCKSTEP_LANE_ORDER": "reverse", "LOCKSTEP_BASELINE": str(path), "LOCKSTEP_AS": "h200"})  # fmt: skip
    assert (given.schedules, given.schedule_seed, given.schedule, given.resident) == (4, 9, 3, 2)
    assert (given.lane_order, given.baseline, given.target) == ("reverse", str(path), "h200")
    with pytest.raises(lockstep.OptionError, match="LOCKSTEP_UPDATE_BASELINE"):
        settings.from_environment({"LOCKSTEP_UPDATE_BASELINE": str(tmp_path)})


def test_a_comment_silences():
    args = (torch.zeros(100), torch.zeros(128))
    codes, report = codes_of(past_the_end, (1,), *args, launch={"BLOCK": 128})
    assert codes == ["LS101"] and report.silenced == []
    with lockstep.active(), lockstep.options(findings="raise"), lockstep.reports() as seen:
        known_past_the_end[(1,)](*args, BLOCK=128)
    assert seen[0].findings == [] and [one.code for one in seen[0].silenced] == ["LS101"]
    assert "known_past_the_end" not in seen[0].silenced[0].text and "the tail is padding" in seen[0].silenced[0].text
    assert [one.code for one in pickle.loads(pickle.dumps(seen[0])).silenced] == ["LS101"]


def test_a_comment_silences_where_the_source_is_in_no_file():
    name = "<a cell>"
    text = '''
@triton.jit
def cell(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    # lockstep: ignore[LS101]
    tl.store(out + i, tl.load(x + i))
'''
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = {"triton": triton, "tl": tl, "__name__": "cell"}
    exec(compile(text, name, "exec"), space)  # noqa: S102 - as a notebook does
    codes, report = codes_of(space["cell"], (1,), torch.zeros(8), torch.zeros(16), launch={"BLOCK": 16})
    assert codes == [] and [one.code for one in report.silenced] == ["LS101"]
    assert "tl.load(x + i)" in report.silenced[0].text


@pytest.mark.parametrize("bounds", ["storage", "view"])
def test_what_lies_behind_a_tensor_changes_no_code(bounds):
    memory = torch.zeros(4096).numpy()
    x, far, near = (torch.from_numpy(memory[begin:end]) for begin, end in ((0, 100), (3000, 3128), (112, 240)))
    options = {"launch": {"BLOCK": 128}, "check": "none", "bounds": bounds}
    reports = [codes_of(past_the_end, (1,), x, out, **options) for out in (far, near)]
    assert [codes for codes, _ in reports] == [["LS101"], ["LS101"]]
    texts = [report.findings[0].text for _, report in reports]
    assert "16 of the lanes: in this launch 'out' lies there" in texts[1] and "lies there" not in texts[0]


def test_a_baseline(tmp_path):
    path, args, launch = tmp_path / "known.txt", (torch.zeros(100), torch.zeros(128)), {"BLOCK": 128}
    codes, report = codes_of(past_the_end, (1,), *args, launch=launch, findings="raise", update_baseline=path)
    assert codes == [] and [one.code for one in report.silenced] == ["LS101"]
    lines = path.read_text().splitlines()
    assert len(lines) == 2 and lines[0].startswith("#") and "LS101 past_the_end" in lines[1]
    assert codes_of(past_the_end, (1,), *args, launch=launch, findings="raise", baseline=path)[0] == []
    assert codes_of(last_wins, (4,), zeros(1), schedules=8, update_baseline=str(path))[0] == []
    codes_of(last_wins, (4,), zeros(1), schedules=8, update_baseline=str(path))
    assert [line.split()[1] for line in path.read_text().splitlines()[1:]] == ["LS101", "LS310"]
    with pytest.raises(lockstep.OutOfBoundsError):
        codes_of(past_the_end, (1,), *args, launch=launch, findings="raise")


SCRIPT = """
import torch, triton, triton.language as tl
@triton.jit
def copy(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))
copy[(1,)](torch.zeros(100, device="cuda"), torch.zeros(128, device="cuda"), BLOCK=128)
"""


def run(folder, *words):
    (folder / "script.py").write_text(SCRIPT)
    return subprocess.run([sys.executable, "-m", "lockstep", *words, "script.py"], cwd=folder, capture_output=True,
                          text=True, check=False, timeout=300)  # fmt: skip


def test_the_command_takes_baselines(tmp_path):
    assert run(tmp_path, "--update-baseline", "known.txt").returncode == 0
    assert run(tmp_path, "--baseline", "known.txt").returncode == 0
    assert "LS101" in run(tmp_path).stderr
    missing = run(tmp_path, "--baseline", "other.txt")
    assert missing.returncode == 2 and "--baseline must be an existing file" in missing.stderr


def test_the_baseline_of_the_command_line_is_the_same(tmp_path):
    run(tmp_path, "--update-baseline", "known.txt")
    command = os.environ.get("LOCKSTEP_EXECUTABLE")
    if not command:
        pytest.skip("LOCKSTEP_EXECUTABLE names no command")
    text = SCRIPT.rsplit("\n", 2)[0]
    (tmp_path / "kernel.py").write_text(text)
    done = subprocess.run(
        [command, "run", "kernel.py::copy", "--grid", "1", "x=zeros:f32[100]", "out=zeros:f32[128]", "BLOCK=128",
         "--baseline", "known.txt"], cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0 and "1 silenced" in done.stdout


TEST = """
import torch, triton, triton.language as tl
import lockstep
@triton.jit
def copy(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))
def test_it():
    copy[(1,)](torch.zeros(100), torch.zeros(128), BLOCK=128)
    assert lockstep.get_options().schedules == 3
"""


def test_the_plugin_takes_baselines(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(TEST)
    plugin = ("-p", "no:cacheprovider", "-p", "lockstep.pytest_plugin", "--lockstep-option", "schedules=3")
    pytester.runpytest_subprocess(*plugin, "--lockstep-check").assert_outcomes(failed=1)
    first = pytester.runpytest_subprocess(*plugin, "--lockstep-update-baseline", "known.txt")
    first.assert_outcomes(passed=1)
    first.stdout.fnmatch_lines(["lockstep: 1 launch, 1 program, 0 findings, 1 silenced"])
    pytester.runpytest_subprocess(*plugin, "--lockstep-baseline", "known.txt").assert_outcomes(passed=1)
    pytester.makeini("[pytest]\nlockstep_check = true\nlockstep_baseline = known.txt\nlockstep_options = schedules=3\n")
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "lockstep.pytest_plugin").assert_outcomes(passed=1)
    wrong = pytester.runpytest_subprocess(*plugin, "--lockstep-option", "schedules")
    assert "is not NAME=VALUE" in str(wrong.stderr)
