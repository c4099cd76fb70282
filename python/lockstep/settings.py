"""Options of this process: environment variables give the defaults, set_options and `with options(...)` change them.

Invariant: what `current()` returns is what the native engine was last told; every change goes through `_install`.
Options belong to the process, not to a thread: a launch uses those that hold when it starts; blocks that overlap in
several threads may be left in any order, and each takes only its own changes away. What the options mean for an
execution is decided by the engine, by report.py (findings) and by the Triton backend (autotune, target)."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from lockstep.errors import OptionError
from lockstep.option_rows import ROWS, Options, Profiling, ProgressCallback, Row

if TYPE_CHECKING:
    from lockstep._native import LaunchReport

OPTIONS = {row.name: row for row in ROWS if row.is_setting}
TRITON_VERSIONS = OPTIONS["triton"].choices  # whose barriers are known
DEFAULT_TRITON = "3.6"  # of the command, and where none is installed
_UNITS = {"": 1, "b": 1, "k": 10**3, "kb": 10**3, "m": 10**6, "mb": 10**6, "g": 10**9, "gb": 10**9, "t": 10**12,
          "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}  # fmt: skip
_TIMES = {"": 1.0, "s": 1.0, "ms": 1e-3, "min": 60.0, "m": 60.0, "h": 3600.0}


def _quantity(text: str, units: Mapping[str, float]) -> float | None:
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([A-Za-z]*)\s*", text)
    if match is None or match[2].lower() not in units:
        return None
    return float(match[1]) * units[match[2].lower()]


def _check_threads(value: Any) -> int:
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 4096:
        raise OptionError("must be a whole number from 0 (all cores) to 4096")
    return value


def _check_whole(least: int, most: int) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise OptionError(f"must be a whole number from {least} to {most}")
        return value

    return check


def _check_whole_or_none(value: Any) -> int | None:
    return None if value is None else cast("int", _check_whole(0, 2**20)(value))


def _check_baseline(value: Any) -> str:
    from lockstep import baselines

    return baselines.checked(value, must_exist=True)


def _check_update_baseline(value: Any) -> str:
    from lockstep import baselines

    return baselines.checked(value, must_exist=False)


def _check_timeout(value: Any) -> float:
    if value is None:
        return 0.0
    seconds = _quantity(value, _TIMES) if isinstance(value, str) else value
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e9:
        raise OptionError("must be a number of seconds of at least 0 (0: no limit), for example 30 or '2min'")
    return float(seconds)


def size_of(value: Any) -> int | None:
    """Bytes of 500_000_000 or "2GiB"; None for anything else."""
    size = _quantity(value, _UNITS) if isinstance(value, str) else value
    if isinstance(size, bool) or not isinstance(size, (int, float)) or not 0 <= size < 2**63 or size != int(size):
        return None
    return int(size)


def _check_max_memory(value: Any) -> int:
    size = 0 if value is None else size_of(value)
    if size is None:
        raise OptionError("must be a size in bytes (0: no limit), for example 500_000_000 or '2GiB'")
    return size


def _check_flag(value: Any) -> bool:
    if isinstance(value, str):
        value = {"1": True, "true": True, "on": True, "yes": True, "0": False, "false": False, "off": False,
                 "no": False, "": False}.get(value.strip().lower(), value)  # fmt: skip
    if not isinstance(value, bool):
        raise OptionError("must be True or False (in the environment 1 or 0)")
    return value


def _check_profile(value: Any) -> Profiling:
    if isinstance(value, str) and value.strip().lower() == "trace":
        return "trace"
    try:
        return _check_flag(value)
    except OptionError:
        raise OptionError("must be True, False or 'trace'") from None


def _check_progress(value: Any) -> bool | ProgressCallback | None:
    if value is None or callable(value) or (isinstance(value, str) and value.strip().lower() == "auto"):
        return None if isinstance(value, str) else value
    try:
        return _check_flag(value)
    except OptionError:
        raise OptionError("must be True, False, None (on a terminal) or a function of (done, total, seconds)") from None


def _check_print(value: Any) -> Callable[[str], None] | None:
    if value is not None and not callable(value):
        raise OptionError("must be a function of one str, or None")
    return cast("Callable[[str], None] | None", value)


def _check_choice(*choices: str) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value not in choices:
            raise OptionError("must be " + " or ".join(repr(choice) for choice in choices))
        return value

    return check


def _check_checkers(value: Any) -> str:
    from lockstep import _native

    words = value.split(",") if isinstance(value, str) else list(value) if isinstance(value, (list, tuple, set)) else []
    names = ["all", "none", "default", "auto", "quick", *(name for name, _, _ in _native.checkers())]
    words = [word.strip() if isinstance(word, str) else "" for word in words]
    if not words or any(word.removeprefix("-") not in names for word in words):
        raise OptionError(f"must be names of checkers with commas between, of: {', '.join(names)} (-NAME takes one out)")
    return ",".join(words)


def _check_target(value: Any) -> str:
    from lockstep.triton_backend import profiles

    known = profiles.known_targets()
    if isinstance(value, str) and value.lower() in profiles.MODELS:
        return value.lower()
    text = f"sm_{value}" if isinstance(value, int) and not isinstance(value, bool) else value
    text = text if isinstance(text, str) else ""
    try:
        text = f"sm_{profiles.capability_of(text)}"
    except (ValueError, TypeError):
        text = ""
    if text not in known:
        raise OptionError("must be one of " + ", ".join([*known, *profiles.MODELS]))
    return text


def _check_of(row: Row) -> Callable[[Any], Any]:
    """The rule for a value that a row's own columns give."""
    if row.choices:
        return _check_choice(*sorted(row.choices, key=lambda one: one != row.initial), *([] if row.initial in row.choices else [str(row.initial)]))
    if row.type == "int":
        least = 0 if row.initial == 0 or row.least is None else row.least
        return _check_whole(least, 2**64 - 1 if row.most is None else row.most)
    return {"int | None": _check_whole_or_none, "bool": _check_flag}[row.type]


# : Options that take more than their rows describe, or less.
_OWN_CHECKS: dict[str, Callable[[Any], Any]] = {
    "threads": _check_threads,
    "timeout": _check_timeout,
    "max_memory": _check_max_memory,
    "progress": _check_progress,
    "print": _check_print,
    "target": _check_target,
    "profile": _check_profile,
    "check": _check_checkers,
    "baseline": _check_baseline,
    "update_baseline": _check_update_baseline,
}
_CHECKS = {name: _OWN_CHECKS.get(name) or _check_of(row) for name, row in OPTIONS.items()}

# Environment variable -> option. LOCKSTEP itself (1: prefer Lockstep where a GPU driver is present) is read by
# activation.py, LOCKSTEP_LOG by the engine.
ENVIRONMENT = {row.variable: name for name, row in OPTIONS.items() if row.variable}
TRACE_EVENTS = 20_000  # slices that one launch keeps
DEBUG_VARIABLES = ("LOCKSTEP_DEBUG", "LOCKSTEP_DEBUG_PORT")  # read by debugging.py
_OTHER_VARIABLES = ("LOCKSTEP", "LOCKSTEP_LOG", "LOCKSTEP_PYTHON", "LOCKSTEP_STAGE", "LOCKSTEP_TRACEBACK", *DEBUG_VARIABLES)

_lock = threading.RLock()
_base: Options | None = None  # of the process, outside of every block
_blocks: list[dict[str, Any]] = []  # changes of the `with options(...)` blocks that are open, of all threads
_current: Options | None = None
_observers: list[Callable[[LaunchReport], None]] = []


def _nearest(name: str, known: Iterable[str], likeness: float) -> str:
    """The known name that `name` probably meant; "" for none."""
    import difflib

    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=likeness)), "")


def _warn_about_misspelt_variables(environment: Mapping[str, str]) -> None:
    known = [*ENVIRONMENT, *_OTHER_VARIABLES]
    for name in environment:
        if not name.startswith("LOCKSTEP_") or name in known:
            continue
        if close := _nearest(name, known, 0.85):
            warnings.warn(f"the environment variable {name} is unknown; did you mean {close}?", stacklevel=2)


def from_environment(environment: Mapping[str, str] | None = None) -> Options:
    """The defaults of this process. Raises OptionError for a value that an option cannot take, naming the variable."""
    environment = os.environ if environment is None else environment
    _warn_about_misspelt_variables(environment)
    given = {}
    for variable, option in ENVIRONMENT.items():
        if environment.get(variable, "") != "":
            given[option] = _checked(option, environment[variable], f"the environment variable {variable}")
    return Options()._replace(**given)


def _checked(name: str, value: Any, what: str) -> Any:
    try:
        return _CHECKS[name](value)
    except OptionError as error:
        raise OptionError(f"{what} {error}, not {value!r}") from None


def check_option(name: str, value: Any) -> Any:
    """The value as the option takes it. Raises OptionError, which lists what it must be; KeyError for no option."""
    return _CHECKS[name](value)


def _checked_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    for name in changes:
        if name not in _CHECKS:
            close = _nearest(name, _CHECKS, 0.6)
            hint = f"; did you mean {close!r}?" if close else f"; there are {', '.join(_CHECKS)}"
            raise OptionError(f"there is no option {name!r}{hint}")
    return {name: _checked(name, value, f"the option {name}") for name, value in changes.items()}


def current() -> Options:
    """The options in force. The first call reads the environment and informs the engine."""
    return _current if _current is not None else _start()


def _start() -> Options:
    global _base
    with _lock:
        is_first = _base is None
        if _base is None:
            _base = from_environment()
        installed = _install()
    if is_first and installed.profile:
        from lockstep import profiling

        profiling.show_at_exit()
    if is_first and installed.cover:
        from lockstep import code_coverage

        code_coverage.show_at_exit()
    if is_first and any(os.environ.get(name) for name in DEBUG_VARIABLES):
        from lockstep import debugging

        debugging.arm_from_environment(os.environ)
    return installed


def _install() -> Options:
    """Applies the base and all open blocks; the block entered last wins. Callers hold the lock."""
    global _current
    from lockstep import _native, baselines, live_storages, progress
    from lockstep.triton_backend import profiles

    assert _base is not None
    new = _base
    for block in _blocks:
        new = new._replace(**block)

    _native.set_options(
        threads=new.threads,
        bounds=new.bounds,
        timeout=new.timeout,
        max_memory=new.max_memory,
        rollback=new.rollback,
        progress=progress.callback(new.progress),
        print=new.print,
        on_every_report=_notify if _observers else None,
        all_storages=live_storages.find,
        profile=bool(new.profile),
        cover=new.cover,
        real=new.real,
        bits=new.bits,
        trace_events=TRACE_EVENTS if new.profile == "trace" else 0,
        checks={
            **{name: getattr(new, name) for name, row in OPTIONS.items() if row.group in ("checkers", "schedules")},
            "warns_only": new.check == "default",
            "triton": new.triton or installed_triton(),
            "target": new.target,
        },
        resident=new.resident,
        baseline=baselines.load(new.update_baseline or new.baseline, grows=bool(new.update_baseline)),
    )
    _current = new
    return new


@functools.cache
def installed_triton() -> str:
    """The version whose barriers count by default."""
    import importlib.metadata

    try:
        version = ".".join(importlib.metadata.version("triton").split(".")[:2])
    except importlib.metadata.PackageNotFoundError:
        return DEFAULT_TRITON
    return version if version in TRITON_VERSIONS else DEFAULT_TRITON


def _notify(report: LaunchReport) -> None:
    if report.findings:
        from lockstep import report as reporting

        reporting.of_models(report)
    for observer in tuple(_observers):
        observer(report)


def add_observer(observer: Callable[[LaunchReport], None]) -> None:
    """`observer` gets the report of every launch, clean ones too, until remove_observer."""
    with _lock:
        current()
        _observers.append(observer)
        if len(_observers) == 1:
            _install()


def remove_observer(observer: Callable[[LaunchReport], None]) -> None:
    with _lock:
        _observers.remove(observer)
        if not _observers:
            _install()


@contextlib.contextmanager
def unobserved() -> Iterator[None]:
    """Launches inside the block are reported to no observer."""
    with _lock:
        kept, _observers[:] = list(_observers), []
        _install()
    try:
        yield
    finally:
        with _lock:
            _observers[:0] = kept
            _install()


def get_options() -> Options:
    """The options that hold now.

    >>> import lockstep
    >>> lockstep.get_options().bounds
    'storage'
    """
    return current()


def set_options(**changes: Any) -> None:
    """Changes options for the rest of the process (or until the `with options(...)` around this call ends).

    Takes the names of `Options`. Raises OptionError, a ValueError, for a name or a value that does not exist.

    >>> import lockstep
    >>> lockstep.set_options(threads=4, timeout=60)
    """
    global _base
    checked = _checked_changes(changes)
    with _lock:
        current()
        assert _base is not None
        if _blocks:
            _blocks[-1].update(checked)
        else:
            _base = _base._replace(**checked)
        _install()


class options(contextlib.ContextDecorator):
    """Changes options inside a `with` block, or inside a function that it decorates.

    The names and what they mean are those of `lockstep.option_rows.Options`.

    >>> import lockstep
    >>> with lockstep.options(bounds="view", findings="warn"):
    ...     lockstep.get_options().bounds
    'view'
    """

    def __init__(self, **changes: Any) -> None:
        self._changes = _checked_changes(changes)
        self._entered: list[dict[str, Any]] = []

    def __enter__(self) -> Options:
        with _lock:
            current()
            block = dict(self._changes)
            _blocks.append(block)
            self._entered.append(block)
            return _install()

    def __exit__(self, *_: object) -> None:
        with _lock:
            block = self._entered.pop()
            _blocks[:] = [one for one in _blocks if one is not block]
            _install()


def describe() -> Iterator[tuple[str, Any, str]]:
    """(option, value, environment variable or "") of all options in force, for printing."""
    variables = {option: variable for variable, option in ENVIRONMENT.items()}
    for name, value in current()._asdict().items():
        yield name, value, variables.get(name, "")
