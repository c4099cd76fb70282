#!/usr/bin/env python3
"""build.py [--revision REVISION] [--steps demo,wheel,whole] [--folder FOLDER]: how long Lockstep takes from nothing.

Clones this repository and starts with an empty compiler cache for each of:
  demo   ./dev demo
  wheel  pip install . after it, in an environment of its own (its objects are the demo's, if the cache knows them)
  whole  ./dev build in another clone, with another empty cache: everything that ./dev test builds, with this checkout's .cache/venv
Packages of apt and pip are there already, or are fetched: their time counts. Prints wall and CPU seconds (user + system, of all
processes below) and the units with most CPU seconds; --folder keeps clones and logs there.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import unit_times  # noqa: E402


class Bench:
    def __init__(self, folder: Path, revision: str) -> None:
        self.folder, self.revision = folder, revision
        self.clones: dict[str, Path] = {}

    def clone(self, name: str) -> Path:
        if name not in self.clones:
            clone = self.folder / name
            subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(clone)], check=True)
            subprocess.run(["git", "checkout", "--quiet", self.revision], cwd=clone, check=True)
            self.clones[name] = clone
        return self.clones[name]

    def timed(self, step: str, name: str, *words: str) -> None:
        clone = self.clone(name)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("LOCKSTEP_", "CCACHE_", "VIRTUAL_ENV"))}
        log = self.folder / f"{step}.log"
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        python = ROOT / ".cache" / "venv" / "bin" / "python"
        if step == "whole" and python.exists():  # which has what the Python package is built with
            kept["LOCKSTEP_PYTHON"] = str(python)
        with log.open("w") as out:
            code = subprocess.run(words, cwd=clone, env=kept | {"CCACHE_DIR": str(self.folder / f"cache-{name}")}, stdout=out, stderr=out, check=False).returncode
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if code != 0:
            sys.exit(f"{step}: exit code {code}; {log} says:\n{log.read_text()[-2000:]}")
        print(f"{step:6} {wall:7.0f} s wall {cpu:7.0f} s CPU", flush=True)

    def slowest(self, name: str) -> None:
        path = self.clone(name) / "build" / "unit_times.tsv"
        if not path.exists():  # a revision from before that file
            return
        seconds = unit_times.read(path)
        print(f"       {len(seconds)} units, {sum(seconds.values()):.0f} s CPU:")
        for unit, one in sorted(seconds.items(), key=lambda item: -item[1])[:10]:
            print(f"       {one:7.1f}  {unit_times.shown(unit)}", flush=True)

    def demo(self) -> None:
        self.timed("demo", "first", "./dev", "demo")
        self.slowest("first")

    def wheel(self) -> None:
        environment = self.folder / "environment"
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        self.timed("wheel", "first", str(environment / "bin" / "python"), "-m", "pip", "install", ".")
        subprocess.run([str(environment / "bin" / "lockstep"), "--version"], check=True)

    def whole(self) -> None:
        self.timed("whole", "second", "./dev", "build")
        self.slowest("second")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--revision", default="HEAD")
    parser.add_argument("--steps", default="demo,wheel,whole")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    steps = options.steps.split(",")
    if unknown := set(steps) - {"demo", "wheel", "whole"}:
        parser.error(f"unknown steps: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="lockstep-build-") as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(folder, options.revision)
        print(f"{os.cpu_count()} cores, revision {subprocess.run(['git', 'rev-parse', '--short', options.revision], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()}")
        for step in steps:
            getattr(bench, step)()
    return 0


if __name__ == "__main__":
    sys.exit(main())
