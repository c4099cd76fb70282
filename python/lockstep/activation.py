"""Makes Lockstep the driver of Triton for a while: `with lockstep.active():`.

Needed only where a GPU driver is present, or for another profile than the process's. Invariants: the driver of
before the first use returns when the last use ends, in any order of threads; the compiled kernels of the sides and profiles
never mix (see target.DeviceIndex). The choice holds for the whole process, as Triton's own active driver does, not for
one thread."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

_lock = threading.RLock()
_driver: Any = None
_open: list[Any] = []  # one entry for each active() block that is open, of all threads
_found: list[Any] = []  # Triton's default and active driver before the first of them
_gpu_drivers: list[Any] = []  # drivers that active() set aside, to unload their modules later


def is_active() -> bool:
    """Whether a launch by Triton would run on Lockstep now. Asks Triton to choose a driver if it has none yet."""
    if os.environ.get("TRITON_INTERPRET", "").lower() in ("1", "true", "on", "y", "yes"):
        return False
    if _is_stub():
        return True
    try:
        from triton.runtime.driver import driver
    except ImportError:
        return False
    try:
        return getattr(driver.active, "is_lockstep", False) is True
    except Exception:  # noqa: BLE001 (whatever keeps another backend's driver from starting, it is not ours)
        return False


class active(contextlib.ContextDecorator):
    """Runs Triton kernels on Lockstep inside a `with` block, or inside a function that it decorates.

    as_: the GPU to model inside the block, "sm_80", "sm_90", ...; the option target (LOCKSTEP_AS) if it is not given.
    Raises lockstep.OptionError for an unknown one, lockstep.LaunchError where Triton is not installed.

    >>> import lockstep
    >>> with lockstep.active(as_="sm_80"):
    ...     lockstep.is_active()
    True
    """

    def __init__(self, as_: str | None = None) -> None:
        from lockstep import settings

        self._as = as_
        self._target = settings.options(target=as_) if as_ is not None else None
        self._exits: list[contextlib.ExitStack] = []

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack, _lock:
            if self._target is not None:
                stack.enter_context(self._target)
            _take_over(stack)
            self._exits.append(stack.pop_all())
        return self

    def __exit__(self, *_: object) -> None:
        with _lock:
            self._exits.pop().close()


def _is_stub() -> bool:
    """Whether Lockstep's own small `triton` replaces a missing one: then every launch runs on Lockstep."""
    triton_stub = sys.modules.get("lockstep.triton_stub")
    return triton_stub is not None and triton_stub.is_stub()


def _take_over(stack: contextlib.ExitStack) -> None:
    """Makes Lockstep's driver Triton's; `stack` undoes it."""
    if _is_stub():
        return
    try:
        import triton.backends
        from triton.runtime.driver import driver as config
    except ImportError as error:
        from lockstep import errors

        raise errors.LaunchError(f"lockstep.active() needs Triton: {error}") from error
    from lockstep.triton_backend import patches, versions

    versions.require_served()
    _register(triton.backends, stack)
    patches.install()
    stack.callback(patches.uninstall)
    found = versions.drivers(config)
    for driver in map(versions.made, found):
        if driver is not None and not getattr(driver, "is_lockstep", False) and driver not in _gpu_drivers:
            _gpu_drivers.append(driver)
    if not _open:
        _found[:] = found
    _open.append(config)
    stack.callback(_give_back, config)
    ours = _our_driver(config)
    versions.set_drivers(config, ours, ours)


def _give_back(config: Any) -> None:
    """The last block that ends, in any thread, restores what the first one found."""
    from lockstep.triton_backend import versions

    _open.pop()
    if not _open:
        versions.set_drivers(config, *_found)
        _found.clear()


def _our_driver(config: Any) -> Any:
    """The one driver of Lockstep in this process."""
    from lockstep.triton_backend import versions

    global _driver
    default = versions.made(versions.drivers(config)[0])
    if getattr(default, "is_lockstep", False):
        return default
    if _driver is None:
        from lockstep.triton_backend.driver import LockstepDriver

        _driver = LockstepDriver(keeps_patches=False)
    return _driver


def _register(backends: Any, stack: contextlib.ExitStack) -> None:
    """Adds Lockstep to Triton's table of backends where Triton did not look for entry points (TRITON_BACKENDS_IN_TREE=1)."""
    if any(getattr(found.driver, "is_lockstep", False) for found in backends.backends.values()):
        return
    from lockstep.triton_backend.compiler import LockstepBackend
    from lockstep.triton_backend.driver import LockstepDriver

    backends.backends["lockstep"] = backends.Backend(LockstepBackend, LockstepDriver)
    stack.callback(backends.backends.pop, "lockstep", None)


def unload_on_gpu(module: int) -> None:
    """Unloads a GPU's module that died while Lockstep was active."""
    for driver in _gpu_drivers:
        unload = getattr(driver.utils, "unload_module", None)
        if unload is not None:
            unload(module)
            return
