#!/usr/bin/env python3
"""The TTGIR of the open corpus, as Triton's own passes make it without a GPU: read, verified, printed byte for byte.

  corpus_ttgir.py LOCKSTEP FOLDER [--fraction 1/10] [--arch 80,90] [--jobs N] [--list]

Of each specialisation in tests/cuda/corpus_signatures.jsonl.gz Triton makes TTGIR for each architecture.
Texts are kept in FOLDER/sm_NN until the packages or Triton change. The command reads, verifies and prints each;
the counts are by cause. What Triton itself refuses is counted apart: FOLDER/sm_NN/refused.json has the reasons. Exit code
1: a text was refused or printed otherwise.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import multiprocessing.pool
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "frontend"))

import corpus_lowering  # noqa: E402, F401 (Triton's own backend takes the place of the pretended GPU's)
import corpus_ttir  # noqa: E402


def lower(line: corpus_ttir.Line, architecture: int) -> str:
    """After make_ttgir, with locations."""
    from triton.backends.compiler import GPUTarget

    corpus_ttir.ARCHITECTURE = architecture
    module = corpus_ttir.module_of(line)
    backend = corpus_ttir.backend_of(GPUTarget("cuda", architecture, 32))
    options = backend.parse_options({"num_warps": line["warps"], "num_stages": line["stages"]})
    return str(backend.make_ttgir(module, {}, options, architecture))


def work(task: tuple[Path, int, list[corpus_ttir.Line]]) -> list[tuple[str, str]]:
    """Lowers lines of one package in this process; what was refused, and why."""
    folder, architecture, lines = task
    refused = []
    for line in lines:
        path = folder / file_name(line)
        try:
            corpus_ttir.prepare_package(line["package"])
            corpus_ttir.write_atomically(path, corpus_ttir.portable(lower(line, architecture)))
        except Exception as error:  # noqa: BLE001 (whatever Triton raises is its answer)
            words = str(error).strip() or type(error).__name__
            refused.append((path.name, f"{line['kernel']}: {type(error).__name__}: {words[-400:]}"))
    return refused


def file_name(line: corpus_ttir.Line) -> str:
    return corpus_ttir.file_name(line).replace(".ttir", ".ttgir")


def make_all(folder: Path, architecture: int, lines: list[corpus_ttir.Line], jobs: int) -> dict[str, str]:
    """Writes what is not there; the refused files with the reasons."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp, known = folder / "versions.json", folder / "refused.json"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != corpus_ttir.versions():
        for file in [*folder.glob("*.ttgir"), *folder.glob("refused.json")]:
            file.unlink()
        corpus_ttir.write_atomically(stamp, corpus_ttir.versions())
    refused = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    wanted = [one for one in lines if file_name(one) not in refused and not (folder / file_name(one)).exists()]
    if wanted:
        with multiprocessing.get_context("spawn").Pool(jobs, corpus_ttir.start_process) as pool:
            tasks = corpus_ttir.chunks(wanted, max(1, min(40, len(wanted) // jobs + 1)))
            for found in pool.imap_unordered(work, [(folder, architecture, group) for group in tasks]):
                refused.update(found)
        corpus_ttir.write_atomically(known, json.dumps(refused, indent=1, sort_keys=True))
    return {file_name(line): refused[file_name(line)] for line in lines if file_name(line) in refused}


def verdict(task: tuple[str, Path]) -> str:
    """What the command makes of a text; "equal" where it prints the same bytes."""
    lockstep, file = task
    text = file.read_text(encoding="utf-8")
    done = subprocess.run([lockstep, "emit", str(file), "--locations"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        first = next((line for line in done.stderr.splitlines() if line.strip()), "")
        return f"refused (exit {done.returncode}): " + re.sub(r"'[^']*'|\d+", "..", first.replace(str(file), ""))[:110]
    return "equal" if done.stdout == text else "printed otherwise"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fraction", default="1/1")
    parser.add_argument("--arch", default="80,90")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="name the files that are not equal")
    chosen = parser.parse_args()
    lines = corpus_ttir.read_signatures(chosen.fraction)
    bad = 0
    for architecture in map(int, chosen.arch.split(",")):
        folder = chosen.folder / f"sm_{architecture}"
        refused = make_all(folder, architecture, lines, chosen.jobs)
        files = [folder / file_name(line) for line in lines if file_name(line) not in refused]
        with multiprocessing.pool.ThreadPool(chosen.jobs) as pool:
            verdicts = pool.map(verdict, [(chosen.lockstep, file) for file in files])
        print(f"sm_{architecture}: {len(lines)} specialisations, {len(refused)} refused by Triton itself")
        for cause, count in collections.Counter(verdicts).most_common():
            print(f"{count:6}  {cause}")
            if chosen.list and cause != "equal":
                print("".join(f"          {file}\n" for file, one in zip(files, verdicts, strict=True) if one == cause), end="")
        bad += sum(one != "equal" for one in verdicts)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
