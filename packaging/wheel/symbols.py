#!/usr/bin/env python3
"""symbols.py BUILD: the objects of each Python's bindings in a build of ./dev wheels (Linux), held against each other. A name that the bindings of two
Pythons define is linked once, so its code must be the same for both: nothing of pybind11 or our bindings, and of CPython pointers alone.
Run by .cache/zig/bin/python (pyelftools). Exit code 1 names what meets."""

from __future__ import annotations

import collections
import re
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile

OURS = re.compile(r"pybind11|N8lockstep6python")
# A type of CPython by value: a struct's name that no P (pointer), K (const) or R (reference) stands before.
STRUCT = re.compile(r"(?<![PKR\d])(?:7_object|11_typeobject|8bufferinfo|\d+Py[A-Za-z_]+)")

COMPILERS = ("DW.ref.__gxx_personality_v0", "__clang_call_terminate")


def defined(file: Path) -> set[str]:
    """Names that other objects see."""
    with file.open("rb") as opened:
        table = ELFFile(opened).get_section_by_name(".symtab")
        return {one.name for one in table.iter_symbols() if one["st_shndx"] != "SHN_UNDEF" and one["st_info"]["bind"] != "STB_LOCAL"}


def main() -> int:
    build = Path(sys.argv[1])
    owners = collections.defaultdict(set)
    folders = sorted(build.glob("CMakeFiles/lockstep_bindings_*.dir"))
    for folder in folders:
        for file in folder.rglob("*.o"):
            for name in defined(file):
                owners[name].add(folder.name)
    meeting = sorted(name for name, those in owners.items() if len(those) > 1)
    meeting = [name for name in meeting if name not in COMPILERS]
    wrong = [name for name in meeting if OURS.search(name) or not name.startswith("_Z") or STRUCT.search(name)]
    for name in wrong:
        print(name)
    print(f"symbols: {len(folders)} Pythons, {len(owners)} names, {len(meeting)} meet, {len(wrong)} of them must not")
    return 1 if wrong or len(folders) < 1 or not owners else 0


if __name__ == "__main__":
    sys.exit(main())
