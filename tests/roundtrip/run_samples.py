#!/usr/bin/env python3
"""Every sample runs: random arguments are made from each kernel's signature, as `lockstep run` names it.

  run_samples.py LOCKSTEP [--seed N] [--on-gpu] [FILE ...]

Pointers get 16384 random elements, descriptors a matrix, integers small values that keep every access inside. A sample must
complete; what is found or not supported yet is listed here by name. --on-gpu: `lockstep diff` instead of `run`: every element
must lie inside its enclosure (tests/differential/on_gpu.py does the same in parallel).
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MISSING = re.compile(r"no argument for the parameter '(?P<name>[^']+)'[^\n]*\n[^\n]*\(its type is (?P<type>.*)\)\n")
ELEMENTS = 16384
# What cannot run, by its own message.
UNSUPPORTED = {"raw_descriptors": "'tt.reinterpret_tensor_descriptor' is not supported yet"}
# Kernels that do what a GPU would fault on; the finding says so, and the launch goes on.
FINDINGS = {"descs": "[LS111]", "descriptor_signs": "[LS11"}
# Functions of tiles: written by hand for their text, no launch can give them arguments.
NOT_KERNELS = re.compile(r"its type is tensor<|has 2 kernels: two words, rare")


def tensor_of(element: str) -> str:
    if element.startswith("!tt.ptr"):
        return ""
    if element == "i1":
        return f"randint(0,2):i1[{ELEMENTS}]"
    if element.startswith("i"):
        return f"randint(0,9):{element}[{ELEMENTS}]"
    return f"rand:{element}[{ELEMENTS}]"


def value_of(name: str, kind: str, after_descriptor: int) -> str:
    """The argument's text; `after_descriptor`: how many parameters after a descriptor it comes, 0 if none before."""
    if kind.startswith("!tt.ptr<"):
        return tensor_of(re.sub(r", \d+$", "", kind[8:-1]))
    if kind.startswith("!tt.tensordesc<"):
        element = re.search(r"x([a-zA-Z]\w*)>", kind)[1].replace("si", "i").replace("ui", "i")
        return f"{'randint(0,9)' if element.startswith('i') else 'rand'}:{element}[64,64]"
    if 0 < after_descriptor <= 4:
        return "1:i64" if after_descriptor == 4 else "64"
    if kind == "i1":
        return "false"
    if kind in ("f16", "bf16", "f32", "f64"):
        return "1.5"
    return "48"


def parameters(lockstep: str, file: Path) -> tuple[list[tuple[str, str]], str]:
    """(name, type) of each parameter, as the program names them."""
    done = subprocess.run([lockstep, "run", str(file), "--grid", "1"], capture_output=True, text=True, check=False)
    return MISSING.findall(done.stderr), done.stderr


def arguments(found: list[tuple[str, str]]) -> list[str]:
    made, distance = [], 0
    for name, kind in found:
        distance = 1 if kind.startswith("!tt.tensordesc") else distance + 1 if distance else 0
        made.append(f"{name}={value_of(name, kind, distance - 1)}")
    return made


def problem(lockstep: str, file: Path, seed: int, on_gpu: bool) -> str:
    """'' if the sample completes (on_gpu: and the GPU's tensors lie inside)."""
    found, said = parameters(lockstep, file)
    if NOT_KERNELS.search(said):
        return ""
    how = ["diff", str(file)] if on_gpu else ["run", str(file), "--check", "none", "--timeout", "60"]
    command = [lockstep, *how, "--grid", "1", "--seed", str(seed), *arguments(found)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    kernel = file.name.split(".")[0]
    if done.returncode == 0:
        return ""
    if done.returncode == 4 and kernel in UNSUPPORTED and UNSUPPORTED[kernel] in done.stderr:
        return ""
    if done.returncode == 1 and kernel in FINDINGS and FINDINGS[kernel] in done.stdout + done.stderr:
        return ""
    return f"{file.relative_to(HERE)}: exit code {done.returncode}\n  {' '.join(command)}\n{done.stdout[-800:]}{done.stderr[-800:]}"


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("lockstep")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--on-gpu", action="store_true")
    options.add_argument("files", nargs="*", type=Path)
    chosen = options.parse_args()
    files = [file.resolve() for file in chosen.files] or sorted(HERE.glob("*/*.mlir"))
    with concurrent.futures.ThreadPoolExecutor(1 if chosen.on_gpu else os.cpu_count()) as pool:
        answers = pool.map(lambda file: problem(chosen.lockstep, file, chosen.seed, chosen.on_gpu), files)
        problems = [text for text in answers if text]
    print("\n".join(problems))
    print(f"{len(files) - len(problems)} of {len(files)} samples completed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
