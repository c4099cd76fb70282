"""Puts a wheel together: the package's Python files, what zig compiled, metadata, the list of parts (SBOM). The same inputs
make the same bytes."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "cmake"), str(ROOT / "tools")]
from release_facts import DISTRIBUTION, version  # noqa: E402
from stage_package import package_files  # noqa: E402

NAME = re.sub(r"[-_.]+", "_", DISTRIBUTION)
ZIG_PYTHON = ROOT / ".cache" / "zig" / "bin" / "python"
TIME = (2020, 1, 1, 0, 0, 0)


def wheel_name(pythons: list[str], platform_tag: str) -> str:
    """No other Python fits, neither a newer one nor one without its lock, so each is named as interpreter and as interface."""
    tags = ".".join("cp" + one.replace(".", "") for one in pythons)
    return f"{NAME}-{version()}-{tags}-{tags}-{platform_tag}.whl"


def metadata(folder: Path) -> dict[str, bytes]:
    """METADATA, entry_points.txt and the licence as the backend of pyproject.toml writes them."""
    code = f"import scikit_build_core.build as backend; print(backend.prepare_metadata_for_build_wheel({str(folder)!r}))"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = subprocess.run([ZIG_PYTHON, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"error: no metadata from pyproject.toml:\n{done.stdout}{done.stderr}")
    (made,) = folder.glob("*.dist-info")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(made.rglob("*")) if path.is_file()}


def wheel_file(pythons: list[str], platform_tag: str) -> bytes:
    """The file WHEEL: one line for every tag that the name stands for."""
    tags = ["cp" + one.replace(".", "") for one in pythons]
    lines = ["Wheel-Version: 1.0", "Generator: lockstep ./dev wheels", "Root-Is-Purelib: false"]
    lines += [f"Tag: {one}-{abi}-{tag}" for one in tags for abi in tags for tag in platform_tag.split(".")]
    return ("\n".join(lines) + "\n").encode()


def contents(build: Path, pythons: list[str], platform_tag: str, sbom: Path) -> dict[str, bytes]:
    """Place in the wheel -> bytes."""
    files = {f"lockstep/{place}": path.read_bytes() for place, path in package_files(ROOT).items()}
    for path in sorted((build / "python" / "lockstep").iterdir()):
        files[f"lockstep/{path.name}"] = path.read_bytes()
    data = f"{NAME}-{version()}.data"
    files[f"{data}/scripts/lockstep"] = (build / "lockstep").read_bytes()
    share = ROOT / "packaging" / "share"
    for path in sorted(share.rglob("*")):
        if path.is_file():
            files[f"{data}/data/share/{path.relative_to(share).as_posix()}"] = path.read_bytes()
    info = f"{NAME}-{version()}.dist-info"
    files |= metadata(build / "metadata")
    files[f"{info}/WHEEL"] = wheel_file(pythons, platform_tag)
    files[f"{info}/sboms/{sbom.name}"] = sbom.read_bytes()
    return files


def write(wheel: Path, files: dict[str, bytes]) -> None:
    """The archive with its RECORD; the metadata comes last, as the standard recommends."""
    record = f"{NAME}-{version()}.dist-info/RECORD"
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    every = {**dict(sorted(files.items(), key=lambda item: (".dist-info/" in item[0], item[0]))), record: ("".join(sorted(lines)) + f"{record},,\n").encode()}
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in every.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            program = name.endswith((".so", ".dylib", "/scripts/lockstep"))
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            archive.writestr(entry, content)
