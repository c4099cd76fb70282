"""ttg.barrier (Triton 3.7 on): the barrier with the memory that it orders; in Lockstep a program's accesses are in order anyway."""

import gpu_barrier

SPACES = ["all", "local", "global_read", "global_write", "none", "local|global_write"]


def cases():
    for space in SPACES:
        case = gpu_barrier.reversed_through_memory(64, f"ttg.barrier {space}", gpu="Triton 3.6 does not print this op")
        case.name = space.replace("|", "_and_")
        yield case
