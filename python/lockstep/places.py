"""File names in TTIR that Triton's disk cache kept from another place.

The key of the cache has a kernel's text and line, not its path, so a copied project, a temporary folder or another run
of a notebook gets TTIR that names files of before. Invariant: only the names in location lines change; the kernel's own
file becomes the one that its function has now, and files beside it follow where the old ones are gone and new ones
exist."""

from __future__ import annotations

import os
import re
from typing import Any

_OWN = re.compile(rb'\A#loc = loc\("((?:[^"\\]|\\.)*)":\d+:\d+\)')
_ANY = re.compile(rb'^#loc\d* = loc\("((?:[^"\\]|\\.)*)":\d+:\d+\)', re.MULTILINE)
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)", re.DOTALL)


def quoted(path: str) -> bytes:
    """The path as MLIR prints it between quotes: other than printable ASCII as \\XX."""
    text = bytearray()
    for byte in os.fsencode(path):
        if byte == ord("\\"):
            text += b"\\\\"
        elif 32 <= byte < 127 and byte != ord('"'):
            text.append(byte)
        else:
            text += b"\\%02X" % byte
    return bytes(text)


def unquoted(text: bytes) -> str:
    """The path that MLIR printed."""

    def byte(match: re.Match[bytes]) -> bytes:
        return bytes([int(match[1], 16)]) if len(match[1]) == 2 else match[1]

    return os.fsdecode(_ESCAPE.sub(byte, text))


def brought_up_to_date(ttir: bytes, file: str) -> bytes:
    """The TTIR with the current names of its files; `file` is the kernel function's own."""
    own = _OWN.match(ttir)
    if own is None or own[1] == quoted(file):
        return ttir
    before = unquoted(own[1])
    names = {own[1]: quoted(file)}
    folder, now = os.path.dirname(before) + os.sep, os.path.dirname(file) + os.sep
    for name in set(_ANY.findall(ttir)) - names.keys():
        other = unquoted(name)
        beside = now + other[len(folder) :]
        if other.startswith(folder) and not os.path.exists(other) and os.path.exists(beside):
            names[name] = quoted(beside)
    for old, new in names.items():
        ttir = ttir.replace(b'loc("' + old + b'":', b'loc("' + new + b'":')
    return ttir


def current(binary: bytes, src: Any) -> bytes:
    """The bytes of a kernel's last stage, with the current file names. `src`: Triton's ASTSource or IRSource."""
    function = getattr(getattr(src, "fn", None), "fn", None)
    code = getattr(function, "__code__", None)
    return brought_up_to_date(binary, code.co_filename) if code is not None else binary
