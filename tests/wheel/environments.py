"""Clean environments of every Python that is here, and of Pythons of another processor by qemu."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging" / "wheel"))
import pythons  # noqa: E402

QEMU = "qemu-aarch64-static"
# What the user's settings must not decide; a path to other packages above all.
DROPPED = ("PYTHON", "LOCKSTEP", "PIP_TARGET", "PIP_PREFIX", "VIRTUAL_ENV")


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}


class Failed(Exception):
    """A step did not do what it must; the text says which."""


def run(words: list, cwd: Path | None = None, code: int = 0, timeout: float = 600, **environment: str) -> str:
    """Both outputs of a command that must end with `code`."""
    done = subprocess.run([str(word) for word in words], cwd=cwd or ROOT, env=clean_environment() | environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False)  # fmt: skip
    if done.returncode != code:
        raise Failed(f"{' '.join(map(str, words))}: exit code {done.returncode}, not {code}\n{done.stdout[-3000:]}")
    return done.stdout


class Environment:
    """A virtual environment with nothing in it but pip."""

    def __init__(self, python: pythons.Python, folder: Path) -> None:
        self.version, self.folder = python.version, folder
        self.python, self.lockstep = [folder / "bin" / "python"], [folder / "bin" / "lockstep"]
        self.pip = [*self.python, "-m", "pip"]
        made = subprocess.run([python.program, "-m", "venv", folder], env=clean_environment(), capture_output=True, check=False)
        if made.returncode == 0:
            return
        # Debian's Pythons want their pip in /usr/share; a root of our own has it elsewhere.
        (wheel,) = python.program.parents[1].glob("share/python-wheels/pip-*.whl")
        shutil.rmtree(folder, ignore_errors=True)
        run([python.program, "-m", "venv", "--without-pip", folder])
        self.pip = [*self.python, wheel / "pip"]

    def install(self, dist: Path) -> float:
        """Seconds of `pip install` of the wheel alone."""
        start = time.perf_counter()
        run([*self.pip, "install", "-q", "--disable-pip-version-check", "--no-index", "--find-links", dist, "triton-lockstep"])
        return time.perf_counter() - start

    def add(self, *packages: str) -> None:
        """Others' packages, from the index."""
        run([*self.pip, "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:", *packages])


def unpacked_pip(root: Path, version: str, emulator: list) -> Path:
    """Debian's pip as an installed one lies there: a folder, compiled (by a Python of that version, emulated if need be)."""
    folder = root / "usr" / "share" / "python-wheels" / "unpacked"
    if not folder.is_dir():
        wheel = sorted(root.glob("usr/share/python-wheels/pip-*.whl"))[0]
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        python = pythons.find(version, {})
        program = [python.program] if python is not None and python.program else [*emulator, root / "usr" / "bin" / f"python{version}"]
        run([*program, "-m", "compileall", "-q", folder], timeout=1800)
    return folder


class Emulated:
    """A Python for arm64 of a Debian suite, run by qemu; the wheel is installed into a folder."""

    def __init__(self, version: str, folder: Path) -> None:
        root = pythons.debian_root(version, "arm64")
        if root is None:
            raise Failed(f"no Debian suite here has Python {version} for arm64")
        emulator = [QEMU, "-L", root]
        self.version, self.folder = version, folder
        self.python = [*emulator, "-E", f"PYTHONPATH={folder}", root / "usr" / "bin" / f"python{version}"]
        self.lockstep = [*emulator, folder / "bin" / "lockstep"]
        self.pip = [*emulator, root / "usr" / "bin" / f"python{version}", unpacked_pip(root, version, emulator) / "pip"]

    def install(self, dist: Path) -> float:
        start = time.perf_counter()
        run([*self.pip, "install", "-q", "--disable-pip-version-check", "--no-index", "--find-links", dist, "--target", self.folder, "triton-lockstep"])
        return time.perf_counter() - start


def native(version: str, folder: Path) -> Environment | None:
    """None where that Python cannot be had here."""
    python = pythons.find(version, {})
    return Environment(python, folder) if python is not None and python.program is not None else None


def emulated(version: str, folder: Path) -> Emulated | None:
    if version not in pythons.DEBIAN_SUITES or shutil.which(QEMU) is None:
        return None
    return Emulated(version, folder)
