"""What the candidate's Python does in a call: aten ops, launches, lines, and from where its results come.

*Origin*: a storage comes from a kernel, from an input or parameter, or from the host. A launch makes what it stored "kernel"; an op of
torch hands on what its arguments have; all else is "host". Invariant: nothing here changes what the candidate computes."""

from __future__ import annotations

import contextlib
import ctypes
import re
import sys
from typing import TYPE_CHECKING, Any

from lockstep.judging import work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

FILE = "solution.py"


def line_of_candidate() -> int:
    """The candidate's line that is being executed."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.endswith(FILE):
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return 0


class Tracer:
    """Lines of the candidate's file that ran while it was entered."""

    def __init__(self) -> None:
        self.lines: set[int] = set()

    def _global(self, frame: Any, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.endswith(FILE):
            return None
        self.lines.add(frame.f_lineno)
        return self._local

    def _local(self, frame: Any, event: str, argument: Any) -> Any:
        self.lines.add(frame.f_lineno)
        return self._local

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self._global)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)


@contextlib.contextmanager
def disguise() -> Iterator[None]:
    """Hides from the candidate that Lockstep is there: no module of that name is listed, and no variable of the environment."""
    import os

    plain = sys.modules
    hidden = {name: one for name, one in plain.items() if not name.startswith(("lockstep", "pytest"))}
    sys.modules = hidden
    variables = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("LOCKSTEP", "PYTHON", "TRITON_CACHE"))}
    try:
        yield
    finally:
        sys.modules = plain
        for name, one in hidden.items():
            plain.setdefault(name, one)
        os.environ.update(variables)


_FRESH = frozenset("empty empty_like empty_strided new_empty new_empty_strided".split())


def _fill(tensor: Any) -> None:
    """What no kernel writes is the same in every run: ones in every bit, NaN of each float. Past torch, so that it counts as unwritten."""
    with contextlib.suppress(RuntimeError, NotImplementedError):
        storage = tensor.untyped_storage()
        if storage.data_ptr():
            ctypes.memset(storage.data_ptr(), 0xFF, storage.nbytes())


_ASSIGNED = re.compile(r"(%[\w#]+)(?::\d+)? = ")
_POINTER = re.compile(r"!tt\.(?:ptr|tensordesc)")


def stored_pointers(text: str) -> list[bool] | None:
    """Of each pointer that a kernel of TTIR takes, whether some store goes through it; None where the text does not show it."""
    found = re.search(r"tt\.func public @\S+?\((.*)\) attributes|tt\.func public @\S+?\((.*)\) \{", text)
    if found is None or "tt.call" in text or "inline_asm" in text:
        return None
    arguments = re.findall(r"(%\w+): (![^\s,)]+)", found[1] or found[2])
    pointers = [name for name, kind in arguments if _POINTER.match(kind)]
    made = {name: {name} for name in pointers}
    stored: set[str] = set()
    lines = [re.sub(r" loc\(.*", "", one) for one in text[found.end() :].splitlines()]
    for _ in range(4):  # values of loops come around
        for line in lines:
            used = {name for one in re.findall(r"%\w+", line.partition(" = ")[2] or line) for name in made.get(one, ())}
            names = re.findall(r"%\w+", _ASSIGNED.match(line.strip())[1]) if _ASSIGNED.match(line.strip()) else []
            names += [one for pair in re.findall(r"(%\w+) = (%\w+)", line.partition("iter_args")[2]) for one in pair[:1]]
            if re.search(r"\btt\.(store|atomic\w*|descriptor_store|descriptor_reduce|descriptor_scatter)\b", line):
                stored |= made.get((re.findall(r"%\w+", line.partition("tt.")[2]) or [""])[0], set())
            elif names and used and (_POINTER.search(line) or "scf." in line):
                for one in names:
                    made.setdefault(one, set()).update(used)
            elif line.strip().startswith("scf.yield") and used:
                for one in list(made):
                    made[one] |= used if made[one] & used and one not in pointers else set()
    return [name in stored for name in pointers]


class Watch:
    """Where all launches pass, however a program makes them (kernel[grid], Inductor's own launchers). install() is for processes of
    candidates: the call that is being made learns of each launch."""

    call: Call | None = None
    _stored: dict[int, list[bool] | None] = {}  # by a loaded function (stored_pointers)
    _narrow: dict[int, bool] = {}  # by a loaded function: it rounds to fewer bits than 32

    @classmethod
    def install(cls) -> None:
        from lockstep.triton_backend import kernel as kernels

        load, launcher_for = kernels.load, kernels.launcher_for

        def loaded(binary: bytes, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
            module, function = load(binary, *args, **kwargs)
            cls._narrow[id(function)] = any(one in bytes(binary) for one in (b"f16", b"f8E", b"tf32", b"inputPrecision"))
            cls._stored[id(function)] = stored_pointers(bytes(binary).decode("utf-8", "replace"))
            return module, function

        def watched(function: Any, src: Any) -> Any:
            launcher = launcher_for(function, src)

            def launch(*args: Any) -> None:
                launcher(*args)
                if cls.call is not None:
                    cls.call.add_launch(args, cls._narrow.get(id(function), True), cls._stored.get(id(function)))

            return launch

        kernels.load, kernels.launcher_for = loaded, watched


class Call:
    """One call."""

    def __init__(self, inputs: list[Any], state: list[Any], earlier: dict[int, Any]) -> None:
        """earlier: storages that kernels of earlier calls made, kept alive by their tensors."""
        self._recorder = work.Recorder(line_of_candidate)
        self._recorder.on_op = self._op
        self.launches: list[str] = []
        self.narrow = False  # some kernel, or an op of torch, rounds to fewer bits than 32
        self.findings: list[dict[str, Any]] = []
        self.unknown: list[str] = []
        self.origins: dict[int, str] = dict.fromkeys(earlier, "earlier") | {self._storage(one): "given" for one in [*inputs, *state]}
        self._inputs = inputs
        self.asked: list[set[int]] = [set() for _ in inputs]  # dimensions whose strides the program asked for
        self._alive: list[Any] = []  # storages keep their addresses while the call lasts

    @staticmethod
    def _storage(tensor: Any) -> int:
        try:
            return int(tensor.untyped_storage().data_ptr())
        except (RuntimeError, NotImplementedError):
            return 0

    @contextlib.contextmanager
    def mode(self) -> Iterator[None]:
        """Records ops and launches inside."""
        from torch.overrides import TorchFunctionMode

        call = self

        class Asked(TorchFunctionMode):
            def __torch_function__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
                if getattr(function, "__name__", "") == "stride":
                    call.add_stride(*args, **(kwargs or {}))
                return function(*args, **(kwargs or {}))

        Watch.call = self
        try:
            with self._recorder.mode(), Asked():
                yield
        finally:
            Watch.call = None

    def add_stride(self, tensor: Any, dim: int | None = None) -> None:
        """The program asks for the strides of a tensor, or for one of them."""
        for one, dims in zip(self._inputs, self.asked, strict=True):
            if one.data_ptr() == tensor.data_ptr() and one.shape == tensor.shape:
                dims.update(range(one.ndim) if dim is None else [dim % one.ndim])

    def add_launch(self, arguments: tuple[Any, ...], is_narrow: bool, stored: list[bool] | None) -> None:
        """Of Watch, after it. stored: of each pointer, whether the kernel stores through it; None: not known, so that all count."""
        self.narrow |= is_narrow
        bases = [getattr(one, "base", one) for one in arguments]
        tensors = [one for one in bases if hasattr(one, "untyped_storage")]
        for i, one in enumerate(tensors):
            if stored is None or len(stored) != len(tensors) or stored[i]:
                self._note(one, "kernel")

    def _note(self, tensor: Any, origin: str) -> None:
        self.origins[self._storage(tensor)] = origin
        self._alive.append(tensor)

    def _op(self, name: str, given: list[Any], made: list[Any]) -> None:
        if name in _FRESH and made:
            _fill(made[0])
        known = {self.origins.get(self._storage(one), "host") for one in given}
        origin = next((one for one in ("mixed", "kernel", "earlier", "torch", "given") if one in known), "host")
        is_glue = name in work.GLUE or name.removesuffix("_") in work.GLUE
        if origin == "given" and not is_glue:
            origin = "torch"  # computed from inputs, and by no kernel
        elif origin == "kernel" and "torch" in known:
            origin = "mixed"
        for one in made:
            self.narrow |= one.is_floating_point() and one.element_size() < 4
            if origin == "torch" and self.origins.get(self._storage(one)) == "kernel":
                self._note(one, "mixed")
            elif self.origins.get(self._storage(one)) != "kernel" or origin == "mixed":
                self._note(one, origin)

    def made(self) -> dict[int, Any]:
        """Storages that kernels of this call made, with a tensor of each."""
        return {self._storage(one): one for one in self._alive if self.origins.get(self._storage(one)) == "kernel"}

    def add_report(self, report: Any) -> None:
        """An observer of launches (settings.add_observer)."""
        self.launches.append(report.kernel)
        for one in report.findings:
            if len(self.findings) < 16:
                self.findings.append({
                    "code": one.code, "tier": one.tier, "message": one.message, "line": one.line, "kernel": report.kernel})
        real = report.real
        if real is not None:
            self.unknown += [one for one in real["unknown"] if one not in self.unknown]

    def facts(self, outputs: list[Any]) -> dict[str, Any]:
        return {
            "ops": self._recorder.ops, "launches": self.launches, "findings": self.findings, "unknown": self.unknown, "narrow": self.narrow,
            "asked": [sorted(one) for one in self.asked],
            "origins": [self.origins.get(self._storage(one), "host") for one in outputs]}
