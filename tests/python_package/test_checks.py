"""What is looked for from Python: the options check, memory_model and triton, and memory of torch.empty."""

import importlib.metadata
import re

import lockstep
import numpy
import pytest
import torch
import triton
import triton.language as tl
from counting_kernels import count, halve
from lockstep import _native, settings

pytest_plugins = "pytester"


@triton.jit
def accumulate(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    tl.store(out + index, tl.load(x + index, mask=mask) + tl.load(out + index, mask=mask), mask=mask)


@triton.jit
def fill(out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, index, mask=index < n)


@triton.jit
def divide(x, y, out):
    tl.store(out, tl.load(x) // tl.load(y))


@pytest.fixture
def empties():
    """Memory of torch.empty is watched, as under `python -m lockstep`."""
    from lockstep.pretend import uninitialised

    with lockstep.active(), lockstep.pretend_cuda(), lockstep.options(check="definedness,coverage"):
        uninitialised.start()
        try:
            yield
        finally:
            uninitialised.stop()


def codes_of(out):
    with lockstep.options(findings="ignore"), lockstep.reports() as seen:
        accumulate[(4,)](torch.ones(1000, device=out.device), out, 1000, BLOCK=256)
    return [finding.code for finding in seen[0].findings if finding.tier != "info"]  # it is not idempotent, which is meant


MADE = {
    "empty": lambda: torch.empty(1000),
    "on the GPU": lambda: torch.empty(1000, device="cuda"),
    "empty_like": lambda: torch.empty_like(torch.ones(1000)),
    "empty_strided": lambda: torch.empty_strided((1000,), (1,)),
    "new_empty": lambda: torch.ones(1000).new_empty(1000),
    "a view": lambda: torch.empty(10, 100).view(-1),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_memory_that_nobody_wrote_is_found(empties, make):
    out = make()
    assert codes_of(out) == ["LS201"]
    assert codes_of(out) == []  # the kernel has written it


def written(write):
    out = torch.empty(1000)
    write(out)
    return out


WRITTEN = {
    "in place": lambda out: out.zero_(),
    "a slice": lambda out: out[:10].fill_(1),
    "out=": lambda out: torch.add(torch.ones(1000), 1, out=out),
    "data": lambda out: out.data.zero_(),
    "numpy": lambda out: out.numpy().fill(0),
    "detached": lambda out: out.detach().fill_(2),
    "parameter": lambda out: torch.nn.init.zeros_(torch.nn.Parameter(out)),
    "a kernel": lambda out: fill[(4,)](out, 1000, BLOCK=256),
    "a copy": lambda out: out.copy_(torch.ones(1000)),
    "dlpack": lambda out: torch.from_dlpack(out).fill_(3),
}


@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
def test_memory_that_somebody_wrote_is_not(empties, write):
    assert codes_of(written(write)) == []


def test_memory_of_other_making_is_not(empties):
    assert codes_of(torch.zeros(1000)) == []
    assert codes_of(torch.empty(1000).clone()) == []
    with torch.inference_mode():
        assert codes_of(torch.empty(1000)) == []  # it has no version


def test_memory_that_was_given_back_is_forgotten(empties):
    for _ in range(50):
        torch.empty(1000)
        assert codes_of(torch.zeros(1000)) == []


def test_elsewhere_every_tensor_is_initialised():
    with lockstep.active():
        assert codes_of(torch.empty(1000)) == []


def test_the_finding_says_where_memory_was_made(empties):
    out = torch.empty(1000)
    with pytest.raises(lockstep.KernelFault) as raised:
        accumulate[(4,)](torch.ones(1000), out, 1000, BLOCK=256)
    notes = " ".join(note for finding in raised.value.report.findings for note, _, _ in finding.notes)
    assert "'out' was made, empty, at" in notes and "test_checks.py:" in notes


MAKERS = {
    "zeros": lambda: torch.zeros(1000),
    "on the GPU": lambda: torch.randn(1000, device="cuda"),
    "a copy": lambda: torch.ones(500).repeat(2).clone(),
    "a view": lambda: torch.arange(2000.0)[:1000],
    "written since": lambda: torch.empty(1000).fill_(1),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_findings_say_where_memory_was_made(empties, make):
    x = make()
    with lockstep.options(bounds="view", findings="ignore"), lockstep.reports() as seen:
        accumulate[(4,)](x, torch.zeros(1024), 1024, BLOCK=256)
    finding = next(finding for finding in seen[0].findings if finding.code.startswith("LS10"))
    assert [re.sub(r"at .*[/\\\\]", "at ", note) for note, _, _ in finding.notes] == [
        f"'x' was made at test_checks.py:{make.__code__.co_firstlineno}"
    ]


def test_memory_that_ended_has_no_site(empties):
    for _ in range(20):
        torch.zeros(1000)
        x = torch.from_numpy(numpy.zeros(1000, dtype=numpy.float32))
        with lockstep.options(bounds="view", findings="ignore"), lockstep.reports() as seen:
            accumulate[(4,)](x, torch.zeros(1024), 1024, BLOCK=256)
        about_x = [finding for finding in seen[0].findings if finding.argument == "x"]
        # Where the allocator put the other argument behind x, a note says so; it has no place.
        assert about_x and [note for finding in about_x for note in finding.notes if note[1]] == []


def test_check_chooses_what_is_looked_for():
    one, zero = torch.ones(1, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    found = {}
    for check in ("none", "division", "all", "all,-division"):
        with lockstep.active(), lockstep.options(check=check, findings="ignore"), lockstep.reports() as seen:
            divide[(1,)](one, zero, torch.zeros(1, dtype=torch.int32))
        found[check] = "LS503" in [finding.code for finding in seen[0].findings]
    assert found == {"none": False, "division": True, "all": True, "all,-division": False}


def test_options_refuse_what_they_do_not_know():
    for name, value in (("check", "nonsense"), ("check", 3), ("memory_model", "weak"), ("triton", "2.1")):
        with pytest.raises(lockstep.OptionError, match=name):
            lockstep.set_options(**{name: value})
    assert settings.from_environment({"LOCKSTEP_CHECK": "all,-lanes"}).check == "all,-lanes"
    with pytest.raises(lockstep.OptionError, match="LOCKSTEP_MEMORY_MODEL"):
        settings.from_environment({"LOCKSTEP_MEMORY_MODEL": "weak"})


def test_what_nobody_asked_for_warns(empties):
    out = torch.empty(1000)
    with lockstep.options(check="default"), pytest.warns(lockstep.FindingWarning, match="LS201|LS202"):
        accumulate[(4,)](torch.ones(1000), out, 1000, BLOCK=256)


def test_a_race_is_told_without_an_option():
    h, index = torch.zeros(8, dtype=torch.int32), torch.arange(64, dtype=torch.int32) % 8
    with lockstep.active():
        with pytest.warns(lockstep.FindingWarning, match="LS302"):
            count[(64,)](h, index)
        assert lockstep.last_report().left_out == ()
        with lockstep.options(check="auto"), pytest.raises(lockstep.KernelFault, match="LS302"):
            count[(64,)](h, index)
        with lockstep.options(check="quick"):
            count[(64,)](h, index)
        assert "races" not in lockstep.last_report().checkers


def test_a_report_says_what_was_not_looked_for():
    x, out = torch.rand(4096), torch.zeros(4096)
    with lockstep.active():
        halve[(4,)](x, out, 3, BLOCK=1024)
        assert lockstep.last_report().left_out == ()
        assert lockstep.last_report().checkers["precision"] == "steps"
        halve[(4,)](x, out, 100_000, BLOCK=1024)
        assert lockstep.last_report().left_out == ("precision",)
        assert "precision" not in lockstep.last_report().checkers


def ways_of_looking(block):
    """How each of 3,000 launches of a kernel of its own was looked at."""
    x, out = torch.rand(4096), torch.zeros(4096)
    with lockstep.active(), lockstep.reports() as seen:
        for _ in range(3000):
            halve[(4096 // block,)](x, out, 3, BLOCK=block)
    assert not any(report.left_out for report in seen)
    return [report.checkers["precision"] for report in seen]


def test_a_loop_of_launches_is_not_slowed():
    """Looking is paid from a tenth of the kernel's time; what an earlier launch was looked at for is not left out."""
    for block in (1024, 512, 2048):  # a launch that a busy machine holds up for seconds pays for all looks of its kernel
        looked = ways_of_looking(block)
        assert looked[0] == "steps"
        if looked.count("earlier") > 2000:
            return
    raise AssertionError(f"{looked.count('steps')} of 3,000 launches were looked at by steps")


def test_checkers_are_listed():
    names = {name: is_default for name, _, is_default in _native.checkers()}
    assert names["definedness"] and names["coverage"] and not names["aliasing"]
    with lockstep.options(check=["definedness", "coverage"]) as options:
        assert options.check == "definedness,coverage"


def test_triton_is_the_installed_one():
    installed = ".".join(importlib.metadata.version("triton").split(".")[:2])
    assert settings.installed_triton() == (installed if installed in settings.TRITON_VERSIONS else settings.DEFAULT_TRITON)


def test_the_plugin_takes_checkers(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile("import lockstep\n\ndef test_it():\n    assert lockstep.get_options().check == 'all,-lanes'\n")
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--lockstep-checkers", "all,-lanes",
                                         "-p", "lockstep.pytest_plugin")  # fmt: skip
    done.assert_outcomes(passed=1)


@triton.jit
def double_rows(x, length, BLOCK: tl.constexpr, STRIDE: tl.constexpr):
    """Each program has a row of STRIDE elements, of which memory says how many it doubles."""
    at = tl.arange(0, BLOCK)
    row = x + tl.program_id(0) * STRIDE + at
    tl.store(row, tl.load(row, mask=at < tl.load(length)) * 2, mask=at < tl.load(length))


def test_programs_that_the_text_shows_apart_are_not_watched():
    """What memory holds may change that: the last elements of a row may be the first ones of the next."""
    x = torch.ones(8 * 64 + 64)
    with lockstep.active(), lockstep.options(check="races", findings="ignore"):
        for length, code in ((64, None), (65, "LS302"), (64, None), (65, "LS302")):
            double_rows[(8,)](x, torch.tensor(length), BLOCK=128, STRIDE=64)
            report = lockstep.last_report()
            assert [one.code for one in report.findings] == ([code] if code else [])
            assert report.checkers["races"] == ("steps" if code else "text")


@triton.jit
def pass_on(out, sums, flags, SEM: tl.constexpr):
    """Each program waits for the one before it and adds one to its number."""
    program = tl.program_id(0)
    before = 0
    if program > 0:
        while tl.atomic_add(flags + program - 1, 0, sem="acquire") == 0:
            pass
        before = tl.load(sums + program - 1, volatile=True)
    tl.store(sums + program, before + 1)
    tl.debug_barrier()
    tl.atomic_xchg(flags + program, 1, sem=SEM)
    tl.store(out + program, before)


@pytest.mark.parametrize("sem", ["release", "relaxed"])
def test_launches_that_wait_are_watched_from_the_second_on(sem):
    out, sums = torch.empty(16, dtype=torch.int32), torch.empty(16, dtype=torch.int32)
    with lockstep.active(), lockstep.options(check="races", findings="ignore"):
        for _ in range(3):
            out.zero_()
            pass_on[(16,)](out, sums, torch.zeros(16, dtype=torch.int32), SEM=sem)
            assert out.tolist() == list(range(16))
            assert lockstep.last_report().checkers["races"] == "steps"
            assert [one.code for one in lockstep.last_report().findings] == ([] if sem == "release" else ["LS306"])


@triton.jit
def double_all(x, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) * 2)


def ways(seen, name):
    return [report.checkers.get(name) for report in seen]


def test_what_hangs_on_addresses_alone_is_looked_for_once():
    """Unless somebody asks, or memory decides the addresses."""
    x, length = torch.ones(1024), torch.tensor(64)
    with lockstep.active(), lockstep.options(findings="ignore"):
        with lockstep.reports() as seen:
            for _ in range(3):
                double_all[(16,)](x, BLOCK=64)
        assert ways(seen, "idempotence") == ways(seen, "lanes") == ["ranges", "earlier", "earlier"]
        assert [[one.code for one in report.findings] for report in seen] == [["LS801"], [], []]
        with lockstep.options(check="idempotence"), lockstep.reports() as seen:
            for _ in range(2):
                double_all[(16,)](x, BLOCK=64)
        assert ways(seen, "idempotence") == ["ranges", "ranges"]
        with lockstep.reports() as seen:
            for _ in range(3):
                double_rows[(16,)](x, length, BLOCK=64, STRIDE=64)
        assert ways(seen, "idempotence") == ["ranges", "ranges", "ranges"]
