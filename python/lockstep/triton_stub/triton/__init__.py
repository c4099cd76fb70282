"""Lockstep's stand-in for Triton where none is installed: enough to import a kernel file and launch its kernels.

It answers as Triton 3.6 on an NVIDIA GPU (the one of LOCKSTEP_AS) would. It is not Triton: nothing is compiled for a
GPU, and what is missing raises AttributeError by name."""

from __future__ import annotations

from . import language, runtime, testing
from .autotune import Autotuner, Config, Heuristics, autotune, heuristics
from .jit import JITFunction, KernelInterface, constexpr_function, jit
from .language import cdiv, next_power_of_2

__version__ = "3.6.0"
is_lockstep_stub = True

__all__ = [
    "Autotuner",
    "Config",
    "Heuristics",
    "JITFunction",
    "KernelInterface",
    "autotune",
    "cdiv",
    "constexpr_function",
    "heuristics",
    "is_lockstep_stub",
    "jit",
    "language",
    "next_power_of_2",
    "runtime",
    "testing",
]
