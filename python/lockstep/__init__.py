"""Lockstep runs Triton kernels on the CPU, exactly as an NVIDIA GPU would compute them.

    import lockstep

    with lockstep.active():                  # only needed where a GPU driver is present
        kernel[grid](x, y, n, BLOCK=128)     # torch CPU tensors, NumPy arrays, anything with DLPack

Everything here is loaded when first used: `import lockstep` costs a few milliseconds and imports neither torch, Triton,
NumPy nor the native engine.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing's, which takes longer to load than all that is here
if TYPE_CHECKING:
    from typing import Any

    from lockstep._native import __version__ as __version__
    from lockstep._native import list_kernels as list_kernels
    from lockstep.activation import active as active
    from lockstep.activation import is_active as is_active
    from lockstep.code_coverage import coverage as coverage
    from lockstep.debugging import debug as debug
    from lockstep.error_pages import explain as explain
    from lockstep.errors import CompileError as CompileError
    from lockstep.errors import Deadlock as Deadlock
    from lockstep.errors import DebuggerError as DebuggerError
    from lockstep.errors import DebuggerQuit as DebuggerQuit
    from lockstep.errors import DeviceAssertionError as DeviceAssertionError
    from lockstep.errors import FindingWarning as FindingWarning
    from lockstep.errors import KernelError as KernelError
    from lockstep.errors import KernelFault as KernelFault
    from lockstep.errors import LaunchError as LaunchError
    from lockstep.errors import LaunchOutOfMemory as LaunchOutOfMemory
    from lockstep.errors import LaunchTimeout as LaunchTimeout
    from lockstep.errors import LockstepError as LockstepError
    from lockstep.errors import OptionError as OptionError
    from lockstep.errors import OutOfBoundsError as OutOfBoundsError
    from lockstep.errors import UnsupportedError as UnsupportedError
    from lockstep.judging import JudgeError as JudgeError
    from lockstep.judging import judge as judge
    from lockstep.judging.verdict import Verdict as Verdict
    from lockstep.notebooks.pages import Page as Page
    from lockstep.notebooks.pages import serve as serve
    from lockstep.notebooks.pages import show as show
    from lockstep.pipeline.stages import stages as stages
    from lockstep.pretend import pretend_cuda as pretend_cuda
    from lockstep.profiling import profile as profile
    from lockstep.proving import OutsideProof as OutsideProof
    from lockstep.proving import guard as guard
    from lockstep.proving import prove as prove
    from lockstep.real_numbers import real_values as real_values
    from lockstep.recording import record as record
    from lockstep.report import last_report as last_report
    from lockstep.report import reports as reports
    from lockstep.settings import get_options as get_options
    from lockstep.settings import options as options
    from lockstep.settings import set_options as set_options
    from lockstep.standalone import FileKernel as FileKernel
    from lockstep.standalone import kernel as kernel
    from lockstep.notebooks.tiles import TileView as TileView
    from lockstep.notebooks.tiles import tile as tile

# Public name -> module that has it. A public function never has the name of a submodule: importing the module would
# replace the function as an attribute of this package.
_HOMES = {
    "__version__": "lockstep._native",
    "list_kernels": "lockstep._native",
    "active": "lockstep.activation",
    "is_active": "lockstep.activation",
    "coverage": "lockstep.code_coverage",
    "debug": "lockstep.debugging",
    "CompileError": "lockstep.errors",
    "Deadlock": "lockstep.errors",
    "DebuggerError": "lockstep.errors",
    "DebuggerQuit": "lockstep.errors",
    "DeviceAssertionError": "lockstep.errors",
    "FindingWarning": "lockstep.errors",
    "KernelError": "lockstep.errors",
    "KernelFault": "lockstep.errors",
    "LaunchError": "lockstep.errors",
    "LaunchOutOfMemory": "lockstep.errors",
    "LaunchTimeout": "lockstep.errors",
    "LockstepError": "lockstep.errors",
    "OptionError": "lockstep.errors",
    "OutOfBoundsError": "lockstep.errors",
    "UnsupportedError": "lockstep.errors",
    "explain": "lockstep.error_pages",
    "JudgeError": "lockstep.judging",
    "judge": "lockstep.judging",
    "Verdict": "lockstep.judging.verdict",
    "Page": "lockstep.notebooks.pages",
    "serve": "lockstep.notebooks.pages",
    "show": "lockstep.notebooks.pages",
    "pretend_cuda": "lockstep.pretend",
    "stages": "lockstep.pipeline.stages",
    "profile": "lockstep.profiling",
    "OutsideProof": "lockstep.proving",
    "guard": "lockstep.proving",
    "prove": "lockstep.proving",
    "real_values": "lockstep.real_numbers",
    "record": "lockstep.recording",
    "last_report": "lockstep.report",
    "reports": "lockstep.report",
    "get_options": "lockstep.settings",
    "options": "lockstep.settings",
    "set_options": "lockstep.settings",
    "FileKernel": "lockstep.standalone",
    "kernel": "lockstep.standalone",
    "TileView": "lockstep.notebooks.tiles",
    "tile": "lockstep.notebooks.tiles",
}

__all__ = [
    "CompileError",
    "Deadlock",
    "DebuggerError",
    "DebuggerQuit",
    "DeviceAssertionError",
    "FileKernel",
    "FindingWarning",
    "JudgeError",
    "KernelError",
    "KernelFault",
    "LaunchError",
    "LaunchOutOfMemory",
    "LaunchTimeout",
    "LockstepError",
    "OptionError",
    "OutOfBoundsError",
    "OutsideProof",
    "Page",
    "TileView",
    "UnsupportedError",
    "Verdict",
    "__version__",
    "active",
    "coverage",
    "debug",
    "explain",
    "get_options",
    "guard",
    "is_active",
    "judge",
    "kernel",
    "last_report",
    "list_kernels",
    "options",
    "pretend_cuda",
    "profile",
    "prove",
    "real_values",
    "record",
    "reports",
    "serve",
    "set_options",
    "show",
    "stages",
    "tile",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'lockstep' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """%load_ext lockstep."""
    from lockstep.notebooks import magics

    magics.load(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
