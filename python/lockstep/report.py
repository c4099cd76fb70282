"""From a launch's report to what the user sees: an exception in the kernel's own line, a warning, or nothing.

`handle` is the `on_report` of every launcher: the engine calls it after a launch that has a finding or did not
complete, in the thread that launched. Invariant: it raises at most one exception per launch; what the exception says is
what the command line prints, and which programs finished. It never changes memory: rollback is the engine's."""

from __future__ import annotations

import ast
import contextlib
import linecache
import re
import sys
import threading
import types
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from lockstep import errors, progress, settings
from lockstep.programs import ProgramSet

if TYPE_CHECKING:
    from lockstep._native import Finding, LaunchReport

_CLASSES: dict[str, type[errors.KernelFault]] = {
    **dict.fromkeys(("LS101", "LS102", "LS103", "LS104", "LS105", "LS109"), errors.OutOfBoundsError),
    "LS120": errors.DeviceAssertionError,
    **dict.fromkeys(("LS901", "LS902"), errors.Deadlock),
}
_ENDED = {
    "timed_out": (errors.LaunchTimeout, "stopped by the option timeout"),
    "out_of_memory": (errors.LaunchOutOfMemory, "stopped by the option max_memory"),
    "deadlocked": (errors.Deadlock, "deadlocked"),
}
_MAX_RENDERED = 5  # findings in a message; the rest is counted

_warned: set[tuple[Any, ...]] = set()
_printing = threading.RLock()  # while warnings.formatwarning is ours


def handle(report: LaunchReport) -> None:
    """Raises, warns or stays silent, as the option findings asks. KeyboardInterrupt for an interrupted launch."""
    __tracebackhide__ = True
    progress.clear()  # an exception or a warning starts on a line of its own
    of_models(report)
    policy = settings.current().findings
    if report.outcome == "interrupted":
        raise _interrupt(report)
    if report.has_errors and policy == "raise":
        raise_for(report)  # its message names the launch's warnings: what the error brought about is no news of its own
    loud = [one for one in report.findings if one.tier == "warning" or (one.tier == "error" and policy == "warn")]
    if policy != "ignore":
        for finding in loud:
            _warn(finding)
    if report.outcome in _ENDED:
        raise_for(report)


def of_models(report: LaunchReport) -> None:
    """Where generated code of torch.compile is launching, the report's findings name the model's lines."""
    if "torch._inductor.codecache" in sys.modules:
        from lockstep.models import provenance

        provenance.annotate(report)


def raise_for(report: LaunchReport) -> NoReturn:
    """Raises the exception of a failed launch; the traceback ends in the kernel's own line."""
    __tracebackhide__ = True
    error = error_of(report)
    try:
        if error.file and error.line > 0:
            column = error.finding.column if error.finding else 1
            error.__traceback__ = kernel_traceback(error.file, error.line, column, report.kernel)
        raise error
    finally:
        del error  # its traceback holds this frame: a cycle would keep the caller's tensors until a garbage collection


def error_of(report: LaunchReport) -> errors.KernelError:
    """The exception for a report with an error, not raised."""
    wrong = [one for one in report.findings if one.tier == "error"]
    kind, ended = _ENDED.get(report.outcome, (errors.KernelFault, ""))
    if wrong and report.outcome in ("completed", "deadlocked"):
        kind = _CLASSES.get(wrong[0].code, errors.KernelFault)
    return kind(_message(report, wrong, ended), report)


def _message(report: LaunchReport, wrong: list[Finding], ended: str) -> str:
    lines = [f"{report.kernel}: {ended} after {report.seconds:.3g} s"] if ended and not wrong else []
    lines += [one.text.rstrip("\n") for one in wrong[:_MAX_RENDERED]]
    if len(wrong) > _MAX_RENDERED:
        lines.append(f"and {len(wrong) - _MAX_RENDERED} more errors")
    if wrong:
        lines += _warnings_text([one for one in report.findings if one.tier == "warning"])
    lines.append(_finished_text(report))
    return "\n".join(lines)


def _warnings_text(warned: list[Finding]) -> list[str]:
    """They may follow from the error: a lane that is out of bounds may race, too."""
    places = list(dict.fromkeys(one.code + (f" in line {one.line}" if one.line > 0 else "") for one in warned))
    if not places:
        return []
    count = "1 warning" if len(warned) == 1 else f"{len(warned)} warnings"
    return [f"beside it {count}, which may follow from it: {', '.join(places[:_MAX_RENDERED])}" + (", ..." if len(places) > _MAX_RENDERED else "")]


def _finished_text(report: LaunchReport) -> str:
    finished = ProgramSet(report.finished, report.grid)
    count = "1 program" if report.programs_total == 1 else f"{report.programs_total:,} programs"
    text = f"{report.kernel}: {len(finished):,} of {count} finished"
    text += f": {finished}" if 0 < len(finished) < report.programs_total else ""
    return text + ("; memory is as it was before the launch" if report.rolled_back else "")


class _Place(Exception):
    """Raised and caught at once, for its traceback."""


def kernel_traceback(file: str, line: int, column: int, kernel: str) -> types.TracebackType | None:
    """A traceback of one frame at the kernel's line, so that editors, pytest and debuggers jump there.

    None for a place that no Python file can have: places come from IR, which may say anything."""
    try:
        return _traceback_at(file, line, column, kernel)
    except (ValueError, OverflowError, SystemError):  # a zero byte or lone surrogate in the name, a line beyond 2^31
        return None


def _traceback_at(file: str, line: int, column: int, kernel: str) -> types.TracebackType | None:
    name, first_line = _function_around(file, line) or (kernel or "kernel", line)
    here = {"lineno": line, "end_lineno": line, "col_offset": max(column - 1, 0), "end_col_offset": max(column, 1)}
    there = {"lineno": first_line, "end_lineno": line, "col_offset": 0, "end_col_offset": max(column, 1)}
    statement = ast.Raise(exc=ast.Name("_place", ast.Load(), **here), **here)
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.FunctionDef(name, nothing, [statement], [], **there, **_NO_TYPE_PARAMETERS)
    module = compile(ast.Module([function], []), file, "exec")
    code = next(constant for constant in module.co_consts if isinstance(constant, types.CodeType))
    try:
        types.FunctionType(code, {"_place": _Place(), "__name__": name, "__file__": file})()
    except _Place as error:
        inner, error.__traceback__ = error.__traceback__, None  # no cycle: it would keep the callers' variables
        try:
            return inner.tb_next if inner is not None else None
        finally:
            del inner
    return None


_NO_TYPE_PARAMETERS: dict[str, Any] = {"type_params": []} if sys.version_info >= (3, 12) else {}


def _function_around(file: str, line: int) -> tuple[str, int] | None:
    """Name and line of the `def` that the line belongs to: the kernel, or the helper that it calls."""
    lines = linecache.getlines(file)[:line]
    if len(lines) < line:
        return None
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    for number in range(line, 0, -1):
        match = re.match(r"(\s*)def\s+(\w+)", lines[number - 1])
        if match is not None and len(match[1]) < indent:
            return match[2], number
    return None


def _interrupt(report: LaunchReport) -> KeyboardInterrupt:
    error = KeyboardInterrupt(_finished_text(report))
    if hasattr(error, "add_note"):
        error.args = ()
        error.add_note(_finished_text(report))
    error.report = report  # type: ignore[attr-defined]
    error.finished_programs = ProgramSet(report.finished, report.grid)  # type: ignore[attr-defined]
    return error


def _warn(finding: Finding) -> None:
    message = errors.FindingWarning(finding.text.rstrip("\n"), finding)
    place = (finding.code, finding.file, finding.line, finding.column, finding.argument)
    if place in _warned and not _filters_ask_for_all(message, finding):
        return
    _warned.add(place)
    with _printing, _as_it_is():
        warnings.warn_explicit(message, errors.FindingWarning, finding.file or "<kernel>", finding.line, module="lockstep")


@contextlib.contextmanager
def _as_it_is() -> Iterator[None]:
    """What Python prints of a FindingWarning is its text: that has its place and its line. Other warnings stay as they are."""
    before = warnings.formatwarning

    def text_of(message: Any, category: type[Warning], filename: str, lineno: int, line: str | None = None) -> str:
        is_ours = issubclass(category, errors.FindingWarning)
        return f"{message}\n" if is_ours else before(message, category, filename, lineno, line)

    warnings.formatwarning = text_of
    try:
        yield
    finally:
        if warnings.formatwarning is text_of:
            warnings.formatwarning = before


def _filters_ask_for_all(message: errors.FindingWarning, finding: Finding) -> bool:
    """Whether the first matching warning filter is "always" or "error"."""
    for action, text, category, module, line in warnings.filters:
        if not issubclass(errors.FindingWarning, category) or line not in (0, finding.line):
            continue
        if (text is None or text.match(str(message))) and (module is None or module.match("lockstep")):
            return action in ("always", "all", "error")
    return False


def last_report() -> LaunchReport | None:
    """The report of the last launch of this process; None before the first.

    >>> import lockstep
    >>> report = lockstep.last_report()
    >>> report.programs_run if report else 0
    0
    """
    from lockstep import _native

    return _native.last_report()


@contextlib.contextmanager
def reports() -> Iterator[list[LaunchReport]]:
    """Collects the reports of all launches inside the block, in order, clean ones too.

    >>> import lockstep
    >>> with lockstep.reports() as seen:
    ...     pass  # launches
    >>> [report.kernel for report in seen]
    []
    """
    seen: list[LaunchReport] = []
    settings.add_observer(seen.append)
    try:
        yield seen
    finally:
        settings.remove_observer(seen.append)


settings.current()  # the engine knows the options before the first launcher that calls `handle` runs
