"""`triton.runtime`: the driver's answers to host code, for the GPU of LOCKSTEP_AS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lockstep import settings
from lockstep.triton_backend.utilities import Utilities

from .jit import JITFunction, KernelInterface

__all__ = ["GPUTarget", "JITFunction", "KernelInterface", "driver"]


@dataclass(frozen=True)
class GPUTarget:
    backend: str
    arch: int
    warp_size: int


class _Driver:
    utils = Utilities()

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", int(settings.current().target.removeprefix("sm_").rstrip("af")), 32)

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int = 0) -> int:
        return 0

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        return divmod(self.get_current_target().arch, 10)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")


class _DriverConfig:
    active = default = _Driver()


driver = _DriverConfig()
