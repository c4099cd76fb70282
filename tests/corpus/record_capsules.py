"""Records a capsule of every kernel of the corpora: for each compiled kernel (name, source, specialisation, options) the
launch whose arguments lie in the least memory. For the GPU run of the corpus: `lockstep diff` makes each of them there.

    python tests/corpus/record_capsules.py OUT [--packages fla,liger] [--select EXPRESSION] [--max-bytes 1048576]

runs each package's tests here, on Lockstep, in a process of its own; OUT/PACKAGE gets HASH-kernel.capsule files without
outputs and summary.json: how many were kept, and which kernels had no launch that is small enough. A second run goes on
where the first ended: only smaller launches replace what is there. This file is also the pytest plugin that records."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--packages", default=",".join(PACKAGES))
    parser.add_argument("--select", default="", help="pytest's -k")
    parser.add_argument("--max-bytes", type=int, default=1 << 20)
    options = parser.parse_args()
    for package in options.packages.split(","):
        print(run_package(package, options.out, options.max_bytes, options.select), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
