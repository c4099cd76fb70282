"""What a program can ask of the GPU that is modelled: one row of facts per target.

Numbers are those of one product that carries the compute capability (clocks in kHz, as the driver API gives them), so
that heuristics of Triton programs choose as they would there. Invariant: no import of Triton, torch or the engine.
Not here: what the target decides about numbers (support/target_profile in C++). Source: NVIDIA's CUDA C++ programming
guide (technical specifications per compute capability) and the products' data sheets; none was asked of a GPU yet."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class DeviceFacts:
    """A GPU as torch.cuda.get_device_properties and Triton's driver describe one. Sizes in bytes, clocks in kHz."""

    name: str
    capability: int  # 90 for compute capability 9.0
    multiprocessors: int
    shared_memory_per_block: int  # with opt-in
    shared_memory_per_multiprocessor: int
    threads_per_multiprocessor: int
    l2_cache: int
    memory: int
    core_clock: int
    memory_clock: int
    memory_bus_bits: int
    registers: int = 65536  # per multiprocessor and per block
    warp_size: int = 32

    @property
    def version(self) -> tuple[int, int]:
        """Compute capability as torch gives it: (9, 0)."""
        return divmod(self.capability, 10)


_GIB = 2**30
_MIB = 2**20
_KIB = 2**10
_ROWS = (
    DeviceFacts("Tesla V100-SXM2-32GB", 70, 80, 96 * _KIB, 96 * _KIB, 2048, 6 * _MIB, 32 * _GIB, 1530000, 877000, 4096),
    DeviceFacts("Tesla T4", 75, 40, 64 * _KIB, 64 * _KIB, 1024, 4 * _MIB, 15 * _GIB, 1590000, 5001000, 256),
    DeviceFacts("NVIDIA A100-SXM4-80GB", 80, 108, 163 * _KIB, 164 * _KIB, 2048, 40 * _MIB, 80 * _GIB, 1410000, 1593000, 5120),
    DeviceFacts("NVIDIA GeForce RTX 3090", 86, 82, 99 * _KIB, 100 * _KIB, 1536, 6 * _MIB, 24 * _GIB, 1695000, 9751000, 384),
    DeviceFacts("Orin", 87, 16, 163 * _KIB, 164 * _KIB, 1536, 4 * _MIB, 61 * _GIB, 1300000, 3200000, 256),
    DeviceFacts("NVIDIA GeForce RTX 4090", 89, 128, 99 * _KIB, 100 * _KIB, 1536, 72 * _MIB, 24 * _GIB, 2520000, 10501000, 384),
    DeviceFacts("NVIDIA H200", 90, 132, 227 * _KIB, 228 * _KIB, 2048, 60 * _MIB, 140 * _GIB, 1980000, 3201000, 6144),
    DeviceFacts("NVIDIA B200", 100, 148, 227 * _KIB, 228 * _KIB, 2048, 126 * _MIB, 178 * _GIB, 1965000, 3996000, 8192),
    DeviceFacts("NVIDIA B300", 103, 148, 227 * _KIB, 228 * _KIB, 2048, 126 * _MIB, 268 * _GIB, 1920000, 3996000, 8192),
    DeviceFacts("NVIDIA GeForce RTX 5090", 120, 170, 99 * _KIB, 100 * _KIB, 1536, 96 * _MIB, 31 * _GIB, 2407000, 14001000, 512),
)  # fmt: skip


MODELS = {"a100": 80, "h100": 90, "h200": 90}  # GPUs that have names of their own, as support/gpu_model.cpp knows them


def known_targets() -> list[str]:
    """The targets that have a row, by rising capability: "sm_70", ..., "sm_120"."""
    return [f"sm_{row.capability}" for row in _ROWS]


def capability_of(target: str) -> int:
    """90 of "sm_90", "sm_90a", "sm90", "90" and "h100". Raises ValueError for anything else."""
    if target.lower() in MODELS:
        return MODELS[target.lower()]
    match = re.fullmatch(r"(?:sm_?)?([0-9]{2,3})[af]?", target)
    if match is None:
        raise ValueError(f"{target!r} names no NVIDIA GPU; write it like sm_90")
    return int(match[1])


def facts_of(target: str) -> DeviceFacts:
    """The row of the target, or of the nearest smaller capability with the requested capability (sm_87: sm_86's)."""
    capability = capability_of(target)
    row = next((row for row in reversed(_ROWS) if row.capability <= capability), _ROWS[0])
    return row if row.capability == capability else DeviceFacts(**{**vars(row), "capability": capability})
