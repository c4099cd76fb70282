"""The extension beyond arguments: Triton's launcher, modules and their errors, callbacks, Ctrl-C, fuzzed launches."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lockstep import _native
from native_kernels import COPY, DESCRIPTOR, ENDLESS, PRINT, SCALAR, kernel

torch = pytest.importorskip("torch")

FIXED = (0, 0, (4, 1, 0), None, None, None)  # stream, function, packed metadata, launch metadata, hooks


@pytest.fixture(autouse=True)
def default_options():
    _native.set_options()
    yield
    _native.set_options()


def fail(report: _native.LaunchReport) -> None:
    """on_report of launches that must be clean; information is no fault."""
    loud = [one for one in report.findings if one.tier != "info"]
    if loud or report.outcome != "completed":
        raise AssertionError(loud[0].text if loud else report.outcome)


def copy_launcher(on_report: object = fail) -> _native.Launcher:
    """With a constexpr between the arguments, as in a @jit signature."""
    return _native.Launcher(
        kernel(COPY, "f32"), ["x", "o", "B", "n"], ["*fp32", "*fp32", "constexpr", "i32"], on_report
    )


def test_launches() -> None:
    x, out = torch.randn(64), torch.zeros(64)
    assert copy_launcher()(1, 1, 1, *FIXED, x, out, 64, 64) is None
    assert torch.equal(x, out)
    copy_launcher()(np.int32(1), True, 1, *FIXED, x, out, object(), np.int64(64))
    copy_launcher()(0, 1, 1, *FIXED, x, out, 64, 64)


def test_reports_only_what_is_worth_a_word() -> None:
    x, out, reports, every = torch.randn(64), torch.zeros(64), [], []
    launcher = copy_launcher(reports.append)
    launcher(1, 1, 1, *FIXED, x, out, 64, 64)
    assert reports == [] and _native.last_report().bytes_written == 256
    launcher(1, 1, 1, *FIXED, x[60:].clone(), out, 64, 64)
    assert reports[0].findings[0].argument == "x" and reports[0].has_errors and reports[0].finished == []
    _native.set_options(on_every_report=every.append)
    launcher(1, 1, 1, *FIXED, x, out, 64, 64)
    assert len(reports) == 1 and every[0].programs_total == 1 and every[0].finished == [(0, 0)]
    with pytest.raises(AssertionError, match="LS101"):
        copy_launcher()(1, 1, 1, *FIXED, x[60:].clone(), out, 64, 64)


def test_hooks() -> None:
    seen, metadata = [], object()
    hooks = (0, 0, (), metadata, lambda one: seen.append(("enter", one)), lambda one: seen.append(("exit", one)))
    copy_launcher()(1, 1, 1, *hooks, torch.zeros(64), torch.zeros(64), 64, 64)
    assert seen == [("enter", metadata), ("exit", metadata)]

    class Chain:
        def __init__(self) -> None:
            self.calls: list[object] = []

        def __call__(self, _: object) -> None:
            raise AssertionError("an empty chain is not called")

    copy_launcher()(1, 1, 1, 0, 0, (), None, Chain(), Chain(), torch.zeros(64), torch.zeros(64), 64, 64)

    def broken(_: object) -> None:
        raise LookupError("hook")

    out = torch.zeros(64)
    with pytest.raises(LookupError, match="hook"):
        copy_launcher()(1, 1, 1, 0, 0, (), None, broken, None, torch.ones(64), out, 64, 64)
    assert out.sum() == 0


def test_wrong_calls() -> None:
    launcher = copy_launcher()
    x = torch.zeros(64)
    with pytest.raises(TypeError, match="takes 13 arguments, 12 were given"):
        launcher(1, 1, 1, *FIXED, x, x, 64)
    with pytest.raises(TypeError, match="no keyword"):
        launcher(1, 1, 1, *FIXED, x, x, 64, n=64)
    with pytest.raises(TypeError):
        launcher()
    with pytest.raises(TypeError, match="argument 'x'"):
        launcher(1, 1, 1, *FIXED, "x", x, 64, 64)
    with pytest.raises(OverflowError, match="argument 'n'"):
        launcher(1, 1, 1, *FIXED, x, x, 64, 2**31)
    with pytest.raises(ValueError, match="grid"):
        launcher(-1, 1, 1, *FIXED, x, x, 64, 64)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (["*fp32", "*fp32", "i32"], "4 names"),
        (["*fp32", "*fp32", "i32", "i32"], "no parameter"),
        (["*fp32", "i32", "constexpr", "*fp32"], "signature says"),
        (["*fp32", "*fp32", "constexpr", "i64"], "signature says"),
        (["*fp32", "*fp32", "constexpr", "constexpr"], "fills 2"),
        (["*fp32", "*fp32", "constexpr", "nvTmaDesc"], "not supported"),
        (["*fp32", "*fp32", "constexpr", 5], "strings"),
        (["tensordesc<fp32[4]>", "*fp32", "constexpr", "i32"], "signature says"),
    ],
)
def test_wrong_signatures(signature: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _native.Launcher(kernel(COPY, "f32"), ["x", "o", "B", "n"], signature, fail)
    with pytest.raises(TypeError):
        _native.Launcher(None, [], [], fail)
    with pytest.raises(TypeError):
        _native.Launcher(kernel(PRINT), ["n"], ["i32"], None)


def test_ranges_are_those_of_the_signature() -> None:
    out = torch.zeros(1, dtype=torch.int32)
    for sign, good, bad in [("i32", (-(2**31), 2**31 - 1), (2**31, -(2**31) - 1)), ("u32", (0, 2**32 - 1), ())]:
        launcher = _native.Launcher(kernel(SCALAR, "i32"), ["o", "value"], ["*i32", sign], fail)
        for value in good:
            launcher(1, 1, 1, *FIXED, out, value)
            assert out.item() & 0xFFFFFFFF == value & 0xFFFFFFFF
        for value in bad:
            with pytest.raises(OverflowError):
                launcher(1, 1, 1, *FIXED, out, value)


def test_tuples_and_descriptors() -> None:
    launcher = _native.Launcher(kernel(COPY, "f32"), ["t", "n"], [("*fp32", ("*fp32", "constexpr")), "i32"], fail)
    x, out = torch.randn(64), torch.zeros(64)
    launcher(1, 1, 1, *FIXED, (x, (out, None)), 64)
    assert torch.equal(x, out)
    with pytest.raises(ValueError, match="argument 't': a tuple of 2 values"):
        launcher(1, 1, 1, *FIXED, (x, out, x), 64)
    with pytest.raises(TypeError, match="argument 't'"):
        launcher(1, 1, 1, *FIXED, 5, 64)

    class Descriptor:
        base, shape, strides, block_shape, padding = torch.arange(64.0), (8, 8), (8, 1), [4, 8], "zero"

    launcher = _native.Launcher(kernel(DESCRIPTOR), ["d", "o"], ["tensordesc<fp32[4, 8]>", "*fp32"], fail)
    launcher(1, 1, 1, *FIXED, Descriptor(), out)
    assert torch.equal(out[:32], torch.arange(32.0))


def test_launchers_are_collected() -> None:
    class Handler:
        launcher: object = None

        def __call__(self, report: object) -> None: ...

    handler = Handler()
    handler.launcher = copy_launcher(handler)
    gone = weakref.ref(handler)
    del handler
    gc.collect()
    assert gone() is None


def test_print_goes_to_sys_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    kernel(PRINT).launch((2,), [7])
    assert capsys.readouterr().out.count("n: 7") == 2
    lines = []
    _native.set_options(print=lines.append)
    kernel(PRINT).launch((2,), [7])
    assert "".join(lines).count("n: 7") == 2 and capsys.readouterr().out == ""

    def broken(_: str) -> None:
        raise LookupError("print")

    _native.set_options(print=broken)
    with pytest.raises(LookupError, match="print"):
        kernel(PRINT).launch((2,), [7])


def test_progress_and_what_it_raises() -> None:
    calls = []

    def progress(done: int, total: int, seconds: float) -> None:
        calls.append((done, total, seconds))
        if seconds > 0.3:
            raise LookupError("progress")

    _native.set_options(progress=progress)
    with pytest.raises(LookupError, match="progress"):
        kernel(ENDLESS).launch((1,), [torch.zeros(1, dtype=torch.int64)])
    assert calls[-1][1] == 1


def test_timeout() -> None:
    _native.set_options(timeout=0.2)
    report = kernel(ENDLESS).launch((1,), [torch.zeros(1, dtype=torch.int64)])
    assert report.outcome == "timed_out" and report.finished == [] and report.programs_total == 1


def test_other_threads_run_during_a_launch() -> None:
    _native.set_options(timeout=0.5)
    ticks = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    kernel(ENDLESS).launch((1,), [torch.zeros(1, dtype=torch.int64)])
    stop.set()
    thread.join()
    assert len(ticks) > 10


def test_launches_from_several_threads() -> None:
    errors = []

    def work(seed: int) -> None:
        x, out = torch.full((64,), float(seed)), torch.zeros(64)
        launcher = copy_launcher()
        for _ in range(50):
            launcher(1, 1, 1, *FIXED, x, out, 64, 64)
            if not torch.equal(x, out):
                errors.append(seed)
            out.zero_()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_ctrl_c_ends_a_launch() -> None:
    sent = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, send)
    timer.start()
    report = kernel(ENDLESS).launch((1,), [torch.zeros(1, dtype=torch.int64)])
    assert report.outcome == "interrupted"
    assert time.perf_counter() - sent[0] < 1  # 0.1 s on a quiet machine


def test_what_a_signal_handler_raises_goes_through() -> None:
    def handler(number: int, frame: object) -> None:
        raise LookupError("mine")

    old = signal.signal(signal.SIGINT, handler)
    try:
        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(LookupError, match="mine"):
            kernel(ENDLESS).launch((1,), [torch.zeros(1, dtype=torch.int64)])
    finally:
        signal.signal(signal.SIGINT, old)
    assert _native.last_report().outcome == "interrupted"


def test_reports() -> None:
    report = kernel(COPY, "f32").launch((3, 2), [torch.zeros(64), torch.zeros(64), 64])
    assert (report.kernel, report.grid, report.programs_run, report.programs_total) == ("copy", (3, 2, 1), 6, 6)
    assert report.finished == [(0, 5)] and report.program_id(4) == (1, 1, 0) and not report.rolled_back
    for number in (-1, 6, 2**40):
        with pytest.raises(ValueError, match="no program"):
            report.program_id(number)
    report = kernel(COPY, "f32").launch((1,), [torch.zeros(8), torch.zeros(64), 9])
    finding = report.findings[0]
    del report
    assert (finding.code, finding.tier, finding.program, finding.lane, finding.element) == (
        "LS101",
        "error",
        (0, 0, 0),
        (8,),
        8,
    )
    assert finding.line == 9 and finding.op == "tt.load" and finding.count == 1 and "x[8]" in finding.text


def test_compile_errors() -> None:
    with pytest.raises(_native.CompileError, match="LS1002") as caught:
        _native.Module.from_ttir("module {\n  tt.foo\n}", "file.ttir")
    diagnostic = caught.value.diagnostics[0]
    assert (diagnostic.file, diagnostic.line, diagnostic.severity) == ("file.ttir", 2, "unsupported")
    assert caught.value.is_unsupported
    for text in ["", "module {", b"\xff\x00", "module { tt.func public @k(%x: i32) { tt.return %x : i32 } }"]:
        try:
            module = _native.Module.from_ttir(text)
        except _native.CompileError as error:
            assert str(error) and not error.is_unsupported
        else:
            assert module.kernels == []
            with pytest.raises(ValueError, match="the module has: none"):
                module.kernel()
    with pytest.raises(ValueError, match="no target"):
        _native.Module.from_ttir("module {}", target="gfx90a")
    with pytest.raises(TypeError):
        _native.Module.from_ttir(5)


def test_modules() -> None:
    module = _native.Module.from_ttir(PRINT, target="sm_80")
    assert module.kernels == ["say"] and "tt.print" in module.text() and "loc(" in module.text(locations=True)
    say = module.kernel("say")
    assert (say.name, say.target, [(p.name, p.type) for p in say.parameters]) == ("say", "sm_80", [("n", "i32")])
    del module
    gc.collect()
    assert say.launch((0,), [1]).programs_total == 0
    with pytest.raises(ValueError, match="no kernel 'x'"):
        _native.Module.from_ttir(PRINT).kernel("x")


SOURCE = """
import triton
import triton.language as tl

@triton.jit
def scale(x, o, factor, n, BLOCK: tl.constexpr = 64):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i, mask=i < n) * factor, mask=i < n)
"""


def test_the_front_end() -> None:
    kernels = _native.list_kernels("cell.py", SOURCE)
    assert [k.name for k in kernels] == ["scale"] and kernels[0].parameters[4].default == 64
    module = _native.Module.from_python(
        "cell.py", "scale", source=SOURCE, constants={"BLOCK": 64}, divisible=["x"],
        signature={"x": "*fp32", "o": "*fp32", "factor": "fp32", "n": "i32"},
    )  # fmt: skip
    x, out = torch.randn(64), torch.zeros(64)
    report = module.kernel().launch((1,), [x, out, 2.0, 64])
    assert not report.findings and torch.equal(out, 2 * x)
    broken = "import triton\n@triton.jit\ndef k(x):\n  nowhere(x)\n"
    with pytest.raises(_native.CompileError, match="cell.py:4:") as caught:
        _native.Module.from_python("cell.py", "k", source=broken, signature={"x": "i32"}, constants={})
    assert not caught.value.is_unsupported
    with pytest.raises(TypeError, match="constant 'B'"):
        _native.Module.from_python("cell.py", "k", source=SOURCE, signature={}, constants={"B": object()})
    assert _native.is_language_name("triton.language", "load") and not _native.is_language_name(
        "triton.language", "nope"
    )


def test_what_the_engine_makes_is_made_by_nobody_else() -> None:
    for name in ("Diagnostic", "Finding", "Kernel", "KernelInfo", "LaunchReport", "Module", "Parameter", "ParameterInfo"):
        made_here = getattr(_native, name)
        for make in (made_here, lambda type=made_here: type.__new__(type), lambda type=made_here: object.__new__(type)):
            with pytest.raises(TypeError):
                make()


def test_grids_that_no_gpu_takes() -> None:
    source = "import triton, triton.language as tl\n@triton.jit\ndef nothing():\n    tl.program_id(0)\n"
    kernel = _native.Module.from_python("cell.py", "nothing", source=source, signature={}, constants={}).kernel()
    assert kernel.launch((1, 65535, 1), []).programs_run == 65535
    for grid in ((1, 65536, 1), (1, 1, 65536)):
        with pytest.raises(RuntimeError, match="65535"):
            kernel.launch(grid, [])


def test_wrong_options() -> None:
    for options in [{"bounds": "none"}, {"threads": -1}, {"timeout": -1.0}, {"timeout": float("nan")}]:
        with pytest.raises(ValueError):
            _native.set_options(**options)
    with pytest.raises(TypeError):
        _native.set_options(print=5)
    _native.set_options(all_storages=lambda: [5])
    with pytest.raises(TypeError, match="all_storages"):
        kernel(COPY, "f32").launch((1,), [4096, torch.zeros(64), 1])


def test_importing_the_extension_imports_neither_torch_nor_triton() -> None:
    code = "import sys, lockstep._native; print([m for m in ('torch', 'triton', 'numpy') if m in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": str(Path(_native.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == "[]"


# ---- fuzz: never a crash, only these exceptions ----

REFUSALS = (TypeError, ValueError, OverflowError, RuntimeError, AttributeError)

POOL = [
    np.zeros(64, np.float32),
    torch.zeros(64),
    torch.zeros(4, 4, dtype=torch.bfloat16),
    np.zeros((3, 5), np.int8)[::-1, ::2],
]
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=3), st.binary(max_size=3)
)
leaves = st.one_of(scalars, st.sampled_from(POOL), st.just(object()), st.just(torch.float32), st.complex_numbers())


class Odd:
    """Answers every question of the argument readers with whatever it was given."""

    def __init__(self, answers: dict[str, object]) -> None:
        self.__dict__.update(answers)


def odd_objects(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    methods = st.dictionaries(
        st.sampled_from(["data_ptr", "untyped_storage", "stride", "__dlpack__", "__dlpack_device__"]),
        values.map(lambda value: lambda *a, **k: value), max_size=4,
    )  # fmt: skip
    attributes = st.dictionaries(
        st.sampled_from(["base", "dtype", "shape", "strides", "device", "block_shape", "padding", "__array_struct__"]),
        values, max_size=5,
    )  # fmt: skip
    interface = st.dictionaries(
        st.sampled_from(["shape", "typestr", "strides", "version"]),
        st.one_of(values, st.sampled_from(["<f4", "|b1", ">i8", "<V2"])), max_size=4,
    )  # fmt: skip
    return st.builds(lambda m, a, i: Odd({**m, **a, "__array_interface__": i}), methods, attributes, interface)


arguments = st.recursive(
    leaves,
    lambda inner: st.one_of(st.tuples(inner, inner), st.lists(inner, max_size=3), odd_objects(inner)),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([(COPY, "f32"), (SCALAR, "i64"), (DESCRIPTOR,)]),
    st.lists(arguments, max_size=7),
    st.lists(scalars, max_size=4),
)
def test_fuzzed_launches(text: tuple[str, ...], values: list[object], grid: list[object]) -> None:
    small = [size % 4 if isinstance(size, int) else size for size in grid]
    try:
        kernel(*text).launch(small, values)
    except REFUSALS as error:
        assert str(error) and not isinstance(error, RecursionError)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(arguments, min_size=4, max_size=4), st.integers(0, 2))
def test_fuzzed_launchers(values: list[object], extent: int) -> None:
    try:
        copy_launcher(lambda report: None)(extent, 1, 1, *FIXED, *values)
    except REFUSALS as error:
        assert str(error)


known_types = st.sampled_from(["*fp32", "i32", "constexpr", "tensordesc<fp32[4]>"])
types = st.one_of(st.text(max_size=12), known_types, st.integers())
signatures = st.recursive(types, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=10)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(signatures, st.lists(st.text(max_size=4), max_size=5))
def test_fuzzed_signatures(signature: object, names: list[str]) -> None:
    try:
        _native.Launcher(kernel(COPY, "f32"), names, signature, fail)
    except REFUSALS as error:
        assert str(error)
