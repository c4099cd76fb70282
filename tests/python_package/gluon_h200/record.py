#!/usr/bin/env python3
"""Maintainer's script, on a machine with an H200: record.py OUT.json [ARRAYS.npz]

Runs the cases of cases.py by Triton 3.6 and writes the digest of each tensor stored, then each fault in a process of its own,
five times at most, and whether it hangs (20 s) or stores other bytes. ARRAYS.npz gets the tensors themselves. Where Lockstep's bits are others, `other_bits`
of the row says by hand why.
"""
import json
import subprocess
import sys

import cases
import kernels
import numpy as np
import torch

SECONDS = 20


def run(case, launch):
    inputs, outputs = case.on("cuda")
    launch(kernels, inputs, outputs)
    torch.cuda.synchronize()
    return [t.cpu() for t in outputs]


def recorded(case):
    stored = run(case, case.launch)
    again = run(case, case.launch)
    wanted = case.reference(case.inputs)
    far = max(float((a.double() - b.double()).abs().max()) for a, b in zip(stored, wanted, strict=True))
    row = {
        "inputs": [cases.digest(t) for t in case.inputs],
        "outputs": [cases.digest(t) for t in stored],
        "repeats": all(torch.equal(a, b) for a, b in zip(stored, again, strict=True)),
        "from_reference": far,
    }
    return row, stored


def fault(name):
    """What the fault shows, in a process of its own (see main)."""
    it = next(f for f in cases.FAULTS if f.name == name)
    case = cases.by_name(it.case)
    right = run(case, case.launch)
    for attempt in range(5):
        inputs, outputs = case.on("cuda")
        for t in outputs:
            t.fill_(7)
        it.launch(kernels, inputs, outputs)
        torch.cuda.synchronize()
        differs = sum(int((a != b.cpu()).sum()) for a, b in zip(right, outputs, strict=True))
        if differs:
            print(json.dumps({"shows": "other", "elements": differs, "attempt": attempt}))
            return
    print(json.dumps({"shows": "nothing"}))


def text_of(made):
    """JSON with a case or a fault a line."""
    parts = [f' "{name}": {json.dumps(made[name])}' for name in ("device", "triton")]
    for name in ("cases", "faults"):
        lines = ",\n".join(f'  "{key}": {json.dumps(row)}' for key, row in made[name].items())
        parts.append(f' "{name}": {{\n{lines}\n }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main():
    if sys.argv[1] == "--fault":
        fault(sys.argv[2])
        return
    rows, arrays = {}, {}
    for case in cases.good():
        try:
            rows[case.name], stored = recorded(case)
        except Exception as error:  # whatever Triton raises
            rows[case.name] = {"error": f"{type(error).__name__}: {str(error)[:600]}"}
            continue
        for i, t in enumerate(stored):
            arrays[f"{case.name}.{i}"] = t.contiguous().view(torch.uint8).numpy()
        print(case.name, rows[case.name]["from_reference"], rows[case.name]["repeats"], flush=True)
    faults = {}
    for it in cases.FAULTS:
        try:
            done = subprocess.run([sys.executable, __file__, "--fault", it.name], capture_output=True, text=True, timeout=SECONDS + 20)
            faults[it.name] = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {"error": done.stderr[-600:]}
        except subprocess.TimeoutExpired:
            faults[it.name] = {"shows": "hang"}
        print(it.name, faults[it.name], flush=True)
    import triton

    made = {"device": torch.cuda.get_device_name(), "triton": triton.__version__, "cases": rows, "faults": faults}
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(text_of(made))
    if len(sys.argv) > 2:
        np.savez_compressed(sys.argv[2], **arrays)


if __name__ == "__main__":
    main()
