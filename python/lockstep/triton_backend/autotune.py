"""How @triton.autotune chooses under Lockstep: by order, or by time where the option says so.

autotune="first": configurations are compiled one after the other, none is executed, and the first that compiles is
taken; the launch that follows is the only execution. autotune="all": each configuration that compiles is executed once,
so that a fault in any is found, and again the first is taken. autotune="fastest": configurations with other constants
are executed a few times each, and the one with the shortest run is taken; num_warps and num_stages do not count, which
cost nothing here. With the option `config` a tuner has one configuration in `run`; a process's first launch asks for the
driver, and with it for our patches, from within `run`: `benchmark` and `_bench` see the option then. Invariants: but for
"fastest", the choice does not depend on timing; Triton's own reasons to drop a configuration (out of resources, a failing
static_assert) hold; hooks run as Triton runs them. A do_bench that the program gave itself is called, for one
configuration under "first", for each under the others, where what it returns decides. Choices that Triton keeps on disk
are those of "first"."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lockstep import configuration
from lockstep.triton_backend import routing

_NEVER = (float("inf"),) * 3
_choosing = threading.local()  # .depth: tuners of this thread that are trying a configuration
_compiling = threading.RLock()
_FEW_RUNS, _FEW_SECONDS = 5, 0.05  # of one configuration under "fastest", after a first run that compiles
_IS_CHOSEN = "_lockstep_is_chosen"  # in a tuner's attributes while its configurations are those that the option leaves


class _Session:
    """A tuner's search for the configuration of one launch, whose arguments tell it from the next."""

    def __init__(self, nargs: Any, tried: int = 0) -> None:
        self.nargs = nargs
        self.tried = tried  # configurations that could run
        self.constants: list[dict[str, Any]] = []  # theirs

    @staticmethod
    def known(tuner: Any) -> _Session | None:
        session = tuner.__dict__.get("_lockstep_session")
        return session if session is not None and session.nargs is tuner.nargs else None

    @staticmethod
    def of(tuner: Any) -> _Session:
        return _Session.known(tuner) or _Session.begin(tuner)

    @staticmethod
    def begin(tuner: Any, tried: int = 0) -> _Session:
        session = tuner.__dict__["_lockstep_session"] = _Session(tuner.nargs, tried)
        return session


class Timing(list):  # type: ignore[type-arg]
    """Milliseconds of one configuration; of two, the earlier one is less, so that min() takes the first."""

    order: int = 0

    def __lt__(self, other: Any) -> bool:
        if isinstance(other, Timing):
            return self.order < other.order
        return list(self) < list(other)


def benchmark(kernel_call: Callable[[], Any], quantiles: Sequence[float] | None = None, **_: Any) -> Any:
    """What the driver offers as benchmark: one run, its milliseconds for every quantile.

    An autotuner keeps the benchmark that it first got, so on a machine with a GPU this can be called later for the GPU:
    then it is Triton's own."""
    if not routing.is_our_driver(routing.active_driver()):
        from triton.testing import do_bench

        return do_bench(kernel_call, quantiles=quantiles)
    asked = _as_asked_for(kernel_call)
    if asked is not None:
        return asked
    tuner = _compile_only(kernel_call)
    elapsed = _seconds_of(kernel_call) * 1e3
    if tuner is not None:
        _Session.begin(tuner, tried=1)
    return [elapsed] * len(quantiles) if quantiles is not None else elapsed


def _seconds_of(call: Callable[[], Any]) -> float:
    """Of one run; under autotune="fastest" the shortest of a few, after one that compiles and is checked."""
    from lockstep import settings

    first = _timed(call)
    if settings.current().autotune != "fastest":
        return first
    times = [_timed(call)]
    while len(times) < _FEW_RUNS and sum(times) < _FEW_SECONDS:
        times.append(_timed(call))
    return min(times)


def _timed(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _held(kernel_call: Callable[[], Any]) -> dict[str, Any]:
    """The variables that the call captured from the function that made it, each in its cell."""
    code, cells = getattr(kernel_call, "__code__", None), getattr(kernel_call, "__closure__", None)
    return dict(zip(code.co_freevars, cells, strict=True)) if code is not None and cells else {}


def _as_asked_for(kernel_call: Callable[[], Any]) -> list[float] | None:
    """The same for a call that Triton's own _bench made; None: the option is not set, or `run` handles it already."""
    held = _held(kernel_call)
    if not configuration.is_asked_for() or not {"self", "current", "config"} <= held.keys():
        return None
    tuner, current, config = (held[name].cell_contents for name in ("self", "current", "config"))
    if _IS_CHOSEN in tuner.__dict__:
        return None
    asked = _asked_for(tuner, {name: value for name, value in current.items() if name not in config.all_kwargs()})
    return None if asked is None else _as_asked(asked is config)


def _as_asked(is_asked_for: bool) -> list[float]:
    """Stands for the time of a configuration where the option `config` names one; nothing is compiled."""
    return [0.0] * 3 if is_asked_for else list(_NEVER)


def _compile_only(kernel_call: Callable[[], Any]) -> Any:
    """Turns the call into a mere compilation and returns its autotuner, if Triton's own _bench made it.

    That happens once in a process: the first autotuner that runs asks for the driver, and with it for our patches, from
    within its first _bench. None in every other case."""
    from lockstep import settings

    held = _held(kernel_call)
    if not {"self", "current"} <= held.keys() or settings.current().autotune != "first":
        return None
    tuner, current = held["self"].cell_contents, held["current"].cell_contents
    if not hasattr(tuner, "nargs") or _Session.known(tuner) is not None:
        return None
    current["warmup"] = True
    return tuner


def _has_own_benchmark(tuner: Any) -> bool:
    """Whether the program gave do_bench=. The deprecated warmup=, rep= and use_cuda_graph= are Triton's benchmark."""
    return (
        tuner._do_bench is not None
        and tuner.num_warmups is None
        and tuner.num_reps is None
        and not tuner.use_cuda_graph
    )


def _one_configuration(original: Any, tuner: Any, args: Any, config: Any, meta: dict[str, Any], executes: bool) -> Any:
    with contextlib.ExitStack() as stack:
        stack.enter_context(_trying())
        if not _has_own_benchmark(tuner):
            stack.enter_context(_replaced(tuner, "do_bench", benchmark))
            if not executes and not _compiles_only(tuner, stack):
                meta = {**meta, "warmup": True}
        return original(tuner, *args, config=config, **meta)


@contextlib.contextmanager
def _trying() -> Iterator[None]:
    _choosing.depth = getattr(_choosing, "depth", 0) + 1
    try:
        yield
    finally:
        _choosing.depth -= 1


def is_trying() -> bool:
    """Whether this thread's launch is an autotuner's trial: a trial without room on a GPU is then dropped."""
    return getattr(_choosing, "depth", 0) > 0


@contextlib.contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Inside, an instance has an attribute of its own."""
    absent = object()
    kept = owner.__dict__.get(name, absent)
    owner.__dict__[name] = value
    try:
        yield
    finally:
        if kept is absent:
            owner.__dict__.pop(name, None)
        else:
            owner.__dict__[name] = kept


def _compiles_only(tuner: Any, stack: contextlib.ExitStack) -> bool:
    """Until `stack` closes, this thread's launches of the tuned function are compiled and loaded, and not made.

    Hooks hear of a launch, as on a GPU, not of a warm-up. False: this is not a function of Triton's."""
    from triton.runtime.jit import JITFunction

    function = tuner.fn
    while function is not None and not isinstance(function, JITFunction):
        function = getattr(function, "fn", None)
    if function is None or not hasattr(function, "_call_hook"):
        return False
    stack.enter_context(_compiling)
    mine, run, call_hook = threading.get_ident(), function.run, function._call_hook

    def compile_only(*args: Any, **kwargs: Any) -> Any:
        if threading.get_ident() != mine:
            return run(*args, **kwargs)
        kernel = run(*args, **{**kwargs, "warmup": True})
        if hasattr(kernel, "_init_handles"):
            kernel._init_handles()
        return kernel

    def told_of_a_launch(*args: Any) -> Any:
        return call_hook(*args) if threading.get_ident() != mine else call_hook(*args[:-1], False)

    stack.enter_context(_replaced(function, "run", compile_only))
    stack.enter_context(_replaced(function, "_call_hook", told_of_a_launch))
    return True


def _asked_for(tuner: Any, kwargs: dict[str, Any]) -> Any:
    """The configuration that the option `config` names for this launch, whose `nargs` are set; None: as without it."""
    early = tuner.early_config_prune

    def kept() -> Any:
        return early(tuner.configs, tuner.nargs, **kwargs) if early is not None and len(tuner.configs) > 1 else None

    return configuration.chosen(tuner.base_fn.__name__, tuner.configs, kept)


def run_replacement(original: Any) -> Any:
    """Autotuner.run, or a package's version of it: with the option `config`, only one configuration remains."""

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not configuration.is_asked_for() or _IS_CHOSEN in self.__dict__ or not routing.is_our_driver(routing.active_driver()):
            return original(self, *args, **kwargs)
        self.nargs = dict(zip(self.arg_names, args, strict=False))
        config = _asked_for(self, kwargs)
        if config is not None:
            try:
                with _choosing_from(self, [config]):
                    result = original(self, *args, **kwargs)
            except _dropped() as error:
                configuration.without(self.base_fn.__name__, f"cannot take the configuration {config}: {_last_line(error)}")
            else:
                configuration.note()
                return result
        with _choosing_from(self, self.configs):
            return original(self, *args, **kwargs)

    return run


@contextlib.contextmanager
def _choosing_from(tuner: Any, configs: list[Any]) -> Iterator[None]:
    """Inside, the tuner has these configurations and ignores the option `config`."""
    kept = tuner.configs
    tuner.configs, tuner.__dict__[_IS_CHOSEN] = configs, True
    try:
        yield
    finally:
        tuner.configs = kept
        del tuner.__dict__[_IS_CHOSEN]


def _last_line(error: Exception) -> str:
    """From Triton's text: the message of an assert, else the line that it points at."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" ^")]
    return lines[-1] if lines else type(error).__name__


def _dropped() -> tuple[type[Exception], ...]:
    """The exceptions that make Triton's tuner drop a configuration."""
    from triton.compiler.errors import CompileTimeAssertionFailure
    from triton.runtime.errors import OutOfResources, PTXASError

    return (CompileTimeAssertionFailure, OutOfResources, PTXASError)


def bench_replacement(original: Any) -> Any:
    """Autotuner._bench under Lockstep; `original` everywhere else."""

    def _bench(self: Any, *args: Any, config: Any, **meta: Any) -> Any:
        if not routing.is_our_driver(routing.active_driver()):
            return original(self, *args, config=config, **meta)
        from lockstep import settings

        if configuration.is_asked_for() and _IS_CHOSEN not in self.__dict__:  # a launch that began before our patches held
            asked = _asked_for(self, meta)
            if asked is not None:
                return _as_asked(asked is config)
        mode, session = settings.current().autotune, _Session.of(self)
        if session.tried > 0 and mode == "first":
            return list(_NEVER)
        if mode == "fastest" and not _has_own_benchmark(self) and config.kwargs in session.constants:
            return list(_NEVER)
        timing = _one_configuration(original, self, args, config, meta, executes=mode != "first")
        if isinstance(timing, (int, float)):
            timing = [timing] * 3
        if timing[0] == float("inf"):
            return timing
        session.tried += 1
        session.constants.append(config.kwargs)
        if _has_own_benchmark(self) or mode == "fastest":
            return list(timing)
        result = Timing(timing)
        result.order = session.tried
        return result

    return _bench


def disk_cache_replacement(original: Any) -> Any:
    """Autotuner.check_disk_cache: what another run chose is asked for, and kept, under "first" alone."""

    def check_disk_cache(self: Any, tuning_key: Any, configs: Any, bench_fn: Callable[[], Any]) -> Any:
        from lockstep import settings

        if not routing.is_our_driver(routing.active_driver()) or settings.current().autotune == "first":
            return original(self, tuning_key, configs, bench_fn)
        bench_fn()
        return False

    return check_disk_cache


def cache_property() -> property:
    """Autotuner.cache: Triton's own dictionary on a GPU, one of its own for each profile under Lockstep.

    A subclass that keeps its choices in something else than Triton's dictionary keeps that on every side."""

    def read(self: Any) -> Any:
        if type(self.__dict__.get("cache")) is not dict or not routing.is_our_driver(routing.active_driver()):
            return self.__dict__["cache"]
        from lockstep import settings

        now = settings.current()
        ours = self.__dict__.setdefault("_lockstep_caches", {})
        return ours.setdefault((now.target, now.autotune, now.config), {})

    def write(self: Any, value: Any) -> None:
        self.__dict__["cache"] = value

    return property(read, write)
