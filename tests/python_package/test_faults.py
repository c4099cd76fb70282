"""What a user sees when a launch goes wrong: exceptions, their places, memory afterwards, Ctrl-C, timeouts."""

import contextlib
import gc
import inspect
import linecache
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import traceback
import types
import warnings
import weakref
from pathlib import Path

import fault_kernels
import lockstep
import pytest
import torch
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)
from fault_kernels import (
    assert_small,
    copy,
    copy_by_helper,
    copy_masked,
    double_then_fault,
    rows,
    spin,
    wait_for_ever,
)

HERE = Path(__file__).parent
KERNELS = str(Path(fault_kernels.__file__))
BLOCK = 128
ON_LOCKSTEP = {**os.environ, "LOCKSTEP": "1"}  # also beside a GPU


def line_of(text: str) -> int:
    lines = Path(KERNELS).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def faulty_copy() -> tuple[torch.Tensor, lockstep.KernelError]:
    out = torch.full((1000,), -1.0)
    with pytest.raises(lockstep.KernelError) as caught:
        copy[(8,)](torch.arange(1000.0), out, 1000, BLOCK=BLOCK)
    return out, caught.value


def test_out_of_bounds_names_line_argument_and_programs():
    _, error = faulty_copy()
    assert type(error) is lockstep.OutOfBoundsError
    for caught_as in (RuntimeError, IndexError, lockstep.KernelFault, lockstep.LockstepError):
        assert isinstance(error, caught_as)
    assert (error.file, error.line) == (KERNELS, line_of("# no mask"))
    assert error.finding.code == "LS101"
    assert error.finding.argument == "x"
    assert error.finding.program == (7, 0, 0)
    assert error.finding.lane == (104,)
    assert (error.kernel, error.grid) == ("copy", (8, 1, 1))
    lines = str(error).splitlines()
    assert lines[0].startswith(f"{KERNELS}:{error.line}:")
    assert "out-of-bounds read: x[1000..1023], x has 1000 elements" in lines[0]
    assert "value = tl.load(x + index)  # no mask" in lines[1]
    assert lines[2].strip(" |") == "^"
    assert lines[-1] == "copy: 7 of 8 programs finished: 0..6"
    assert list(error.finished_programs) == [(i, 0, 0) for i in range(7)]


def test_memory_holds_what_ran_beside_the_fault():
    out, _ = faulty_copy()
    assert torch.equal(out, torch.arange(1000.0))


def test_the_traceback_ends_in_the_kernels_line():
    _, error = faulty_copy()
    last = traceback.extract_tb(error.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name) == (KERNELS, line_of("# no mask"), "copy")
    assert "value = tl.load(x + index)" in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("file", ["a\0b", "\ud800", "", "/", KERNELS])
@pytest.mark.parametrize("line", [1, 2**31, 2**40])
@pytest.mark.parametrize("name", ["None", "", "a b", "@x\0"])
def test_places_that_no_file_has_are_harmless(file, line, name):
    from lockstep import report

    report.kernel_traceback(file, line, 2**40, name)
    report.kernel_traceback(file, line, 0, name)


def test_a_fault_in_a_helper_names_the_helper_and_its_caller():
    with pytest.raises(lockstep.OutOfBoundsError) as caught:
        copy_by_helper[(8,)](torch.arange(1000.0), torch.zeros(1000), 1000, BLOCK=BLOCK)
    assert caught.value.line == line_of("return tl.load(x + index)")
    assert f":{line_of('value = helper_load(x, index)')}:" in str(caught.value)
    last = caught.value.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    assert (code.co_name, code.co_firstlineno) == ("helper_load", line_of("def helper_load"))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_message_for_any_number_of_threads(threads):
    with lockstep.options(threads=1):
        first = str(faulty_copy()[1])
    with lockstep.options(threads=threads):
        assert str(faulty_copy()[1]) == first


def test_rollback_restores_what_was_written():
    x = torch.arange(512.0)
    with lockstep.options(rollback=True), pytest.raises(lockstep.OutOfBoundsError) as caught:
        double_then_fault[(4,)](x, BLOCK=BLOCK)
    assert torch.equal(x, torch.arange(512.0))
    assert caught.value.report.rolled_back
    assert "memory is as it was before the launch" in str(caught.value)
    with pytest.raises(lockstep.OutOfBoundsError) as caught:
        double_then_fault[(4,)](x, BLOCK=BLOCK)
    expected = torch.arange(512.0) * 2
    expected[256:384] = 0  # what a read outside gives
    assert torch.equal(x, expected)
    assert str(caught.value.finished_programs) == "0..1, 3"


def test_device_assert_with_debug():
    with pytest.raises(AssertionError, match="value is not small") as caught:
        assert_small[(2,)](torch.arange(16.0), BLOCK=8, debug=True)
    assert type(caught.value) is lockstep.DeviceAssertionError
    assert caught.value.line == line_of("tl.device_assert")


def test_device_assert_without_debug_is_a_warning():
    """Triton drops the assertion there, so that the launch goes on."""
    with pytest.warns(lockstep.FindingWarning, match="value is not small") as caught, lockstep.reports() as seen:
        assert_small[(2,)](torch.arange(16.0), BLOCK=8)
    assert caught[0].lineno == line_of("tl.device_assert")
    assert [(finding.code, finding.tier) for finding in seen[0].findings] == [("LS120", "warning")]
    assert not seen[0].has_errors


def test_deadlock():
    with pytest.raises(lockstep.Deadlock, match="wait_for_ever") as caught:
        wait_for_ever[(2,)](torch.zeros(1, dtype=torch.int32))
    assert caught.value.finding.code == "LS901"
    assert len(caught.value.finished_programs) == 0


def test_timeout():
    x = torch.zeros(4, dtype=torch.int32)
    before = time.perf_counter()
    with lockstep.options(timeout=0.2), pytest.raises(TimeoutError) as caught:
        spin[(4,)](x, 2_000_000_000)
    assert time.perf_counter() - before < 5
    assert type(caught.value) is lockstep.LaunchTimeout
    assert "spin: stopped by the option timeout after 0.2" in str(caught.value)
    assert x.max() == 1


def test_a_launch_within_its_timeout_is_silent():
    with lockstep.options(timeout=30):
        copy_masked[(8,)](torch.arange(1000.0), torch.zeros(1000), 1000, BLOCK=BLOCK)


def test_findings_can_be_warnings():
    with lockstep.options(findings="warn"), pytest.warns(lockstep.FindingWarning, match="LS101") as caught:
        copy[(8,)](torch.arange(1000.0), torch.zeros(1000), 1000, BLOCK=BLOCK)
    assert (caught[0].filename, caught[0].lineno) == (KERNELS, line_of("# no mask"))
    assert caught[0].message.finding.code == "LS101"


def test_a_place_warns_once_unless_filters_ask_for_more():
    from lockstep import report

    def launch() -> None:
        copy[(8,)](torch.arange(1000.0), torch.zeros(1000), 1000, BLOCK=BLOCK)

    report._warned.clear()
    with lockstep.options(findings="warn"), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        launch()
        launch()
        assert len(seen) == 1
        warnings.simplefilter("always")
        launch()
        assert len(seen) == 2
    with lockstep.options(findings="warn"), warnings.catch_warnings(), pytest.raises(lockstep.FindingWarning):
        warnings.simplefilter("error")
        launch()


def test_findings_can_be_ignored_and_read_later():
    with lockstep.options(findings="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        copy[(8,)](torch.arange(1000.0), torch.zeros(1000), 1000, BLOCK=BLOCK)
    assert [finding.code for finding in lockstep.last_report().findings] == ["LS101"]


def test_reports_are_collected():
    out = torch.zeros(1000)
    with lockstep.reports() as seen:
        copy_masked[(8,)](torch.arange(1000.0), out, 1000, BLOCK=BLOCK)
        with lockstep.reports() as inner, pytest.raises(lockstep.KernelError):
            copy[(8,)](torch.arange(1000.0), out, 1000, BLOCK=BLOCK)
    copy_masked[(8,)](torch.arange(1000.0), out, 1000, BLOCK=BLOCK)
    assert [report.kernel for report in seen] == ["copy_masked", "copy"]
    assert [report.kernel for report in inner] == ["copy"]
    assert [report.has_errors for report in seen] == [False, True]
    assert seen[0].programs_run == 8
    assert seen[0].bytes_written == 4000


def test_views_are_checked_on_request():
    x = torch.arange(4 * 16.0).reshape(4, 16)[:, :12]
    out = torch.zeros(4, 12)
    rows[(4,)](x, out, 12, BLOCK=16)  # wrong, but inside the storage: as on a GPU
    with lockstep.options(bounds="view"), pytest.raises(lockstep.OutOfBoundsError) as caught:
        rows[(4,)](x, out, 12, BLOCK=16)
    assert caught.value.finding.code == "LS102"


def test_exceptions_cross_processes_without_triton():
    _, error = faulty_copy()
    code = """
        import pickle, sys
        error = pickle.loads(sys.stdin.buffer.read())
        print(type(error).__name__, error.line, error.finding.code, list(error.finished_programs)[-1], error.grid)
        print(str(error).splitlines()[-1])
        assert not {"torch", "triton", "numpy"} & set(sys.modules)
    """
    child = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], input=pickle.dumps(error), capture_output=True, check=True
    )
    assert child.stdout.decode().splitlines() == [
        f"OutOfBoundsError {error.line} LS101 (6, 0, 0) (8, 1, 1)",
        "copy: 7 of 8 programs finished: 0..6",
    ]
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(error))))
    assert (str(again), again.file, len(again.findings)) == (str(error), error.file, 1)


def notebook_module(source: str) -> types.ModuleType:
    """What a notebook's cell is: source that is in no file, only in linecache."""
    name = "<ipython-input-7-0123abcd>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    module = types.ModuleType("__notebook__")
    module.__file__ = name
    sys.modules["__notebook__"] = module
    types.FunctionType(compile(source, name, "exec"), module.__dict__)()
    return module


def test_kernels_of_notebooks_show_their_line():
    module = notebook_module(textwrap.dedent(inspect.getsource(copy.fn)).replace("@triton.jit", "\n@triton.jit").replace(
        "\n@triton.jit", "import triton\nimport triton.language as tl\n\n\n@triton.jit", 1))  # fmt: skip
    with pytest.raises(lockstep.OutOfBoundsError) as caught:
        module.copy[(8,)](torch.arange(1000.0), torch.zeros(1000), 1000, BLOCK=BLOCK)
    text = str(caught.value)
    assert "<ipython-input-7-0123abcd>:8:" in text
    assert "  8 |     value = tl.load(x + index)  # no mask" in text
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno) == ("<ipython-input-7-0123abcd>", 8)
    assert last.line == "value = tl.load(x + index)  # no mask"


MOVED = """
import triton
import triton.language as tl
from moved_helper import take

@triton.jit
def copy(x, out):
    index = tl.arange(0, 16)
    tl.store(out + index, take(x, index))
"""
MOVED_HELPER = """
import triton
import triton.language as tl

@triton.jit
def take(x, index):
    return tl.load(x + index)
"""


def test_kernels_from_the_disk_cache_name_the_file_that_was_loaded(tmp_path, monkeypatch):
    """Triton's cache key has no path: the second folder's kernel comes from the first one's entry."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("first", "second", 'third "é\\'):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "moved_kernel.py").write_text(MOVED)
        (folder / "moved_helper.py").write_text(MOVED_HELPER)
        with monkeypatch.context() as patch:
            patch.syspath_prepend(folder)
            for module in ("moved_kernel", "moved_helper"):
                patch.delitem(sys.modules, module, raising=False)
            import moved_kernel

        with pytest.raises(lockstep.OutOfBoundsError) as caught:
            moved_kernel.copy[(1,)](torch.zeros(3), torch.zeros(16))
        assert caught.value.file == str(folder / "moved_helper.py")
        assert f"{folder / 'moved_kernel.py'}:9:" in str(caught.value)
        shutil.rmtree(folder)
    assert len(list((tmp_path / "cache").glob("*/copy.ttir"))) == 1


INTERRUPTED = """
    import sys, threading, time, os, signal
    sys.path.insert(0, {here!r})
    import torch, lockstep
    from fault_kernels import spin
    programs, steps = {programs}, {steps}
    x = torch.zeros(max(programs, 2), dtype=torch.int32)
    spin[(1,)](x.clone(), 1)  # compiled
    sent = []
    def interrupt():
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt).start()
    try:
        spin[(programs,)](x, steps)
    except KeyboardInterrupt as stop:
        print(time.perf_counter() - sent[0])
        print(int((x == 2).sum()), int((x == 1).sum()))
        print(len(stop.finished_programs))
        print((getattr(stop, "__notes__", None) or stop.args)[0])
    x.zero_()
    spin[(2,)](x, 10)  # the next launch works
    assert x[:2].tolist() == [2, 2]
"""


@pytest.mark.parametrize(("programs", "steps"), [(1, 2_000_000_000), (1_000_000, 100_000)])
def test_ctrl_c_ends_a_launch(programs, steps):
    code = textwrap.dedent(INTERRUPTED).format(here=str(HERE), programs=programs, steps=steps)
    delays = []
    for _ in range(3):  # the machine may be busy with something else
        child = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, env=ON_LOCKSTEP
        )
        delay, written, finished, note = child.stdout.splitlines()
        delays.append(float(delay))
        if delays[-1] < 0.1:
            break
    assert min(delays) < 0.1
    done = int(written.split()[0])
    assert int(finished) == done
    assert note.startswith(f"spin: {done:,} of {programs:,} program")


def test_a_handler_of_the_user_is_respected():
    code = f"""
        import sys, threading, time, os, signal
        sys.path.insert(0, {str(HERE)!r})
        import torch
        from fault_kernels import spin
        class Mine(Exception): pass
        def handler(*_): raise Mine
        signal.signal(signal.SIGINT, handler)
        spin[(1,)](torch.zeros(1, dtype=torch.int32), 1)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            spin[(1,)](torch.zeros(1, dtype=torch.int32), 2_000_000_000)
        except Mine:
            print("mine")
    """
    child = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False,
        env=ON_LOCKSTEP,
    )
    assert child.stdout == "mine\n", child.stderr


def test_sigint_before_a_launch_is_not_lost():
    previous = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
    finally:
        signal.signal(signal.SIGINT, previous)
    copy_masked[(8,)](torch.arange(1000.0), torch.zeros(1000), 1000, BLOCK=BLOCK)


def test_warnings_survive_pickling():
    _, error = faulty_copy()
    warning = pickle.loads(pickle.dumps(lockstep.FindingWarning("text", error.finding)))
    assert (str(warning), warning.finding.code, warning.finding.line) == ("text", error.finding.code, error.finding.line)
    assert pickle.loads(pickle.dumps(lockstep.FindingWarning("text"))).finding is None


def test_reports_survive_pickling():
    with lockstep.reports() as seen:
        faulty_copy()
    copy = pickle.loads(pickle.dumps(list(seen)))[0]
    assert (copy.kernel, copy.grid, copy.finished) == (seen[0].kernel, seen[0].grid, seen[0].finished)
    assert pickle.loads(pickle.dumps(seen[0].findings[0])).text == seen[0].findings[0].text
    assert copy.program_id(0) == seen[0].program_id(0)


def caught_and_forgotten():
    out = torch.full((1000,), -1.0)
    with contextlib.suppress(lockstep.KernelError):
        copy[(8,)](torch.arange(1000.0), out, 1000, BLOCK=BLOCK)
    return weakref.ref(out)


def test_a_caught_error_leaves_nothing_to_the_garbage_collector():
    gc.collect()
    gc.disable()
    try:
        assert caught_and_forgotten()() is None
    finally:
        gc.enable()
