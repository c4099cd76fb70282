#!/usr/bin/env python3
"""Runs TTGIR that Triton made of the example kernels, and compares what it stores with what the kernel's TTIR stores.

compare_stages.py LOCKSTEP FOLDER [NAME...]: every file KERNEL.[big.]smNN....ttgir of the folder, or those whose name has one of
the words. Launches are those of examples/launches.json. Reductions have one order here, whatever the layout, and products go along
k in order, so the bytes must be equal. Exits 1 if a file differs, has findings or fails; 4 is counted by cause."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Tiles of the samples named `big`, where the kernel's result depends on them, or its grid does.
BIG = {
    "matmul": {"TILE_M": 128, "TILE_N": 128, "TILE_K": 64},
    "attention": {"TILE_M": 128, "TILE_N": 64},
}


def grid_of(launch, constants):
    """The launch's grid with these tiles."""
    if launch["kernel"] == "matmul":
        return f"cdiv(200, {constants['TILE_M']}) * cdiv(144, {constants['TILE_N']})"
    if launch["kernel"] == "attention":
        return f"cdiv(200, {constants['TILE_M']}), 2"
    return launch["grid"]


def run(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600)
    return done, time.monotonic() - start


class Reference:
    """The kernel's own launch: its inputs and outputs as files."""

    def __init__(self, lockstep, launch, constants, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.launch, self.constants = launch, constants
        self.grid = grid_of(launch, constants)
        command = [lockstep, "run", f"{launch['file']}::{launch['kernel']}", "--grid", self.grid]
        command += [f"{name}={value}" for name, value in {**launch["arguments"], **constants}.items()]
        for name in dict.fromkeys(launch["inputs"] + launch["outputs"]):
            command += ["--save", f"{name}=@{self.path(name)}"]
        done, self.seconds = run(command)
        if done.returncode != 0:
            raise SystemExit(f"{launch['name']}: {done.stdout}{done.stderr}")

    def path(self, name):
        return self.folder / f"{name}.npy"

    def arguments(self):
        """Of a text whose parameters are arg0, arg1, ...: those that are not constants, in the order of the kernel."""
        names = [pair.split("=")[0] for pair in self.launch["sig"].split(",")]
        words = []
        for i, name in enumerate(names):
            value = self.launch["arguments"][name]
            fresh = name in self.launch["outputs"]
            words.append(f"arg{i}={value if fresh or name not in self.launch['inputs'] else '@' + str(self.path(name))}")
        return names, words


def compare(lockstep, sample, reference, folder):
    """(outcome, detail, seconds)"""
    names, words = reference.arguments()
    grid = re.sub(r"[a-z_]+", lambda word: reference.launch["arguments"].get(word[0], word[0]), reference.grid)
    command = [lockstep, "run", str(sample), "--grid", grid, *words]
    for name in reference.launch["outputs"]:
        command += ["--save", f"arg{names.index(name)}=@{folder}/{name}.npy"]
    done, seconds = run(command)
    if done.returncode == 4:
        first = next(line for line in (done.stdout + done.stderr).splitlines() if "error" in line or "not supported" in line)
        return "refused", first.split(": ", 2)[-1], seconds
    if done.returncode != 0:
        return "failed", (done.stdout + done.stderr)[:600], seconds
    for name in reference.launch["outputs"]:
        if pathlib.Path(folder, f"{name}.npy").read_bytes() != reference.path(name).read_bytes():
            return "different", name, seconds
    return "equal", "", seconds


def main():
    lockstep, samples, *words = sys.argv[1:]
    launches = {one["name"]: one for one in json.loads((ROOT / "examples/launches.json").read_text())["launches"]}
    counts, causes, ok = collections.Counter(), collections.Counter(), True
    references = {}
    with tempfile.TemporaryDirectory() as folder:
        for sample in sorted(pathlib.Path(samples).glob("*.ttgir")):
            kernel, big = sample.name.split(".")[0], ".big." in sample.name
            if kernel not in launches or (words and not any(word in sample.name for word in words)):
                continue
            if (kernel, big) not in references:
                constants = {**launches[kernel]["constants"], **(BIG.get(kernel, {}) if big else {})}
                references[kernel, big] = Reference(lockstep, launches[kernel], constants, f"{folder}/{kernel}{big}")
            reference = references[kernel, big]
            outcome, detail, seconds = compare(lockstep, sample, reference, folder)
            counts[outcome] += 1
            if outcome == "refused":
                causes[detail] += 1
            ok = ok and outcome in ("equal", "refused")
            print(f"{outcome:9} {sample.name:36} {seconds / reference.seconds:5.2f} x TTIR's time  {detail}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    for cause, count in causes.most_common():
        print(f"  {count:4}  {cause}")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
