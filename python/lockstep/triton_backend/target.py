"""The target and the device index of Lockstep as Triton sees them.

A program must find `target.backend == "cuda"`, Triton must find our compiler: LockstepTarget answers "cuda" and keeps
"lockstep" in its fields, so what Triton writes into its disk cache (vars of the target) still names us. Invariant: a
DeviceIndex equals 0 but is another dictionary key than 0 and than the index of another profile, so that neither
JITFunction.device_caches nor lru_caches mix a real GPU's kernels, ours, and ours of another profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton.backends.compiler import GPUTarget

from lockstep.triton_backend.profiles import capability_of

if TYPE_CHECKING:
    from typing_extensions import Self

MARKER = "lockstep"
WARP_SIZE = 32


class LockstepTarget(GPUTarget):
    """Answers GPUTarget("cuda", 90, 32) to the program, and `lockstep` to Triton's choice of a compiler."""

    def __init__(self, arch: int) -> None:
        self.__dict__.update(backend=MARKER, arch=arch, warp_size=WARP_SIZE)

    @property
    def backend(self) -> str:  # type: ignore[override]
        return "cuda"

    def __repr__(self) -> str:
        return f"GPUTarget(backend='cuda', arch={self.arch}, warp_size={self.warp_size})"

    def __reduce__(self) -> tuple[type, tuple[int]]:
        return LockstepTarget, (self.arch,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LockstepTarget) and self.arch == other.arch

    def __hash__(self) -> int:
        return hash((MARKER, self.arch))


def is_marked(target: GPUTarget) -> bool:
    """Whether the target is Lockstep's, or was before it went through a JSON file."""
    return isinstance(target, LockstepTarget) or target.backend == MARKER


def target_of(profile: str) -> LockstepTarget:
    """The target for "sm_90"."""
    return LockstepTarget(capability_of(profile))


class DeviceIndex(int):
    """The int 0 as a separate key for each profile."""

    profile: str

    def __new__(cls, profile: str) -> Self:
        index = super().__new__(cls, 0)
        index.profile = profile
        return index

    def __hash__(self) -> int:
        return hash((MARKER, self.profile))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DeviceIndex):
            return self.profile == other.profile
        return int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return DeviceIndex, (self.profile,)
