"""Pythons whose bindings go into a wheel: where their headers are, and where a Python of that version can be run.

Looked for in this order: what the command line says, a program `python3.X`, pyenv's, the tool cache of GitHub's machines,
uv's, and a Debian suite that has it, unpacked below .cache/wheels (nothing is installed).
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "wheels"
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
DEBIAN_SUITES = {"3.11": "bookworm", "3.13": "trixie", "3.14": "forky"}
PATCHELF = ROOT / ".cache" / "zig" / "bin" / "patchelf"
REMEDY = "install it (pyenv install {0}, uv python install {0}), name its headers (--headers {0}=FOLDER), or leave it out (--pythons)"


@dataclass(frozen=True)
class Python:
    """One version: the folder of its Python.h, the program if it runs here, and where it was found."""

    version: str
    headers: Path
    program: Path | None
    origin: str


def order(folder: Path) -> list[int]:
    """Sorts 3.12.10 behind 3.12.9."""
    return [int(number) for number in re.findall(r"\d+", folder.name)]


def prefixes(version: str) -> list[tuple[Path, str]]:
    """Installations below a folder of their own that may be there, with who made them."""
    cache = os.environ.get("RUNNER_TOOL_CACHE", "/opt/hostedtoolcache")
    data = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share"))
    patterns = (
        (Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions", f"{version}.*", "", "pyenv"),
        (Path(cache) / "Python", f"{version}.*", "x64", "the tool cache"),
        (data / "uv" / "python", f"cpython-{version}.*", "", "uv"),
    )
    found = []
    for folder, pattern, below, name in patterns:
        found += [(path / below, name) for path in sorted(folder.glob(pattern), key=order, reverse=True) if "+" not in path.name]
    return found


def of_program(version: str) -> Python | None:
    """A `python3.X` in PATH that is no wrapper of another version and has headers."""
    program = shutil.which(f"python{version}")
    if program is None:
        return None
    code = "import sys, sysconfig; print(*sys.version_info[:2], sep='.'); print(sysconfig.get_paths()['include']); print(sys.executable)"
    done = subprocess.run([program, "-c", code], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or lines[0] != version or not Path(lines[1], "Python.h").is_file():
        return None
    return Python(version, Path(lines[1]), Path(lines[2]), "PATH")


def of_prefix(version: str) -> Python | None:
    """An installation in a folder of its own."""
    for prefix, name in prefixes(version):
        headers, program = prefix / "include" / f"python{version}", prefix / "bin" / f"python{version}"
        if (headers / "Python.h").is_file() and program.exists():
            return Python(version, headers, program, name)
    return None


def debian_root(version: str, architecture: str) -> Path | None:
    """A Debian suite with this Python, unpacked below .cache/wheels; None where no suite or no mirror has it."""
    suite = DEBIAN_SUITES.get(version)
    if suite is None or shutil.which("apt-get") is None:
        return None
    root = CACHE / f"{suite}-{architecture}"
    if not (root / "usr" / "bin" / f"python{version}").exists():
        print(f"wheels: Python {version} for {architecture} from Debian {suite} into {root}", flush=True)
        script = ROOT / "tests" / "compilers" / "root.sh"
        words = [script, suite, root, f"python{version}-dev", f"python{version}-venv"]
        done = subprocess.run(words, env={**os.environ, "LOCKSTEP_ARCHITECTURE": architecture}, check=False)
        if done.returncode != 0:
            return None
    return root


def of_debian(version: str) -> Python | None:
    """Made to run with the C library that came with it, so that it runs on an older system, too."""
    if platform.machine() != "x86_64":
        return None
    root = debian_root(version, "amd64")
    if root is None:
        return None
    program = root / "usr" / "bin" / f"python{version}"
    marker = root / f"python{version}.runs"
    if PATCHELF.is_file() and not marker.exists():
        libraries = root / "usr" / "lib" / "x86_64-linux-gnu"
        words = [PATCHELF, "--set-interpreter", libraries / "ld-linux-x86-64.so.2", "--force-rpath", "--set-rpath", libraries, program]
        subprocess.run(words, check=True)
        marker.touch()
    headers = root / "usr" / "include" / f"python{version}"
    return Python(version, headers, program if marker.exists() else None, f"Debian {DEBIAN_SUITES[version]}")


def find(version: str, named: dict[str, Path]) -> Python | None:
    """The first that is there; `named` are folders that the command line gave."""
    if version in named:
        if not (named[version] / "Python.h").is_file():
            raise SystemExit(f"error: {named[version]} has no Python.h\nhint: --headers {version}=FOLDER names the folder of that file")
        return Python(version, named[version], None, "--headers")
    return of_program(version) or of_prefix(version) or of_debian(version)


def plain_headers(python: Python) -> Path:
    """Headers in one folder of their own: Debian keeps pyconfig.h beside headers of its C library, which zig must not see."""
    config = (python.headers / "pyconfig.h").read_text(encoding="utf-8")
    elsewhere = re.search(rf"include <(\S+/python{re.escape(python.version)}/pyconfig\.h)>", config)
    if elsewhere is None:
        return python.headers
    folders = [python.headers.parent, Path("/usr/include")]
    real = next((path for folder in folders for path in folder.glob(f"x86_64-linux-gnu/python{python.version}/pyconfig.h")), None)
    if real is None:
        raise SystemExit(f"error: {python.headers}/pyconfig.h asks for {elsewhere[1]}, which is not there")
    copy = CACHE / f"python-{python.version}" / "include"
    if not (copy / "Python.h").is_file() or (copy / "pyconfig.h").read_bytes() != real.read_bytes():
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(python.headers, copy)
        shutil.copyfile(real, copy / "pyconfig.h")
    return copy


def find_all(versions: list[str], named: dict[str, Path]) -> list[Python]:
    """Every version asked for; says what was found, and ends the process where one is missing."""
    found, missing = [], []
    for version in versions:
        python = find(version, named)
        if python is None:
            missing.append(version)
            print(f"wheels: Python {version}: not found")
        else:
            found.append(python)
            print(f"wheels: Python {version}: {python.headers} ({python.origin})")
    if missing:
        hints = "\n".join("hint: " + REMEDY.format(version) for version in missing)
        raise SystemExit(f"error: no headers of Python {', '.join(missing)}\n{hints}")
    return found
