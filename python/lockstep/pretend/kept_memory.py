"""Memory of freed tensors serves the next ones, as with CUDA's caching allocator.

glibc gives blocks above 128 KiB back to the system at once, and the system clears and maps new pages for the next
tensor: fla's gated linear attention spent a seventh of its time there. While "cuda" means the CPU, glibc keeps blocks of
at most MOST_OF_BLOCK bytes, and MOST_KEPT bytes at the end of its heap; `torch.cuda.empty_cache()` and the end of the
pretence give back what malloc_trim can. Other C libraries keep their ways. Source: mallopt(3), malloc_trim(3)."""

from __future__ import annotations

import ctypes
import platform
from typing import Any

MOST_OF_BLOCK = 32 << 20  # glibc takes no more
MOST_KEPT = 256 << 20
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of malloc.h


class KeptMemory:
    """Of the process; `supply` and `remove` frame the pretence."""

    def __init__(self) -> None:
        is_glibc = platform.libc_ver()[0] == "glibc"
        self._library: Any = ctypes.CDLL(None) if is_glibc else None

    def supply(self) -> None:
        if self._library is not None:
            self._library.mallopt(_MMAP_THRESHOLD, MOST_OF_BLOCK)
            self._library.mallopt(_TRIM_THRESHOLD, MOST_KEPT)

    def remove(self) -> None:
        self.give_back()

    def give_back(self) -> None:
        """What is free goes to the system, as far as malloc_trim can."""
        if self._library is not None:
            self._library.malloc_trim(0)


THE_MEMORY = KeptMemory()
