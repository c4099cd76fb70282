"""Records launches of Triton kernels as capsules: `with lockstep.record("folder"): ...`.

While a block is open, Triton's CompiledKernel.run (and Lockstep's own, where it is active) hands each launch to the
recorders: memory is copied to the host, the launch is made and waited for, memory is copied again. Invariants: the
launch itself is Triton's, with the same arguments; what cannot be recorded is launched all the same and its reason is
kept in `skipped`; a launch that raises is recorded as it was before, and its exception ends with the command that
replays it; benchmark launches (autotuners, do_bench) are never recorded. Needs neither Lockstep's engine nor a
GPU."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

from lockstep import capsule_writer, places, recorded_arguments
from lockstep.errors import LaunchError
from lockstep.recorded_arguments import CannotRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

_lock = threading.RLock()
_recorders: list[record] = []
_patched: list[tuple[type, str, Any]] = []
_FIXED_ARGUMENTS = 9  # of a launch: grid, stream, function, metadata, hooks
_MAX_NAME = 80
_BENCHMARKS = {
    "testing.py": {"do_bench", "do_bench_cudagraph"},
    "autotuner.py": {"_bench", "benchmark", "_do_bench"},
    "autotune.py": {"_bench", "benchmark"},
    "benchmarking.py": {"benchmark", "benchmark_gpu", "benchmark_cpu", "benchmark_many_gpu"},
    "triton_heuristics.py": {"bench", "benchmark_all_configs"},
}


class record(contextlib.ContextDecorator):
    """Records the launches inside a `with` block, or inside a function that it decorates.

    path: a folder, made if it is not there, for one file NNNN-kernel.capsule each; or a name that ends in ".capsule",
    for the first launch. kernels: a regular expression that a kernel's name must contain. first: so many launches of
    each compiled kernel. limit: so many altogether. max_bytes: of memory that a launch's arguments lie in; larger ones
    are left out. outputs: False leaves out what the launch stored. `written` lists the files, `skipped` counts the
    launches that were left out by reason. A launch that raises is recorded without outputs, with memory as it was before it.
    """

    is_packed = True  # deflated

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        kernels: str | None = None,
        first: int | None = None,
        limit: int | None = None,
        max_bytes: int = 256 << 20,
        outputs: bool = True,
    ) -> None:
        self.path = os.fspath(path)
        self.written: list[str] = []
        self.skipped: Counter[str] = Counter()
        self.launches = 0
        self._is_file = self.path.endswith(".capsule")
        self._kernels = re.compile(kernels) if kernels is not None else None
        self._first, self._limit = first, 1 if self._is_file else limit
        self._max_bytes = max_bytes
        self._outputs = outputs
        self._seen: Counter[Any] = Counter()

    def __enter__(self) -> Self:
        if not self._is_file:
            os.makedirs(self.path, exist_ok=True)
        with _lock:
            if not _recorders:
                _patch()
            _recorders.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        with _lock:
            _recorders.remove(self)
            if not _recorders:
                _unpatch()

    @property
    def wants_outputs(self) -> bool:
        return self._outputs

    def wants(self, kernel: Any) -> bool:
        """Whether this launch of `kernel` should be recorded, by its name and the counts."""
        if self._kernels is not None and not self._kernels.search(kernel.name):
            return False
        self.launches += 1
        if self._limit is not None and len(self.written) >= self._limit:
            return False
        return self._first is None or self._seen[_identity(kernel)] < self._first

    def admit(self, size: int) -> None:
        """Raises CannotRecord for memory of more than max_bytes."""
        if size > self._max_bytes:
            raise CannotRecord(f"its arguments lie in more than {self._max_bytes} bytes (max_bytes)")

    def keep(self, kernel: Any, launch: capsule_writer.Launch, raised: bool = False) -> str:
        """Writes the capsule; its name. raised: the launch ended with an exception. Raises OSError."""
        if not self._outputs:
            bare = [capsule_writer.Storage(one.before, None, one.addresses, one.is_unwritten) for one in launch.storages]
            launch = capsule_writer.Launch(**{**vars(launch), "storages": bare, "has_outputs": False})
        path = self._next_path(kernel.name)
        capsule_writer.write(path, launch, self.is_packed)
        self.written.append(path)
        self._seen[_identity(kernel)] += 1
        return path

    def _next_path(self, name: str) -> str:
        path = self.path
        if not self._is_file:
            plain = re.sub(r"[^A-Za-z0-9_.]", "_", name)[:_MAX_NAME]
            path = os.path.join(self.path, f"{len(self.written):04d}-{plain}.capsule")
        return path


def is_ours(kernel: Any) -> bool:
    """Whether Lockstep runs this kernel, in host memory and without a GPU."""
    return type(kernel).__name__ == "LockstepKernel"


def _identity(kernel: Any) -> Any:
    return kernel.name, kernel.hash


# ---- the only change in Triton ----


class _Run:
    """CompiledKernel.run while recording. Has __set__ so that it comes before an instance's own `run`."""

    def __init__(self, original: Any) -> None:
        self._original = original

    def __get__(self, kernel: Any, owner: type | None = None) -> Any:
        if kernel is None:
            return self._original if isinstance(self._original, property) else self
        own = kernel.__dict__.get("run")
        run = own if own is not None else self._original.__get__(kernel, owner)

        def launch(*arguments: Any) -> Any:
            __tracebackhide__ = True
            return _launched(kernel, run, arguments)

        return launch

    def __set__(self, kernel: Any, value: Any) -> None:
        kernel.__dict__["run"] = value


def _classes() -> list[type]:
    try:
        from triton.compiler.compiler import CompiledKernel
    except ImportError:
        raise LaunchError("Lockstep records launches where Triton makes them, and Triton is not installed here") from None
    found: list[type] = [CompiledKernel]
    if importlib.util.find_spec("lockstep._native") is not None:
        found.append(importlib.import_module("lockstep.triton_backend.kernel").LockstepKernel)
    return found


def _patch() -> None:
    for owner in _classes():
        original = owner.__dict__.get("run")  # None: Triton 3.4's class has none, it finds a kernel's own
        _patched.append((owner, "run", original))
        setattr(owner, "run", _Run(original))  # noqa: B010 (mypy: the attribute is a property)
    config = sys.modules.get("torch._inductor.config")
    if config is not None:
        # Inductor's own launcher calls the driver without Triton.
        _patched.append((config, "use_static_cuda_launcher", config.use_static_cuda_launcher))  # type: ignore[arg-type]
        config.use_static_cuda_launcher = False  # type: ignore[attr-defined]


def _unpatch() -> None:
    while _patched:
        owner, name, original = _patched.pop()
        if original is None:
            delattr(owner, name)
        else:
            setattr(owner, name, original)


def _is_benchmark() -> bool:
    """Whether a tuner or a benchmark makes this launch."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_name in _BENCHMARKS.get(os.path.basename(code.co_filename), ()):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


# ---- one launch ----


def _launched(kernel: Any, run: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    __tracebackhide__ = True
    with _lock:
        wanting = [] if _is_benchmark() else [one for one in _recorders if one.wants(kernel)]
    if not wanting:
        return run(*arguments)
    taken = _Taken(kernel, arguments)
    ready = []
    for recorder in wanting:
        reason = taken.prepare(recorder)
        if reason:
            recorder.skipped[f"{kernel.name}: {reason}"] += 1
        else:
            ready.append(recorder)
    try:
        result = run(*arguments)
        launch = taken.finish(any(one.wants_outputs for one in ready)) if ready else None
    except Exception as error:
        _keep_raised(kernel, taken, ready, error)
        raise
    if launch is not None:
        with _lock:
            for recorder in ready:
                try:
                    recorder.keep(kernel, launch)
                except OSError as problem:  # the launch is done: a full disk does not undo it
                    recorder.skipped[f"{kernel.name}: {problem}"] += 1
    return result


def _keep_raised(kernel: Any, taken: _Taken, ready: list[record], error: Exception) -> None:
    """The caller gets the launch's exception, even if the capsule fails."""
    from lockstep import replaying, settings

    options = settings.current() if is_ours(kernel) else None
    names = []
    for recorder in ready:
        try:
            with _lock:
                names.append(recorder.keep(kernel, taken.before_it_raised(error), raised=True))
        except (OSError, CannotRecord) as problem:
            recorder.skipped[f"{kernel.name}: {problem}"] += 1
    if name := next(filter(None, names), ""):
        replaying.add_to(error, name, options)


class _Taken:
    """The facts of one launch, before and after it."""

    def __init__(self, kernel: Any, arguments: tuple[Any, ...]) -> None:
        self._kernel = kernel
        self._grid = tuple(int(extent) for extent in arguments[:3])
        self._values = list(arguments[_FIXED_ARGUMENTS:])
        self._found: recorded_arguments.Collected | None = None
        self._storages: list[capsule_writer.Storage] = []
        self._problem = ""
        self._by_lockstep = is_ours(kernel)

    def prepare(self, recorder: record) -> str:
        """Copies memory before the launch, once; returns why it cannot, or "" """
        try:
            if self._problem:
                return self._problem
            if self._found is None:
                self._collect()
            recorder.admit(sum(region.end - region.begin for region in self._regions))
            if not self._storages:
                self._versions = versions(is_gpu=not self._by_lockstep)
                self._copy_before()
        except CannotRecord as reason:
            self._problem = "" if self._found is not None else str(reason)
            return str(reason)
        return ""

    def _collect(self) -> None:
        if self._is_capturing():
            raise CannotRecord("it is captured into a CUDA graph")
        signature = self._kernel.src.signature
        names = list(signature)
        types = recorded_arguments.parameter_types(self._kernel.asm["ttir"], self._kernel.name)
        if len(names) != len(self._values):
            raise CannotRecord(f"it was launched with {len(self._values)} arguments, its signature has {len(names)}")
        found = recorded_arguments.collect(
            [str(name) for name in names], list(signature.values()), self._values, types, self._by_lockstep
        )
        self._follows = _follows_addresses(self._kernel.asm["ttir"])
        self._regions = recorded_arguments.merge(found.regions)
        if self._follows:
            self._regions = self._reachable(self._regions)
        recorded_arguments.place(found.arguments, self._regions)
        self._found = found

    def _reachable(self, regions: list[recorded_arguments.Region]) -> list[recorded_arguments.Region]:
        """The regions and those that addresses in them lead to."""
        live = recorded_arguments.merge(recorded_arguments.live_regions(self._by_lockstep))
        known = {region.begin for region in regions}
        fresh = list(regions)
        while fresh:
            numbers = {found[1] for region in fresh for found in recorded_arguments.find_addresses(region.read(), live)}
            fresh = [live[number] for number in sorted(numbers) if live[number].begin not in known]
            known |= {region.begin for region in fresh}
            regions = regions + fresh
        return recorded_arguments.merge(regions)

    def _copy_before(self) -> None:
        self._wait()
        for region in self._regions:
            content = region.read()
            addresses = recorded_arguments.find_addresses(content, self._regions) if self._follows else []
            self._storages.append(capsule_writer.Storage(content, None, addresses))

    def finish(self, with_outputs: bool) -> capsule_writer.Launch:
        """Waits for the launch and copies the memory after it, on request."""
        self._wait()
        if not with_outputs:
            return self._without_outputs({})
        for region, storage in zip(self._regions, self._storages, strict=True):
            storage.after = region.read()
        return self._launch({}, self._storages, has_outputs=True)

    def before_it_raised(self, error: Exception) -> capsule_writer.Launch:
        """The launch with its memory before it. The GPU may be unusable: this asks nothing of it."""
        told = {"type": type(error).__name__, "codes": sorted({one.code for one in getattr(error, "findings", ()) if one.tier == "error"})}
        return self._without_outputs({"raised": told})

    def _without_outputs(self, facts: dict[str, Any]) -> capsule_writer.Launch:
        """With the memory before the launch, and the parts of it that were never written."""
        bare = [capsule_writer.Storage(one.before, None, one.addresses, region.is_unwritten)
                for region, one in zip(self._regions, self._storages, strict=True)]  # fmt: skip
        return self._launch(facts, bare, has_outputs=False)

    def _launch(self, more: dict[str, Any], storages: list[capsule_writer.Storage], *, has_outputs: bool) -> capsule_writer.Launch:
        assert self._found is not None
        facts = {"recorded_by": "lockstep" if self._by_lockstep else "gpu", **self._facts(), **more}
        return capsule_writer.Launch(
            kernel=self._kernel.name,
            ttir=places.current(self._kernel.asm["ttir"].encode(), self._kernel.src).decode(),
            grid=self._grid,  # type: ignore[arg-type]
            arguments=self._found.arguments,
            storages=storages,
            has_outputs=has_outputs,
            facts={**facts, "constants": self._found.constants},
        )

    def _facts(self) -> dict[str, Any]:
        given = self._kernel.metadata
        return {
            "target": {
                "arch": f"sm_{given.target.arch}",
                "num_warps": given.num_warps,
                "num_stages": given.num_stages,
                "num_ctas": getattr(given, "num_ctas", 1),
            },
            "options": {"debug": bool(given.debug), "fp_fusion": bool(given.enable_fp_fusion)},
            "versions": self._versions,
        }

    def _is_capturing(self) -> bool:
        torch = sys.modules.get("torch")
        return not self._by_lockstep and torch is not None and torch.cuda.is_current_stream_capturing()

    def _wait(self) -> None:
        torch = sys.modules.get("torch")
        if not self._by_lockstep and torch is not None:
            torch.cuda.synchronize()


def _follows_addresses(ttir: str) -> bool:
    return "tt.int_to_ptr" in ttir or "!tt.ptr<!tt.ptr" in ttir


def versions(is_gpu: bool) -> dict[str, str]:
    """The environment: package versions, and the GPU with its driver."""
    found = {"python": platform.python_version()}
    for name in ("lockstep", "torch", "triton"):
        module = sys.modules.get(name)
        with contextlib.suppress(importlib.metadata.PackageNotFoundError, AttributeError, ImportError):
            found[name] = str(module.__version__) if module is not None else importlib.metadata.version(name)
    if is_gpu and "torch" in sys.modules:
        import torch

        found["gpu"] = torch.cuda.get_device_name()
        found["cuda"] = str(torch.version.cuda)
        found["driver"] = _driver_version()
    return found


def _driver_version() -> str:
    try:
        with open("/proc/driver/nvidia/version", encoding="utf-8") as file:
            match = re.search(r"\d+\.\d+(\.\d+)?", file.readline())
            return match.group(0) if match else "unknown"
    except OSError:
        return "unknown"
