"""Problems that appear before a case runs. All have exit code 2, except Missing."""

from __future__ import annotations

from lockstep.errors import LockstepError


class PlanError(LockstepError, ValueError):
    """A campaign's TOML is wrong. str() is "FILE:LINE: message", with a hint on a line of its own."""

    def __init__(self, message: str, *, file: str = "", line: int = 0, hint: str = "") -> None:
        place = f"{file}:{line}: " if line else f"{file}: " if file else ""
        super().__init__(f"{place}{message}" + (f"\nhint: {hint}" if hint else ""))
        self.message, self.file, self.line, self.hint = message, file, line, hint


class UsageError(LockstepError):
    """A command line cannot be understood."""


class StateError(LockstepError, RuntimeError):
    """A state file cannot be used: no campaign's, another campaign's, or in use."""


class Stuck(LockstepError, RuntimeError):
    """A process that Lockstep waited for stopped doing anything, and was ended."""


class Missing(LockstepError, RuntimeError):
    """Something that the campaign needs is not installed: exit code 3."""


class ClusterLost(Missing):
    """The Ray cluster of a campaign is gone. The state file has all finished results."""
