"""A case: a JSON object with one canonical text and one id, the same on every machine and Python (docs/campaigns.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

ID_DIGITS = 16


def canonical(value: Any) -> str:
    """Sorted keys, no spaces, ASCII, floats as repr. Raises ValueError for NaN and infinities, TypeError for values outside JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def case_id(text: str) -> str:
    """Of a canonical text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:ID_DIGITS]


def kernel_of(case: Mapping[str, Any]) -> str:
    """The case's short name in lists: the kernel, function, capsule or seed of its source."""
    source = case["source"]
    for key in ("kernel", "function", "path", "seed"):
        if key in source:
            return f"{source.get('file', source.get('module', source['kind']))}::{source[key]}"
    return str(source["kind"])


def digest(data: bytes) -> str:
    """Of an output's elements."""
    return hashlib.sha256(data).hexdigest()
