"""What the judge's processes say to each other: a line of JSON that gives the sizes of the blocks of bytes behind it. No pickle,
nothing that is evaluated. Invariant: a message that is too large, malformed or missing is a WireError and nothing else."""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any

MOST_BYTES = 1 << 31
_HEAD = struct.Struct("<QQ")  # bytes of the JSON, bytes of the blocks


class WireError(Exception):
    """The other side is gone, is late, or sends something else than a message."""


def pack(message: dict[str, Any], blocks: list[bytes]) -> bytes:
    """A message whose "blocks" are the sizes of what follows it."""
    text = json.dumps({**message, "blocks": [len(one) for one in blocks]}, allow_nan=True).encode()
    return _HEAD.pack(len(text), sum(len(one) for one in blocks)) + text + b"".join(blocks)


def _read_exactly(descriptor: int, count: int, until: float | None) -> bytes:
    parts: list[bytes] = []
    while count:
        if until is not None:
            left = until - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise WireError("late")
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            raise WireError("gone")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive(descriptor: int, until: float | None = None) -> tuple[dict[str, Any], list[bytes]]:
    """The next message. until: of time.monotonic()."""
    size, behind = _HEAD.unpack(_read_exactly(descriptor, _HEAD.size, until))
    if size > MOST_BYTES or behind > MOST_BYTES:
        raise WireError("too large")
    try:
        message = json.loads(_read_exactly(descriptor, size, until))
        sizes = message["blocks"]
        if type(message) is not dict or type(sizes) is not list or any(type(one) is not int or one < 0 for one in sizes) or sum(sizes) != behind:
            raise ValueError
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise WireError("no message") from error
    body = _read_exactly(descriptor, behind, until)
    blocks, at = [], 0
    for one in sizes:
        blocks.append(body[at : at + one])
        at += one
    return message, blocks


def send(descriptor: int, message: dict[str, Any], blocks: list[bytes] | None = None, until: float | None = None) -> None:
    """until: of time.monotonic(); then a reader that takes nothing is a WireError."""
    data = memoryview(pack(message, blocks or []))
    while data:
        if until is not None and not select.select([], [descriptor], [], max(until - time.monotonic(), 0))[1]:
            raise WireError("late")
        try:
            data = data[os.write(descriptor, data[: 1 << 16] if until is not None else data) :]
        except (BrokenPipeError, OSError) as error:
            raise WireError("gone") from error
