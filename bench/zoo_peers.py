#!/usr/bin/env python3
"""The bug zoo in one go: Lockstep's checkers beside triton-viz's sanitizer. Found, missed, false, time.

    zoo_peers.py LOCKSTEP --python PYTHON [--zoo tests/findings] [--jobs N] [--write FILE.json] [--seconds 60]

PYTHON: an interpreter with torch, triton and triton-viz. Every kernel of the zoo runs there under the sanitizer, in a
process of its own, with the same arguments; what it reports of a bad twin counts as found, of a good twin as false.
Launches whose arguments cannot be made in torch, and kernels that the peer stops on, are counted apart. `--run KERNEL`
is the child.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib.util
import json
import math
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TENSOR = re.compile(r"^(?P<kind>\w+)(?:\((?P<arguments>[^)]*)\))?:(?P<type>\w+)\[(?P<shape>[^\]]*)\]$")
VIEW = re.compile(r"^view\((?P<base>\w+)(?:, *(?P<rest>.*))?\)$")
#: What the child prints.
REPORT, SILENT, NO_ARGUMENTS = "peer: report", "peer: silent", "peer: arguments"
#: The sanitizer's report begins with one of these words, whatever the colours.
SAID = ("Out-Of-Bounds", "Violation Details", "IMA Diagnostic")


def launch_of(kernel: Path) -> tuple[str, str, dict[str, str]]:
    """Name, grid and NAME=VALUE of the first `# args:` line."""
    first = kernel.read_text(encoding="utf-8").splitlines()[0]
    words = shlex.split(first.removeprefix("# args: run "))
    name = words[0].split("::")[1] if "::" in words[0] else ""
    grid = words[words.index("--grid") + 1]
    values, skip = {}, False
    for word, after in zip(words[1:], [*words[2:], ""]):
        if skip:
            skip = False
        elif word.startswith("--"):
            skip = not after.startswith("--") and "=" not in after or word in ("--save", "--expect", "--grid")
        elif "=" in word:
            values.update([word.split("=", 1)])
    return name, grid, values


# ---- the child ----


def tensor(match: re.Match, values: dict[str, Any]) -> Any:
    import torch

    kinds = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i1": "bool", "u8": "uint8"}
    kinds |= {f"i{n}": f"int{n}" for n in (8, 16, 32, 64)}
    dtype = getattr(torch, kinds[match["type"]])
    shape = [int(number(part, values)) for part in match["shape"].split(",") if part.strip()]
    given = [number(part.split("=")[-1], values) for part in (match["arguments"] or "").split(",") if part.strip()]
    count = math.prod(shape)
    match match["kind"]:
        case "zeros":
            return torch.zeros(shape, dtype=dtype)
        case "ones":
            return torch.ones(shape, dtype=dtype)
        case "empty":
            return torch.empty(shape, dtype=dtype)
        case "full":
            return torch.full(shape, given[0], dtype=dtype)
        case "arange":
            return torch.arange(count).reshape(shape).to(dtype)
        case "randn":
            return torch.randn(shape).to(dtype)
        case "rand":
            return torch.rand(shape).to(dtype)
        case "randint":
            return torch.randint(int(given[0]), int(given[1]), shape).to(dtype)
        case kind:
            raise ValueError(f"no tensors of kind {kind}")


def number(text: str, values: dict[str, Any]) -> Any:
    names = {key: value for key, value in values.items() if isinstance(value, int | float)}
    return eval(text, {"__builtins__": {}, "cdiv": lambda a, b: -(-a // b), "inf": math.inf, "nan": math.nan}, names)


def read_values(texts: dict[str, str]) -> dict[str, Any]:
    import torch

    values: dict[str, Any] = {}
    views = {}
    for name, text in texts.items():
        if match := TENSOR.match(text):
            values[name] = tensor(match, values)
        elif match := VIEW.match(text):
            views[name] = match
        elif text in ("True", "true", "False", "false"):
            values[name] = text.lower() == "true"
        else:
            values[name] = number(text, values)
    for name, match in views.items():
        words = dict(re.findall(r"(\w+)=(\[[^\]]*\]|[^,]+)", match["rest"] or ""))
        base = values[match["base"]]
        shape = json.loads(words.get("shape", str(list(base.shape))))
        strides = json.loads(words.get("strides", str(list(torch.empty(shape).stride()))))
        values[name] = torch.as_strided(base, shape, strides, int(words.get("offset", 0)))
    return values


def child(kernel: Path) -> int:
    name, grid_text, texts = launch_of(kernel)
    spec = importlib.util.spec_from_file_location("zoo_kernel", kernel)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        values = read_values(texts)
        grid = number(f"({grid_text},)", values)
    except Exception as error:  # noqa: BLE001 - whatever it was, the peer cannot be asked
        print(NO_ARGUMENTS, error)
        return 0
    import triton
    import triton_viz
    from triton_viz.clients import Sanitizer

    jitted = getattr(module, name) if name else next(
        one for one in vars(module).values() if isinstance(one, triton.runtime.JITFunction)
    )
    wanted = jitted.arg_names
    traced = triton_viz.trace(client=Sanitizer())(jitted)
    traced[grid](**{key: value for key, value in values.items() if key in wanted})
    print(SILENT)
    return 0


# ---- the comparison ----


def ask_peer(python: str, kernel: Path, seconds: float) -> tuple[str, float]:
    started = time.monotonic()
    try:
        done = subprocess.run(
            [python, str(Path(__file__).resolve()), "--run", str(kernel)],
            capture_output=True, text=True, timeout=seconds, check=False,
        )
    except subprocess.TimeoutExpired:
        return "hangs", seconds
    took = time.monotonic() - started
    text = done.stdout + done.stderr
    if NO_ARGUMENTS in text:
        return "not asked", took
    if any(word in text for word in SAID):
        return "reports", took
    return ("silent" if SILENT in text else "stops"), took


def ask_lockstep(lockstep: str, kernel: Path, code: str) -> tuple[str, float]:
    words = shlex.split(kernel.read_text(encoding="utf-8").splitlines()[0].removeprefix("# args: "))
    place = {"file": str(kernel), "folder": str(kernel.parent)}
    words = [re.sub(r"\{(file|folder)\}", lambda found: place[found[1]], word) for word in words]
    if "--check" not in words:
        words += ["--check", "all"]
    started = time.monotonic()
    done = subprocess.run([lockstep, *words], capture_output=True, text=True, check=False, cwd=ROOT)
    took = time.monotonic() - started
    said = set(re.findall(r"\[(LSP?\d+)\]", done.stdout))
    if code in said:
        return "reports", took
    return ("other" if said else "silent"), took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lockstep", nargs="?")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--zoo", type=Path, default=ROOT / "tests" / "findings")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--run", type=Path)
    options = parser.parse_args()
    if options.run:
        return child(options.run)
    cases = [path / twin / "kernel.py" for path in sorted(options.zoo.glob("LS*")) for twin in ("bad", "good")]
    cases = [one for one in cases if one.exists()]

    def ask(kernel: Path) -> dict:
        code = kernel.parents[1].name.split("_")[0]
        ours, our_time = ask_lockstep(options.lockstep, kernel, code)
        peer, peer_time = ask_peer(options.python, kernel, options.seconds)
        return {"case": kernel.parents[1].name, "twin": kernel.parent.name, "lockstep": ours, "triton-viz": peer,
                "lockstep_s": round(our_time, 3), "triton-viz_s": round(peer_time, 3)}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(ask, cases))
    if options.write:
        options.write.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    for twin in ("bad", "good"):
        for tool in ("lockstep", "triton-viz"):
            some = [row for row in rows if row["twin"] == twin]
            counts = Counter(row[tool] for row in some)
            seconds = sorted(row[f"{tool}_s"] for row in some)
            print(f"{twin:4} {tool:10}: {dict(counts)}, median {seconds[len(seconds) // 2]:.3f} s")
    for row in rows:
        print(f"{row['case']}/{row['twin']}: lockstep {row['lockstep']}, triton-viz {row['triton-viz']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
