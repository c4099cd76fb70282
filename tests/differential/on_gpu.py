#!/usr/bin/env python3
"""Everything that the CUDA backend is held against on a GPU: examples, samples, op tests, random kernels.

  on_gpu.py BUILD [--only SUITE,...] [--seeds A:B] [--jobs N] [--shard I/N] [--folder DIR] [--resume] [--record]
            [--mode gpu|check|emit] [--sanitizer memcheck|racecheck] [--launches DIR]
            [--report FILE] [--shrink SECONDS] [--bisect]

BUILD: a build folder with the targets lockstep and random_kernels. Each kernel runs on the GPU, and each element that it
leaves is held against its enclosure. Suites: examples (examples/launches.json), samples (tests/roundtrip), ops (the
launches of tests/ops, kept in recorded/launches.tar.xz), random; instead of them, with --launches, whatever
LOCKSTEP_RECORD=DIR wrote and every capsule under DIR. FOLDER/report.jsonl (or --report) has every kernel that is not
inside, with its first element outside and its text; --shrink makes as many of them smaller (FOLDER/SUITE/kept) as there
is time for; --bisect says of each which op made it. --mode check judges the interpreter's own results and needs no GPU;
emit compiles only. --record writes what the GPU answered to recorded/*.bin.xz for replay.py. --sanitizer runs the same
under compute-sanitizer (200 random kernels). Answers that are open are listed in other_answers.json and counted apart.
Exit code 1: a kernel is outside, faulted, or has no text for a reason that is not listed here.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from campaign import Runner, Suite, failing, merged_records, shrink, summary

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LAUNCHES = HERE / "recorded" / "launches.tar.xz"
#: Kernels that need no text, by words of the message: facts about the kernel.
NO_TEXT = {
    "this rounding mode": "arith.truncf with a rounding mode (Triton makes none)",
    "LS3028": "follows addresses that memory holds",
    "a parameter of type tensor<": "functions of tiles: no launch can call them",
    "a function without a body": "calls of a function that is only declared",
    "reinterpret_tensor_descriptor": "raw CUtensorMap",
    "requires .target sm_100": "the kernel's own PTX needs sm_100",
    "'cvt with .ue8m0x2' not supported": "the kernel's own PTX needs sm_100",
    "e2m3, e3m2": "fp16 beside bf16, e2m3, e3m2 in tt.dot_scaled",
}
SUITES = ("examples", "samples", "ops", "random")
#: Of random kernels: how many records, and how large one may be (bytes); of op tests: all.
RANDOM_RECORDS, RANDOM_BYTES, OP_BYTES = 2000, 3000, 1 << 20


def launches_of_examples(lockstep: str, to: Path) -> None:
    """Runs every example in the interpreter; LOCKSTEP_RECORD keeps the launches."""
    for launch in json.loads((ROOT / "examples/launches.json").read_text())["launches"]:
        words = [lockstep, "run", f"{launch['file']}::{launch['kernel']}", "--grid", launch["grid"]]
        words += [f"{name}={text}" for name, text in launch["arguments"].items()]
        words += [f"{name}={value}" for name, value in launch["constants"].items()]
        done = subprocess.run(words, cwd=ROOT, env=recording(to), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def launches_of_samples(lockstep: str, to: Path) -> None:
    command = [sys.executable, str(ROOT / "tests/roundtrip/run_samples.py"), lockstep]
    done = subprocess.run(command, env=recording(to), capture_output=True, text=True, check=False)
    print(done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr, flush=True)


def launches_of_ops(_: str, to: Path) -> None:
    if not LAUNCHES.exists():
        raise SystemExit(f"{LAUNCHES} is missing: tests/differential/make_launches.py makes it")
    with tarfile.open(LAUNCHES) as archive:
        archive.extractall(to, filter="data")


def recording(to: Path) -> dict[str, str]:
    return {**os.environ, "LOCKSTEP_RECORD": str(to)}


def suite_of(name: str, options: argparse.Namespace, lockstep: str) -> Suite:
    """Prepares what the suite runs."""
    bisect = ["--bisect"] if options.bisect else []
    records = options.record and {"random": RANDOM_BYTES, "ops": OP_BYTES}.get(name, 0)
    if name == "random":
        return Suite(name, ["run", "--mode", options.mode, "--seeds", options.seeds, *bisect], records, True)
    folder = options.launches or options.scratch / name
    if name != "launches" and not (folder.exists() and any(folder.iterdir())):
        folder.mkdir(parents=True, exist_ok=True)
        make = {"examples": launches_of_examples, "samples": launches_of_samples, "ops": launches_of_ops}
        make[name](lockstep, folder)
    return Suite(name, ["launches", "--mode", options.mode, str(folder), *bisect], records, name != "examples")


def sanitizer_words(tool: str) -> list[str]:
    found = shutil.which("compute-sanitizer") or next(
        (str(p) for p in sorted(Path("/usr/local").glob("cuda*/bin/compute-sanitizer"))), None
    )
    if found is None:
        raise SystemExit("compute-sanitizer is neither in PATH nor in a CUDA toolkit under /usr/local")
    return [found, "--tool", tool, "--print-limit", "20", "--error-exitcode", "1"]


#: What begins a report of compute-sanitizer, and what it says in the end.
REPORT = re.compile(r"^========= (?!.*SUMMARY)(Invalid|Uninit|Error|Warning|Race|Potential|Barrier|Program hit|Misaligned).*")
VERDICT = re.compile(r"^========= (?:ERROR|RACECHECK) SUMMARY: (\d+)")


def sanitizer_errors(folder: Path) -> list[str]:
    """What compute-sanitizer found, each with the kernel that ran; a process without its verdict counts, too."""
    found = []
    for said in sorted(folder.glob("*/said-*.txt")):
        kernel, verdicts = "", []
        for line in said.read_text(errors="replace").splitlines():
            if line.startswith("kernel "):
                kernel = line
            elif REPORT.match(line):
                found.append(f"{said.parent.name}, {kernel}: {line}")
            elif summed := VERDICT.match(line):
                verdicts.append(int(summed[1]))
        if sum(verdicts) or not verdicts:
            found.append(f"{said}: {sum(verdicts)} errors" if verdicts else f"{said}: no verdict of compute-sanitizer")
    return found


def write_records(folder: Path, done: list[str]) -> None:
    for name, most in (("random", RANDOM_RECORDS), ("ops", 1 << 30)):
        data = merged_records(folder / name, most) if name in done else b""
        if data:
            path = HERE / "recorded" / f"{name}.bin.xz"
            path.write_bytes(lzma.compress(data, preset=9))
            print(f"{path}: {path.stat().st_size / 1e6:.2f} MB of {len(data) / 1e6:.1f} MB")


def report(options: argparse.Namespace, entries: list[dict]) -> None:
    path = options.report or options.folder / "report.jsonl"
    with path.open("a") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in entries)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--only", default=",".join(SUITES))
    parser.add_argument("--seeds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--folder", type=Path, default=Path("on_gpu.results"))
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--mode", choices=["gpu", "check", "emit"], default="gpu")
    parser.add_argument("--sanitizer", choices=["memcheck", "racecheck", "initcheck", "synccheck"])
    parser.add_argument("--launches", type=Path)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--shrink", type=float, default=0)
    parser.add_argument("--bisect", action="store_true")
    options = parser.parse_args()
    options.seeds = options.seeds or ("0:200" if options.sanitizer else "0:14000")
    if options.launches:
        options.only = "launches"
    return options


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = Path(scratch)
        return run(options)


def run(options: argparse.Namespace) -> int:
    options.folder = options.folder.resolve()
    if options.folder.exists() and not options.resume:
        shutil.rmtree(options.folder)
    build = options.build.resolve()
    program = build / "tests/differential/random_kernels"
    prefix = sanitizer_words(options.sanitizer) if options.sanitizer else []
    part, parts = (int(x) for x in options.shard.split("/"))
    patience = 300 if prefix or options.bisect else 45
    runner = Runner(str(program), options.folder, options.jobs, (part, parts), prefix, patience=patience)
    failures, done = 0, []
    for name in options.only.split(","):
        begun = time.monotonic()
        suite = suite_of(name, options, str(build / "lockstep"))
        code = runner.run(suite)
        said = summary(options.folder, name, NO_TEXT)
        print(f"{said.text}\n   {time.monotonic() - begun:.0f} s", flush=True)
        report(options, failing(options.folder / name, NO_TEXT))
        if options.shrink:
            shrink(runner, suite, failing(options.folder / name, NO_TEXT), options.shrink)
        failures += said.failures + (1 if code not in (0, 1) or said.judged == 0 and options.mode != "emit" else 0)
        done.append(name)
    if options.record:
        write_records(options.folder, done)
    wrong = sanitizer_errors(options.folder) if options.sanitizer else []
    print("\n".join(runner.messages + wrong))
    print(f"{failures} failures" + (f", {len(wrong)} reports of compute-sanitizer" if options.sanitizer else ""))
    return 1 if failures or wrong or runner.messages else 0


if __name__ == "__main__":
    sys.exit(main())
