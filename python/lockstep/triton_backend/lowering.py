"""What the compiler class does once Triton is fully imported: options with assertions, the last stage, metadata.

Invariant: nothing here depends on a GPU, on ptxas or on the interpreter; resource numbers of the GPU's compiler are
asked for later, by resources.py, and stand as 0 in the cache."""

from __future__ import annotations

from typing import Any

from triton.backends.nvidia.compiler import CUDAOptions

from lockstep.triton_backend.target import MARKER, LockstepTarget

# Keys that Triton's later stages would add, with their values for a kernel without those stages.
UNKNOWN_RESOURCES: dict[str, Any] = {
    "shared": 0,
    "tmem_size": 0,
    "global_scratch_size": 0,
    "global_scratch_align": 1,
    "profile_scratch_size": 0,
    "profile_scratch_align": 1,
}


class LockstepOptions(CUDAOptions):
    """CUDA options for which device_assert is on. Its fields stay what the program gave, so metadata and keys do too.

    Triton asks one option for both kinds of assertion; overflow checks additionally ask `sanitize_overflow`, which
    therefore stands for both here."""

    @property
    def debug(self) -> bool:  # type: ignore[override]
        return True

    @property
    def sanitize_overflow(self) -> bool:  # type: ignore[override]
        return bool(self.__dict__["debug"] and self.__dict__["sanitize_overflow"])


def with_assertions(options: CUDAOptions) -> LockstepOptions:
    """The same options with device_assert on."""
    made = object.__new__(LockstepOptions)
    made.__dict__.update(options.__dict__)
    return made


def finish(module: Any, metadata: dict[str, Any]) -> bytes:
    """The last stage: TTIR or TTGIR text with locations. Fills in the metadata that Triton's later stages would add."""
    metadata["target"] = LockstepTarget(
        int(metadata["target"].arch)
    )  # a program's own GPUTarget("cuda", ...) becomes ours
    metadata["name"] = module.get_entry_func_name()
    metadata["tensordesc_meta"] = []
    metadata.update(UNKNOWN_RESOURCES)
    return str(module).encode()


def restore_target(target: Any) -> None:
    """Makes the plain GPUTarget that Triton read from its cache answer "cuda" again."""
    if target.backend == MARKER:
        object.__setattr__(target, "__class__", LockstepTarget)
