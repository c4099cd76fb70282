"""Cases that MPFR judges: the program mpfr_ulp measures results, and a case passes if the worst is within the bound.

mpfr_ulp is built where MPFR is installed; elsewhere these cases are skipped."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from support import compare, elements, kernels, math_inputs, references, rows, runner, values
from support.float_binary import NO_F8

#: Element types of math ops and their NumPy types.
REAL = {"f32": np.float32, "f64": np.float64}
ODD = {"asin", "asinh", "atan", "atanh", "cbrt", "cyl_bessel_i1", "erf", "erfinv", "expm1", "j1", "log1p", "sin", "sinh"}
ODD |= {"sinpi", "tan", "tanh"}
SMALL = ["f16", "bf16"]


def tool() -> Path | None:
    """LOCKSTEP_MPFR_ULP, or the program beside `lockstep`."""
    path = Path(os.environ.get("LOCKSTEP_MPFR_ULP", runner.executable().parent / "mpfr_ulp"))
    return path if path.exists() else None


def measure(function: str, result: np.ndarray, operands: list[np.ndarray], absolute: float = 0) -> dict:
    """What mpfr_ulp prints."""
    program = tool()
    if program is None:
        pytest.skip("mpfr_ulp is not built (MPFR is missing)")
    with tempfile.TemporaryDirectory() as folder:
        words = [str(program), "-a", repr(absolute), function]
        for i, array in enumerate([result, *operands]):
            path = Path(folder) / str(i)
            path.write_bytes(np.ascontiguousarray(array).tobytes())
            words += [elements.name_of(array.dtype), str(path)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def zero_sign_problem(function: str, outputs: np.ndarray, inputs: np.ndarray) -> str | None:
    """An odd function keeps the sign of a zero."""
    zero = inputs.astype(np.float64) == 0
    wrong = zero & (np.signbit(inputs) != np.signbit(outputs))
    return f"the sign of {function}(0) is wrong" if function in ODD and wrong.any() else None


def within(function: str, ulp: float, absolute: float = 0):
    """A checker for Case.bound."""

    def check(outputs, expected, inputs):
        found = measure(function, outputs[0], inputs, absolute)
        log_worst(function, outputs[0], found)
        if found["max_ulp"] <= max(ulp, 0.5):
            return zero_sign_problem(function, outputs[0], inputs[0])
        return f"{found['max_ulp']} ulp, more than {ulp}, at {found['inputs']}: {found['result']}, exactly {found['reference']}"

    return check


def is_small(array: np.ndarray) -> np.ndarray:
    """Zero or subnormal: what a GPU may have flushed."""
    form = elements.FORMAT[elements.name_of(array.dtype)]
    return np.abs(array.astype(np.float64)) < 2.0 ** float(form.lowest_exponent)


def near_gpu(limit, what: str = "the GPU"):
    """A checker of recorded answers: `limit` ulp, or a function of the operands (as float64) that gives it, element by
    element; a GPU may flush subnormal operands and results, and then anything goes."""

    def check(outputs, expected, inputs):
        mine, theirs = outputs[0], expected[0]
        flushed = np.zeros(mine.shape, bool)
        for array in [mine, theirs, *inputs]:
            if array.dtype.itemsize < 8 and elements.is_float(array.dtype):
                flushed = flushed | is_small(array)
        allowed = limit(*(a.astype(np.float64) for a in inputs)) if callable(limit) else limit
        apart = compare.steps_apart(mine, theirs) if elements.is_float(mine.dtype) else compare.distances(mine, theirs)
        bad = (apart > allowed) & ~flushed
        if not bad.any():
            return None
        place = np.argmax(bad)
        operands = [a[place] for a in inputs]
        return f"{apart[place]} ulp from {what} ({theirs[place]!r}) at {operands!r}: {mine[place]!r}"

    return check


def log_worst(function: str, output: np.ndarray, found: dict) -> None:
    """For the columns worst_f32 and worst_f64: LOCKSTEP_WORST names a file that every measurement is added to."""
    if os.environ.get("LOCKSTEP_WORST"):
        with open(os.environ["LOCKSTEP_WORST"], "a", encoding="utf-8") as file:
            file.write(json.dumps({"function": function, "type": elements.name_of(output.dtype), **found}) + "\n")


def inputs_of(element: str, operands: int) -> dict[str, np.ndarray]:
    if element in REAL:
        arrays = [math_inputs.unary(REAL[element])] if operands == 1 else math_inputs.several(REAL[element], operands)
    else:
        arrays = [values.all_bits(element)]
        arrays += [np.roll(values.all_bits(element), 7919 * k + 1) for k in range(1, operands)]
    return dict(zip("abc", arrays))


NO_PATTERN = "Triton 3.6 lowers this op for no GPU"


def judged(op: str, line: str, function: str, element: str, arrays: dict, gpu) -> list:
    """One big case for MPFR and one small for the GPU. `gpu`: as near_gpu's limit, or why not."""
    row = rows.row(op)
    line = line.replace("TYPE", f"TILE({element})")
    big = kernels.elementwise(
        element, line, arrays, {"r": element}, None, bound=within(function, row.ulp), gpu="measured against MPFR"
    )
    if isinstance(gpu, str):
        return [big]
    small = {name: values.floats(element, 1024, 5 + i) for i, name in enumerate(arrays)}
    limit = near_gpu(row.ulp + row.gpu_ulp if gpu is None else gpu)
    return [big, kernels.elementwise(f"{element}_gpu", line, small, {"r": element}, None, gpu_bound=limit)]


def float8(line: str, reference, operands: int = 1):
    """Cases in the 8-bit types, all values, against NumPy in float64."""
    for element in elements.FLOAT8:
        arrays = inputs_of(element, operands)
        rounded = references.once_rounded(reference, element, "saturate")
        text = line.replace("TYPE", f"TILE({element})")
        yield kernels.elementwise(element, text, arrays, {"r": element}, rounded, gpu=NO_F8)


def unary(op: str, numpy_function, function: str | None = None, gpu=None):
    """Cases of a math op of one operand in each type."""
    line = f"%r = {op} %a : TYPE"
    for element in [*SMALL, *REAL]:
        yield from judged(op, line, function or op.removeprefix("math."), element, inputs_of(element, 1), gpu)
    yield from float8(line, numpy_function)
    yield kernels.elementwise("scalar", f"%r = {op} %a : f32", {"a": np.float32([0.5, 0.25])}, {"r": "f32"},
                              lambda a: numpy_function(a.astype(np.float64)), (), gpu=NO_PATTERN)  # fmt: skip


def binary(op: str, numpy_function, function: str, gpu=None):
    """The same of two operands."""
    line = f"%r = {op} %a, %b : TYPE"
    for element in [*SMALL, *REAL]:
        yield from judged(op, line, function, element, inputs_of(element, 2), gpu)
    yield from float8(line, numpy_function, 2)


def exact(op: str, numpy_function, gpu=True, operands: int = 1):
    """Cases of an op whose result is rounded once at most, against NumPy: every value of the small types."""
    line = f"%r = {op} {', '.join(f'%{name}' for name in 'abc'[:operands])} : "
    for element in [*SMALL, *REAL, *elements.FLOAT8]:
        arrays = inputs_of(element, operands)
        overflow = "saturate" if element in elements.FLOAT8 else "infinity"
        reference = references.once_rounded(numpy_function, element, overflow)
        why = NO_F8 if element in elements.FLOAT8 else gpu
        large = element not in elements.FLOAT8 and gpu is True
        yield kernels.elementwise(element, f"{line}TILE({element})", arrays, {"r": element}, reference,
                                  gpu="the case named _gpu is smaller" if large else why)  # fmt: skip
        if large:
            small = {name: values.floats(element, 1024, 5 + i) for i, name in enumerate(arrays)}
            limit = near_gpu(rows.row(op).gpu_ulp)
            yield kernels.elementwise(f"{element}_gpu", f"{line}TILE({element})", small, {"r": element}, reference, gpu_bound=limit)
