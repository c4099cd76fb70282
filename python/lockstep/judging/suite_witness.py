"""The folder that shows a rejection by a suite's tests: the test's file, the calls with what they gave, and a program that runs the test
again with torch and pytest alone; the recorded results take the place of the candidate."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from typing import Any

import numpy as np

from lockstep.judging import suite_run
from lockstep.judging.tensors import Bits
from lockstep.judging.witness import READING, plain

_REPLAY = (
    '''"""Runs the test again with torch and pytest alone: each call gives what the candidate gave. Prints what the test holds it against."""
import json
import pathlib
import sys
import types

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import suite_run

history = json.loads((HERE / "history.json").read_text())
calls = iter(enumerate(history["calls"]))


'''
    + READING
    + '''def given(name, grid, arguments, tensors):
    k, call = next(calls, (0, None))
    if call is None or call["function"] != name:
        raise RuntimeError("the witness has no more calls of the test")
    same = all(torch.equal(read(f"call{k}-input{i}", head).nan_to_num(), tensors[i].nan_to_num()) for i, head in enumerate(call["inputs"]))
    print(f"call {k + 1} of {name}: its arguments are " + ("as recorded" if same else "OTHERS than recorded"))
    results = [read(f"call{k}-output{i}", head) for i, head in enumerate(call["outputs"])]
    count = len(call["alias"])
    changed = dict(zip(call["changed"], results[count:]))
    return nested(call["value"], [tensors[at] if at >= 0 else one for at, one in zip(call["alias"], results)]), results[:count], changed


class Here(torch.overrides.TorchFunctionMode):
    """Every device is the CPU."""

    def __torch_function__(self, function, kinds, args=(), kwargs=None):
        def placed(one):
            return torch.device("cpu") if isinstance(one, torch.device) or (isinstance(one, str) and one.startswith("cuda")) else one

        if getattr(function, "__name__", "") == "cuda":
            return args[0]
        return function(*map(placed, args), **{key: placed(one) for key, one in (kwargs or {}).items()})


torch.Generator = type("Generator", (torch.Generator,), {"__new__": lambda cls, device="cpu": super(torch.Generator, cls).__new__(cls, "cpu")})
torch.cuda.is_available = lambda: True
torch.cuda.synchronize = lambda *some: None
torch.cuda.manual_seed = torch.cuda.manual_seed_all = lambda seed: None
attributes = {name: [kind, nested(what[0], []) if kind == "value" else what[0] if what else ""] for name, (kind, *what) in history["attributes"].items()}
task = history["task"]
words = [str(HERE / history["test"].rpartition("/")[2])]
run = suite_run.Run(words, str(HERE), task["module"], attributes, given)
with Here():
    run.run(history["how"].get("shift", 0), history["how"].get("values", ""))
print(history["message"])
for test in run.tests:
    print(f"{test.name}: {test.outcome}: {test.text.splitlines()[0] if test.text else ''}")
for k, call in enumerate(run.calls):
    for i, result in enumerate(call.results):
        for how, other in call.checks.get(i, [])[:1]:
            at = farthest(result, other)
            if at is not None:
                print(f"call {k + 1}, result {i}, held by {how}: element {at}: expected {other.flatten()[at].item()!r}, obtained {result.flatten()[at].item()!r}")
if not any(call.checks for call in run.calls):
    print("expected: nothing is compared here; obtained: see the message")
'''
)


def write(folder: str, file: tuple[str, str], facts: dict[str, Any], calls: list[tuple[dict[str, Any], list[Bits], list[Bits]]]) -> str:
    """Writes a witness below the folder and returns its name. file: the path and the text of the tests. facts: "message", "test",
    "task", "how", "attributes". calls: facts, tensors and results of each."""
    task = {key: one for key, one in facts["task"].items() if key not in ("files", "text")}
    history = facts | {"task": task, "calls": [one for one, _, _ in calls]}
    data = b"".join(bits.data for _, given, made in calls for bits in [*given, *made])
    name = hashlib.sha256(json.dumps(history, sort_keys=True).encode() + data).hexdigest()[:8]
    there = os.path.join(folder, name)
    os.makedirs(there, exist_ok=True)
    for k, (_, given, made) in enumerate(calls):
        for kind, all_bits in (("input", given), ("output", made)):
            for i, bits in enumerate(all_bits):
                np.save(os.path.join(there, f"call{k}-{kind}{i}.npy"), plain(bits))
    shutil.copyfile(suite_run.__file__ or "", os.path.join(there, "suite_run.py"))
    files = facts["task"].get("files", {}).items()
    for target, text in (*files, (os.path.basename(file[0]), file[1]), ("history.json", json.dumps(history, indent=1)), ("replay.py", _REPLAY)):
        with open(os.path.join(there, target), "w", encoding="utf-8") as out:
            out.write(text)
    around = os.path.join(os.path.dirname(file[0]), "conftest.py")
    if os.path.exists(around):
        shutil.copyfile(around, os.path.join(there, "conftest.py"))
    return name
