"""The same launch through Triton's front end and through Lockstep's own: both must store the same bytes."""

from __future__ import annotations

import zlib

import lockstep
import torch
from case import Case
from runner import kernel_of, prepared


def stored(launch, case: Case) -> dict[str, bytes]:
    arguments, results = prepared(case)
    launch(*arguments, **case.constants, **case.options)
    return {name: tensor.flatten().view(torch.uint8).numpy().tobytes() for name, tensor in results.items()}


def compare(case: Case) -> str:
    """Empty if the bytes are equal."""
    path = f"generated/launch_{zlib.crc32(case.text.encode()):08x}.py"
    try:
        theirs = stored(kernel_of(case.text)[case.grid], case)
        ours = stored(lockstep.kernel(path, "kernel", source=case.text)[case.grid], case)
    except Exception as error:  # noqa: BLE001 (whatever it is, the case has failed)
        return f"{type(error).__name__}: {error}"
    different = [name for name in theirs if theirs[name] != ours[name]]
    return f"bytes of {', '.join(different)} differ" if different else ""
