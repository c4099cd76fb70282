#!/usr/bin/env python3
"""The TTIR of the open corpus: what Triton's own front end makes of the kernels of installed packages, with no GPU.

  corpus_ttir.py FOLDER [--fraction 1/10] [--jobs N] [--list]

corpus_signatures.jsonl.gz holds one line for each of the 1,704 specialisations that the packages' own tests launch (types,
constants, what is divisible by 16, warps and stages; no code). Writes FOLDER/PACKAGE.KERNEL.NUMBER.wWARPSsSTAGES.ttir, which
compile_all.py reads, and FOLDER/refused.json: what Triton or an import refused, and why. A file that is there is kept; a
change of the packages' or of Triton's version empties the folder. Needs triton, torch, the lockstep package and the corpus's
packages (tests/corpus/requirements.txt). Exit code 1: a kernel was refused for a reason that is not listed below.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import hashlib
import importlib
import json
import multiprocessing
import os
import re
import sys
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SIGNATURES = HERE / "corpus_signatures.jsonl.gz"
DISTRIBUTIONS = ["triton", "torch", "fla-core", "liger-kernel", "flag-gems", "torchao", "unsloth", "bitsandbytes"]
FORMAT = 1  # of the files' names and of how they are lowered
ARCHITECTURE = 90
# What cannot be lowered, by the words of the message.
EXPECTED: dict[str, str] = {}

Line = dict[str, Any]


def number_of(line: Line) -> int:
    """Of a specialisation: the same wherever its line stands."""
    return int.from_bytes(hashlib.sha256(json.dumps(line, sort_keys=True).encode()).digest()[:8], "big")


def file_name(line: Line) -> str:
    kernel = line["kernel"].rpartition(".")[2]
    return f"{line['package']}.{kernel}.{number_of(line):016x}.w{line['warps']}s{line['stages']}.ttir"


def read_signatures(fraction: str = "1/1") -> list[Line]:
    part, whole = (int(x) for x in fraction.split("/"))
    with gzip.open(SIGNATURES, "rt", encoding="utf-8") as lines:
        return [line for line in map(json.loads, lines) if number_of(line) % whole == part - 1]


def versions() -> str:
    found = {"format": str(FORMAT)}
    for name in DISTRIBUTIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return json.dumps(found, sort_keys=True)


def prepare_package(package: str) -> None:
    """What must be there before a kernel's module can be imported (as in tests/corpus)."""
    import contextlib

    from support.bare import bare_package, triton_stub

    if package == "bitsandbytes":
        bare_package("bitsandbytes.backends.triton")
    if package == "unsloth":
        from triton.language.extra import libdevice

        bare_package("unsloth.kernels")
        triton_stub(
            "unsloth.kernels.utils",
            calculate_settings=None,
            triton_tanh=libdevice.tanh,
            torch_gpu_device=lambda device: contextlib.nullcontext(),
        )


def find_kernel(line: Line) -> Any:
    """The JITFunction, without what autotunes it or chooses its constants."""
    module, _, name = line["kernel"].rpartition(".")
    kernel = getattr(importlib.import_module(module), name)
    while not (hasattr(kernel, "arg_names") and hasattr(kernel, "params")):
        kernel = kernel.fn
    return kernel


def constant(value: Any) -> Any:
    import triton.language as tl

    if not isinstance(value, dict):
        return value
    return tl.dtype(value["dtype"]) if value["dtype"] not in ("bf16", "fp16", "fp32", "fp64") else tl.str_to_ty(value["dtype"], None)


def source_of(line: Line) -> Any:
    from triton.compiler import ASTSource

    names = line["names"]
    types = {name: line["types"].get(name, "constexpr") for name in names}
    signature = {name: tuple(t) if isinstance(t, list) else t for name, t in types.items()}
    constants = {(names.index(name),): constant(value) for name, value in line["constants"].items()}
    paths = [tuple(place) if isinstance(place, list) else (place,) for place in line["aligned"]]
    return ASTSource(find_kernel(line), signature, constants, {path: [["tt.divisibility", 16]] for path in paths})


def backend_of(target: Any) -> Any:
    """What Triton uses under pretend_cuda()."""
    from triton.compiler import make_backend

    return make_backend(target)


def module_of(line: Line) -> Any:
    """Triton's module after make_ttir."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget

    target = GPUTarget("cuda", ARCHITECTURE, 32)
    backend = backend_of(target)
    options = backend.parse_options({"num_warps": line["warps"], "num_stages": line["stages"]})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = source_of(line)
    module = source.make_ir(
        target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )
    stages: dict[str, Any] = {}
    backend.add_stages(stages, options, source.language)
    module = stages["ttir"](module, {})
    module.context = context  # lives as long
    return module


def lower(line: Line) -> str:
    """After make_ttir, with locations."""
    return str(module_of(line))


def portable(text: str) -> str:
    """No location names a machine's folders."""
    return re.sub(r'loc\("/[^"]*/site-packages/', 'loc("', text)


def write_atomically(path: Path, text: str) -> None:
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as out:
        out.write(text)
    os.replace(out.name, path)


def work(task: tuple[str, list[Line]]) -> list[tuple[str, str]]:
    """Lowers lines of one package in this process; what was refused, and why."""
    folder, lines = task
    refused = []
    for line in lines:
        path = Path(folder) / file_name(line)
        try:
            prepare_package(line["package"])
            write_atomically(path, portable(lower(line)))
        except Exception as error:  # noqa: BLE001 (whatever a package raises is its answer)
            words = str(error).strip() or type(error).__name__
            if os.environ.get("LOCKSTEP_CORPUS_TRACE"):
                traceback.print_exc()
            refused.append((path.name, f"{line['kernel']}: {type(error).__name__}: {words[-400:]}"))
    return refused


def start_process() -> None:
    """In each worker: a GPU is pretended, because packages look at it when they are imported."""
    os.environ["GEMS_VENDOR"] = "nvidia"
    os.environ["FLAGGEMS_CACHE_DIR"] = tempfile.mkdtemp(prefix="lockstep-flag-gems-")
    os.environ.pop("TRITON_INTERPRET", None)
    sys.path.insert(0, str(HERE.parent / "corpus"))
    sys.setrecursionlimit(20000)
    import lockstep
    import torch

    torch.set_num_threads(1)
    lockstep.pretend_cuda().__enter__()


def chunks(lines: list[Line], size: int) -> list[list[Line]]:
    """Lines of one package and module together, so that a process imports little."""
    by_package = collections.defaultdict(list)
    for line in lines:
        by_package[line["package"]].append(line)
    return [group[i : i + size] for group in by_package.values() for i in range(0, len(group), size)]


def empty_if_old(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "versions.json"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == versions():
        return
    for file in folder.glob("*.ttir"):
        file.unlink()
    (folder / "refused.json").unlink(missing_ok=True)
    write_atomically(stamp, versions())


def make_all(folder: Path, lines: list[Line], jobs: int) -> dict[str, str]:
    """Writes what is not there; the refused files with the reasons."""
    empty_if_old(folder)
    known = folder / "refused.json"
    refused = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    wanted = [line for line in lines if file_name(line) not in refused and not (folder / file_name(line)).exists()]
    if wanted:
        with multiprocessing.get_context("spawn").Pool(jobs, start_process) as pool:
            tasks = [(str(folder), group) for group in chunks(wanted, max(1, min(40, len(wanted) // jobs + 1)))]
            for found in pool.imap_unordered(work, tasks):
                refused.update(found)
        write_atomically(known, json.dumps(refused, indent=1, sort_keys=True))
    return {file_name(line): refused[file_name(line)] for line in lines if file_name(line) in refused}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fraction", default="1/1")
    parser.add_argument("--list", action="store_true", help="print the names of the files, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    lines = read_signatures(options.fraction)
    refused = make_all(options.folder, lines, options.jobs)
    print(f"{len(lines)} specialisations: {len(lines) - len(refused)} lowered, {len(refused)} refused")
    if options.list:
        print("\n".join(name for name in map(file_name, lines) if name not in refused))
    failures = {n: why for n, why in refused.items() if not any(re.search(words, why) for words in EXPECTED.values())}
    for name, why in failures.items():
        print(f"  FAILED {name}\n    {why}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
