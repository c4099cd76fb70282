#!/usr/bin/env python3
"""Judges again what a GPU answered: recorded/random.bin.xz and recorded/ops.bin.xz, made by on_gpu.py --record.

  replay.py RANDOM_KERNELS [--shard I/N] [--no-stale]

Needs no GPU: each recorded answer is held against today's enclosure of its launch. A record whose text is no longer what
is emitted today is compared all the same and counted as stale; --no-stale makes that a failure. Exit code 1: an answer is
outside, a record is broken, or (--no-stale) stale; 77: nothing was recorded yet.
"""

from __future__ import annotations

import argparse
import lzma
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "recorded"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--no-stale", action="store_true")
    options = parser.parse_args()
    packed = sorted(FOLDER.glob("*.bin.xz"))
    if not packed:
        print("skipped: no GPU's answers are recorded (tests/differential/on_gpu.py BUILD --record, on a GPU machine)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        launches = Path(name) / "launches"
        if any(path.name.startswith("ops.") for path in packed):
            with tarfile.open(FOLDER / "launches.tar.xz") as archive:
                archive.extractall(launches, filter="data")
        files = [Path(name) / path.stem for path in packed]
        for path, file in zip(packed, files):
            file.write_bytes(lzma.decompress(path.read_bytes()))
        words = [options.program, "replay", *map(str, files), "--launches", str(launches), "--shard", options.shard]
        return subprocess.run(words + ["--no-stale"] * options.no_stale, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
