"""LOCKSTEP_STAGE=ttgir: a launch runs what Triton's own pipeline makes for the modelled GPU, instead of TTIR.

The kernel's TTIR goes through the installed Triton's make_ttgir with the options that the program gave. Nothing after
TTGIR is made, so neither ptxas nor a GPU is asked. Invariant: an op that Lockstep does not execute is an error of the launch that
names it; the TTIR never runs in its place."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from lockstep.errors import OptionError

VARIABLE = "LOCKSTEP_STAGE"
STAGES = ("ttir", "ttgir")


def wanted() -> str:
    """The stage that launches run. Raises OptionError."""
    stage = os.environ.get(VARIABLE) or STAGES[0]
    if stage not in STAGES:
        raise OptionError(f"the environment variable {VARIABLE}: {stage!r} is not a stage that runs: ttir, ttgir")
    return stage


def ttgir_of(ttir: bytes, metadata: Any) -> bytes:
    """Triton's TTGIR of a kernel's TTIR, with locations. metadata: the kernel's, with its options."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.backends.nvidia.compiler import CUDABackend, CUDAOptions

    from lockstep.triton_backend.resources import present_libraries, tuples

    class Backend(CUDABackend):  # type: ignore[misc]
        supports_target = staticmethod(lambda target: True)  # Triton's own, while Lockstep's is the one that compiles

    arch = int(metadata.target.arch)
    backend = Backend(GPUTarget("cuda", arch, 32))
    given = metadata._asdict()
    chosen = {name: tuples(given[name]) for name in CUDAOptions.__dataclass_fields__ if name in given}
    chosen["extern_libs"] = present_libraries(given.get("extern_libs"))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ttir")
        with open(path, "wb") as file:
            file.write(ttir)
        module = ir.parse_mlir_module(path, context)
    module.context = context  # lives as long
    made = backend.make_ttgir(module, {}, backend.parse_options(chosen), arch)
    return str(made).encode()
