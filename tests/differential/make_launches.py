#!/usr/bin/env python3
"""Packs the launches of all op tests into recorded/launches.tar.xz, for machines with a GPU and for replay.py.

  make_launches.py LOCKSTEP [--from DIR] [--jobs N]

Runs tests/ops with LOCKSTEP_RECORD (needs what tests/ops needs; --from: a folder that was recorded so before). The
archive holds one file a launch, named by the hash of its content, and no times: the same tests give the same bytes.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import io
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OPS = HERE.parent / "ops"
ARCHIVE = HERE / "recorded" / "launches.tar.xz"
PARTS = 16


def record(lockstep: str, folder: Path, part: int) -> str:
    environment = {**os.environ, "LOCKSTEP_RECORD": str(folder), "LOCKSTEP_EXECUTABLE": lockstep}
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(OPS), "--shard", f"{part}/{PARTS}"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout[-2000:] + done.stderr[-500:]


def pack(folder: Path) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        # Similar launches side by side: by size, then name.
        for path in sorted(folder.glob("*.launch"), key=lambda p: (p.stat().st_size, p.name)):
            data = path.read_bytes()
            entry = tarfile.TarInfo(path.name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 64 << 20}]
    return lzma.compress(raw.getvalue(), format=lzma.FORMAT_XZ, filters=filters)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("--from", dest="given", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.given or Path(name)
        if not options.given:
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                work = pool.map(lambda part: record(options.lockstep, folder, part), range(1, PARTS + 1))
                if problems := [text for text in work if text]:
                    print("\n".join(problems))
                    return 1
        ARCHIVE.parent.mkdir(exist_ok=True)
        ARCHIVE.write_bytes(pack(folder))
        print(f"{ARCHIVE}: {len(list(folder.glob('*.launch')))} launches, {ARCHIVE.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
