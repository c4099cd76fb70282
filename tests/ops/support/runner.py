"""Runs one case through `lockstep run` with raw files."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from support import elements, signature
from support.case import Case, In, InOut, Out, Scalar, initial_of

ROOT = Path(__file__).resolve().parents[3]
TIMEOUT = 120


def executable() -> Path:
    """LOCKSTEP_EXECUTABLE (set by ctest), LOCKSTEP_TOOL, or the program in a build folder."""
    for name in ("LOCKSTEP_EXECUTABLE", "LOCKSTEP_TOOL"):
        if os.environ.get(name):
            return Path(os.environ[name])
    folders = sorted(ROOT.glob("build*/lockstep"), key=lambda path: path.stat().st_mtime, reverse=True)
    return folders[0] if folders else ROOT / "build" / "lockstep"


@dataclass
class Outcome:
    command: list[str]
    returncode: int
    stdout: str
    stderr: str
    outputs: list[np.ndarray | None] = field(default_factory=list)  # of Out and InOut, in order

    def text(self) -> str:
        return f"$ {' '.join(self.command)}\n{self.stdout}{self.stderr}[exit {self.returncode}]"


def call(words: list[str]) -> Outcome:
    command = [str(executable()), *words]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    return Outcome(command, done.returncode, done.stdout, done.stderr)


def scalar_text(value, kind: str) -> str:
    """A scalar as the command line takes it."""
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if elements.is_float(kind) if kind in elements.DTYPE else isinstance(value, float):
        return repr(float(value))
    return str(int(value))


def file_type(parameter: signature.Parameter, array: np.ndarray) -> str:
    """The type that the file's bits are read as."""
    pointee = parameter.pointee() if parameter.is_pointer() else ""
    fits = pointee in elements.DTYPE and elements.DTYPE[pointee].itemsize == array.dtype.itemsize
    return pointee if fits else elements.name_of(array.dtype)


def run(case: Case, folder: Path) -> Outcome:
    """Runs the case; outputs have the dtypes of their arguments."""
    module = folder / "case.ttir"
    module.write_text(case.ttir)
    parameters = signature.parameters(case.ttir)
    assert len(parameters) == len(case.arguments), f"{len(case.arguments)} arguments for {len(parameters)} parameters"
    words = ["run", str(module), "--grid", ",".join(str(n) for n in case.grid), "--threads", "1", "--check", "none"]
    words += ["--num-warps", str(case.num_warps), "--as", case.target]
    for parameter, argument in zip(parameters, case.arguments):
        if isinstance(argument, Scalar):
            words.append(f"{parameter.name}={scalar_text(argument.value, parameter.type)}")
            continue
        array = initial_of(argument)
        path = folder / f"{parameter.name}.npy"
        np.save(path, elements.bits(array))
        words.append(f"{parameter.name}=@{path}:{file_type(parameter, array)}")
        if not isinstance(argument, In):
            words += ["--save", f"{parameter.name}=@{folder}/{parameter.name}.out.npy"]
    outcome = call(words + case.options)
    for parameter, argument in zip(parameters, case.arguments):
        if isinstance(argument, (Out, InOut)):
            outcome.outputs.append(read_back(folder / f"{parameter.name}.out.npy", initial_of(argument)))
    return outcome


def read_back(path: Path, like: np.ndarray) -> np.ndarray | None:
    if not path.exists():
        return None
    raw = np.load(path)
    return elements.bits(raw).view(like.dtype).reshape(like.shape)
