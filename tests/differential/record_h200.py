#!/usr/bin/env python3
"""Records capsules on a GPU machine: attention kernels, fla's GatedDeltaNet forward, the examples.

    python tests/differential/record_h200.py OUT [--on gpu|lockstep] [--only NAME,...] [--lockstep build/lockstep]
    python tests/differential/record_h200.py OUT --publish FILE...

Needs torch and Triton; for `gated_delta` fla-core 0.5.2 and einops (pip install --no-deps of their wheels). Sizes are small, all of OUT stays
below 4 MiB, and autotuners keep their first configuration. Sources are left out and paths in the TTIR cut to what is the same everywhere
(--publish does that to capsules that are there). A part that cannot run is named with its reason and does not stop the others. With --lockstep each capsule
is replayed, and a table says which are inside; exit code 1 if one is not. What it writes is kept in
tests/differential/capsules/, where the test capsules_replay replays it without a GPU. --on lockstep is a rehearsal."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import re
import sys
import traceback
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

os.environ.setdefault("TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER", "0")
ROOT = Path(__file__).resolve().parents[2]
if importlib.util.find_spec("lockstep") is None:
    sys.path.insert(0, str(ROOT / "python"))

MAX_TOTAL = 4 << 20
DEVICE = "cuda"


def example(name: str) -> ModuleType:
    """A module of examples/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def normal(torch: Any, *shape: int, dtype: Any) -> Any:
    """The same numbers on every machine, of few bits where the type has many, so that capsules stay small."""
    generator = torch.Generator("cpu").manual_seed(sum(shape))
    values = torch.randn(*shape, generator=generator)
    return values.to(torch.bfloat16).to(dtype).to(DEVICE)


def attention_example(torch: Any) -> None:
    """examples/attention.py: causal, a length that no tile divides, and one that all do."""
    kernel = example("attention").attention
    for length, depth in ((200, 64), (128, 32)):
        q, k, v = (normal(torch, 2, length + n, depth, dtype=torch.float16)[:, :length].contiguous() for n in range(3))
        out = torch.empty_like(q)
        grid = ((length + 63) // 64, 2)
        kernel[grid](q, k, v, out, 2, length, length * depth, depth**-0.5, TILE_M=64, TILE_N=32, DEPTH=depth)


def flex_attention(torch: Any) -> None:
    """PyTorch's fused attention, a Triton template that Inductor fills in."""
    from torch.nn.attention.flex_attention import flex_attention as flex

    def causal(score: Any, b: Any, h: Any, query: Any, key: Any) -> Any:
        return torch.where(query >= key, score, -float("inf"))

    compiled = torch.compile(flex, fullgraph=True)
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        q, k, v = (normal(torch, 1, 2, 128, 64, dtype=dtype) * (n + 1) for n in range(3))
        compiled(q, k, v, score_mod=causal)


def fla_attention(torch: Any) -> None:
    """fla's parallel softmax attention."""
    from fla.ops.attn import parallel_attn

    for dtype in (torch.float16, torch.bfloat16):
        q, k, v = (normal(torch, 1, 96, 2, 64, dtype=dtype) * (n + 1) / 2 for n in range(3))
        parallel_attn(q, k, v, scale=0.125)


def gated_delta(torch: Any) -> None:
    """GatedDeltaNet's forward, in chunks and step by step."""
    from fla.ops.gated_delta_rule import (
        chunk_gated_delta_rule,
        fused_recurrent_gated_delta_rule,
    )

    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        q, k, v = (normal(torch, 1, 80, 2, 64, dtype=torch.float32) * (n + 1) / 2 for n in range(3))
        q, k = (torch.nn.functional.normalize(one, dim=-1).to(dtype) for one in (q, k))
        beta = normal(torch, 1, 80, 2, dtype=torch.float32).sigmoid().to(dtype)
        gate = torch.nn.functional.logsigmoid(normal(torch, 1, 80, 2, dtype=torch.float32)).to(dtype)
        chunk_gated_delta_rule(q, k, v.to(dtype), gate, beta, output_final_state=True)
        few = [one[:, :24].contiguous() for one in (q, k, v.to(dtype), gate)]
        fused_recurrent_gated_delta_rule(*few, beta=beta[:, :24].contiguous(), output_final_state=True)


def examples(torch: Any) -> None:
    """The other examples, small."""
    x = normal(torch, 7, 129, dtype=torch.float32)
    example("softmax").softmax[(7,)](x, torch.empty_like(x), 129, 129, 7, 129, BLOCK=256)
    a, b = normal(torch, 100, 72, dtype=torch.float32), normal(torch, 4099, dtype=torch.float32)
    example("vector_add").vector_add[(17,)](b, b.flip(0), torch.empty_like(b), 4099, BLOCK=256)

    compiled = torch.compile(lambda one: torch.nn.functional.layer_norm(torch.nn.functional.gelu(one), (72,)))
    compiled(a)


PARTS: dict[str, Callable[[Any], None]] = {
    "gated_delta": gated_delta,
    "attention": attention_example,
    "flex": flex_attention,
    "fla_attention": fla_attention,
    "examples": examples,
}


def take_first_configurations() -> None:
    """Autotuners have one configuration each: trying all of fla's takes minutes."""
    from triton.runtime.autotuner import Autotuner

    original = Autotuner.__init__

    def __init__(self: Any, fn: Any, arg_names: Any, configs: Any, *rest: Any, **named: Any) -> None:
        original(self, fn, arg_names, configs[:1], *rest, **named)

    Autotuner.__init__ = __init__


def public_path(path: str) -> str:
    """What is the same on every machine."""
    for marker in ("/site-packages/", "/dist-packages/"):
        if marker in path:
            return path.split(marker)[-1]
    if "torchinductor" in path:
        return "inductor/" + Path(path).name
    for folder in ("/fla/", "/triton/", "/examples/"):
        if folder in path:
            return path[path.index(folder) + 1 :]
    return Path(path).name


def publish(source: str, target: Path) -> None:
    """Writes a capsule without sources and without the machine's paths."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if not name.startswith("source/")}
    told = json.loads(members["manifest.json"])
    ttir = re.sub(r'loc\("(/[^"]*)"', lambda match: f'loc("{public_path(match[1])}"', members["kernel.ttir"].decode())
    members["kernel.ttir"] = ttir.encode()
    told["sources"] = []
    told["ttir"].update(bytes=len(members["kernel.ttir"]), sha256=hashlib.sha256(members["kernel.ttir"]).hexdigest())
    members["manifest.json"] = json.dumps(told, indent=1).encode()
    with zipfile.ZipFile(f"{target}.part", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    Path(f"{target}.part").replace(target)


def record_part(name: str, out: Path) -> tuple[list[str], str]:
    """Records one part into OUT; the files, and why it broke off or ""."""
    import lockstep
    import torch

    problem = ""
    with lockstep.record(out / name, first=1) as recorder:
        try:
            PARTS[name](torch)
        except Exception:  # noqa: BLE001 (the other parts are recorded all the same)
            problem = traceback.format_exc(limit=-3)
    files = []
    for path in recorder.written:
        files.append(str(out / f"{name}-{Path(path).stem[:44]}.capsule"))
        publish(path, Path(files[-1]))
        Path(path).unlink()
    (out / name).rmdir()
    for reason, count in sorted(recorder.skipped.items()):
        print(f"{name}: left out, {count} times: {reason}")
    return files, problem


def report(command: str, files: list[str]) -> bool:
    """Replays; the table."""
    from lockstep import record_main

    rows: dict[str, Any] = {}
    for said in record_main.judge(command, files):
        rows.setdefault(said.get("kernel", Path(said["capsule"]).name), record_main.Row()).add(said)
        if "problem" in said or not said["judgement"]["inside"]:
            print(f"NOT INSIDE: {said['capsule']}: {said.get('problem', '')}")
    print(record_main.table(rows))
    return all(row.inside == row.launches for row in rows.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--on", choices=("gpu", "lockstep"), default="gpu")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--lockstep", default="")
    parser.add_argument("--publish", nargs="+")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for path in options.publish or ():
        publish(path, options.out / Path(path).name)
    if options.publish:
        return 0
    os.environ["LOCKSTEP"] = "0" if options.on == "gpu" else "1"
    with contextlib.ExitStack() as stack:
        if options.on == "lockstep":
            import lockstep

            stack.enter_context(lockstep.pretend_cuda())
        take_first_configurations()
        files, broken = [], []
        for name in options.only.split(","):
            made, problem = record_part(name, options.out)
            files += made
            print(f"{name}: {len(made)} capsules{'; it broke off:' if problem else ''}")
            if problem:
                broken.append(name)
                print(problem)
    size = sum(os.path.getsize(file) for file in files)
    print(f"{len(files)} capsules, {size / 2**20:.2f} MiB in {options.out}; broken off: {', '.join(broken) or 'none'}")
    is_good = not options.lockstep or report(options.lockstep, files)
    return 0 if is_good and not broken and size <= MAX_TOTAL else 1


if __name__ == "__main__":
    sys.exit(main())
