"""breakpoint() in a kernel: Python's builtin as Triton's front end compiles it while Lockstep is active.

It becomes a print of nothing with a prefix that the engine knows (ir/breakpoint.h): an op that Triton's passes keep
in its place. Launches without a debugger run as if it were not there. Where Lockstep does not compile, the name is unknown, as in
Triton."""

from __future__ import annotations

from typing import Any

from triton.language import core

PREFIX = "lockstep.breakpoint"


@core.builtin
def mark(_semantic: Any = None) -> None:
    """breakpoint()"""
    from lockstep.triton_backend.lowering import LockstepOptions

    if not isinstance(_semantic.builder.options, LockstepOptions):
        raise NameError("breakpoint is not defined")
    _semantic.builder.create_print(PREFIX, False, [], [])
