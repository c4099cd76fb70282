#!/usr/bin/env python3
"""Which recorded launches depend on lanes that masked loads leave without a value, found without Lockstep's checkers.

    undefined_lanes.py LOCKSTEP FOLDER [--seconds S]

Every capsule whose TTIR has masked loads without `other` runs with 0, 100, -30 and NaN written into the text as
`other`; the launch depends on them if a tensor's bytes or the outcome differ. The checker `definedness` must report an
error for exactly those launches. Block pointers and atomics without values are not refilled. Exit code 1: the two
disagree somewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LOAD = re.compile(
    r"^(?P<result>\s*%\S+ = tt\.load %\S+, %[^ ,]+)(?P<words>(?: cacheModifier| evictionPolicy| \{).*?)?"
    r" : (?P<type>.*?)(?P<place> loc\(.*\))?$"
)
TILE = re.compile(r"tensor<((?:\d+x)+)!tt\.ptr<([a-zA-Z0-9]+)>>$")
SCALAR = re.compile(r"!tt\.ptr<([a-zA-Z0-9]+)")
NAN = {"f16": "0x7E00", "bf16": "0x7FC0", "f32": "0x7FC00000", "f64": "0x7FF8000000000000"}
#: For floats, for integers, for i1.
FILLS = [("0.0", "0", "false"), ("100.0", "7", "true"), ("-30.0", "-3", "true"), ("nan", "7", "true")]
FINDINGS = re.compile(r"error: .* \[LS20[1568]\]$", re.MULTILINE)


def constant(element: str, fill: tuple[str, str, str]) -> str:
    number, integer, flag = fill
    if element == "i1":
        return flag
    if element.startswith("i"):
        return integer
    return NAN.get(element, "1.0") if number == "nan" else number


def refilled(text: str, fill: tuple[str, str, str]) -> tuple[str, int]:
    """The text with `other` in every masked load that has none, and how many those are."""
    lines: list[str] = []
    count = 0
    for line in text.splitlines():
        match = LOAD.match(line)
        if not match:
            lines.append(line)
            continue
        count += 1
        tile = TILE.match(match["type"])
        scalar = SCALAR.match(match["type"])
        assert tile or scalar, line
        element = tile[2] if tile else scalar[1]
        value = constant(element, fill)
        written = f"dense<{value}> : tensor<{tile[1]}{element}>" if tile else f"{value} : {element}"
        lines.append(f"%refill{count} = arith.constant {written}")
        words = match["words"] or ""
        lines.append(f"{match['result']}, %refill{count}{words} : {match['type']}{match['place'] or ''}")
    return "\n".join(lines) + "\n", count


def write_refilled(capsule: Path, to: Path, fill: tuple[str, str, str]) -> tuple[dict, int]:
    with zipfile.ZipFile(capsule) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    told = json.loads(members["manifest.json"])
    text, count = refilled(members["kernel.ttir"].decode(), fill)
    members["kernel.ttir"] = text.encode()
    told["ttir"].update(bytes=len(members["kernel.ttir"]), sha256=hashlib.sha256(members["kernel.ttir"]).hexdigest())
    members["manifest.json"] = json.dumps(told).encode()
    with zipfile.ZipFile(to, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return told, count


def ending(lockstep: str, capsule: Path, told: dict, folder: Path, seconds: float) -> list[bytes]:
    """The exit code and the bytes of every tensor after the launch."""
    tensors = [one["name"] for one in told["arguments"] if one["kind"] == "pointer" and 0 not in one["shape"]]
    words = [lockstep, "run", str(capsule), "--check", "none", "--fail-on", "none"]
    for i, name in enumerate(tensors):
        (folder / f"{i}.npy").unlink(missing_ok=True)
        words += ["--save", f"{name}=@{folder / f'{i}.npy'}"]
    done = subprocess.run(words, capture_output=True, timeout=seconds, check=False)
    files = [folder / f"{i}.npy" for i in range(len(tensors))]
    return [str(done.returncode).encode()] + [file.read_bytes() if file.exists() else b"" for file in files]


def depends(lockstep: str, capsule: Path, folder: Path, seconds: float) -> bool | None:
    """None: no masked load without `other`."""
    endings = []
    for fill in FILLS:
        told, count = write_refilled(capsule, folder / "refilled.capsule", fill)
        if count == 0:
            return None
        endings.append(ending(lockstep, folder / "refilled.capsule", told, folder, seconds))
    return any(one != endings[0] for one in endings)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lockstep")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    counts = {True: 0, False: 0}
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for capsule in sorted(options.folder.rglob("*.capsule")):
            truth = depends(options.lockstep, capsule, Path(name), options.seconds)
            if truth is None:
                continue
            counts[truth] += 1
            words = [options.lockstep, "run", str(capsule), "--check", "definedness", "--fail-on", "none"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=options.seconds, check=False)
            if bool(FINDINGS.search(done.stdout)) != truth:
                wrong += 1
                what = "depends on undefined lanes, no error" if truth else "an error, but no byte depends on it"
                print(f"{capsule.name}: {what}")
    total = sum(counts.values())
    print(f"{total} launches with masked loads without other: {counts[True]} depend on them, {wrong} reported wrongly")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
