"""What the GPU's compiler would say about a kernel: shared memory, registers, spills, PTX. Made when asked for.

Triton's own NVIDIA stages and its ptxas need no GPU; they take some tenths of a second per kernel, so nothing here runs
unless a program looks at kernel.n_regs, kernel.metadata.shared, kernel.asm["ptx"] and the like. Invariant: numbers are
those of the options that the program gave (device_assert only with debug=True), so that a program that computes its
occupancy computes the GPU's. A kernel that Lockstep runs and NVIDIA's stages refuse says so here, and only here."""

from __future__ import annotations

import math
import os
import re
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from typing import Any

from lockstep import errors
from lockstep.triton_backend import routing, versions

_LATE_FIELDS = ("shared", "tmem_size", "global_scratch_size", "global_scratch_align", "profile_scratch_size",
                "profile_scratch_align", "tensordesc_meta")  # fmt: skip
_making = threading.RLock()


@dataclass(frozen=True)
class Registers:
    """Per thread: 32-bit registers, and words of local memory."""

    registers: int
    spills: int


def tuples(value: Any) -> Any:
    """Turns JSON's lists into the tuples that options hold."""
    return tuple(tuples(one) for one in value) if isinstance(value, list) else value


def present_libraries(libraries: Any) -> dict[str, str] | None:
    """The libraries to link, without a libdevice that has gone: Triton's cache keeps the path of the environment that
    compiled first, and finds its own where none is named."""
    named = dict(libraries or ())
    if not os.path.exists(named.get("libdevice", "")):
        named.pop("libdevice", None)
    return named or None


class Resources:
    """The resources of one compiled kernel. Caches everything after `nvidia`."""

    def __init__(self, src: Any, metadata: Any, binary: bytes) -> None:
        self._src = src
        self._metadata = metadata
        self._binary = binary
        self._nvidia: Any = None
        self._registers: Registers | None = None

    @property
    def packed(self) -> tuple[int, int, int]:
        """The values that Triton packs for a launcher."""
        return versions.packed(self._metadata)

    @property
    def nvidia(self) -> Any:
        """The CompiledKernel of Triton's NVIDIA backend. Raises lockstep.UnsupportedError if the backend refuses the kernel."""
        with _making:
            if self._nvidia is None:
                self._nvidia = self._compile()
            return self._nvidia

    def _compile(self) -> Any:
        from triton.backends.compiler import GPUTarget
        from triton.backends.nvidia.compiler import CUDAOptions
        from triton.compiler.compiler import ASTSource, compile

        given = self._metadata._asdict()
        options = {name: tuples(given[name]) for name in CUDAOptions.__dataclass_fields__ if name in given}
        options["extern_libs"] = present_libraries(given.get("extern_libs"))
        target = GPUTarget("cuda", self._metadata.target.arch, self._metadata.target.warp_size)
        try:
            with routing.to_nvidia():
                if isinstance(self._src, ASTSource):
                    return compile(self._src, target=target, options=options)
                with tempfile.TemporaryDirectory() as folder:
                    return compile(_written(folder, self._binary), target=target, options=options)
        except Exception as error:
            raise errors.UnsupportedError(
                f"kernel {self._metadata.name}: Triton's NVIDIA compiler gives no sm_{target.arch} code for it, so its "
                f"registers, shared memory and PTX are unknown (Lockstep still runs it): {error}"
            ) from error

    def _used(self) -> Registers:
        with _making:
            if self._registers is None:
                self._registers = _read_registers(self.nvidia.asm["cubin"])
            return self._registers

    @property
    def registers(self) -> int:
        return self._used().registers

    @property
    def spills(self) -> int:
        return self._used().spills

    def late(self, name: str) -> Any:
        """A metadata field that only NVIDIA's stages know."""
        return getattr(self.nvidia.metadata, name)

    def check_room(self, ttir: bytes, most_threads: int) -> None:
        """Raises Triton's OutOfResources where the modelled GPU has too few threads or too little shared memory.

        The compiler is asked for shared memory only where the tiles that loops load, times their stages, could exceed
        it. A kernel that it refuses has room."""
        from triton.runtime.errors import OutOfResources

        from lockstep.triton_backend.profiles import facts_of

        threads = self._metadata.num_warps * 32
        if threads > most_threads:
            raise OutOfResources(threads, most_threads, "threads")
        limit = facts_of(f"sm_{self._metadata.target.arch}").shared_memory_per_block
        if staged_bytes(ttir.decode(errors="replace"), self._metadata.num_stages) <= limit:
            return
        try:
            needed = self.nvidia.metadata.shared
        except OutOfResources:
            raise
        except errors.UnsupportedError:
            return
        if needed > limit:
            raise OutOfResources(needed, limit, "shared memory")

    def show_in(self, metadata_class: type) -> None:
        """Lets the kernel's own metadata class (Triton makes one per kernel) ask for its late fields."""
        for name in _LATE_FIELDS:
            if hasattr(metadata_class, name):
                setattr(metadata_class, name, property(lambda _, name=name: self.late(name)))


def staged_bytes(ttir: str, num_stages: int) -> int:
    """An upper bound of what pipelining keeps: the loaded tiles of a kernel with loops, times the most stages of a loop."""
    if "scf.for" not in ttir:
        return 0
    stages = max([num_stages, *(int(number) for number in re.findall(r"tt\.num_stages = (\d+)", ttir))])
    total = 0
    for dimensions, width in re.findall(r"tt\.(?:descriptor_)?load [^\n]*tensor<((?:\d+x)+)(?:!tt\.ptr<)?[a-zA-Z]+(\d+)", ttir):
        total += math.prod(int(extent) for extent in dimensions.split("x") if extent) * max(int(width), 8) // 8
    return stages * total


def of_ttir(binary: bytes, profile: str | None) -> Registers:
    """Registers of TTIR text compiled with default options."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import compile

    from lockstep import settings
    from lockstep.triton_backend.profiles import capability_of

    target = GPUTarget("cuda", capability_of(profile or settings.current().target), 32)
    with routing.to_nvidia(), tempfile.TemporaryDirectory() as folder:
        return _read_registers(compile(_written(folder, binary), target=target).asm["cubin"])


def _written(folder: str, binary: bytes) -> str:
    path = os.path.join(folder, "kernel.ttir")
    with open(path, "wb") as file:
        file.write(binary)
    return path


def _read_registers(cubin: bytes) -> Registers:
    """Asks Triton's cuobjdump."""
    from triton import knobs

    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        text = subprocess.run(
            [knobs.nvidia.cuobjdump.path, "-res-usage", file.name], check=True, capture_output=True, text=True
        ).stdout
    found = dict(re.findall(r"\b(REG|STACK|LOCAL):(\d+)", text))
    return Registers(max(int(found["REG"]), 1), int(found.get("STACK", 0)) // 4 + int(found.get("LOCAL", 0)) // 4)
