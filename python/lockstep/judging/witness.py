"""The folder that shows a rejection: inputs, state, history, what was expected and obtained, and a program that computes what is
expected again with torch alone."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import numpy as np

from lockstep.judging.tensors import Bits

_REPLAY = '''"""Computes again what the reference gives for this witness, with torch alone, and holds the candidate's result against it."""
import importlib.util
import json
import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
history = json.loads((HERE / "history.json").read_text())


def read(name, head):
    made = torch.from_numpy(np.load(HERE / (name + ".npy")))
    return made.to(getattr(torch, head["dtype"])).reshape(head["shape"])


spec = importlib.util.spec_from_file_location("reference", HERE / "reference.py")
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)
torch.manual_seed(history["seed"])
model = reference.Model(*history["init"]).eval()
with torch.no_grad():
    targets = dict([*model.named_parameters(), *model.named_buffers()])
    for i, (name, head) in enumerate(history["state"]):
        targets[name].copy_(read(f"state{i}", head))
    expected = model(*[read(f"input{i}", head) for i, head in enumerate(history["inputs"])])
expected = list(expected.values() if isinstance(expected, dict) else expected) if not torch.is_tensor(expected) else [expected]
print(history["message"])
print("calls:", " -> ".join(history["calls"]))
for i, head in enumerate(history["outputs"]):
    obtained, right = read(f"obtained{i}", head), expected[i]
    if obtained.shape != right.shape:
        print(f"output {i}: shape {tuple(obtained.shape)}, expected {tuple(right.shape)}")
        continue
    away = (obtained.double() - right.double()).abs()
    away[(obtained == right) | (obtained.isnan() & right.isnan())] = 0
    at = int(away.nan_to_num(float("inf")).argmax()) if away.numel() else 0
    if away.numel():
        print(f"output {i}: element {np.unravel_index(at, tuple(right.shape))}: expected {right.flatten()[at].item()!r}, "
              f"obtained {obtained.flatten()[at].item()!r}")
'''


def _plain(bits: Bits) -> np.ndarray[Any, Any]:
    """As numpy has it: bf16 as f32."""
    numbers = bits.numbers()
    return numbers.astype("f4") if bits.dtype in ("bfloat16", "float32", "float16") else numbers


def write(
    folder: str, reference: str, facts: dict[str, Any], inputs: list[Bits], state: list[tuple[str, Bits]], obtained: list[Bits]
) -> str:
    """Writes a witness below the folder and returns its name. facts: "seed", "init", "message", "calls"."""
    history = {
        **facts, "inputs": [one.head() for one in inputs], "state": [[name, one.head()] for name, one in state],
        "outputs": [one.head() for one in obtained]}
    digest = hashlib.sha256(json.dumps(history, sort_keys=True).encode() + b"".join(one.data for one in [*inputs, *obtained]))
    name = digest.hexdigest()[:8]
    there = os.path.join(folder, name)
    os.makedirs(there, exist_ok=True)
    for prefix, all_bits in (("input", inputs), ("state", [one for _, one in state]), ("obtained", obtained)):
        for i, bits in enumerate(all_bits):
            np.save(os.path.join(there, f"{prefix}{i}.npy"), _plain(bits))
    for file, text in (("reference.py", reference), ("history.json", json.dumps(history, indent=1)), ("replay.py", _REPLAY)):
        with open(os.path.join(there, file), "w", encoding="utf-8") as out:
            out.write(text)
    return name
