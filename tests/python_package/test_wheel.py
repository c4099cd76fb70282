"""The wheel in a clean virtual environment: its files, `lockstep version`, a script by `python -m lockstep`.

By default the wheel takes the extension and the command from the build under test, so that only packaging is new; the
campaign compiles it as `pip install .` does. torch and triton come from this Python by a .pth file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import lockstep
import pytest
from lockstep import _native

pytest.importorskip("scikit_build_core")
pytest.importorskip("pybind11")
pytest.importorskip("triton")

ROOT = Path(__file__).resolve().parents[2]
MAX_WHEEL_BYTES = 20 * 2**20  # the command and the extension, each with all of Lockstep

VECTOR_ADD = """
import torch, triton, triton.language as tl

@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)

x, y = torch.randn(98432, device="cuda"), torch.randn(98432, device="cuda")
out = torch.empty_like(x)
add[lambda meta: (triton.cdiv(98432, meta["BLOCK"]),)](x, y, out, 98432, BLOCK=1024)
print(torch.equal(out, x + y), out.device)
"""


def run(*command: object, environment: dict[str, str] | None = None, folder: Path | None = None) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, env=environment, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def make_wheel(folder: Path, *settings: str) -> Path:
    """Builds the wheel with this Python's own build packages, without the network."""
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", folder,
        "-C", f"build-dir={folder}/build", *settings, ROOT)  # fmt: skip
    (wheel,) = folder.glob("triton_lockstep-*.whl")
    return wheel


def prebuilt() -> Path:
    """The build folder whose staged package is under test."""
    build = Path(_native.__file__).resolve().parents[2]
    if not (build / "lockstep").is_file():
        pytest.skip("the package under test is not a build's staged one")
    return build


def check_contents(wheel: Path) -> None:
    """Every Python file of the source, the extension, the command and the entry points; nothing of the build."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        points = next(archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
    source = ROOT / "python" / "lockstep"
    wanted = {f"lockstep/{path.relative_to(source)}" for path in source.rglob("*.py")}
    wanted |= {"lockstep/_native.pyi", "lockstep/py.typed"}
    assert wanted <= set(names)
    assert any(name.startswith("lockstep/_native.") and name.endswith(".so") for name in names)
    assert any(name.endswith(".data/scripts/lockstep") for name in names)
    assert any(name.startswith("lockstep/error_pages_text/LS101") for name in names)
    assert "lockstep = lockstep.triton_backend" in points and "lockstep = lockstep.pytest_plugin" in points
    assert any(name.endswith(".data/data/share/man/man1/lockstep.1") for name in names)
    ours = ("lockstep/", "triton_lockstep-")
    assert [name for name in names if not name.startswith(ours) or "__pycache__" in name] == []
    assert wheel.stat().st_size < MAX_WHEEL_BYTES


def check_installed(wheel: Path, folder: Path) -> None:
    """Installs into a new environment that sees this one's packages and runs what a user runs first."""
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel, environment=environment)
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    version = lockstep.__version__
    assert version in run(python.parent / "lockstep", "version", environment=environment)
    script = folder / "vector_add.py"
    script.write_text(VECTOR_ADD)
    output = run(python, "-m", "lockstep", script, environment=environment, folder=folder)
    assert output.split() == ["True", "cuda:0"]
    where = run(python, "-c", "import lockstep; print(lockstep.__file__)", environment=environment, folder=folder)
    assert Path(where.strip()).is_relative_to(folder)


def test_wheel(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "-C", f"cmake.define.LOCKSTEP_PREBUILT={prebuilt()}")
    check_contents(wheel)
    check_installed(wheel, tmp_path)


@pytest.mark.campaign
def test_wheel_compiled_as_by_pip(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path)
    check_contents(wheel)
    check_installed(wheel, tmp_path)
    extension = next((tmp_path / "venv").rglob("_native*.so"))
    needed = run("readelf", "-d", extension, tmp_path / "venv" / "bin" / "lockstep")
    for library in ("spdlog", "fmt", "RPATH", "RUNPATH"):
        assert library not in needed


def test_import_time() -> None:
    code = """import sys, time
start = time.process_time()
import lockstep
print(time.process_time() - start, 'torch' in sys.modules)"""
    times = [run(sys.executable, "-c", code).split() for _ in range(3)]
    assert all(heavy == "False" for _, heavy in times)
    assert min(float(seconds) for seconds, _ in times) < 0.1
