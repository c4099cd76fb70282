"""Runs a `Case` through Triton's own front end and the Lockstep backend, on torch's CPU tensors, and compares what it
stored.

A kernel's text is compiled from memory (its file name never exists); equal texts are one JITFunction, so a repeated
text costs a launch only.
"""

from __future__ import annotations

import functools
import linecache
import types
import zlib
from typing import Any

import numpy as np
import torch
from case import Case, Data
from comparison import problem
from scalar_types import TYPES

AS_BITS = {
    "bf16": (np.uint16, torch.bfloat16),
    "fp8e5": (np.uint8, torch.float8_e5m2),
    "fp8e4nv": (np.uint8, torch.float8_e4m3fn),
}


@functools.cache
def kernel_of(text: str):
    """The function `kernel` of a module with this text."""
    path = f"generated/launch_{zlib.crc32(text.encode()):08x}.py"
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    module = types.ModuleType("generated_launch")
    module.__file__ = path
    exec(compile(text, path, "exec"), module.__dict__)  # noqa: S102 (the text is this folder's own)
    return module.kernel


def tensor_of(values: np.ndarray, name: str) -> torch.Tensor:
    """A contiguous copy."""
    values = np.array(values, order="C")
    if name in AS_BITS:
        bits, kind = AS_BITS[name]
        return torch.from_numpy(values.view(bits)).view(kind)
    return torch.from_numpy(values)


def values_of(tensor: torch.Tensor, name: str) -> np.ndarray:
    if name in AS_BITS:
        bits, _ = AS_BITS[name]
        return tensor.view({np.uint16: torch.uint16, np.uint8: torch.uint8}[bits]).numpy().view(TYPES[name].numpy)
    return tensor.view(torch.uint8).numpy() != 0 if name == "i1" else tensor.numpy()


def prepared(case: Case) -> tuple[list[Any], dict[str, torch.Tensor]]:
    """Arguments in the order of the kernel's parameters, and the results by name."""
    given = [tensor_of(each.values, each.type) if isinstance(each, Data) else each for each in case.arguments.values()]
    results = {}
    for name, result in case.results.items():
        size = int(np.prod(result.shape, dtype=int)) * TYPES[result.type].numpy.itemsize
        raw = np.full(size, result.fill, dtype=np.uint8).view(TYPES[result.type].numpy).reshape(result.shape)
        results[name] = tensor_of(raw, result.type)
    return given + list(results.values()), results


def outcome(case: Case, results: dict[str, torch.Tensor]) -> str:
    """Empty if the reference agrees."""
    expected = case.reference()
    assert expected.keys() == results.keys()
    found = []
    for name, result in case.results.items():
        text = problem(values_of(results[name], result.type), expected[name], result.type, result.ulps)
        found += [f"{name}: {text}"] if text else []
    return "; ".join(found)


def run(case: Case) -> str:
    """One launch. Empty if all is as the reference has it, else what is wrong."""
    arguments, results = prepared(case)
    try:
        kernel_of(case.text)[case.grid](*arguments, **case.constants, **case.options)
    except Exception as error:  # noqa: BLE001 (whatever it is, the case has failed)
        cause = error.__cause__ or error
        lines = str(cause).strip().splitlines() or [type(cause).__name__]
        return f"{type(error).__name__}: {lines[-1]}"
    return outcome(case, results)
