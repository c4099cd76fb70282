#!/usr/bin/env python3
"""Which sums `--bits` joins with a product, compared with what the installed Triton compiles; no GPU.

    contraction.py LOCKSTEP [--every N] [--rows]

For every launch of recorded/bits.tar.xz and capsules/: `lockstep emit --stage bits` gives the sums of the kernel (addf, subf) that became a
fma, by place (file, line, column). Triton's PTX gives fma, add and sub by place. What LLVM left apart ptxas may join, so
where PTX has an addition alone, the machine code decides (Triton's ptxas and nvdisasm; it has lines, no columns). Exit code 1:
a place differs that KNOWN does not name. Needs the package of this build (PYTHONPATH) and Triton.
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from lockstep import ptx_witness

HERE = Path(__file__).resolve().parent
#: Places that differ and give the same values: 0 plus a selection between a product and 0; 1 plus libdevice's exp, which ends
#: with an exact product; 0 plus a product, of which one thread's element is known.
KNOWN = {("compute_dh0_kernel", "kernels.py:490:25"), ("glu_kernel_kernel_rank_2", "glu.py:16:25"), ("_poly_norm_backward_kernel", "poly_norm.py:188:19")}
ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
PLACE = re.compile(r'"([^"]+)":(\d+):(\d+)')
OP = re.compile(r"= (arith\.addf|arith\.subf|arith\.mulf|math\.fma|tt\.elementwise_inline_asm)\b.* loc\((#loc\d*)\)")
FOLD = re.compile(r'"tt\.(?:reduce|scan)"\(.*\(\{$')  # the sums inside are joined by a mark on the fold
PTX_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"')
PTX_PLACE = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)")
PTX_OP = re.compile(r"^\s*\{?\s*(?:@!?%\S+\s+)?(fma|add|sub)\.(?:rn\.|ftz\.|sat\.)*(?:f32x2|f32|f64|f16x2|f16|bf16x2|bf16)\b")
SASS_PLACE = re.compile(r'//## File "([^"]+)", line (\d+)')
SASS_OP = re.compile(r"\b[FHD](FMA|ADD)2?\b")
Counts = dict[str, collections.Counter[str]]
Find = Callable[[str], "re.Match[str] | None"]


def by_place() -> Counts:
    return collections.defaultdict(collections.Counter)


def innermost(alias: str, aliases: dict[str, str]) -> str:
    """"file:line:column" through names and call sites, the callee's; "" if there is none."""
    text = aliases.get(alias, "")
    if found := PLACE.match(text):
        return f"{Path(found[1]).name}:{found[2]}:{found[3]}"
    inner = re.search(r"#loc\d*", text)
    return innermost(inner[0], aliases) if inner else ""


def of_ir(text: str) -> Counts:
    aliases = {found[1]: found[2] for found in map(ALIAS.match, text.splitlines()) if found}
    counts, is_combined = by_place(), False
    for line in text.splitlines():
        is_combined = FOLD.search(line) is not None or (is_combined and not line.lstrip().startswith("})"))
        if not is_combined and (found := OP.search(line)):
            counts[innermost(found[2], aliases)][found[1]] += 1
    return counts


def of_lines(text: str, find_place: Find, place_text: Callable[[re.Match[str]], str], find_op: Find) -> Counts:
    """Instructions by the place that a line before them names."""
    counts, place = by_place(), ""
    for line in text.splitlines():
        if found := find_place(line):
            place = place_text(found)
        elif found := find_op(line):
            counts[place][found[1]] += 1
    return counts


def of_ptx(text: str) -> Counts:
    files = {found[1]: Path(found[2]).name for found in map(PTX_FILE.match, text.splitlines()) if found}
    return of_lines(text, PTX_PLACE.match, lambda found: f"{files.get(found[1], '')}:{found[2]}:{found[3]}", PTX_OP.match)


def of_machine_code(ptx: str) -> Counts:
    """By file and line; empty where ptxas does not take the text."""
    import triton

    tools = Path(triton.__file__).parent / "backends/nvidia/bin"
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "kernel.ptx", Path(folder) / "kernel.cubin"
        source.write_text(ptx, encoding="utf-8")
        made = subprocess.run([tools / "ptxas", "-lineinfo", "-arch", "sm_90a", source, "-o", cubin], capture_output=True, check=False)
        if made.returncode != 0:
            return by_place()
        text = subprocess.run([tools / "nvdisasm", "-g", "-c", cubin], capture_output=True, text=True, check=True).stdout
    return of_lines(text, SASS_PLACE.search, lambda found: f"{Path(found[1]).name}:{found[2]}", SASS_OP.search)


def verdict(before: collections.Counter[str], after: collections.Counter[str], ptx: collections.Counter[str],
            machine: collections.Counter[str] | None) -> str:  # fmt: skip
    """Of one place. `machine`: of its line; None: not asked yet."""
    asm = after["tt.elementwise_inline_asm"] > before["tt.elementwise_inline_asm"]
    is_joined = asm or after["math.fma"] > before["math.fma"]
    is_apart = after["arith.addf"] + after["arith.subf"] > 0
    sums = ptx["add"] + ptx["sub"]
    if not ptx["fma"] and not sums:
        return "no instruction in PTX has the place"
    if (is_joined, is_apart) == (ptx["fma"] > 0, sums > 0):
        return "as PTX: joined" if is_joined else "as PTX: apart"
    if is_joined and sums and not ptx["fma"]:
        if machine is None:
            return "ask"
        if machine["FMA"]:
            return "joined by ptxas alone"
    return "differs"


def compare(command: str, path: Path, folder: Path) -> list[tuple[str, str]]:
    """(place, verdict) of every sum of a launch's kernel."""
    with zipfile.ZipFile(path) as archive:
        target = json.loads(archive.read("manifest.json"))["target"]
        ttir = folder / "kernel.ttir"
        ttir.write_bytes(archive.read("kernel.ttir"))
    emit = [command, "emit", str(ttir), "--locations"]
    before, after = (of_ir(subprocess.run([*emit, *more], capture_output=True, text=True, check=True).stdout) for more in ([], ["--stage", "bits"]))
    text = ptx_witness.ptx_of(ttir, 90, target["num_warps"])
    ptx, machine, found = of_ptx(text), None, []
    for place, ops in before.items():
        if not ops["arith.addf"] + ops["arith.subf"]:
            continue
        what = verdict(ops, after[place], ptx[place], None)
        if what == "ask":
            machine = machine or of_machine_code(text)
            what = verdict(ops, after[place], ptx[place], machine[place.rpartition(":")[0]])
        found.append((place, what))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lockstep")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rows", action="store_true", help="print each place that is not as PTX has it")
    options = parser.parse_args()
    counts: collections.Counter[str] = collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(HERE / "recorded/bits.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        for path in sorted([*folder.glob("*.capsule"), *(HERE / "capsules").glob("*.capsule")])[:: options.every]:
            counts["launches"] += 1
            for place, what in compare(options.lockstep, path, folder):
                counts[what] += 1
                is_wrong = what == "differs" and not any(kernel in path.name and place == known for kernel, known in KNOWN)
                wrong += is_wrong
                if is_wrong or (options.rows and not what.startswith(("as PTX", "no "))):
                    print(f"{path.stem} {place}: {what}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:6}  {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
