#!/usr/bin/env python3
"""Our front end over the open corpus: every recorded specialisation from its source file alone, beside Triton's own.

  corpus_lowering.py LOCKSTEP FOLDER [--fraction 1/10] [--jobs N] [--package NAME] [--kernel WORDS] [--show]

For each line of tests/cuda/corpus_signatures.jsonl.gz: `lockstep emit FILE::KERNEL` with signature, constants and attributes;
Triton parses and verifies the text and runs its own make_ttir passes over it; the result is compared with the TTIR that
Triton's front end and the same passes make, locations aside. Triton's texts are kept in FOLDER. Both sides as sm_80, as
recorded. Prints the rates for each package and, with --show, the first difference of each kernel. A verdict is kept in FOLDER
as long as LOCKSTEP and the packages are the same, so that a run that was ended goes on. "refused by both": Triton's front
end has an error for the specialisation, too.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import importlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cuda"))

import corpus_ttir  # noqa: E402

Line = dict[str, Any]
corpus_ttir.ARCHITECTURE = ARCHITECTURE = 80
NEWER_ARCHITECTURE = 90  # for what both sides refuse on the older: fp8e4nv


def triton_backend(target: Any) -> Any:
    """Triton's own, also where a package sees a pretended GPU."""
    from triton.backends.nvidia.compiler import CUDABackend

    class Backend(CUDABackend):
        supports_target = staticmethod(lambda target: True)  # the pretended GPU has taken its place

    return Backend(target)


corpus_ttir.backend_of = triton_backend


def heuristics_of(line: Line) -> set[str]:
    """The parameters that the kernel's @triton.heuristics set."""
    module, _, name = line["kernel"].rpartition(".")
    kernel = getattr(importlib.import_module(module), name)
    names: set[str] = set()
    while not (hasattr(kernel, "arg_names") and hasattr(kernel, "params")):
        if type(kernel).__name__ == "Heuristics":
            names |= set(kernel.values)
        kernel = kernel.fn
    return names & set(line["constants"])


def judge_heuristics(lockstep: str, line: Line, file: str, kernel: str, expected: str) -> str:
    """Whether the heuristics, evaluated from the types of the other arguments alone, give what was recorded."""
    left_out = heuristics_of(line)
    if not left_out:
        return ""
    words = [word for word in words_of(line, file, kernel) if word.partition("=")[0] not in left_out]
    done = subprocess.run([lockstep, *words], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        if "LS1319" in done.stderr:
            return "needs a value"
        return "not known" if "[LS1312]" in done.stderr else "refused"  # made by a class of the package
    return "as recorded" if done.stdout == expected else "another value"


def words_of(line: Line, file: str, kernel: str) -> list[str]:
    """The arguments of `lockstep emit`."""

    def type_text(kind: Any) -> str:
        return "(" + ",".join(map(type_text, kind)) + ")" if isinstance(kind, list) else str(kind)

    def constant_text(value: Any) -> str:
        return f"tl.{names.get(value['dtype'], value['dtype'])}" if isinstance(value, dict) else repr(value)

    names = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "fp64": "float64"}
    arguments = line["names"]
    attributes = []
    for place in line["aligned"]:
        if isinstance(place, list):
            attributes.append(f"{arguments[place[0]]}" + "".join(f".{n}" for n in place[1:]) + "=16")
        else:
            attributes.append(f"{arguments[place]}=16")
    signature = ",".join(f"{name}={type_text(line['types'][name])}" for name in arguments if name in line["types"])
    constants = [f"{name}={constant_text(line['constants'][name])}" for name in arguments if name in line["constants"]]
    return [
        "emit", f"{file}::{kernel}", "--sig", signature, "--attr", ",".join(attributes), "--as", f"sm_{corpus_ttir.ARCHITECTURE}",
        "--stage", "raw", *constants,
    ]  # fmt: skip


def optimised(text: str, line: Line) -> str:
    """What Triton's parser, verifier and make_ttir passes make of a text, without locations."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget

    backend = triton_backend(GPUTarget("cuda", corpus_ttir.ARCHITECTURE, 32))
    options = backend.parse_options({"num_warps": line["warps"], "num_stages": line["stages"]})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    with tempfile.NamedTemporaryFile("w", suffix=".ttir", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        module = ir.parse_mlir_module(file.name, context)
    module.context = context
    stages: dict[str, Any] = {}
    from triton.compiler.compiler import Language

    backend.add_stages(stages, options, Language.TRITON)
    return str(stages["ttir"](module, {}).str_nodebug())


def expected_of(line: Line, folder: Path) -> str:
    """Triton's own TTIR without locations, kept."""
    path = folder / f"sm_{corpus_ttir.ARCHITECTURE}" / corpus_ttir.file_name(line)
    if not path.exists():
        corpus_ttir.write_atomically(path, corpus_ttir.module_of(line).str_nodebug())
    return path.read_text(encoding="utf-8")


def triton_refuses(line: Line) -> bool:
    from triton.compiler.errors import CompilationError

    try:
        corpus_ttir.module_of(line)
    except CompilationError:
        return True
    return False


def first_difference(ours: str, theirs: str) -> str:
    for number, (one, other) in enumerate(zip(ours.splitlines(), theirs.splitlines(), strict=False), 1):
        if one != other:
            return f"line {number}: {one.strip()[:160]} | {other.strip()[:160]}"
    return "one is longer"


def judge(lockstep: str, line: Line, folder: Path) -> tuple[str, str, float]:
    """verdict, words, seconds of `emit`. What both sides refuse is tried again as the newer GPU."""
    found = judge_once(lockstep, line, folder)
    if found[0] != "refused by both":
        return found
    corpus_ttir.ARCHITECTURE = NEWER_ARCHITECTURE
    try:
        verdict, words, seconds = judge_once(lockstep, line, folder)
    finally:
        corpus_ttir.ARCHITECTURE = ARCHITECTURE
    return f"refused by both, {verdict} as sm_{NEWER_ARCHITECTURE}", words or found[1], seconds


def judge_once(lockstep: str, line: Line, folder: Path) -> tuple[str, str, float]:
    corpus_ttir.prepare_package(line["package"])
    kernel = corpus_ttir.find_kernel(line)
    file = kernel.fn.__code__.co_filename
    words = words_of(line, file, kernel.fn.__name__)
    began = time.perf_counter()
    done = subprocess.run([lockstep, *words], capture_output=True, text=True, timeout=60, check=False)
    seconds = time.perf_counter() - began
    if done.returncode != 0:
        refused = f"exit {done.returncode}: {done.stderr.strip()[:600]}"
        return ("refused by both" if triton_refuses(line) else "refused"), refused, seconds
    try:
        ours = optimised(done.stdout, line)
    except Exception as error:  # noqa: BLE001 (its answer)
        return "not accepted by Triton", str(error)[:400], seconds
    theirs = expected_of(line, folder)
    module = kernel.fn.__module__ + "."  # Triton puts it before the names of helpers
    if ours == theirs or ours == theirs.replace(module, Path(file).stem + "."):
        return "same text", judge_heuristics(lockstep, line, file, kernel.fn.__name__, done.stdout), seconds
    return "another text", first_difference(ours, theirs), seconds


class Verdicts:
    """Those of earlier runs of the same program over the same packages, in a file of FOLDER, by name."""

    def __init__(self, folder: Path, lockstep: str, file: str) -> None:
        program = hashlib.sha256(Path(lockstep).read_bytes()).hexdigest()
        stamp = json.dumps({"program": program, "versions": corpus_ttir.versions()})
        self.path = folder / file
        self.held: dict[str, list[Any]] = {}
        kept = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        if kept and kept[0] == stamp:
            self.held = {name: rest for name, *rest in map(json.loads, kept[1:])}
        else:
            self.path.write_text(stamp + "\n", encoding="utf-8")

    def add(self, found: list[tuple[Any, ...]]) -> None:
        with self.path.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(list(one)) + "\n" for one in found)


def work(task: tuple[str, str, list[Line]]) -> list[tuple[Line, str, str, float]]:
    lockstep, folder, lines = task
    found = []
    for line in lines:
        try:
            verdict, words, seconds = judge(lockstep, line, Path(folder))
        except Exception as error:  # noqa: BLE001 (Triton's or a package's)
            verdict, words, seconds = "no answer", f"{type(error).__name__}: {str(error)[-300:]}", 0.0
        found.append((line, verdict, words, seconds))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fraction", default="1/1")
    parser.add_argument("--package")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    for architecture in (ARCHITECTURE, NEWER_ARCHITECTURE):
        (options.folder / f"sm_{architecture}").mkdir(parents=True, exist_ok=True)
    lines = [
        line
        for line in corpus_ttir.read_signatures(options.fraction)
        if options.package in (None, line["package"]) and options.kernel in line["kernel"]
    ]
    lockstep = str(Path(options.lockstep).resolve())
    verdicts = Verdicts(options.folder, lockstep, "verdicts.jsonl")
    results = [(line, *verdicts.held[name]) for line in lines if (name := corpus_ttir.file_name(line)) in verdicts.held]
    wanted = [line for line in lines if corpus_ttir.file_name(line) not in verdicts.held]
    with multiprocessing.get_context("spawn").Pool(options.jobs, corpus_ttir.start_process) as pool:
        size = max(1, min(20, len(wanted) // options.jobs + 1))
        tasks = [(lockstep, str(options.folder), group) for group in corpus_ttir.chunks(wanted, size)]
        for found in pool.imap_unordered(work, tasks):
            verdicts.add([(corpus_ttir.file_name(line), *rest) for line, *rest in found])
            results += found
    report(results, options.show)
    if options.json:
        options.json.write_text(json.dumps([[line["kernel"], *rest] for line, *rest in results], indent=0))
    return 0 if results and all(is_good(verdict, words) for _, verdict, words, _ in results) else 1


def is_good(verdict: str, words: str) -> bool:
    """Refused by both is the same answer; what the newer GPU takes has to be the same, too."""
    same = verdict == "same text" and words in ("", "as recorded", "needs a value", "not known")
    return same or verdict.startswith("refused by both, same text")


def report(results: list[tuple[Line, str, str, float]], show: bool) -> None:
    table: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for line, verdict, _, _ in results:
        table[line["package"]][verdict] += 1
        table["all"][verdict] += 1
    for package, counts in sorted(table.items()):
        print(f"{package:16s} {sum(counts.values()):5d}  " + ", ".join(f"{v} {n}" for v, n in counts.most_common()))
    heuristics = collections.Counter(words for _, verdict, words, _ in results if verdict == "same text" and words)
    print("heuristics from types alone: " + ", ".join(f"{v} {n}" for v, n in heuristics.most_common()))
    seconds = sorted(seconds for *_, seconds in results)
    if seconds:
        print(f"seconds of `emit`: median {seconds[len(seconds) // 2]:.3f}, most {seconds[-1]:.3f}")
    if not show:
        return
    reasons = collections.defaultdict(list)
    for line, verdict, words, _ in results:
        if verdict != "same text":
            reasons[(verdict, line["kernel"])].append(words)
    for (verdict, kernel), words in sorted(reasons.items()):
        print(f"\n{verdict} ({len(words)}): {kernel}\n  {words[0]}")


if __name__ == "__main__":
    sys.exit(main())
