"""JITFunction.device_caches of functions that are decorated while Lockstep's table of patches holds.

Triton keeps a function's kernels by the device's number; ours stand under DeviceIndex, a 0 that is a key of its own for
each profile. A program that asks for device_caches[torch.cuda.current_device()] while Lockstep is active means those.
Invariant: nothing of ours is ever stored under a plain number, so that a GPU's kernels and ours never mix."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from lockstep.triton_backend import routing
from lockstep.triton_backend.target import DeviceIndex


class DeviceCaches(defaultdict):  # type: ignore[type-arg]
    """Finds the entry under the active driver's own key when asked for a plain number that it lacks."""

    def __missing__(self, key: Any) -> Any:
        if type(key) is int:
            driver = routing.active_driver()
            if routing.is_our_driver(driver):
                device = driver.get_current_device()
                if isinstance(device, DeviceIndex) and int(device) == key:
                    return self[device]
        return super().__missing__(key)


def adopt(function: Any) -> None:
    """Gives the function such caches, unless it already has some of another class."""
    known = function.__dict__.get("device_caches")
    if type(known) is defaultdict:
        function.device_caches = DeviceCaches(known.default_factory, known)
