"""lockstep.debug(): launches that stop in the debugger; breakpoint() in kernels.

The engine asks `take` before a launch: every one while something is armed, else only those of kernels with
breakpoint(). Invariants: a launch that no request fits runs as always; one that was debugged has the effect that it has
without a debugger, and what the person changed; its report, findings and exceptions are those of any launch. Only
one session runs at a time, for all threads. debug_console.py has the session's input and output."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lockstep import debug_console
from lockstep.errors import DebuggerError, DebuggerQuit, OptionError

if TYPE_CHECKING:
    from typing_extensions import Self

    from lockstep._native import DebugLaunch

_lock = threading.RLock()
_talking = threading.RLock()
_armed: list[debug] = []  # the one entered last is asked first
_noted: set[Any] = set()  # breakpoint() lines that were passed over, and said so


@dataclass(frozen=True)
class _How:
    """How a session begins."""

    commands: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    batch: bool | None = None
    catch: list[str] = field(default_factory=list)
    history: int = 0  # bytes; 0: the debugger's own default
    port: int | None = None
    to_breakpoint: bool = False  # the kernel's first breakpoint() that is reached
    expect: dict[str, Any] = field(default_factory=dict)  # arrays, by the names of arguments


class debug:
    """The next launch stops in the debugger; as a `with` block: every launch inside it.

    kernel: only launches of that kernel (its name, or the kernel itself). skip: so many fitting launches go by first.
    commands, script: what is done first, as lines of text and from files; where there is no terminal, or with
    batch=True, the session ends after them. catch: findings to stop at: "nan", "race", "all", ...; at first those that
    an access or assertion makes. history: memory for going backwards, for example "2GiB". port: an editor attaches
    there on 127.0.0.1 instead (0: any port that is free; it is printed). expect: what the launch is to leave in its
    tensors, {"out": reference}, of the same type and shape: for ref("out"), `diff` and `bisect`.

    `quit`, the end of the input, and `continue` at the launch's end let the launch come to its end and the program go
    on; `kill` raises lockstep.DebuggerQuit. Raises OptionError for a wrong option, and from the launch DebuggerError
    where there is no terminal, and no commands or port instead.

    >>> import lockstep
    >>> with lockstep.debug("softmax", commands=["break 16", "continue", "print row"], batch=True):
    ...     pass  # launches
    """

    def __init__(
        self, kernel: Any = None, *, skip: int = 0, commands: str | Iterable[str] = (),
        script: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (), batch: bool | None = None,
        catch: str | Iterable[str] = (), history: int | str = 0, port: int | None = None,
        expect: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        scripts = [script] if isinstance(script, (str, os.PathLike)) else list(script)
        self.kernel = _kernel_name(kernel)
        self.skip = _whole("skip", skip, 2**31)
        self.is_block = False  # not only for one launch
        self._has_fitted = False
        self.how = _How(
            commands=commands.splitlines() if isinstance(commands, str) else [str(one) for one in commands],
            scripts=[os.fspath(one) for one in scripts],
            batch=batch,
            catch=catch.replace(",", " ").split() if isinstance(catch, str) else [str(one) for one in catch],
            history=_size(history),
            port=None if port is None else _whole("port", port, 65535),
            expect=_references(expect),
        )
        _arm(self)

    def __enter__(self) -> Self:
        self.is_block = True
        with _lock:
            if self not in _armed:
                _arm(self)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.cancel()
        if not self._has_fitted and kind is None:
            warnings.warn(f"lockstep.debug: no launch of {self.kernel or 'any kernel'} was made here", stacklevel=2)

    def cancel(self) -> None:
        """No launch stops for this request any more."""
        with _lock:
            if self in _armed:
                _armed.remove(self)
            _tell_engine()

    def __repr__(self) -> str:
        return f"<lockstep.debug of {self.kernel or 'any kernel'}{'' if self in _armed else ', done'}>"


def _kernel_name(kernel: Any) -> str:
    """ "" for any. Autotuners and heuristics contain the kernel."""
    if kernel is None or isinstance(kernel, str):
        return kernel or ""
    while getattr(kernel, "fn", None) is not None and not isinstance(getattr(kernel, "__name__", None), str):
        kernel = kernel.fn
    name = getattr(kernel, "__name__", None) or getattr(kernel, "name", None)
    if not isinstance(name, str):
        raise OptionError(f"kernel must be a kernel or its name, not {kernel!r}")
    return name


def _whole(name: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise OptionError(f"{name} must be a whole number from 0 to {most}, not {value!r}")
    return value


def _size(value: int | str) -> int:
    from lockstep import settings

    size = settings.size_of(value)
    if size is None:
        raise OptionError(f"history must be a size in bytes, for example '2GiB', not {value!r}")
    return size


def _references(expect: Mapping[str, Any] | None) -> dict[str, Any]:
    if expect is None:
        return {}
    if not isinstance(expect, Mapping) or not all(isinstance(name, str) for name in expect):
        raise OptionError(f"expect must be a mapping of arguments' names to tensors, not {type(expect).__name__}")
    return dict(expect)


def _arm(one: debug) -> None:
    with _lock:
        _armed.append(one)
        _tell_engine()


def _tell_engine() -> None:
    from lockstep import _native

    _native.debug_every_launch(bool(_armed))


def arm_from_environment(environment: Mapping[str, str]) -> None:
    """LOCKSTEP_DEBUG: "1" (the next launch), "all", or a kernel's name (its next launch); LOCKSTEP_DEBUG_PORT."""
    wish, port = environment.get("LOCKSTEP_DEBUG", ""), environment.get("LOCKSTEP_DEBUG_PORT", "")
    if wish == "0" or not (wish or port):
        return
    if port and not port.isdecimal():
        raise OptionError(f"the environment variable LOCKSTEP_DEBUG_PORT must be a number, not {port!r}")
    name = "" if wish in ("", "1", "all") else wish
    armed = debug(name, port=int(port) if port else None)
    armed.is_block = wish == "all"


def take(launch: DebugLaunch) -> None:
    """The engine asks this: debugs the launch if it should be."""
    request = _request_for(launch)
    if request is None and not launch.breakpoints:
        return
    how = request.how if request is not None else _How(to_breakpoint=True)
    with _talking, contextlib.nullcontext() if how.batch else debug_console.around():
        if request is not None or _stops_at_breakpoints(launch):
            _debug(launch, how)


def _request_for(launch: DebugLaunch) -> debug | None:
    with _lock:
        for one in reversed(_armed):
            if one.kernel not in ("", launch.kernel):
                continue
            one._has_fitted = True
            if one.skip > 0:
                one.skip -= 1
                return None
            if not one.is_block:
                one.cancel()
            return one
    return None


def _stops_at_breakpoints(launch: DebugLaunch) -> bool:
    """Whether breakpoint() in this kernel can ask a user; warns once where it cannot."""
    if os.environ.get("PYTHONBREAKPOINT") == "0":
        reason = "PYTHONBREAKPOINT=0"
    elif debug_console.has_reader():
        return True
    else:
        reason = "no terminal. Attach an editor with lockstep.debug(port=0) or pass commands=[...]"
    file, line = launch.breakpoints[0]
    if (file, line) not in _noted:
        _noted.add((file, line))
        print(f"lockstep: {file}:{line}: breakpoint() skipped: {reason}", file=sys.stderr, flush=True)
    return False


def _debug(launch: DebugLaunch, how: _How) -> None:
    __tracebackhide__ = True
    outer = None
    if "torch._inductor.codecache" in sys.modules:
        from lockstep.models import provenance

        outer = provenance.outer_frames(launch.kernel)
    console = debug_console.Console(outer)
    if outer is not None:
        console.write(provenance.launch_text())
    if how.port is not None:
        end, problem = launch.serve(
            console, how.port, history=how.history, catches=how.catch, expect=how.expect
        )
    else:
        end, problem = _talk(launch, console, how)
    if end == "refused":
        raise DebuggerError(f"{launch.kernel} cannot be debugged: {problem}")
    if end == "gave_up":
        raise KeyboardInterrupt
    if end == "killed":
        raise DebuggerQuit(f"{launch.kernel} was ended in the debugger")
    if end == "bad_command":
        raise DebuggerError("a command of the debugger failed; its reason is printed above")


def _talk(launch: DebugLaunch, console: debug_console.Console, how: _How) -> tuple[str, str]:
    has_reader = debug_console.has_reader()
    batch = bool(how.commands or how.scripts) and not has_reader if how.batch is None else how.batch
    if not batch and not has_reader:
        raise DebuggerError(
            f"{launch.kernel} should stop in the debugger, but standard input is not a terminal: give lockstep.debug "
            "commands=[...] or script=..., or port=0 for an editor"
        )
    return launch.talk(
        console, history=how.history, catches=how.catch, runs_to_breakpoint=how.to_breakpoint,
        scripts=how.scripts, commands=how.commands, batch=batch, expect=how.expect,
    )  # fmt: skip
