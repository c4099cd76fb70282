"""Runs the `lockstep` command for the tests: writes inputs, builds the command line, reads the outputs back."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
EXECUTABLE = Path(os.environ.get("LOCKSTEP_EXECUTABLE", ROOT / "build" / "lockstep"))

#: Element types without a NumPy dtype travel as integers of their size.
AS_INTEGER = {"bf16": np.uint16, "f8e4nv": np.uint8, "f8e5": np.uint8, "i1": np.uint8}


def launches() -> list[dict]:
    """The rows of examples/launches.json."""
    return json.loads((ROOT / "examples" / "launches.json").read_text())["launches"]


@dataclass
class Result:
    """What a command did. `saved` holds the outputs by argument name."""

    exit_code: int
    output: str
    errors: str
    command: list[str] = field(default_factory=list)
    saved: dict[str, np.ndarray] = field(default_factory=dict)

    def text(self) -> str:
        return f"$ {' '.join(self.command)}\n{self.output}{self.errors}[exit {self.exit_code}]"


def call(arguments: list[str], timeout: float = 120) -> Result:
    """Runs `lockstep ARGUMENTS` in the project's folder."""
    command = [str(EXECUTABLE), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout, errors="replace")
    return Result(done.returncode, done.stdout, done.stderr, command)


def run(
    kernel: str,
    grid: str,
    arguments: dict,
    outputs: list[str],
    options: list[str] | None = None,
    expect_exit: int | None = 0,
) -> Result:
    """Runs a kernel. An argument is a text, a number, a NumPy array, or (array, element type) for bf16 and f8."""
    with tempfile.TemporaryDirectory(prefix="lockstep-test-") as folder:
        words = ["run", kernel, "--grid", grid]
        if "--check" not in (options or []):
            words += ["--check", "none"]  # numbers are tested here
        for name, value in arguments.items():
            element = ""
            if isinstance(value, tuple):
                value, element = value
            if isinstance(value, np.ndarray):
                path = Path(folder) / f"{name}.in.npy"
                np.save(path, value)
                value = f"@{path}" + (f":{element}" if element else "")
            words.append(f"{name}={value}")
        for name in outputs:
            words += ["--save", f"{name}=@{folder}/{name}.out.npy"]
        result = call(words + (options or []))
        if expect_exit is not None:
            assert result.exit_code == expect_exit, result.text()
        for name in outputs:
            path = Path(folder) / f"{name}.out.npy"
            if path.exists():
                result.saved[name] = np.load(path)
        return result


def run_example(launch: dict, source: str, seed: int = 1, options: list[str] | None = None) -> Result:
    """Runs an example from 'py' or from the checked-in 'ttir'; saves inputs and outputs."""
    arguments = dict(launch["arguments"])
    if source == "py":
        kernel = f"{launch['file']}::{launch['kernel']}"
        arguments |= {name: str(value) for name, value in launch["constants"].items()}
    else:
        kernel = f"examples/ttir/{launch['name']}.ttir"
    wanted = launch["inputs"] + launch["outputs"]
    return run(kernel, launch["grid"], arguments, wanted, ["--seed", str(seed), *(options or [])])


# ---- bfloat16 and float8 in NumPy --------------------------------------------------------------------------------------


def bf16_bits(values) -> np.ndarray:
    """Rounds float32 to bfloat16 (nearest, ties to even); NaN stays NaN."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(np.asarray(values, dtype=np.float32)), np.uint16(0x7FC0), rounded)


def bf16_values(bits) -> np.ndarray:
    """bfloat16 bits to float32, exactly."""
    return (np.asarray(bits, dtype=np.uint16).astype(np.uint32) << 16).view(np.float32)
