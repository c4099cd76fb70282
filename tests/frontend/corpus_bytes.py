#!/usr/bin/env python3
"""Our front end beside Triton's, by what their kernels store: every recorded launch of the open corpus, executed twice.

  corpus_bytes.py LOCKSTEP FOLDER [--fraction 1/10] [--jobs N] [--package NAME] [--kernel WORDS] [--programs N] [--show]

corpus_launches.jsonl.gz has one line for each of the 1,704 launches that packages' own tests make: grid, shapes, strides,
storages and numbers, no data. The arguments are made from it (floats at random, indices by what they are); Lockstep then
executes what its own front end makes of the source file (as `lockstep run` does) and Triton's TTIR after all of make_ttir, on
the same bytes, and all storages are compared byte by byte. Both sides as sm_80 (as sm_90 where sm_80 lacks a type). Of larger
grids the first programs run (--programs). Verdicts are kept in FOLDER, so that a run that was ended goes on. A launch
whose made-up indices lead outside of its tensors is tried again with zeros; then both sides have to stop alike.
"""

from __future__ import annotations

import argparse
import ast
import collections
import gzip
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import corpus_lowering  # noqa: E402
from corpus_lowering import corpus_ttir  # noqa: E402

LAUNCHES = HERE / "corpus_launches.jsonl.gz"
ALIGNMENT = 256
SECONDS = 30.0

Launch = dict[str, Any]


def line_of(launch: Launch) -> corpus_ttir.Line:
    """The launch's specialisation, as in corpus_signatures.jsonl.gz."""
    arguments = launch["args"]
    names = [one["name"] for one in arguments]
    types = {one["name"]: one["sig"] for one in arguments if one["sig"] != "constexpr"}
    types = {name: list(ast.literal_eval(kind)) if kind.startswith("(") else kind for name, kind in types.items()}
    dtypes = {one["name"]: one["repr"] for one in arguments if one["kind"] == "dtype"}
    constants = {
        name: {"dtype": dtypes[name]} if name in dtypes else value for name, value in launch["constexprs"].items() if name in names
    }
    places = [json.loads(place.replace("(", "[").replace(",)", "]").replace(")", "]")) for place, known in launch["attrs"].items() if "16" in known]
    aligned = [place[0] if len(place) == 1 else place for place in places]
    return {
        "package": launch["package"], "kernel": launch["kernel"], "names": names, "warps": launch["num_warps"],
        "stages": launch["num_stages"], "types": types, "constants": constants, "aligned": aligned,
    }  # fmt: skip


def read_launches(fraction: str) -> list[Launch]:
    part, whole = (int(x) for x in fraction.split("/"))
    with gzip.open(LAUNCHES, "rt", encoding="utf-8") as lines:
        return [one for one in map(json.loads, lines) if corpus_ttir.number_of(one) % whole == part - 1]


class Arguments:
    """Storages and values of one launch; made() gives fresh ones with the same bytes."""

    def __init__(self, launch: Launch, zeros: bool) -> None:
        import numpy as np

        self.launch = launch
        self.zeros = zeros
        self.random = np.random.default_rng(corpus_ttir.number_of(launch) % 2**63)
        self.storages: dict[int, Any] = {}
        for one in self.leaves():
            if one["kind"] == "tensor":
                self.fill(one)

    def leaves(self) -> list[dict[str, Any]]:
        """Tensors and numbers, those in tuples too."""

        def parts(one: dict[str, Any]) -> list[dict[str, Any]]:
            return [leaf for part in one["items"] for leaf in parts(part)] if one["kind"] == "tuple" else [one]

        return [leaf for one in self.launch["args"] for leaf in parts(one)]

    def number(self, *names: str) -> int | None:
        found = {one["name"]: one.get("value") for one in self.launch["args"] if one["kind"] == "int"}
        return next((found[name] for name in names if name in found), None)

    def fill(self, one: dict[str, Any]) -> None:
        import numpy as np

        if one["storage"] not in self.storages:
            size = max(16, one["storage_bytes"])  # an empty tensor has an address, too
            raw = np.zeros(size + 2 * ALIGNMENT, np.uint8)
            begin = -raw.ctypes.data % ALIGNMENT
            held = self.storages[one["storage"]] = raw[begin : begin + size]
            held[:] = self.content(one, held.size)
        known = self.indices(one)
        if known is not None and not self.zeros:
            view = self.view(self.storages, one).view(-1) if one["shape"] and 0 not in one["shape"] else None
            if view is not None:
                import torch

                view.copy_(torch.from_numpy(np.resize(known, view.numel()).astype(np.int64)).to(view.dtype))

    def content(self, one: dict[str, Any], size: int) -> Any:
        import numpy as np
        import torch

        dtype = getattr(torch, one["dtype"])
        count = size // dtype.itemsize + 1
        if dtype.is_floating_point:
            values = torch.from_numpy(self.random.standard_normal(count, np.float32) * 0.5).to(dtype)
        elif dtype in (torch.uint8, torch.int8):
            values = torch.from_numpy(self.random.integers(0, 128, count)).to(dtype)
        else:
            values = torch.zeros(count, dtype=dtype) if self.zeros else torch.from_numpy(self.random.integers(0, 2, count)).to(dtype)
        return values.view(torch.uint8).numpy()[:size]

    def indices(self, one: dict[str, Any]) -> Any:
        """What offsets and indices of sequences are: T tokens in equal parts, and the blocks of each."""
        import numpy as np

        sequences = next((x for x in self.leaves() if x.get("name") in ("cu_seqlens", "seq_offsets") and x["kind"] == "tensor"), None)
        total = self.number("T", "total_T", "TOTAL")
        if sequences is None or total is None or one["dtype"] not in ("int32", "int64"):
            return None
        bounds = np.linspace(0, total, sequences["shape"][0]).astype(np.int64)
        if one.get("name") == sequences["name"]:
            return bounds
        blocks = [-(-int(length) // (self.number("BT", "BC", "BS") or 64)) for length in np.diff(bounds)]
        if one.get("name") == "chunk_offsets":
            return np.concatenate([[0], np.cumsum(blocks)])
        pairs = [(sequence, block) for sequence, count in enumerate(blocks) for block in range(count)]
        return np.array(pairs).reshape(-1) if one.get("name") == "chunk_indices" and pairs else None

    @staticmethod
    def view(storages: dict[int, Any], one: dict[str, Any]) -> Any:
        import torch

        held = torch.from_numpy(storages[one["storage"]])
        dtype = getattr(torch, one["dtype"])
        whole = held[: held.numel() // dtype.itemsize * dtype.itemsize].view(dtype)
        if 0 in one["shape"]:
            return whole[:1]  # torch has no address for an empty tensor
        return torch.as_strided(whole, one["shape"], one["stride"], one["offset"])

    def made(self) -> tuple[dict[int, Any], list[Any]]:
        """Fresh storages, and the values of the run-time parameters in order."""
        import numpy as np

        storages = {}
        for number, held in self.storages.items():
            raw = np.zeros(held.size + 2 * ALIGNMENT, np.uint8)
            begin = -raw.ctypes.data % ALIGNMENT
            storages[number] = raw[begin : begin + held.size]
            storages[number][:] = held
        values = []
        for one in self.leaves():
            if one.get("sig") == "constexpr" or one["kind"] == "NoneType":
                continue
            values.append(self.view(storages, one) if one["kind"] == "tensor" else one["value"])
        return storages, values


def execute(text: str, arguments: Arguments, grid: list[int]) -> tuple[str, dict[int, Any]]:
    """How the launch of a module's text ended, and the storages afterwards."""
    from lockstep import _native

    target = f"sm_{corpus_ttir.ARCHITECTURE}"
    kernel = _native.Module.from_ttir(text, target=target, debug=False, num_warps=arguments.launch["num_warps"]).kernel()
    storages, values = arguments.made()
    report = kernel.launch(grid, values, [parameter.name for parameter in kernel.parameters])
    errors = sorted({finding.code for finding in report.findings if finding.tier == "error"})
    return " ".join([report.outcome, *errors]), storages


def cut(grid: list[int], programs: int) -> list[int]:
    """The grid's first programs."""
    kept = []
    for extent in [*grid, 1, 1, 1][:3]:
        kept.append(min(extent, max(1, programs)))
        programs //= max(1, kept[-1])
    return kept


def compare(ours: str, theirs: str, launch: Launch, programs: int) -> tuple[str, str]:
    import numpy as np

    grid = cut(launch["grid"], programs)
    for zeros in (False, True):
        arguments = Arguments(launch, zeros)
        one, left = execute(ours, arguments, grid)
        if one != "completed" and not zeros and not one.startswith("timed"):
            continue
        other, right = execute(theirs, arguments, grid)
        if one.startswith("timed") or other.startswith("timed"):
            return "too slow", f"{one} | {other}"
        different = [number for number in left if not np.array_equal(left[number], right[number])]
        if one != other or different:
            return "another result", f"{one} | {other}; storages {different}"
        changed = any(not np.array_equal(left[number], arguments.storages[number]) for number in left)
        how = "" if changed else ", nothing stored"
        return (f"same bytes{how}" if one == "completed" else "same bytes, stopped alike"), one
    raise AssertionError("unreachable")


def triton_text(line: corpus_ttir.Line, folder: Path) -> str:
    """As the older GPU, or the newer one where that lacks a type, which is then ARCHITECTURE."""
    from triton.compiler.errors import CompilationError

    try:
        return corpus_lowering.expected_of(line, folder)
    except CompilationError:
        corpus_ttir.ARCHITECTURE = corpus_lowering.NEWER_ARCHITECTURE
        return corpus_lowering.expected_of(line, folder)


def judge(lockstep: str, launch: Launch, folder: Path, programs: int) -> tuple[str, str]:
    line = line_of(launch)
    corpus_ttir.prepare_package(line["package"])
    kernel = corpus_ttir.find_kernel(line)
    corpus_ttir.ARCHITECTURE = corpus_lowering.ARCHITECTURE
    try:
        theirs = triton_text(line, folder)
        words = corpus_lowering.words_of(line, kernel.fn.__code__.co_filename, kernel.fn.__name__)
        words[words.index("raw")] = "ttir"
        done = subprocess.run([lockstep, *words], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            return "not lowered", done.stderr.strip()[:400]
        return compare(done.stdout, theirs, launch, programs)
    finally:
        corpus_ttir.ARCHITECTURE = corpus_lowering.ARCHITECTURE


def key_of(launch: Launch) -> str:
    return f"{launch['package']}.{launch['kernel'].rpartition('.')[2]}.{corpus_ttir.number_of(launch):016x}"


def start_process() -> None:
    corpus_ttir.start_process()
    from lockstep import _native

    _native.set_options(threads=1, timeout=SECONDS, checks={"check": "none"})


def work(task: tuple[str, str, int, list[Launch]]) -> list[tuple[Launch, str, str]]:
    lockstep, folder, programs, launches = task
    found = []
    for launch in launches:
        try:
            verdict, words = judge(lockstep, launch, Path(folder), programs)
        except Exception as error:  # noqa: BLE001 (Triton's or a package's)
            verdict, words = "no answer", f"{type(error).__name__}: {str(error)[-300:]}"
        found.append((launch, verdict, words))
    return found


def report(results: list[tuple[Launch, str, str]], show: bool) -> None:
    table: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for launch, verdict, _ in results:
        table[launch["package"]][verdict] += 1
        table["all"][verdict] += 1
    for package, counts in sorted(table.items()):
        print(f"{package:16s} {sum(counts.values()):5d}  " + ", ".join(f"{v} {n}" for v, n in counts.most_common()))
    for launch, verdict, words in results:
        if show and verdict not in ("same bytes", "same bytes, nothing stored"):
            print(f"{verdict}: {key_of(launch)}\n  {words}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fraction", default="1/1")
    parser.add_argument("--package")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--programs", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    for architecture in (corpus_lowering.ARCHITECTURE, corpus_lowering.NEWER_ARCHITECTURE):
        (options.folder / f"sm_{architecture}").mkdir(parents=True, exist_ok=True)
    launches = [
        one for one in read_launches(options.fraction)
        if options.package in (None, one["package"]) and options.kernel in one["kernel"]
    ]  # fmt: skip
    lockstep = str(Path(options.lockstep).resolve())
    verdicts = corpus_lowering.Verdicts(options.folder, lockstep, f"bytes_{options.programs}.jsonl")
    results = [(one, *verdicts.held[key_of(one)]) for one in launches if key_of(one) in verdicts.held]
    wanted = [one for one in launches if key_of(one) not in verdicts.held]
    with multiprocessing.get_context("spawn").Pool(options.jobs, start_process) as pool:
        size = max(1, min(20, len(wanted) // options.jobs + 1))
        tasks = [(lockstep, str(options.folder), options.programs, group) for group in corpus_ttir.chunks(wanted, size)]
        for found in pool.imap_unordered(work, tasks):
            verdicts.add([(key_of(one), *rest) for one, *rest in found])
            results += found
    report(results, options.show)
    return 0 if results and all(verdict.startswith("same bytes") for _, verdict, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
