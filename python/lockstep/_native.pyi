"""The C++ engine as Python sees it. Everything here is made by python/native; users meet it through `lockstep`."""

from collections.abc import Callable, Sequence
from typing import Any

__version__: str

class Diagnostic:
    """What is wrong with a kernel's text."""

    code: str  # "LS1303"; empty for parse errors without a page
    severity: str  # "error", "unsupported", "warning", "note"
    message: str
    file: str
    line: int  # from 1; 0: no place
    column: int  # from 1
    text: str  # rendered: place, message, source line with caret, hint

class CompileError(Exception):
    """A kernel's text could not be made into something that runs. str() is all diagnostics, rendered."""

    diagnostics: list[Diagnostic]
    is_unsupported: bool  # every diagnostic says "not supported yet": Lockstep lacks it, the kernel is not wrong

class Finding:
    """A fact of an execution (docs/errors has a page for each code)."""

    code: str  # "LS101"
    tier: str  # "error", "warning", "info"
    message: str
    file: str
    line: int  # from 1; 0: unknown
    column: int
    op: str  # "tt.load"
    program: tuple[int, int, int]  # the first that did it
    lane: tuple[int, ...]
    loops: list[tuple[str, int, int, int]]  # around it, outermost first: variable, its value, iteration from 0, of how many
    argument: str
    element: int
    count: int  # lanes (a scalar has one), over all executions by all programs
    programs: int
    notes: list[tuple[str, str, int]]  # message, file, line
    hint: str
    text: str  # rendered as on the command line, without colour
    def _repr_html_(self) -> str: ...

class LaunchReport:
    kernel: str
    outcome: str  # "completed", "interrupted", "timed_out", "out_of_memory", "deadlocked"
    grid: tuple[int, int, int]
    programs_run: int
    programs_total: int
    finished: list[tuple[int, int]]  # ranges [first, last] of program numbers (x fastest) that ended without an error
    seconds: float
    bytes_read: int
    bytes_written: int
    scratch_bytes: int
    threads: int
    #: How each one looked: at every "steps", at what was touched ("ranges"), only at the "text", or only at an "earlier"
    #: launch like this one.
    checkers: dict[str, str]
    left_out: tuple[str, ...]  # checkers that were on and did not look, because that is not cheap here (option check)
    schedules: int  # orders of programs that were tried
    findings: list[Finding]  # that count
    silenced: list[Finding]  # that a comment in the source or the baseline names
    has_errors: bool  # a finding of tier "error"
    rolled_back: bool
    profile: Profile | None  # of a launch with the option profile
    #: Of a launch with the option cover: file -> "lines": {line: ran}, "branches": {(line, column): (kind, taken, not taken)},
    #: "masks": {(line, column): (kind, on, off)}.
    coverage: dict[str, dict[str, dict[Any, Any]]] | None
    real: dict[str, Any] | None
    def program_id(self, number: int) -> tuple[int, int, int]: ...
    def add_note(self, number: int, message: str, file: str = "", line: int = 0, column: int = 1) -> None:
        """Adds a note to findings[number], as if Lockstep had written it. Raises IndexError."""
    def _repr_html_(self) -> str: ...

def real_values(addresses: bytes, type: str) -> bytes:
    """Pairs of doubles, one for each 64-bit address of an element: the ends of what f64 has there without rounding.
    nan, nan: not known; inf, -inf: no launch stored it, or its bytes have changed since."""

def forget_real() -> None:
    """What launches stored without rounding is no longer known."""

def coverage_text(coverages: Sequence[dict[str, dict[str, dict[Any, Any]]]]) -> str:
    """What `lockstep run --cover` prints, of LaunchReport.coverage of some launches together."""

class Profile:
    """Where the time of a launch went, or of several (join_profiles). Does not change."""

    kernel: str  # "add", or "add, softmax" for several
    launches: int
    programs: int
    seconds: float  # wall time
    threads: int
    rows: list[dict[str, Any]]  # by op and place: op, file, line, column, library, part, calls, seconds, elements, ...
    advice: list[tuple[str, int, str]]  # file, line (0: of the launch), what costs time
    slices: int  # kept for a trace
    def text(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def trace(self) -> str:
        """JSON of trace events, for Perfetto or chrome://tracing."""

def join_profiles(profiles: Sequence[Profile], max_slices: int) -> Profile:
    """Their sum. At most so many slices are kept for a trace. Raises ValueError where there are none."""

class Parameter:
    name: str
    type: str  # TTIR spelling: "!tt.ptr<f32>", "i32", "!tt.tensordesc<tensor<16x32xf16>>"

class Module:
    """A verified module for one GPU profile, ready to plan."""
    @staticmethod
    def from_ttir(
        text: str | bytes, name: str = "<ttir>", *, target: str = "sm_90", fp_fusion: bool = False, debug: bool = True,
        num_warps: int = 4, num_stages: int = 3,
    ) -> Module:  # fmt: skip
        """`num_warps`, `num_stages`: for checkers. `debug`: a tl.device_assert that fails is an error; else a warning, as a GPU would run without it."""
    @staticmethod
    def from_python(
        path: str,
        kernel: str,
        *,
        signature: dict[str, str],
        constants: dict[str, Any],
        divisible: Sequence[str] = (),
        source: str | None = None,
        target: str = "sm_90",
        fp_fusion: bool = False,
        debug: bool = False,
        search_path: Sequence[str] = (),
        globals: dict[str, Any] | None = None,
        num_warps: int = 4,
        num_stages: int = 3,
    ) -> Module:
        """By the C++ front end. `source`: the file's text where `path` only names it (notebooks). `signature`: Triton's type
        strings of the parameters that are not constants, tuples as "(*fp32, i32, None, 1)" or "(x=*fp32, n=i32)".
        `constants`: None, bool, int, float, str, dtypes as DType, and tuples of these. `divisible`: parameters that are
        multiples of 16, "t.0" for elements of tuples. Asserts are kept."""
    @property
    def kernels(self) -> list[str]: ...
    def text(self, locations: bool = False) -> str: ...
    def kernel(self, name: str | None = None, constants: dict[str, Any] = ...) -> Kernel:
        """`constants`: parameters that the IR does not have any more, for a debugger."""

class Kernel:
    """A planned kernel; may be launched from several threads."""

    name: str
    parameters: list[Parameter]
    target: str
    needs_all_storages: bool  # it follows addresses that it loads or computes from integers
    def launch(self, grid: Sequence[int], arguments: Sequence[Any], names: Sequence[str] = ()) -> LaunchReport:
        """One argument per IR parameter: arrays (torch, NumPy, DLPack, __array_interface__), numbers, None.
        Never raises for what the kernel did: the report says it. Raises TypeError or ValueError for arguments it cannot take."""

class Launcher:
    """Triton's launcher: called as (gridX, gridY, gridZ, stream, function, packed_metadata, launch_metadata, enter_hook,
    exit_hook, *bound_arguments). `signature`: Triton's type strings of the bound arguments in order, tuples nested.
    `on_report(report)` is called only when there is a finding or the outcome is not "completed"; what it raises is raised."""
    def __init__(
        self, kernel: Kernel, names: Sequence[str], signature: Sequence[Any], on_report: Callable[[LaunchReport], None]
    ) -> None: ...
    def __call__(self, *args: Any) -> None: ...

class DebugLaunch:
    """A launch that is bound and has not begun; given to lockstep.debugging.take, and closed when that returns. What makes
    it instead of the interpreter is one of its methods, once; they return how it ended and, where that is "refused", why:
    "ran_on", "bad_command" (a batch ended early; the launch came to its end), "interrupted" (Ctrl-C on the way to its
    end), "killed", "gave_up" (Ctrl-C while an editor was waited for), "refused". `console`: a debug_console.Console;
    what its methods raise is raised."""

    kernel: str
    grid: tuple[int, int, int]
    breakpoints: list[tuple[str, int]]  # file and line of each breakpoint() in the kernel
    def talk(
        self,
        console: Any,
        *,
        history: int = 0,
        catches: Sequence[str] = (),
        runs_to_breakpoint: bool = False,
        scripts: Sequence[str] = (),
        commands: Sequence[str] = (),
        batch: bool = False,
        expect: dict[str, Any] = ...,
    ) -> tuple[str, str]:
        """history: bytes for going backwards; 0: the default. runs_to_breakpoint: nobody is asked before the kernel's first
        breakpoint() that is reached, nor at the end. expect: arrays, by arguments' names: what the launch is to leave."""
    def serve(
        self,
        console: Any,
        port: int,
        *,
        history: int = 0,
        catches: Sequence[str] = (),
        expect: dict[str, Any] = ...,
    ) -> tuple[str, str]:
        """Waits for one editor on 127.0.0.1 (port 0: any that is free); console.announce(address) says where."""

def debug_every_launch(on: bool) -> None:
    """Whether every launch is offered to lockstep.debugging.take; else only those of kernels with breakpoint()."""

RANDOM_KERNEL_ELEMENTS: int  # of each tensor of a random kernel, for each program

def random_kernel(seed: int, ops: int) -> str:
    """TTIR of a kernel of up to `ops` (1 to 64) random ops, the same for a seed everywhere. Its grid has one dimension, every
    program stores to elements of its own, and its results do not depend on the order of programs."""

def checkers() -> list[tuple[str, str, bool]]:
    """Name, summary and whether it is on by default, of each checker."""

def note_empty(address: int, bytes: int) -> None:
    """Memory of a tensor that nobody has written yet."""

def is_unwritten(tensor: Any, begin: int, end: int) -> bool:
    """Whether the tensor's storage [begin, end) is memory that nobody wrote."""

def forget_empty(address: int) -> None: ...
def note_site(address: int, site: str) -> None:
    """Memory that begins there was made by the program's line "FILE:LINE": findings about it say so."""

def forget_site(address: int) -> None: ...
def set_options(
    *,
    threads: int = 0,
    bounds: str = "storage",
    timeout: float = 0.0,
    max_memory: int = 0,
    rollback: bool = False,
    progress: Callable[[int, int, float], None] | None = None,
    print: Callable[[str], None] | None = None,
    on_every_report: Callable[[LaunchReport], None] | None = None,
    all_storages: Callable[[], list[tuple[int, int, str]]] | None = None,
    profile: bool = False,
    trace_events: int = 0,
    checks: dict[str, Any] = ...,
    resident: int = 0,
    baseline: Baseline | None = None,
    cover: bool = False,
    real: bool = False,
    bits: bool = False,
) -> None:
    """For all launches of this process from now on; every call sets all of them. bounds: "storage" or "view".
    on_every_report: also called for clean launches (reports of clean launches cost a microsecond each).
    profile, trace_events: launches are measured, and keep at most so many slices for a trace (LaunchReport.profile).
    all_storages: (address, bytes, name) of everything a kernel that needs_all_storages may reach.
    checks: rows of option_rows.py by name (None or none given: the command's default; a target that is no model of a GPU
    says nothing), and warns_only: errors that checkers find are warnings.
    resident: programs that have room at once; 0: any number, or as the target has.
    cover: reports say which lines, branch outcomes and mask outcomes a launch showed (LaunchReport.coverage).
    real: launches are also computed in f64 without rounding (LaunchReport.real, real_values).
    bits: kernels that are loaded from now on compute with the GPU's bits."""

class Baseline:
    """Findings that do not count. Raises ValueError for a text that is none. `grows`: others are added to the file, and
    do not count either; OSError from the launch where that fails."""
    def __init__(self, path: str, text: str, grows: bool) -> None: ...
    def __len__(self) -> int: ...

class DType:
    """A Triton type as a compile-time constant."""

    name: str  # "fp16"
    def __init__(self, name: str) -> None: ...

class ParameterInfo:
    name: str
    is_constexpr: bool
    annotation: str  # a type that the def line forces ("i64"); "" if none
    do_not_specialize: bool
    do_not_specialize_on_alignment: bool
    has_default: bool
    default: Any  # as in `constants` of Module.from_python

class KernelInfo:
    name: str
    line: int
    parameters: list[ParameterInfo]
    is_autotuned: bool
    has_heuristics: bool

def tune(
    path: str,
    kernel: str,
    *,
    arguments: dict[str, dict[str, Any]],
    source: str | None = None,
    target: str = "sm_90",
    search_path: Sequence[str] = (),
    globals: dict[str, Any] | None = None,
    config: int | None = None,
) -> tuple[dict[str, Any], int | None, int | None]:
    """What @triton.autotune and @triton.heuristics add to a launch: values of parameters that are not given, num_warps,
    num_stages. `arguments`: what is given, by parameter: "value" (a constant), "type" ("*fp32"), "shape", "strides",
    "elements" (of a tuple, each such a dict), as far as they are known. `config`: counted from 0. Raises CompileError."""

def list_kernels(path: str, source: str | None = None) -> list[KernelInfo]:
    """The @triton.jit functions of a file, in order. Raises CompileError."""

def is_language_name(space: str, name: str) -> bool:
    """Whether kernels know `name` in a namespace: ("triton.language", "load"), ("triton.language.extra.libdevice", "erf")."""

def last_report() -> LaunchReport | None:
    """The launch of this process that ended last."""

def set_pretended_cuda(on: bool) -> None:
    """While on, objects whose `device` says cuda (index None or 0) are taken as CPU memory."""

def describe_dlpack(object: Any) -> tuple[str, int]:
    """Element type ("float32", "bfloat16", "uint8") and address of the first element of anything with __dlpack__, whatever
    its strides. Raises TypeError or ValueError for memory of another device and types that kernels have not."""

class HostStorage:
    """The memory behind a HostTensor."""
    def data_ptr(self) -> int: ...
    def nbytes(self) -> int: ...

class HostTensor:
    """An argument in memory of the engine's own; kernels take it as they take torch's tensors."""

    name: str
    dtype: str  # "float32", "bfloat16"
    shape: tuple[int, ...]
    is_initialised: bool  # False: `empty`
    def stride(self) -> tuple[int, ...]: ...
    def data_ptr(self) -> int: ...
    def untyped_storage(self) -> HostStorage: ...
    def bytes(self) -> bytes:
        """A copy of the elements in C order."""

class HostDescriptor:
    """A tensor descriptor of a HostTensor, with the names that Triton's own has."""

    base: HostTensor
    shape: list[int]
    strides: list[int]
    block_shape: list[int]
    padding: str

class HostBinding:
    """What a kernel's parameters become for some arguments."""

    signature: dict[str, str]  # as Module.from_python takes it
    constants: dict[str, Any]
    globals: dict[str, Any]
    divisible: list[str]
    names: list[str]  # of the run-time arguments: parameters, elements of tuples as "t.0"
    arguments: list[Any]  # as Kernel.launch takes them; sizes and strides behind descriptors
    num_warps: int | None  # where @triton.autotune or @triton.heuristics decide
    num_stages: int | None
    def grid(self, text: str) -> tuple[int, int, int]:
        """Of an expression over the arguments. Raises CompileError."""

class HostArguments:
    """The arguments of a launch from texts NAME=VALUE, by the rules of `lockstep run`. Raises CompileError.

    seed: of random tensors. max_bytes: of all tensors together; 0: no limit."""
    def __init__(self, texts: Sequence[str], *, seed: int = 0, max_bytes: int = 0) -> None: ...
    @property
    def tensors(self) -> dict[str, HostTensor]: ...
    def bind(
        self,
        kernel: KernelInfo,
        path: str,
        *,
        globals: Sequence[str] = (),
        search_path: Sequence[str] = (),
        target: str = "sm_90",
        config: int | None = None,
    ) -> HostBinding:
        """globals: texts NAME=VALUE. config: of @triton.autotune; None: the first. Raises CompileError."""
