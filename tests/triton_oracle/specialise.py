"""From the words of a `lockstep run` command to the types that Triton's JIT would choose for them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

TYPES = {
    "f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "f8e4nv": "fp8e4nv", "f8e5": "fp8e5", "i1": "i1",
    **{f"{sign}{bits}": f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64)},
}  # fmt: skip
BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8}


@dataclass
class Command:
    file: str
    kernel: str
    grid: str
    values: dict[str, str]
    rest: list[str]


def commands_of(path: Path, root: Path) -> list[Command]:
    """The `run` commands in the `# args:` lines of a case."""
    found = []
    for line in path.read_text().splitlines():
        match = re.match(r"(#|//) args: (run .*)$", line)
        if not match:
            break
        text = match[2].replace("{file}", str(path.relative_to(root))).replace("{folder}", str(path.parent.relative_to(root)))
        words = shlex.split(text)[1:]
        file, _, kernel = words.pop(0).partition("::")
        command = Command(file, kernel, "1", {}, [])
        while words:
            word = words.pop(0)
            if word == "--grid":
                command.grid = words.pop(0)
            elif word.startswith("-"):
                command.rest += [word] + ([words.pop(0)] if words and word != "--quiet" else [])
            else:
                name, _, value = word.partition("=")
                command.values[name] = value
        found.append(command)
    return found


def element_of(name: str, values: dict[str, str]) -> tuple[str, int]:
    """The element type of a tensor argument and its distance in bytes from the start of its storage."""
    view = re.match(r"view\((\w+)(?:, *offset=(\d+))?", values[name])
    if view:
        element, start = element_of(view[1], values)
        return element, start + int(view[2] or 0) * BYTES[element]
    return re.search(r":(\w+)\[", values[name])[1], 0


def specialise(command: Command, arg_names: list[str], is_constexpr: dict[str, bool]) -> tuple[str, str, dict]:
    """sig, attr and constants, as `lockstep emit` takes them."""
    sig, attr, constants = [], [], {}
    for name in arg_names:
        value = command.values.get(name)
        if value is None:
            continue
        if is_constexpr[name] or value in ("none", "1"):
            constants[name] = {"none": None, "true": True, "false": False}.get(value, value)
            if isinstance(constants[name], str) and re.fullmatch(r"-?\d+", value):
                constants[name] = int(value)
        elif "[" in value:
            element, start = element_of(name, command.values)
            sig.append(f"{name}=*{TYPES[element]}")
            if start % 16 == 0:
                attr.append(f"{name}=16")
        elif value in ("true", "false"):
            sig.append(f"{name}=u1")
        elif re.fullmatch(r"-?\d+", value):
            sig.append(f"{name}={'i32' if -(2**31) <= int(value) < 2**31 else 'i64'}")
            if int(value) % 16 == 0:
                attr.append(f"{name}=16")
        else:
            sig.append(f"{name}=fp32")
    return ",".join(sig), ",".join(attr), constants
