"""The folder that shows a rejection: inputs, state, history, what was expected and obtained, and a program that computes what is
expected again with torch alone."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import numpy as np

from lockstep.judging.tensors import Bits

# Of every replay.py: tensors of its folder, arguments from their description, the element that is farthest from what is right.
READING = '''def read(name, head):
    made = torch.from_numpy(np.load(HERE / (name + ".npy")))
    return made.to(getattr(torch, head["dtype"])).reshape(head["shape"])


def nested(nest, tensors):
    kind, what = nest
    if kind == "t":
        return tensors[what]
    if kind in "lu":
        return (list if kind == "l" else tuple)(nested(one, tensors) for one in what)
    if kind == "d":
        return {key: nested(one, tensors) for key, one in what}
    return getattr(torch, what["dtype"]) if isinstance(what, dict) else what


def farthest(obtained, right):
    away = (obtained.double() - right.double()).abs()
    away[(obtained == right) | (obtained.isnan() & right.isnan())] = 0
    return int(away.nan_to_num(float("inf")).argmax()) if away.numel() else None


'''

_REPLAY = (
    '''"""Computes again what the reference gives for this witness, with torch alone, and holds the candidate's result against it."""
import importlib.util
import json
import pathlib
import sys

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
history = json.loads((HERE / "history.json").read_text())


'''
    + READING
    + '''def module(name):
    spec = importlib.util.spec_from_file_location(name, HERE / (name + ".py"))
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


def arguments(init):
    if isinstance(init, dict):
        return [], init
    init = list(init) if isinstance(init, (list, tuple)) else [init]
    is_both = len(init) == 2 and isinstance(init[0], list) and isinstance(init[1], dict)
    return (init[0], init[1]) if is_both else (init, {})


task = history["task"]
for helper in task.get("helpers", []):
    module(helper)
reference = module("reference")
maker = module("inputs") if task["kind"] == "function" else reference
if task["kind"] != "gpumode":
    for name, size in history["sizes"].items():
        setattr(maker, name, size)
torch.manual_seed(history["seed"])
if task["kind"] == "model":
    some, named = arguments(nested(history["init"], []))
    model = reference.Model(*some, **named).eval()
else:
    model = getattr(reference, task["name"])
with torch.no_grad():
    if history["state"]:
        targets = dict([*model.named_parameters(), *model.named_buffers()])
    for i, (name, head) in enumerate(history["state"]):
        targets[name].copy_(read(f"state{i}", head))
    inputs = [read(f"input{i}", head) for i, head in enumerate(history["inputs"])]
    before = [one.clone() for one in inputs]
    expected = model(*nested(history["nest"], inputs))


def flat(value):
    if torch.is_tensor(value):
        return [value]
    value = list(value.values()) if isinstance(value, dict) else value
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in flat(part)]
    return [torch.tensor(value)] if isinstance(value, (bool, int, float)) else []


expected = flat(expected)
held = {one.data_ptr() for one in expected}
expected += [a for a, b in zip(inputs, before) if not torch.equal(a.nan_to_num(), b.nan_to_num()) and a.data_ptr() not in held]
print(history["message"])
print("calls:", " -> ".join(history["calls"]))
for i, head in enumerate(history["outputs"]):
    if i >= len(expected):
        break
    obtained, right = read(f"obtained{i}", head), expected[i]
    if obtained.shape != right.shape:
        print(f"output {i}: shape {tuple(obtained.shape)}, expected {tuple(right.shape)}")
        continue
    at = farthest(obtained, right)
    if at is not None:
        print(f"output {i}: element {np.unravel_index(at, tuple(right.shape))}: expected {right.flatten()[at].item()!r}, "
              f"obtained {obtained.flatten()[at].item()!r}")
'''
)


def plain(bits: Bits) -> np.ndarray[Any, Any]:
    """As numpy has it: bf16 as f32."""
    numbers = bits.numbers()
    return numbers.astype("f4") if bits.dtype in ("bfloat16", "float32", "float16") else numbers


def write(
    folder: str, texts: tuple[str, str], facts: dict[str, Any], inputs: list[Bits], state: list[tuple[str, Bits]], obtained: list[Bits]
) -> str:
    """Writes a witness below the folder and returns its name. texts: the reference's, and that of the maker
    of its inputs. facts: "seed", "init", "nest", "sizes", "task", "message", "calls"."""
    history = {
        **facts, "inputs": [one.head() for one in inputs], "state": [[name, one.head()] for name, one in state],
        "outputs": [one.head() for one in obtained]}
    digest = hashlib.sha256(json.dumps(history, sort_keys=True).encode() + b"".join(one.data for one in [*inputs, *obtained]))
    name = digest.hexdigest()[:8]
    there = os.path.join(folder, name)
    os.makedirs(there, exist_ok=True)
    for prefix, all_bits in (("input", inputs), ("state", [one for _, one in state]), ("obtained", obtained)):
        for i, bits in enumerate(all_bits):
            np.save(os.path.join(there, f"{prefix}{i}.npy"), plain(bits))
    helpers = facts["task"].get("helpers", {})
    for file, text in (
        ("reference.py", texts[0]), ("inputs.py", texts[1]), *((f"{one}.py", helpers[one]) for one in helpers),
        ("history.json", json.dumps(history, indent=1)), ("replay.py", _REPLAY),
    ):
        if not text:
            continue
        with open(os.path.join(there, file), "w", encoding="utf-8") as out:
            out.write(text)
    return name
