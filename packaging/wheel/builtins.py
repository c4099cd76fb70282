#!/usr/bin/env python3
"""builtins.py COMPILER OUT.o: zig's run-time library without what the C library has, too, as an object (ELF).

zig's compiler_rt is one object: whoever needs its division of 128-bit numbers gets its sin, exp and memcpy, which then stand
before those of the system's C library. Here they become references: numbers and speed are those of the system, as with any
other compiler. COMPILER is a zig c++ for the target."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SHT_SYMTAB, SHT_DYNSYM = 2, 11
LOCAL, GLOBAL = 0, 1


def linked(compiler: str) -> tuple[Path, list[Path]]:
    """The archive of the run-time library, and what stands for the C library, as the linker of this target is given them."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "empty.cpp").write_text("void nothing() {}\n")
        done = subprocess.run([compiler, "-v", "-shared", "-fPIC", "empty.cpp", "-o", "empty.so"], cwd=folder, capture_output=True, text=True, check=False)
    line = next((line for line in done.stderr.splitlines() if line.lstrip().startswith("ld.lld")), "")
    runtime = re.findall(r"\S+/libcompiler_rt\.a", line)
    libraries = re.findall(r"\S+/lib(?:m|c|pthread)\.so\.\d", line)
    if done.returncode != 0 or len(runtime) != 1 or not libraries:
        raise SystemExit(f"error: {compiler} does not say what it links:\n{done.stderr[-2000:]}")
    return Path(runtime[0]), [Path(one) for one in libraries]


def only_member(archive: bytes) -> bytes:
    """The one object of an ar archive; its tables of names and symbols begin with '/'."""
    place, members = 8, []
    while place + 60 <= len(archive):
        name, size = archive[place : place + 16], int(archive[place + 48 : place + 58])
        if not (name.startswith((b"/ ", b"//", b"/SYM64/"))):
            members.append(archive[place + 60 : place + 60 + size])
        place += 60 + size + size % 2
    if len(members) != 1:
        raise SystemExit(f"error: zig's run-time library has {len(members)} objects, not one: packaging/wheel/builtins.py knows another zig")
    return members[0]


def symbols(elf: bytes, kind: int) -> dict[str, tuple[int, int, bool]]:
    """Name -> (place of the entry, binding, defined) of a 64-bit little-endian file's symbol table."""
    if elf[:6] != b"\x7fELF\x02\x01":
        raise SystemExit("error: that is no 64-bit little-endian ELF file")
    (sections,) = struct.unpack_from("<Q", elf, 0x28)
    size, count = struct.unpack_from("<HH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, sections + size * number) for number in range(count)]
    found = {}
    for header in headers:
        if header[1] != kind:
            continue
        strings = headers[header[6]][4]
        for place in range(header[4], header[4] + header[5], 24):
            name, info, _, section = struct.unpack_from("<IBBH", elf, place)
            text = elf[strings + name : elf.index(b"\0", strings + name)].decode()
            found[text] = (place, info >> 4, section != 0)
    return found


def main() -> int:
    compiler, out = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    runtime, libraries = linked(compiler)
    theirs = {name for library in libraries for name, (_, _, defined) in symbols(library.read_bytes(), SHT_DYNSYM).items() if defined}
    elf = bytearray(only_member(runtime.read_bytes()))
    given = 0
    for name, (place, binding, defined) in symbols(bytes(elf), SHT_SYMTAB).items():
        if defined and binding != LOCAL and name in theirs:
            _, info, other, _ = struct.unpack_from("<IBBH", elf, place)
            struct.pack_into("<BBHQQ", elf, place + 4, GLOBAL << 4 | info & 15, other & ~3, 0, 0, 0)  # undefined, of default visibility
            given += 1
    if given == 0:
        raise SystemExit("error: zig's run-time library shares no name with the C library: packaging/wheel/builtins.py knows another zig")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(elf)
    print(f"{out}: {given} names are left to the C library")
    return 0


if __name__ == "__main__":
    sys.exit(main())
