"""What Lockstep raises and warns: one exception class per outcome of a launch, each also what Python users catch.

LockstepError
    KernelError (RuntimeError)          a launch did not end well; knows the report, file, line, finished programs
        KernelFault                     the kernel did something wrong: findings of tier "error"
            OutOfBoundsError (IndexError)
            DeviceAssertionError (AssertionError)
            Deadlock                    programs wait for each other forever
        LaunchTimeout (TimeoutError)
        LaunchOutOfMemory (MemoryError)
    CompileError (ValueError)           a kernel's text could not be made into something that runs
        UnsupportedError (NotImplementedError)
    LaunchError (RuntimeError)          a launch could not be made
    OptionError (ValueError)            an option or environment variable has a value that it cannot take

Invariant: every exception here survives pickling, with plain copies of the report in place of the native one. How an
exception comes from a report, and its place in the kernel's file, is in report.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lockstep.programs import ProgramSet

if TYPE_CHECKING:
    from lockstep import _native
    from lockstep.snapshot import FindingCopy, ReportCopy


class LockstepError(Exception):
    """Every exception of Lockstep, except TypeError and ValueError for arguments that a launch cannot take."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        from lockstep import tracebacks

        tracebacks.install()


class OptionError(LockstepError, ValueError):
    """An option or an environment variable has an unknown name, or a value that it cannot take."""


class LaunchError(LockstepError, RuntimeError):
    """Lockstep could not launch: there is no backend, no such kernel, or the grid is impossible."""


class CompileError(LockstepError, ValueError):
    """A kernel's text does not compile. `diagnostics` list the reasons, with file, line and caret."""

    def __init__(self, message: str, diagnostics: list[Any] | None = None) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics or []

    @property
    def file(self) -> str:
        """File of the first diagnostic; empty if it has no place."""
        return self.diagnostics[0].file if self.diagnostics else ""

    @property
    def line(self) -> int:
        """Line of the first diagnostic, from 1; 0 if it has no place."""
        return self.diagnostics[0].line if self.diagnostics else 0

    def __reduce__(self) -> tuple[Any, ...]:
        from lockstep import snapshot

        return type(self), (str(self), [snapshot.copy_diagnostic(one) for one in self.diagnostics])


class UnsupportedError(CompileError, NotImplementedError):
    """The kernel uses something that Lockstep does not support yet. The kernel is not wrong."""


class KernelError(LockstepError, RuntimeError):
    """A launch did not end well. Memory holds what ran before and beside it, unless rollback=True restored it.

    >>> import lockstep
    >>> def show(error: lockstep.KernelError) -> None:
    ...     print(error.file, error.line, error.finding.code, list(error.finished_programs))
    """

    def __init__(self, message: str, report: _native.LaunchReport | ReportCopy) -> None:
        super().__init__(message)
        self.report = report

    @property
    def findings(self) -> list[_native.Finding] | list[FindingCopy]:
        """All findings of the launch, of every tier."""
        return self.report.findings

    @property
    def finding(self) -> _native.Finding | FindingCopy | None:
        """The first finding of tier "error"; None where only time or memory ran out."""
        return next((one for one in self.report.findings if one.tier == "error"), None)

    @property
    def file(self) -> str:
        """The kernel's file where the first error happened; empty if unknown."""
        return self.finding.file if self.finding else ""

    @property
    def line(self) -> int:
        """The line of the first error, from 1; 0 if unknown."""
        return self.finding.line if self.finding else 0

    @property
    def kernel(self) -> str:
        """The kernel's name."""
        return self.report.kernel

    @property
    def grid(self) -> tuple[int, int, int]:
        """Programs in x, y and z."""
        return self.report.grid

    @property
    def finished_programs(self) -> ProgramSet:
        """The ids (x, y, z) of the programs that ended without an error, x fastest."""
        return ProgramSet(self.report.finished, self.report.grid)

    def __reduce__(self) -> tuple[Any, ...]:
        from lockstep import snapshot

        return type(self), (self.args[0], snapshot.copy_report(self.report))


class KernelFault(KernelError):
    """The kernel did something wrong; `finding` has the fact and the place."""


class OutOfBoundsError(KernelFault, IndexError):
    """An access outside of its argument (LS101 to LS105, LS109). Lockstep skipped it: its lanes read 0 or stored nothing."""


class DeviceAssertionError(KernelFault, AssertionError):
    """A tl.device_assert of the kernel failed (LS120)."""


class Deadlock(KernelFault):
    """Every remaining program waits for something that only a waiting program could do (LS901, LS902)."""


class LaunchTimeout(KernelError, TimeoutError):
    """The launch took longer than the option timeout allows. Programs that had not ended were stopped."""


class LaunchOutOfMemory(KernelError, MemoryError):
    """The launch needed more scratch memory than the option max_memory allows."""


class DebuggerError(LockstepError, RuntimeError):
    """A launch cannot be debugged here, or a command of a script failed."""


class DebuggerQuit(LockstepError):
    """A launch was ended in the debugger (`kill`, an editor's "terminate"). Memory holds the results up to there."""


class FindingWarning(UserWarning):
    """A finding of tier "warning", or of tier "error" under findings="warn". `finding` is the finding."""

    def __init__(self, message: str, finding: Any = None) -> None:
        super().__init__(message)
        self.finding = finding

    def __reduce__(self) -> tuple[Any, ...]:
        from lockstep import snapshot

        return type(self), (self.args[0], self.finding and snapshot.copy_finding(self.finding))


def from_compile_error(error: _native.CompileError) -> CompileError:
    """Turns the native engine's compile error into Lockstep's, to be raised `from None`."""
    kind = UnsupportedError if error.is_unsupported else CompileError
    return kind(str(error), list(error.diagnostics))
