"""The compiler class that Triton finds by the entry point: kernels are lowered to TTIR as for an NVIDIA GPU, Gluon's to
TTGIR, and no further.

Options, checks and passes are Triton's own CUDA backend's for the modelled architecture, so that errors of the language
stay Triton's. Invariants: tl.device_assert is always lowered (and checked), integer-overflow assertions only with
debug=True as in Triton; the last stage's bytes are that text with locations; the cache key names Lockstep, its version and
the architecture. This module has exactly one concrete BaseBackend, as Triton demands; importing it never fails."""

from __future__ import annotations

from typing import Any

from triton.backends.compiler import BaseBackend, GPUTarget, Language

from lockstep.triton_backend import routing, versions

BINARY_EXTENSION = "lockstep"


def _cuda_backend() -> type[BaseBackend]:
    """Triton's CUDA backend; a stand-in that explains itself where Triton was built without one."""
    try:
        from triton.backends.nvidia.compiler import CUDABackend
    except ImportError as error:
        reason = str(error)

        def refuse(self: BaseBackend, target: GPUTarget) -> None:
            raise RuntimeError(
                f"Lockstep needs the NVIDIA backend that Triton ships, and cannot import it: {reason}"
            )

        names = BaseBackend.__abstractmethods__
        return type("WithoutNvidia", (BaseBackend,), {"__init__": refuse, **dict.fromkeys(names, refuse)})
    return CUDABackend


class LockstepBackend(_cuda_backend()):  # type: ignore[misc]
    """Compiles for LockstepTarget, and for "cuda" while Lockstep is active."""

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return routing.takes(target)

    def __init__(self, target: GPUTarget) -> None:
        from triton import knobs

        super().__init__(target)
        # Triton caches only cubins if it is configured to keep only binaries.
        self.binary_ext = "cubin" if knobs.compilation.store_binary_only else BINARY_EXTENSION

    def hash(self) -> str:
        """Names everything outside of the source and the options that affects the result; runs no ptxas."""
        from lockstep import _native

        return f"lockstep-{_native.__version__}-sm_{self.target.arch}-{self.binary_ext}"

    def parse_options(self, opts: dict[str, Any]) -> Any:
        from lockstep.triton_backend.lowering import with_assertions

        return with_assertions(super().parse_options(opts))

    def add_stages(self, stages: dict[str, Any], options: Any, language: Language = Language.TRITON) -> None:
        from lockstep.triton_backend import lowering

        super().add_stages(stages, options, language)
        last = "ttir" if language is Language.TRITON else "ttgir"
        names = list(stages)
        for name in names[names.index(last) + 1 :]:  # 3.9 has one before Gluon's: "glir"
            del stages[name]
        stages[self.binary_ext] = lowering.finish

    def pack_metadata(self, metadata: Any) -> tuple[Any, ...]:
        from lockstep.triton_backend import lowering

        lowering.restore_target(metadata.target)
        return versions.packed(metadata)


versions.concrete(LockstepBackend)
