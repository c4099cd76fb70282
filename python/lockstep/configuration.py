"""Which configuration of @triton.autotune a launch takes where the option `config` names one.

A list without that number, or one whose pruning takes it out, is an error of the launch: another configuration is never
taken silently. Inside `where_there_is_one()`, for programs that launch many kernels, such a kernel takes the
configuration that it takes without the option, and the block receives the names of these kernels."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lockstep import settings
from lockstep.errors import LaunchError


class NoConfiguration(LaunchError):
    """The option `config` names a configuration that the kernel lacks."""


@dataclass
class Taken:
    """How the launches of a block used the option."""

    launches: int = 0  # that took the configuration
    without: dict[str, str] = field(default_factory=dict)  # kernel -> why it did not

    def why_not(self) -> str:
        """Why no launch took it; "" where one did."""
        if self.launches:
            return ""
        reasons = [f"{kernel} {why}" for kernel, why in sorted(self.without.items())]
        return "; ".join(reasons) or "no launch is autotuned"


_blocks: list[Taken] = []


@contextlib.contextmanager
def where_there_is_one() -> Iterator[Taken]:
    """Launches inside the block take the configuration where there is one."""
    taken = Taken()
    _blocks.append(taken)
    try:
        yield taken
    finally:
        _blocks.remove(taken)


def is_asked_for() -> bool:
    return settings.current().config is not None


def chosen(kernel: str, configs: Sequence[Any], kept: Callable[[], Iterable[Any] | None] = lambda: None) -> Any:
    """The configuration that the option names; None: take what is taken without it.

    kept: what is left of `configs` for this launch where the kernel says so (early_config_prune). Raises NoConfiguration."""
    number = settings.current().config
    if number is None:
        return None
    if number >= len(configs):
        verb = "are" if len(configs) != 1 else "is"
        return without(kernel, f"has no configuration {number}: there {verb} {len(configs)}, counted from 0")
    wanted, left = configs[number], kept()
    if left is not None:
        wanted = next((one for one in left if one is wanted or one.all_kwargs() == wanted.all_kwargs()), None)
    if wanted is None:
        return without(kernel, f"takes its configuration {number} out for this launch (early_config_prune)")
    return wanted


def note() -> None:
    """A launch took the configuration."""
    for block in _blocks:
        block.launches += 1


def without(kernel: str, why: str) -> None:
    """A launch cannot take the configuration. Raises NoConfiguration, unless another configuration takes its place."""
    if not _blocks:
        raise NoConfiguration(f"{kernel} {why}")
    for block in _blocks:
        block.without[kernel] = why
