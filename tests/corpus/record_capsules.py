"""Records a capsule of every kernel of the corpora: for each compiled kernel (name, source, specialisation, options) the
launch whose arguments lie in the least memory. For the GPU run of the corpus: `lockstep diff` makes each of them there.

    python tests/corpus/record_capsules.py OUT [--packages fla,liger] [--select EXPRESSION] [--max-bytes 1048576]

    python tests/corpus/record_capsules.py OUT --thin TO [--budget 48]

The first runs each package's tests here, on Lockstep, in a process of its own; OUT/PACKAGE gets HASH-kernel.capsule files without
outputs and summary.json: how many were kept, and which kernels had no launch that is small enough. A second run goes on
where the first ended: only smaller launches replace what is there. The second copies as many as fit a budget of MiB:
first the smallest of every kernel, then of every kernel with these types, these flags, at last of all. Floats before
the launch lose their last bits, so that they compress (the capsules have no outputs that would not fit). On the GPU:
`tests/differential/on_gpu.py build --launches TO`. This file is also the pytest plugin that records."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent
PACKAGES = ("bitsandbytes", "fla", "flag_gems", "liger", "torch_sparse", "torchao", "unsloth")
_OUT, _MAX_BYTES = "LOCKSTEP_CAPSULES_OUT", "LOCKSTEP_CAPSULES_MAX_BYTES"


def _smallest(folder: Path, max_bytes: int) -> Any:
    """A recorder that keeps the smallest launch of each compiled kernel."""
    from lockstep import recorded_arguments, recording

    class Smallest(recording.record):
        def __init__(self) -> None:
            super().__init__(folder, max_bytes=max_bytes, outputs=False)
            self._index = folder / "index.json"
            self.sizes: dict[str, int] = json.loads(self._index.read_text()) if self._index.exists() else {}
            self.too_large: dict[str, int] = {}
            self._now: tuple[str, int] = ("", 0)

        def wants(self, kernel: Any) -> bool:
            self.launches += 1
            name = re.sub(r"[^A-Za-z0-9_]", "_", kernel.name)[:60]
            self._now = (f"{kernel.hash[:16]}-{name}", 0)
            return self.sizes.get(self._now[0]) != 0

        def admit(self, size: int) -> None:
            name = self._now[0]
            if size >= self.sizes.get(name, size + 1):
                raise recorded_arguments.CannotRecord("a smaller launch is there")
            if size > max_bytes:
                self.too_large[name] = min(size, self.too_large.get(name, size))
                raise recorded_arguments.CannotRecord("too large")
            self._now = (name, size)

        def keep(self, kernel: Any, launch: Any) -> None:
            super().keep(kernel, launch)
            self.too_large.pop(self._now[0], None)
            self.sizes[self._now[0]] = self._now[1]
            if len(self.written) % 20 == 0:
                self.save()

        def _next_path(self, name: str) -> str:
            path = str(folder / f"{self._now[0]}.capsule")
            self.written.append(path)
            return path

        def save(self) -> None:
            self._index.write_text(json.dumps(self.sizes, indent=0, sort_keys=True))
            left_out = {name: count for name, count in self.skipped.items() if "a smaller launch" not in name}
            summary = {"kernels": len(self.sizes), "launches": self.launches, "too_large": self.too_large,
                       "left_out": left_out}  # fmt: skip
            (folder / "summary.json").write_text(json.dumps(summary, indent=1, sort_keys=True))

    return Smallest()


@pytest.fixture(scope="session", autouse=True)
def recorded_capsules(pretended_gpu: None) -> Iterator[None]:
    """The plugin: while a session runs, its launches are recorded."""
    recorder = _smallest(Path(os.environ[_OUT]), int(os.environ[_MAX_BYTES]))
    with recorder:
        yield
    recorder.save()


def run_package(package: str, out: Path, max_bytes: int, select: str) -> str:
    """Runs one package's tests; a line of the table."""
    folder = out / package
    folder.mkdir(parents=True, exist_ok=True)
    paths = [str(FOLDER), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    variables = {_OUT: str(folder), _MAX_BYTES: str(max_bytes), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    if package == "fla":
        variables["LOCKSTEP_AS"] = "sm_80"  # its gated backward refuses sm_90 with Triton 3.6
    words = [sys.executable, "-m", "pytest", "-q", "-p", "record_capsules", "-p", "no:cacheprovider", str(FOLDER / package)]
    words += ["-k", select] if select else []
    start = time.perf_counter()
    done = subprocess.run(words, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    (folder / "log.txt").write_text(done.stdout[-100_000:] + done.stderr[-20_000:])
    last = (done.stdout.strip().splitlines() or ["nothing"])[-1]
    files = list(folder.glob("*.capsule"))
    size = sum(file.stat().st_size for file in files)
    seconds = time.perf_counter() - start
    return f"{package}: {len(files)} capsules, {size / 2**20:.1f} MiB, {seconds:.0f} s; {last}"


def _variants(path: Path) -> list[tuple[Any, ...]]:
    """From coarse to fine, what a capsule stands for."""
    with zipfile.ZipFile(path) as archive:
        told = json.loads(archive.read("manifest.json"))
    kernel = (path.parent.name, told["kernel"])
    types = tuple((one["kind"], one["type"]) for one in told["arguments"])
    flags = tuple(sorted((k, str(v)) for k, v in told["constants"].items() if v is None or isinstance(v, (bool, str))))
    return [kernel, (*kernel, types), (*kernel, types, flags), (path.name, *kernel)]


# Of storages that hold nothing but one float type: the bits that stay.
_KEPT_BITS = {"f32": 0xFFFF0000, "f16": 0xFFE0, "bf16": 0xFFF8}


def _rounded(content: bytes, kind: str) -> bytes:
    import numpy as np

    width = np.dtype("<u4" if kind == "f32" else "<u2")
    whole = len(content) // width.itemsize * width.itemsize
    words = np.frombuffer(content[:whole], width) & width.type(_KEPT_BITS[kind])
    return words.tobytes() + content[whole:]


def _copy_rounded(path: Path, to: Path) -> int:
    """Copies a capsule with rounded storages; its size in bytes."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    told = json.loads(members["manifest.json"])
    for number, storage in enumerate(told["storages"]):
        kinds = {one["type"] for one in told["arguments"] if one.get("storage") == number}
        kind = kinds.pop() if len(kinds) == 1 else ""
        if kind not in _KEPT_BITS or told["has_outputs"] or "addresses" in storage:
            continue
        before = storage["before"]
        members[before["file"]] = _rounded(members[before["file"]], kind)
        before["sha256"] = hashlib.sha256(members[before["file"]]).hexdigest()
    members["manifest.json"] = json.dumps(told).encode()
    to.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return to.stat().st_size


def thin(out: Path, to: Path, budget: int) -> None:
    """Copies the choice of main's docstring."""
    sizes = {path: _copy_rounded(path, to / path.parent.name / path.name) for path in sorted(out.glob("*/*.capsule"))}
    files = sorted(sizes, key=lambda path: (sizes[path], path.name))
    variants = {path: _variants(path) for path in files}
    chosen: dict[Path, int] = {}
    seen: set[tuple[Any, ...]] = set()
    for level in range(4):
        for path in files:
            size = sizes[path]
            if path in chosen or variants[path][level] in seen or sum(chosen.values()) + size > budget:
                continue
            chosen[path] = size
            seen.update(variants[path])
    for path in set(files) - set(chosen):
        (to / path.parent.name / path.name).unlink()
    for level, what in enumerate(("kernels", "kernels with types", "kernels with types and flags", "compiled kernels")):
        everything = {variants[path][level] for path in files}
        here = {variants[path][level] for path in chosen}
        print(f"{len(here)} of {len(everything)} {what}")
    print(f"{len(chosen)} capsules, {sum(chosen.values()) / 2**20:.1f} MiB in {to}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--packages", default=",".join(PACKAGES))
    parser.add_argument("--select", default="", help="pytest's -k")
    parser.add_argument("--max-bytes", type=int, default=1 << 20)
    parser.add_argument("--thin", type=Path)
    parser.add_argument("--budget", type=float, default=48, help="MiB")
    options = parser.parse_args()
    if options.thin:
        thin(options.out, options.thin, int(options.budget * 2**20))
        return 0
    for package in options.packages.split(","):
        print(run_package(package, options.out, options.max_bytes, options.select), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
