"""What an H200 answered: tests/ops/recorded/<op>.npz.xz, made by record.py, by case and by the hash of text and inputs."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import lzma
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from support import elements
from support.case import Case, Scalar, initial_of

FOLDER = Path(__file__).resolve().parents[1] / "recorded"


def scalar_bits(value, kind: str) -> bytes:
    """A scalar parameter's bytes as the GPU gets them."""
    dtype = value.dtype if isinstance(value, np.generic) else elements.dtype_of(kind)
    if dtype.kind in "iu":
        return (int(value) & ((1 << (dtype.itemsize * 8)) - 1)).to_bytes(dtype.itemsize, "little")
    return np.asarray(value).astype(dtype).tobytes()


def digest(case: Case) -> str:
    """Changes with anything that the GPU's answer depends on."""
    sha = hashlib.sha256()
    sha.update(json.dumps([case.ttir, list(case.grid), case.num_warps]).encode())
    for argument in case.arguments:
        if isinstance(argument, Scalar):
            sha.update(f"scalar {argument.value}".encode())
            continue
        array = initial_of(argument)
        sha.update(f"{type(argument).__name__} {array.dtype} {array.shape}".encode())
        sha.update(elements.bits(array).tobytes())
    return sha.hexdigest()


@dataclass(frozen=True)
class Answer:
    digest: str
    outputs: list[np.ndarray]  # raw bits, flat


def opened(path: Path) -> np.lib.npyio.NpzFile:
    """A record as record.py packs it."""
    return np.load(io.BytesIO(lzma.decompress(path.read_bytes())))


@functools.cache
def answers(stem: str) -> dict[str, Answer]:
    """By case name."""
    path = FOLDER / f"{stem}.npz.xz"
    if not path.exists():
        return {}
    with opened(path) as file:
        about = json.loads(bytes(file["about"]).decode())
        return {
            name: Answer(entry["digest"], [file[f"{entry['key']}.{i}"] for i in range(entry["outputs"])])
            for name, entry in about["cases"].items()
        }


def answer(stem: str, case: Case) -> list[np.ndarray] | None:
    """The GPU's outputs in the dtypes and shapes of the case; None if it was not recorded.

    Raises AssertionError if the record was made from another text or other inputs."""
    found = answers(stem).get(case.name)
    if found is None:
        return None
    stale = f"recorded/{stem}.npz.xz holds '{case.name}' of another text or other inputs; record it again (tests/ops/record.py)"
    assert found.digest == digest(case), stale
    results = []
    for raw, place in zip(found.outputs, case.results()):
        like = initial_of(case.arguments[place])
        results.append(elements.bits(raw).view(like.dtype).reshape(like.shape))
    return results
