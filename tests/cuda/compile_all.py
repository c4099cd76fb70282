#!/usr/bin/env python3
"""Every kernel of the examples, of tests/roundtrip and of the open corpus becomes a cubin for sm_80, sm_90 and sm_100,
with no GPU; for sm_90 also by tensor maps (sm_90+maps).

  compile_all.py LOCKSTEP [--corpus FOLDER] [--fraction 1/10] [--changed] [--seconds 180] [--architectures sm_90] [FILE ...]

--corpus: corpus_ttir.py first writes there what Triton makes of the packages' kernels. Texts that were compiled before are
known by their hash (--cache). --changed: only kernels whose text is another one than when it was last compiled, as many as
fit in three minutes (or --seconds); the rest is counted, and no new TTIR is made. Without NVRTC texts are emitted and
nothing is compiled, which is said. Exit code 1: a kernel has no text or no cubin for a reason that is not listed below.
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["examples/ttir", "tests/roundtrip/3.6", "tests/roundtrip/3.7", "tests/roundtrip/3.8", "tests/roundtrip/3.9"]
CHANGED_SECONDS = 180
MAPS = "+maps"
KERNEL = re.compile(r"^\s*tt\.func (?:public )?@(?P<name>[\w.$]+)\((?P<parameters>.*?)\)(?: attributes| *\{| ->)", re.MULTILINE)
LAUNCH = re.compile(r"\.w(?P<warps>\d+)s(?P<stages>\d+)\.ttir$")
# What cannot be compiled, by the words of the message: every reason here is a fact about the kernel.
EXPECTED = {
    "functions of tiles: no launch can call them": r"a parameter of type tensor<|parameter of type tuple|returns values is not a kernel",
    "f8E4M3FN does not exist before sm_89": r"LS1904|exists from sm_89 on",
    "calls of a function that is only declared": r"a function without a body",
    "the kernel's own PTX needs sm_90": r"'griddepcontrol' requires .target",
    "raw CUtensorMap": r"reinterpret_tensor_descriptor",
    "fp16 beside bf16, e2m3, e3m2 in tt.dot_scaled": r"e2m3, e3m2, or fp16 beside bf16",
}


@dataclass(frozen=True)
class Job:
    file: Path
    kernel: str
    architecture: str

    def target(self) -> str:
        return f"{self.file}::{self.kernel}"

    def launch_options(self) -> list[str]:
        """Warps and stages, which corpus_ttir.py puts into a file's name."""
        found = LAUNCH.search(self.file.name)
        maps = ["--tensor-maps"] if self.architecture.endswith(MAPS) else []
        return maps + (["--num-warps", found["warps"], "--num-stages", found["stages"]] if found else [])

    def target_gpu(self) -> str:
        return self.architecture.removesuffix(MAPS)


@dataclass
class Totals:
    counts: Counter = field(default_factory=Counter)
    reasons: Counter = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def find_nvrtc() -> None:
    """Names the newest NVRTC of the test environment's packages, if the machine's own is not asked for by name."""
    found = sorted((ROOT / ".cache/venv").glob("lib/python3*/site-packages/nvidia/*/lib/libnvrtc.so.*"))
    if found and "LOCKSTEP_NVRTC" not in os.environ:
        os.environ["LOCKSTEP_NVRTC"] = str(found[-1])


def kernels_of(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8", errors="replace")
    return [found["name"] for found in KERNEL.finditer(text) if " private " not in found.group(0)]


def all_jobs(files: list[Path], architectures: list[str]) -> list[Job]:
    return [Job(f, name, a) for f in files for name in kernels_of(f) for a in architectures]


def in_fraction(job: Job, fraction: str) -> bool:
    part, whole = (int(x) for x in fraction.split("/"))
    number = int.from_bytes(hashlib.sha256(f"{job.file.name} {job.kernel} {job.architecture}".encode()).digest()[:8], "big")
    return number % whole == part - 1


def spread(jobs: list[Job]) -> list[Job]:
    """One of each kernel before the second of any, so that a limit of time leaves out repetitions first."""
    seen: Counter[tuple[str, str]] = Counter()
    ranks = {}
    for job in sorted(jobs, key=lambda job: hashlib.sha256(str(job).encode()).digest()):
        key = (job.file.name.split(".")[0], job.kernel)
        ranks[job] = seen[key]
        seen[key] += 1
    return sorted(jobs, key=lambda job: ranks[job])


class Compiler:
    """Runs `lockstep emit`; `has_nvrtc` turns false with the first answer that NVRTC is not there. Below the cache's
    folder a file named by a text's hash says that it was compiled, one named by a job which text that was."""

    def __init__(self, lockstep: str, cache: Path, deadline: float, only_changed: bool) -> None:
        self.lockstep, self.cache, self.deadline, self.only_changed = lockstep, cache, deadline, only_changed
        self.has_nvrtc = True
        (cache / "jobs").mkdir(parents=True, exist_ok=True)

    def emit(self, job: Job, form: str) -> subprocess.CompletedProcess:
        command = [self.lockstep, "emit", job.target(), "--to", form, "--as", job.target_gpu(), *job.launch_options()]
        settings = os.environ | {"LOCKSTEP_CACHE_DIR": "off"}  # what is tested is the compilation
        return subprocess.run(command, capture_output=True, check=False, cwd=ROOT, env=settings)

    def last_text(self, job: Job) -> Path:
        name = job.file.relative_to(ROOT) if job.file.is_relative_to(ROOT) else job.file.name
        return self.cache / "jobs" / hashlib.sha256(f"{name} {job.kernel} {job.architecture}".encode()).hexdigest()

    def run(self, job: Job) -> tuple[str, str]:
        """What came of it, and why."""
        if self.only_changed and not self.last_text(job).exists():
            return "never compiled before", ""
        emitted = self.emit(job, "cuda")
        if emitted.returncode != 0 or not emitted.stdout:
            return "no text", emitted.stderr.decode(errors="replace") or f"exit code {emitted.returncode}, silent"
        text = hashlib.sha256(job.target_gpu().encode() + emitted.stdout).hexdigest()
        if (self.cache / text).exists():
            self.last_text(job).write_text(text, encoding="utf-8")
            return "compiled before", ""
        if not self.has_nvrtc:
            return "emitted only", ""
        if time.monotonic() > self.deadline:
            return "left for want of time", ""
        return self.compile(job, text)

    def compile(self, job: Job, text: str) -> tuple[str, str]:
        made = self.emit(job, "cubin")
        message = made.stderr.decode(errors="replace")
        if "LS3025" in message:
            self.has_nvrtc = False
            return "emitted only", ""
        if made.returncode != 0 or not made.stdout.startswith(b"\x7fELF"):
            return "no cubin", message or f"exit code {made.returncode}, silent"
        (self.cache / text).touch()
        self.last_text(job).write_text(text, encoding="utf-8")
        return "compiled", ""


def record(totals: Totals, job: Job, outcome: str, message: str) -> None:
    if outcome not in ("no text", "no cubin"):
        totals.counts[outcome] += 1
        return
    for reason, words in EXPECTED.items():
        if re.search(words, message):
            totals.counts["has a reason"] += 1
            totals.reasons[reason] += 1
            return
    totals.counts[outcome] += 1
    totals.failures.append(f"{job.target()} {job.architecture}: {outcome}\n{message[:1500]}")


def summary_of_failures(failures: list[str]) -> Counter:
    words = Counter()
    for failure in failures:
        found = re.search(r"unsupported: (.*)", failure) or re.search(r"error: (.*)", failure)
        words[found[1][:120] if found else failure.splitlines()[-1][:120]] += 1
    return words


def corpus_python() -> str | None:
    """A Python with Triton, the corpus's packages and the lockstep package."""
    check = "import triton, torch, fla, liger_kernel, lockstep"
    for python in (os.environ.get("LOCKSTEP_PYTHON"), str(ROOT / ".cache/venv/bin/python"), sys.executable):
        if not python or shutil.which(python) is None:
            continue
        if subprocess.run([python, "-c", check], capture_output=True, check=False).returncode == 0:
            return python
    return None


def corpus_files(folder: Path, fraction: str, jobs: int) -> tuple[list[Path], int]:
    """The files of that part of the corpus, and the exit code of what wrote them."""
    python = corpus_python()
    if python is None:
        print("corpus: skipped, no Python with Triton and the packages (./dev test installs them into .cache/venv)")
        return [], 0
    script = ROOT / "tests/cuda/corpus_ttir.py"
    command = [python, "-W", "ignore", str(script), str(folder), "--fraction", fraction, "--jobs", str(jobs)]
    done = subprocess.run([*command, "--list"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    print("\n".join(line for line in lines if not line.endswith(".ttir")) + (done.stderr if done.returncode else ""))
    return [folder / line for line in lines if line.endswith(".ttir")], done.returncode


def sample_jobs(files: list[Path], architectures: list[str], fraction: str) -> list[Job]:
    files = [file.resolve() for file in files] or [
        file for folder in FOLDERS for file in sorted((ROOT / folder).glob("*.*")) if file.suffix in (".mlir", ".ttir")
    ]
    return [job for job in all_jobs(files, architectures) if in_fraction(job, fraction)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--corpus", type=Path, help="folder for the corpus's TTIR")
    parser.add_argument("--fraction", default="1/1")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--architectures", default="sm_80,sm_90,sm_90+maps,sm_100")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cache", type=Path, default=ROOT / ".cache" / "cubins")
    parser.add_argument("--verbose", action="store_true", help="every failure in full")
    return parser.parse_intermixed_args()


def print_totals(totals: Totals, number: int, has_nvrtc: bool, verbose: bool) -> None:
    print(f"{number} kernels and architectures: " + ", ".join(f"{n} {what}" for what, n in sorted(totals.counts.items())))
    for reason, count in totals.reasons.most_common():
        print(f"  {count} {reason}")
    if not has_nvrtc:
        print("skipped: NVRTC was not found (LOCKSTEP_NVRTC, or the PyPI package nvidia-cuda-nvrtc): nothing was compiled")
    for words, count in summary_of_failures(totals.failures).most_common():
        print(f"  FAILED {count}: {words}")
    for failure in totals.failures if verbose else totals.failures[:5]:
        print(failure)


def main() -> int:
    options = arguments()
    find_nvrtc()
    started, architectures = time.monotonic(), options.architectures.split(",")
    jobs, code = sample_jobs(options.files, architectures, options.fraction), 0
    if options.corpus and not options.files:
        folder = options.corpus.resolve()
        files, code = sorted(folder.glob("*.ttir")), 0
        if not options.changed:
            files, code = corpus_files(folder, options.fraction, options.jobs)
        jobs += all_jobs(files, architectures)
    seconds = options.seconds or (CHANGED_SECONDS if options.changed else float("inf"))
    compiler = Compiler(str(Path(options.lockstep).resolve()), options.cache, started + seconds, options.changed)
    totals = Totals()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        ordered = spread(jobs)
        for job, (outcome, message) in zip(ordered, pool.map(compiler.run, ordered), strict=True):
            record(totals, job, outcome, message)
    print_totals(totals, len(jobs), compiler.has_nvrtc, options.verbose)
    return 1 if totals.failures or not jobs else code


if __name__ == "__main__":
    sys.exit(main())
