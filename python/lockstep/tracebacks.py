"""Tracebacks of Lockstep's errors without the frames of Lockstep and Triton, which say nothing about the user's program.

The first error installs it: into sys.excepthook unless another hook is there, and into IPython. Invariants: no
other exception is touched; where no frame would remain, all do; LOCKSTEP_TRACEBACK=full keeps every frame."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any

_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep
_TRITON_PARTS = ("runtime", "compiler", "backends")

_is_installed = False


def _hidden_folders() -> tuple[str, ...]:
    triton = getattr(sys.modules.get("triton"), "__file__", None)
    folder = os.path.dirname(os.path.abspath(triton)) if triton else ""
    return (_OURS, *(os.path.join(folder, part) + os.sep for part in _TRITON_PARTS if folder))


def pruned(trace: TracebackType | None) -> TracebackType | None:
    """The traceback without frames of Lockstep and of Triton's launcher."""
    if os.environ.get("LOCKSTEP_TRACEBACK") == "full":
        return trace
    hidden = _hidden_folders()
    kept = []
    at = trace
    while at is not None:
        if not os.path.abspath(at.tb_frame.f_code.co_filename).startswith(hidden):
            kept.append(at)
        at = at.tb_next
    made: TracebackType | None = None
    for one in reversed(kept):
        made = TracebackType(made, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return made if made is not None else trace


def prune(error: BaseException) -> None:
    """The error's traceback, and those of its causes, as `pruned` makes them."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        one.__traceback__ = pruned(one.__traceback__)
        one = one.__cause__ or one.__context__


def install() -> None:
    global _is_installed
    if _is_installed:
        return
    _is_installed = True
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _excepthook
    if "IPython" in sys.modules:
        _install_in_ipython()


def _excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    from lockstep.errors import LockstepError

    if isinstance(error, LockstepError):
        prune(error)
        trace = error.__traceback__
    sys.__excepthook__(kind, error, trace)


def _install_in_ipython() -> None:
    from IPython.core.getipython import get_ipython

    from lockstep.errors import LockstepError

    shell: Any = get_ipython()  # type: ignore[no-untyped-call]
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((LockstepError,), _shown_by_ipython)


def _shown_by_ipython(shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None) -> Any:
    prune(error)
    first = pruned(trace)
    rendered = getattr(error, "_render_traceback_", None)  # of a cell under %%lockstep
    lines = rendered() if rendered is not None else shell.InteractiveTB.structured_traceback(kind, error, first, tb_offset=tb_offset)
    shell._showtraceback(kind, error, lines)
    return lines
