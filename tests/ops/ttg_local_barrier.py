"""ttg.local_barrier (Triton 3.6): the barrier of shared memory; in Lockstep a program's accesses are in order anyway."""

import gpu_barrier


def cases():
    yield gpu_barrier.reversed_through_memory(64, "ttg.local_barrier", gpu="it orders shared memory alone")
