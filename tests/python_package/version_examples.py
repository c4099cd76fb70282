"""The examples under the installed Triton, by tests of test_versions.py in a process of their own: what the plug-in's front end
makes of each is written as a .ttir file, which the command runs; its outputs are those of the command on the source.

Prints one JSON object: example -> "same bytes", or what differs."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
import triton
from triton.runtime.jit import MockTensor

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "triton_oracle")]
import triton_oracle

TYPES = {"*fp16": torch.float16, "*bf16": torch.bfloat16, "*fp32": torch.float32, "*i32": torch.int32}
HAS_NAMES = tuple(int(number) for number in triton.__version__.split(".")[:2]) >= (3, 5)  # of parameters, in a .ttir file


def ttir_of(launch: dict) -> str:
    """By a warm-up, with the values and types of the launch."""
    kernel = triton_oracle.load_kernel(launch["file"], launch["kernel"])
    types = triton_oracle.split_pairs(launch["sig"])
    values = {name: MockTensor.wrap_dtype(TYPES[kind]) if kind.startswith("*") else float(launch["arguments"][name]) if kind.startswith("fp")
              else int(launch["arguments"][name]) for name, kind in types.items()}  # fmt: skip
    return kernel.warmup(**values, **launch["constants"], grid=(1,)).asm["ttir"]


def run(kernel: str, launch: dict, folder: str, renamed: dict, given: dict) -> dict:
    """Outputs of the command, by the name in the launch; its inputs are saved too. given: arguments in place of the launch's."""
    arguments = launch["arguments"] | given
    if kernel.endswith(".py::" + launch["kernel"]):
        arguments |= launch["constants"]
    grid = re.sub(r"[A-Za-z_]\w*", lambda word: renamed.get(word[0], word[0]), launch["grid"])
    words = [f"{renamed.get(name, name)}={value}" for name, value in arguments.items()]
    for name in {*launch["outputs"], *launch["inputs"]} - given.keys():
        words += ["--save", f"{renamed.get(name, name)}=@{folder}/{name}.npy"]
    done = subprocess.run([os.environ["LOCKSTEP_EXECUTABLE"], "run", kernel, "--grid", grid, "--seed", "1", *words],
                          capture_output=True, text=True, cwd=ROOT, check=False)  # fmt: skip
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr[-1500:]}")
    return {name: np.load(f"{folder}/{name}.npy").tobytes() for name in launch["outputs"]}


def outcome(launch: dict) -> str:
    renamed = {} if HAS_NAMES else {name: f"arg{i}" for i, name in enumerate(triton_oracle.split_pairs(launch["sig"]))}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{launch['name']}.ttir")
        file.write_text(ttir_of(launch))
        from_source = run(f"{launch['file']}::{launch['kernel']}", launch, folder, {}, {})
        drawn = {name: f"@{folder}/{name}.npy" for name in launch["inputs"] if name not in launch["outputs"]}
        from_ttir = run(str(file), launch, folder, renamed, drawn)  # draws go by the parameter's name
    differing = [name for name in from_ttir if from_ttir[name] != from_source[name]]
    return f"{', '.join(differing)}: other bytes" if differing else "same bytes"


if __name__ == "__main__":
    launches = json.loads((ROOT / "examples" / "launches.json").read_text())["launches"]
    print(json.dumps({launch["name"]: outcome(launch) for launch in launches}))
