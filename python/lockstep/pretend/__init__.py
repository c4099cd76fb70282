"""`lockstep.pretend_cuda()`: programs written for a GPU run here, "cuda" meaning the CPU.

    with lockstep.pretend_cuda():            # or, at the top of a notebook, just lockstep.pretend_cuda()
        x = torch.rand(1024, device="cuda")  # CPU memory; x.device says cuda:0
        kernel[grid](x, ...)                 # runs on Lockstep

Numbers never change: torch's operators are the CPU's own. Functions that need a real GPU (cudnn, nccl, IPC, jiterator)
raise by name. Invariant: the tables that `_rows` gathers have all changes to torch, and the exit undoes them.
Differences that remain are listed in docs/pretend_cuda.md."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from lockstep.errors import LockstepError

if TYPE_CHECKING:
    from typing_extensions import Self

_lock = threading.RLock()
_depth = 0
_in_force: Any = None


def is_pretending() -> bool:
    """Whether "cuda" means the CPU in this process."""
    return _depth > 0


class Pretence:
    """What pretend_cuda() returns: in force at once; ends with its `with` block or with undo()."""

    def __init__(self, target: str | None) -> None:
        self._open = True
        self._options: Any = None
        self._active: Any = None
        self._environment: list[tuple[str, str | None, str]] = []
        _begin()
        try:
            self._choose_target(target)
            self._choose_backend()
            self._tell_children(target)
        except BaseException:
            self.undo()
            raise

    def _choose_target(self, target: str | None) -> None:
        if target is not None:
            from lockstep import settings

            options = settings.options(target=target)
            options.__enter__()
            self._options = options

    def _choose_backend(self) -> None:
        """Sends kernels to Lockstep, even where a GPU's driver is present. Programs without Triton need none."""
        import importlib.util
        import sys

        triton_stub = sys.modules.get("lockstep.triton_stub")
        if triton_stub is not None and triton_stub.is_stub():
            return
        if "triton" not in sys.modules and importlib.util.find_spec("triton") is None:
            return
        from lockstep import activation

        active = activation.active()
        active.__enter__()
        self._active = active

    def _tell_children(self, target: str | None) -> None:
        """Child processes that start meanwhile pretend too."""
        import os

        from lockstep.pretend import arrival

        inherited = arrival.environment(os.environ, pretend=True)
        names = ("LOCKSTEP", "LOCKSTEP_PRETEND", "PYTHONPATH")
        wanted = {name: inherited[name] for name in names} | ({"LOCKSTEP_AS": target} if target is not None else {})
        for name, value in wanted.items():
            self._environment.append((name, os.environ.get(name), value))
            os.environ[name] = value

    def _forget_children(self) -> None:
        """Restores variables, except those that the program has changed meanwhile."""
        import os

        while self._environment:
            name, before, given = self._environment.pop()
            if os.environ.get(name) != given:
                continue
            if before is None:
                del os.environ[name]
            else:
                os.environ[name] = before

    def undo(self) -> None:
        """Ends the pretence; a second call does nothing. Tensors made meanwhile become ordinary CPU tensors."""
        if not self._open:
            return
        self._open = False
        self._forget_children()
        try:
            for context in (self._active, self._options):
                if context is not None:
                    context.__exit__(None, None, None)
        finally:
            _end()

    def __enter__(self) -> Self:
        if not self._open:
            raise LockstepError("this pretend_cuda() has ended; call lockstep.pretend_cuda() again")
        return self

    def __exit__(self, *exception: object) -> None:
        self.undo()

    def __call__(self, *args: object, **kwargs: object) -> Self:
        self.undo()
        raise LockstepError("pretend_cuda() is not a decorator: write `with lockstep.pretend_cuda():` in the function")

    def __repr__(self) -> str:
        return f"<lockstep.pretend_cuda(): {'in force' if self._open else 'ended'}>"


def pretend_cuda(*, as_: str | None = None) -> Pretence:
    """From now on "cuda" means the CPU, until the `with` block or .undo() ends it.

    as_: the GPU to pretend to be ("sm_80"); default: the option `target` (LOCKSTEP_AS, sm_90).
    May be nested. Holds for all threads of the process. Raises ImportError without torch."""
    return Pretence(as_)


def _begin() -> None:
    global _depth, _in_force
    with _lock:
        if _depth == 0:
            from lockstep.pretend import session

            _in_force = session.start()
        _depth += 1


def _end() -> None:
    global _depth, _in_force
    with _lock:
        _depth -= 1
        if _depth == 0:
            _in_force.stop()
            _in_force = None
