#!/usr/bin/env python3
"""Runs the TTGIR of recorded launches and compares what they store with the values that they expect.

run_launches.py LOCKSTEP LAUNCHES.json FOLDER [--all] [--order ORDER]: NAME.smNN.ttgir of the folder for every launch NAME of the file. A launch has tensors
(texts of `lockstep run`), args (names of tensors, numbers, `desc(TENSOR,[BLOCK],SWIZZLE)`), a grid, and `expect`: NumPy texts over
the tensors. Outputs that are not given whole are compared where they are stored. Exits 1 if a value differs, or a launch has an
error or fails; refusals (exit code 4) are listed by cause. --all: every launch must run and be as expected. --order: late, early or
random:SEED (--async-order), or random:FIRST-LAST; may be given several times."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

PARAMETERS = re.compile(r"tt\.func public @\w+\((.*?)\) attributes", re.DOTALL)
NOT_STORED = -77.0  # what the recorded launches have where nothing is stored


def shape_of(tensor):
    return [int(extent) for extent in re.search(r"\[(.*?)\]", tensor).group(1).split(",")]


def values_of(launch):
    """The arguments as the kernel's parameters: a descriptor is followed by its shape and strides."""
    for value in launch["args"].values():
        if isinstance(value, str) and value.startswith("desc("):
            tensor = value[5:].split(",")[0]
            shape = shape_of(launch["tensors"][tensor])
            yield tensor
            yield from shape
            yield from (int(np.prod(shape[d + 1 :])) for d in range(len(shape)))
        else:
            yield value


def bind(launch, text):
    """(words, parameter of each tensor); None: the numbers of arguments and parameters differ."""
    names = re.findall(r"%(\w+): ", PARAMETERS.search(text).group(1))
    values = list(values_of(launch))
    if len(values) != len(names):
        values = [value for value in values if value != 1]  # constants of the compiled kernel
    if len(values) != len(names):
        return None
    words, tensors = [], {}
    for name, value in zip(names, values):
        is_tensor = isinstance(value, str) and value in launch["tensors"]
        words.append(f"{name}={launch['tensors'][value] if is_tensor else value}")
        if is_tensor:
            tensors[value] = name
    return words, tensors


def is_as_expected(launch, name, stored):
    wide = {tensor: array.astype(np.float64) if array.dtype.kind == "f" else array for tensor, array in stored.items()}
    scope = {"np": np, **wide, **launch.get("const", {})}
    scope.update({key: value for key, value in launch["args"].items() if not isinstance(value, str)})
    expected = np.asarray(eval(launch["expect"][name], scope), dtype=np.float64)  # noqa: S307
    found = np.asarray(stored[name], dtype=np.float64).reshape(expected.shape)
    near = np.isclose(found, expected, rtol=launch.get("rtol", 2e-2), atol=launch.get("atol", 2e-2), equal_nan=True)
    return bool(np.all(near | (expected == NOT_STORED)))


def words_of(order):
    name, _, seed = order.partition(":")
    return ["--async-order", name, *(["--async-seed", seed] if seed else [])]


def run(lockstep, launch, path, folder, order):
    bound = bind(launch, path.read_text())
    if bound is None:
        return "other arguments", ""
    words, tensors = bound
    target = path.name.rsplit(".sm", 1)[1].split(".")[0]
    command = [lockstep, "run", str(path), "--grid", ",".join(map(str, launch["grid"])), "--as", f"sm_{target}", *words, *words_of(order)]
    for tensor, parameter in tensors.items():
        command += ["--save", f"{parameter}=@{folder}/{tensor}.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    text = done.stdout + done.stderr
    if done.returncode == 4:
        return "refused", re.search(r"unsupported: ('[^']+'[^(\n]*)", text).group(1).strip()
    if done.returncode == 2:
        return "other arguments", text.splitlines()[0]
    if done.returncode != 0:
        return "failed", text[:600]
    stored = {tensor: stored_values(f"{folder}/{tensor}.npy", launch["tensors"][tensor]) for tensor in tensors}
    fresh = [name for name in launch.get("expect", {}) if launch["tensors"][name].startswith(("empty", "zeros"))]
    wrong = [name for name in fresh if not is_as_expected(launch, name, stored)]
    return ("different", ", ".join(wrong)) if wrong else ("as expected", "")


def stored_values(file, text):
    """The saved tensor; f8E5M2, which NumPy does not have, is the upper half of f16."""
    values = np.load(file)
    return (values.view(np.uint8).astype(np.uint16) << 8).view(np.float16).astype(np.float64) if ":f8E5M2[" in text else values


def orders_of(word):
    name, _, seeds = word.partition(":")
    first, dash, last = seeds.partition("-")
    return [f"{name}:{seed}" for seed in range(int(first), int(last) + 1)] if dash else [word]


def main():
    lockstep, file, samples = sys.argv[1:4]
    is_strict = "--all" in sys.argv[4:]
    words = [sys.argv[i + 1] for i, word in enumerate(sys.argv) if word == "--order"] or ["late"]
    orders = [order for word in words for order in orders_of(word)]
    launches = {one["name"]: one for one in json.loads(pathlib.Path(file).read_text())["launches"]}
    counts, causes = collections.Counter(), collections.Counter()
    for path in sorted(pathlib.Path(samples).glob("*.ttgir")):
        launch = launches.get(path.name.rsplit(".sm", 1)[0])
        if launch is None:
            continue
        for order in orders:
            with tempfile.TemporaryDirectory() as folder:
                outcome, detail = run(lockstep, launch, path, folder, order)
            counts[outcome] += 1
            if outcome == "refused":
                causes[detail] += 1
            elif outcome != "as expected":
                print(f"{outcome}: {path.name}, {order}  {detail}")
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    for cause, count in causes.most_common():
        print(f"  {count:4}  {cause}")
    if is_strict:
        sys.exit(0 if counts["as expected"] == counts.total() >= len(launches) * len(orders) else 1)
    sys.exit(1 if counts["different"] or counts["failed"] else 0)


if __name__ == "__main__":
    main()
