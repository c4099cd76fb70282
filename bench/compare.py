#!/usr/bin/env python3
"""Lockstep against Triton's own interpreter and torch's CPU kernels: one run, one machine, the same inputs, sides in turn.

  bench/compare.py [--bench build/lockstep_launch_bench] [--repeats 15] [--only NAME] [--write bench/results/RESULTS.md]

Every side writes to outputs that exist before the clock starts. A repetition runs each side once, Lockstep, torch and the
interpreter in turn; one repetition before the first is not counted. The interpreter's side stops after 5 repetitions where one
takes more than half a second. Lockstep's time is that of interpreter::launch, planning and bounds checks included; the process
that measures it is started once and takes its repetitions over a pipe. Two threads on both sides that have threads.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

os.environ["TRITON_INTERPRET"] = "1"
os.environ.setdefault("OMP_NUM_THREADS", "2")
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import numpy as np  # noqa: E402
import torch  # noqa: E402

import kernels  # noqa: E402

THREADS = 2
SLOW_SECONDS, SLOW_REPEATS = 0.5, 5


@dataclass
class Work:
    """One row: how Lockstep, the interpreter and torch do it."""

    name: str
    kernel: str
    sig: str
    constants: dict
    grid: tuple
    inputs: dict        # name -> tensor
    scalars: dict       # name -> number
    torch_side: object  # callable writing to `torch_out`
    torch_out: torch.Tensor
    tolerance: float    # largest difference from torch, to know that the same thing was measured


def works() -> list[Work]:
    torch.manual_seed(0)
    rows = []
    n = 1 << 20
    x, y, out = torch.randn(n), torch.randn(n), torch.empty(n)
    rows.append(
        Work("vector add f32, 1 Mi elements, BLOCK 1024", "vector_add", "x=*fp32,y=*fp32,out=*fp32,n=i32", {"BLOCK": 1024},
             (n // 1024, 1, 1), {"x": x, "y": y}, {"n": n}, lambda: torch.add(x, y, out=out), out, 0)
    )  # fmt: skip
    sx = torch.randn(1823, 781)
    sout = torch.empty_like(sx)
    rows.append(
        Work("softmax f32 1823x781", "softmax", "x=*fp32,out=*fp32,columns=i32", {"BLOCK": 1024}, (1823, 1, 1), {"x": sx},
             {"columns": 781}, lambda: torch.softmax(sx, 1, out=sout), sout, 1e-6)
    )  # fmt: skip
    lx, lw, lb = torch.randn(1151, 8192).half(), torch.randn(8192).half(), torch.randn(8192).half()
    lout, lmean, lrstd = torch.empty_like(lx), torch.empty(1151, 1), torch.empty(1151, 1)

    def layer_norm():
        torch.ops.aten.native_layer_norm.out(lx, (8192,), lw, lb, 1e-5, out0=lout, out1=lmean, out2=lrstd)

    try:
        layer_norm()
    except RuntimeError:  # statistics of half rows are half in some versions
        lmean, lrstd = lmean.half(), lrstd.half()
    rows.append(
        Work("layer norm f16 1151x8192", "layer_norm", "x=*fp16,weight=*fp16,bias=*fp16,out=*fp16,columns=i32,eps=fp32",
             {"BLOCK": 8192}, (1151, 1, 1), {"x": lx, "weight": lw, "bias": lb}, {"columns": 8192, "eps": 1e-5}, layer_norm, lout, 0.02)
    )  # fmt: skip
    for element, bound in ((torch.float16, 0.13), (torch.float32, 2e-3)):
        a, b = torch.randn(512, 512).to(element), torch.randn(512, 512).to(element)
        mout = torch.empty(512, 512, dtype=element)
        short = "fp16" if element == torch.float16 else "fp32"
        rows.append(
            Work(f"matmul {short.replace('p', '')} 512^3, tiles 64x64x32", "matmul", f"a=*{short},b=*{short},out=*{short},m=i32,n=i32,k=i32",
                 {"TILE_M": 64, "TILE_N": 64, "TILE_K": 32, "PRECISION": "ieee"}, (64, 1, 1), {"a": a, "b": b},
                 {"m": 512, "n": 512, "k": 512}, lambda a=a, b=b, o=mout: torch.mm(a, b, out=o), mout, bound)
        )  # fmt: skip
    q, k, v = (torch.randn(2, 1024, 64).half() for _ in range(3))
    aout = torch.empty_like(q)

    def attention():
        aout.copy_(torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0])

    rows.append(
        Work("attention f16, 2 heads, N=1024, D=64, causal", "attention", "q=*fp16,k=*fp16,v=*fp16,out=*fp16,length=i32,scale=fp32",
             {"TILE_M": 64, "TILE_N": 64, "DEPTH": 64}, (16, 2, 1), {"q": q, "k": k, "v": v},
             {"length": 1024, "scale": 0.125 * 1.4426950408889634}, attention, aout, 0.01)
    )  # fmt: skip
    return rows


class LockstepSide:
    """The measuring process: one launch for each line it is sent."""

    def __init__(self, program: Path, work: Work, folder: Path):
        words = [str(program), f"{ROOT / 'bench/kernels.py'}::{work.kernel}", "--sig", work.sig]
        words += ["--grid", ",".join(map(str, work.grid)), "--threads", str(THREADS)]
        divisible = [name for name, value in work.scalars.items() if isinstance(value, int) and value % 16 == 0]
        pointers = [part.split("=")[0] for part in work.sig.split(",") if "*" in part]
        words += ["--attr", ",".join(f"{name}=16" for name in pointers + divisible)]
        for name, tensor in work.inputs.items():
            np.save(folder / f"{name}.npy", tensor.numpy())
            words.append(f"{name}=@{folder / name}.npy")
        element = {torch.float16: "f16", torch.float32: "f32"}[work.torch_out.dtype]
        words.append(f"out=zeros:{element}[{','.join(map(str, work.torch_out.shape))}]")
        words += [f"{name}={value!r}" for name, value in work.scalars.items()]
        words += [f"{name}={value}" for name, value in work.constants.items()]
        self.saved = folder / "out.npy"
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("ready")

    def ask(self, word: str) -> str:
        if word != "ready":
            self.process.stdin.write(word + "\n")
            self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise SystemExit(f"the measuring process ended with {self.process.wait()}")
        return answer

    def seconds(self) -> float:
        return float(self.ask("run"))

    def result(self) -> torch.Tensor:
        self.ask(f"save {self.saved}")
        self.process.stdin.close()
        self.process.wait()
        return torch.from_numpy(np.load(self.saved))


def timed(action) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measure(work: Work, program: Path, repeats: int) -> dict:
    out = torch.empty_like(work.torch_out)
    tensors = work.inputs | {"out": out}
    launch = getattr(kernels, work.kernel)[work.grid]

    def interpreter():
        launch(**tensors, **work.scalars, **work.constants)

    with tempfile.TemporaryDirectory() as folder:
        lockstep = LockstepSide(program, work, Path(folder))
        times = {"lockstep": [], "interpreter": [], "torch": []}
        lockstep.seconds(), timed(work.torch_side)
        slow = timed(interpreter) > SLOW_SECONDS
        for turn in range(repeats):
            times["lockstep"].append(lockstep.seconds())
            times["torch"].append(timed(work.torch_side))
            if not slow or turn < SLOW_REPEATS:
                times["interpreter"].append(timed(interpreter))
        difference = (lockstep.result().float() - work.torch_out.float()).abs().max().item()
    peer = (out.float() - work.torch_out.float()).abs().max().item()
    if not difference <= work.tolerance:
        raise SystemExit(f"{work.name}: Lockstep differs from torch by {difference:.3g}, more than {work.tolerance}")
    return {"times": times, "difference": difference, "peer_difference": peer}


def processor() -> list[str]:
    facts = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    known = ("sse4_2", "avx", "f16c", "fma", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512_bf16", "avx512_fp16", "amx_tile")
    features = [name for name in known if name in facts.get("flags", "").split()]
    return [
        f"processor: {facts.get('model name', platform.processor())}, {os.cpu_count()} cores",
        f"features: {' '.join(features)}",
        f"versions: Python {platform.python_version()}, NumPy {np.__version__}, torch {torch.__version__}, "
        f"Triton {__import__('triton').__version__}; threads: {THREADS}",
        f"load before the run (1 minute): {os.getloadavg()[0]:.2f}",
    ]


def table(results: list[tuple[Work, dict]]) -> list[str]:
    lines = [
        "| work | Lockstep min / median, ms | interpreter min / median, ms | torch min / median, ms | interpreter / Lockstep, medians / minima | Lockstep / torch | repetitions |",
        "|---|---|---|---|---|---|---|",
    ]
    for work, result in results:
        times = result["times"]
        cells = [f"{min(times[side]) * 1e3:.3f} / {statistics.median(times[side]) * 1e3:.3f}" for side in ("lockstep", "interpreter", "torch")]
        middle = {side: statistics.median(times[side]) for side in times}
        least = {side: min(times[side]) for side in times}
        lines.append(
            f"| {work.name} | {cells[0]} | {cells[1]} | {cells[2]} "
            f"| **{middle['interpreter'] / middle['lockstep']:.0f}** / {least['interpreter'] / least['lockstep']:.0f} "
            f"| {middle['lockstep'] / middle['torch']:.2f} / {least['lockstep'] / least['torch']:.2f} "
            f"| {len(times['lockstep'])}, {len(times['interpreter'])}, {len(times['torch'])} |"
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, default=ROOT / "build" / "lockstep_launch_bench")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--need", type=float, default=100, help="smallest ratio to the interpreter that is a success")
    arguments = parser.parse_args()
    torch.set_num_threads(THREADS)
    facts, results = processor(), []
    for work in works():
        if arguments.only in work.name:
            results.append((work, measure(work, arguments.bench, arguments.repeats)))
            print(table(results[-1:])[-1], flush=True)
    ratios = [statistics.median(r["times"]["interpreter"]) / statistics.median(r["times"]["lockstep"]) for _, r in results]
    mean = statistics.geometric_mean(statistics.median(r["times"]["lockstep"]) / statistics.median(r["times"]["torch"]) for _, r in results)
    lines = [*(f"- {fact}" for fact in facts), "", *table(results), ""]
    lines.append(f"Smallest ratio of medians to the interpreter: {min(ratios):.0f}; geometric mean of Lockstep / torch: {mean:.2f}.")
    print("\n".join(lines))
    if arguments.write:
        arguments.write.parent.mkdir(parents=True, exist_ok=True)
        arguments.write.write_text("# Results of bench/compare.py\n\n" + "\n".join(lines) + "\n")
    return 0 if min(ratios) >= arguments.need else 1


if __name__ == "__main__":
    sys.exit(main())
