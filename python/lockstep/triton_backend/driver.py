"""The driver class that Triton finds by the entry point: the modelled GPU as the runtime asks about it.

Active by default where no other backend has a GPU, everywhere with LOCKSTEP=1, nowhere with LOCKSTEP=0. Invariants: one
device, index 0, whose profile is the option `target` (LOCKSTEP_AS); one stream, 0, on which everything is done when a
call returns. This module has exactly one concrete DriverBase; importing it imports no torch and no engine."""

from __future__ import annotations

import sys
from typing import Any

from triton.backends.driver import DriverBase

from lockstep.triton_backend import presence, versions
from lockstep.triton_backend.target import DeviceIndex, LockstepTarget, target_of


def _is_pretending() -> bool:
    """Whether torch pretends to have a GPU. Lockstep does not use a real GPU of this machine."""
    pretend = sys.modules.get("lockstep.pretend")
    return pretend is not None and pretend.is_pretending()


def _require_engine() -> None:
    """Raises lockstep.LaunchError with the reason if the native engine cannot be imported."""
    try:
        from lockstep import _native  # noqa: F401
    except ImportError as error:
        from lockstep import errors

        raise errors.LaunchError(
            f"Lockstep's engine cannot be loaded, so no kernel can run on it (LOCKSTEP=0 keeps it out of Triton): {error}"
        ) from error


class LockstepDriver(DriverBase):
    """Triton's driver interface over the native engine."""

    is_lockstep = True

    def __init__(self, keeps_patches: bool = True) -> None:
        """keeps_patches: this driver becomes the process's default, so the patches stay for good."""
        versions.require_served()
        _require_engine()
        from lockstep import settings
        from lockstep.triton_backend import patches, torch_queries
        from lockstep.triton_backend.utilities import Launcher, Utilities

        self._settings = settings
        self._devices: dict[str, DeviceIndex] = {}
        self._targets: dict[str, LockstepTarget] = {}
        self.utils = Utilities()
        self.launcher_cls = Launcher
        self._is_default = keeps_patches
        if keeps_patches:
            patches.install()
            torch_queries.apply()

    @staticmethod
    def is_active() -> bool:
        return presence.is_default()

    def get_current_device(self) -> int:
        profile = self._settings.current().target
        try:
            return self._devices[profile]
        except KeyError:
            return self._devices.setdefault(profile, DeviceIndex(profile))

    def set_current_device(self, device: int) -> None:
        """There is one device. Raises ValueError for another."""
        if device != 0:
            raise ValueError(f"Lockstep models one GPU, number 0; there is no device {device}")

    def get_current_stream(self, device: int | None = None) -> int:
        return 0

    def get_current_target(self) -> LockstepTarget:
        if self._is_default:  # a program that asks for the target may have loaded torch since
            from lockstep.triton_backend import torch_queries

            torch_queries.apply()
        profile = self._settings.current().target
        return self._targets.get(profile) or self._targets.setdefault(profile, target_of(profile))

    def get_device_capability(self, device: int | None = None) -> tuple[int, int]:
        return divmod(self.get_current_target().arch, 10)

    def get_active_torch_device(self) -> Any:
        """cpu; cuda:0 under lockstep.pretend_cuda()."""
        import torch

        return torch.device("cuda", 0) if _is_pretending() else torch.device("cpu")

    def get_device_interface(self) -> Any:
        """A module-like object with the names of torch.cuda; torch.cuda itself under lockstep.pretend_cuda()."""
        from lockstep.triton_backend import device_interface

        if not _is_pretending():
            return device_interface
        import torch

        return torch.cuda

    def map_python_to_cpp_type(self, ty: str) -> str:
        from lockstep.triton_backend.utilities import cpp_type

        return cpp_type(ty)

    def get_benchmarker(self) -> Any:
        from lockstep.triton_backend.autotune import benchmark

        return benchmark

    def get_empty_cache_for_benchmark(self) -> Any:
        """Does nothing: there is no L2 cache to flush before a run."""
        return None

    def clear_cache(self, cache: Any) -> None:
        """Does nothing; Triton's benchmarks call it before each run."""

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: int | None) -> Any:
        import torch

        return torch.zeros(size, dtype=torch.int8)

    def assemble_tensormap_to_arg(self, tensormaps_info: Any, args: Any) -> Any:
        return args


versions.concrete(LockstepDriver)
presence.mention_interpreter()
presence.claim()
