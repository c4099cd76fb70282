#!/usr/bin/env python3
"""Scans and reductions of several values, attacked on a GPU: our CUDA backend's code and Triton's own, each judged.

  composite_on_gpu.py RANDOM_KERNELS [--seconds 540] [--jobs N] [--seeds A:B] [--folder DIR] [--only ours|triton]
                      [--mode gpu|check|stand-in] [--report FILE] [--fresh]

RANDOM_KERNELS: the test program (a build folder's tests/differential/random_kernels; it may have been built elsewhere).
Every seed is one kernel of the class `composite`, launched with 2 to 5 programs, each with numbers of its own: compiled by
our backend through NVRTC, and, from the same text, by Triton (triton.compile of the TTIR, same warps, stages and
contraction), on the same bytes. Each element that either leaves is held against the launch's enclosure. Seeds go in
chunks to as many processes as there are cores until the time is over; what was done lies in DIR, so that the next call
goes on (--fresh: begins again). With --mode check nothing but the interpreter's own results is judged; with stand-in composite_stub.py plays the GPU,
with random brackets (it needs NumPy and ml_dtypes). Neither needs a GPU.
Prints what came of it and writes what lies outside, or failed, to DIR/report.jsonl (or --report), with the commands that
show it again. Exit code 1: something lies outside, a value contradicts itself, or nothing was judged.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

CHUNK = 24
FAILED = ("outside", "defect", "faulted", "not emitted", "not compiled", "crashed")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seeds", default="0:10400")
    parser.add_argument("--folder", type=Path, default=Path("composite.results"))
    parser.add_argument("--only", choices=["ours", "triton"])
    parser.add_argument("--mode", choices=["gpu", "check", "stand-in"], default="gpu")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--end", type=float, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.program, options.folder = options.program.resolve(), options.folder.resolve()
    return options


# ---- one process: chunk after chunk ----


class Worker:
    """Chunks of seeds whose number is its own modulo the number of workers. A line a kernel in DIR/ours-*.jsonl and
    DIR/triton-*.jsonl; DIR/done-* for each finished chunk."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.compiler = None

    def run(self) -> None:
        first, end = (int(x) for x in self.options.seeds.split(":"))
        chunks = [(at, min(at + CHUNK, end)) for at in range(first, end, CHUNK)]
        for begin, stop in chunks[self.options.worker :: self.options.jobs]:
            for which in ("ours", "triton"):
                if which not in self.wanted():
                    continue
                if time.time() > self.options.end:
                    return
                done = self.options.folder / f"done-{which}-{begin}"
                if not done.exists():
                    getattr(self, which)(begin, stop)
                    if time.time() < self.options.end:
                        done.touch()

    def wanted(self) -> list[str]:
        if self.options.mode == "gpu":
            return [self.options.only] if self.options.only else ["ours", "triton"]
        return ["ours"] if self.options.mode == "check" else ["triton"]

    def call(self, *words: str) -> int:
        """Of random_kernels; ended a little behind the time."""
        command = [str(self.options.program), *words]
        try:
            left = max(self.options.end + 20 - time.time(), 1)
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=left)
        except subprocess.TimeoutExpired:
            sys.exit(0)
        if done.returncode not in (0, 1):
            print(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr[-400:]}", flush=True)
        return done.returncode

    def ours(self, begin: int, stop: int) -> None:
        out = str(self.options.folder / f"ours-{begin}.jsonl")
        words = ["run", "--class", "composite", "--mode", self.options.mode, "--seeds", f"{begin}:{stop}", "--out", out]
        for _ in range(20):  # a fault of the GPU ends the process: it goes on behind the kernel
            if self.call(*words) != 3:
                return

    def triton(self, begin: int, stop: int) -> None:
        if self.compiler is None:
            self.compiler = Triton() if self.options.mode == "gpu" else triton_stub()
        folder = self.options.folder / f"exchange-{begin}"
        seeds = ["--class", "composite", "--seeds", f"{begin}:{stop}", "--folder", str(folder)]
        if not (folder / "exported").exists():
            if self.call("export", *seeds) != 0:
                return
            (folder / "exported").touch()
        for described in sorted(folder.glob("*.json")):
            begun = described.with_suffix(".begun")
            if begun.exists():  # done, or it was the one that ended the process
                continue
            if time.time() > self.options.end:
                break
            begun.touch()
            try:
                described.with_suffix(".out").write_bytes(self.compiler.launch(described))
            except Exception as error:  # what Triton says is kept, whatever it is
                described.with_suffix(".error").write_text(f"{type(error).__name__}: {error}"[:2000])
                if "CUDA error" in str(error) or "illegal" in str(error):
                    sys.exit(9)  # nothing more runs in this context
        self.call("judge", *seeds, "--out", str(self.options.folder / f"triton-{begin}.jsonl"))
        for path in folder.iterdir():
            if path.suffix in (".in", ".out", ".ttir", ".py", ".json") and path.with_suffix(".begun").exists():
                path.unlink()


def triton_stub():
    from composite_stub import StandIn

    return StandIn()


class Triton:
    """Triton's own compiler and launcher, on the first GPU."""

    def __init__(self) -> None:
        import torch
        import triton

        self.torch, self.triton = torch, triton
        self.device = torch.device("cuda", 0)

    def launch(self, described: Path) -> bytes:
        torch = self.torch
        launch = json.loads(described.read_text())
        options = {"num_warps": launch["num_warps"], "num_stages": launch["num_stages"], "enable_fp_fusion": launch["fp_fusion"]}
        kernel = self.triton.compile(str(described.with_suffix(".ttir")), options=options)
        data, at, values, tensors = described.with_suffix(".in").read_bytes(), 0, [], []
        for parameter in launch["parameters"]:
            if "bytes" not in parameter:
                values.append(parameter["number"])
                continue
            part = bytearray(data[at : at + parameter["bytes"]])
            at += parameter["bytes"]
            tensors.append(torch.frombuffer(part, dtype=torch.uint8).to(self.device))
            values.append(tensors[-1])
        kernel[tuple(launch["grid"])](*values)
        torch.cuda.synchronize()
        return b"".join(tensor.cpu().numpy().tobytes() for tensor in tensors)


# ---- all of them ----


def keep_running(options: argparse.Namespace, number: int, said: list[str]) -> None:
    words = [sys.executable, __file__, str(options.program), "--worker", str(number), "--end", str(options.end)]
    words += ["--jobs", str(options.jobs), "--seeds", options.seeds, "--folder", str(options.folder), "--mode", options.mode]
    words += ["--only", options.only] if options.only else []
    for _ in range(50):
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True) as run:
            try:
                text, _ = run.communicate(timeout=max(options.end + 40 - time.time(), 1))
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                text, _ = run.communicate()
        if text.strip():
            said.append(f"worker {number} (exit code {run.returncode}): {text.strip()[-600:]}")
        if run.returncode == 0 or time.time() > options.end:
            return


def results(folder: Path, which: str) -> dict[str, dict]:
    """The last line of each kernel; one that began and never ended crashed."""
    found: dict[str, dict] = {}
    for part in folder.glob(f"{which}-*.jsonl"):
        for line in part.read_text().splitlines():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:
                continue
            found[entry["name"]] = entry
    for error in folder.glob("exchange-*/*.error") if which == "triton" else ():
        found[error.stem] = {"name": error.stem, "outcome": "no answer", "reason": first_words(error.read_text())}
    for begun in folder.glob("exchange-*/*.begun") if which == "triton" else ():
        if begun.stem not in found and (folder / f"done-{begun.parent.name.replace('exchange', 'triton')}").exists():
            found[begun.stem] = {"name": begun.stem, "outcome": "crashed", "reason": "the process ended in it"}
    return found


def first_words(text: str) -> str:
    return re.sub(r"[\d/]\S*", "N", text.splitlines()[0])[:100] if text.strip() else "?"


def progress(options: argparse.Namespace, stop: threading.Event) -> None:
    begun = time.monotonic()
    while not stop.wait(20):
        counts = {which: Counter(e["outcome"] for e in results(options.folder, which).values()) for which in ("ours", "triton")}
        print(f"[{time.monotonic() - begun:4.0f} s] " + "; ".join(f"{k}: {dict(v)}" for k, v in counts.items()), flush=True)


def conclude(options: argparse.Namespace) -> int:
    failures, judged, lines = 0, 0, []
    for which in ("ours", "triton"):
        entries = results(options.folder, which)
        counts = Counter("crashed" if e["outcome"] == "begun" else e["outcome"] for e in entries.values())
        inside = [e for e in entries.values() if e["outcome"] == "inside"]
        opened = sum(1 for e in inside if e.get("unbounded") == e.get("elements"))
        partly = sum(1 for e in inside if 0 < e.get("unbounded", 0) < e.get("elements", 0))
        whole, unknown = sum(e.get("elements", 0) for e in inside), sum(e.get("unbounded", 0) for e in inside)
        judged += len(inside) + counts["outside"]
        print(
            f"== {which}: {len(entries)} kernels: {len(inside)} inside ({opened} of them wholly open, {partly} in part), "
            f"{counts['outside']} outside, " + ", ".join(f"{n} {what}" for what, n in counts.most_common() if what not in ("inside", "outside"))
        )
        print(f"   {whole} elements inside, {unknown} of them open ({100 * unknown / max(whole, 1):.2f} %)")
        why = Counter(f"{e['outcome']}: {e.get('reason', '')}" for e in entries.values() if e["outcome"] != "inside")
        for text, count in why.most_common(8):
            print(f"   {count:6} {text}")
        for entry in sorted(entries.values(), key=lambda e: e["name"]):
            outcome = "crashed" if entry["outcome"] == "begun" else entry["outcome"]
            failures += outcome in ("outside", "defect", "faulted", "crashed")
            if outcome in FAILED:
                shown = f"random_kernels try {entry['name']} --mode gpu --bisect; random_kernels show {entry['name']}"
                lines.append(json.dumps({**entry, "execution": which, "outcome": outcome, "show": shown}))
    path = options.report or options.folder / "report.jsonl"
    path.write_text("".join(line + "\n" for line in lines))
    both = set(results(options.folder, "ours")) | set(results(options.folder, "triton"))
    print(f"{len(both)} kernels, {judged} executions judged, {failures} failures; {path}")
    return 1 if failures or not judged else 0


def main() -> int:
    options = arguments()
    if options.worker is not None:
        Worker(options).run()
        return 0
    if options.fresh:
        shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True, exist_ok=True)
    options.end = time.time() + options.seconds
    said: list[str] = []
    stop = threading.Event()
    watcher = threading.Thread(target=progress, args=(options, stop))
    watcher.start()
    threads = [threading.Thread(target=keep_running, args=(options, number, said)) for number in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    watcher.join()
    print("\n".join(said[:20]))
    return conclude(options)


if __name__ == "__main__":
    sys.exit(main())
