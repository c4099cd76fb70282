"""Smaller texts of a kernel's IR, by lines. Nothing here knows what an op means: the caller checks each text.

An op is its line, with the lines of its regions (those that are indented more, up to the closing one)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LOCATION = re.compile(r" loc\((?:#loc\d*|unknown|\"[^\"]*\"(?::\d+:\d+|\((?:#loc\d*|\"[^\"]*\")\))?)\)")
_NAME = r"%[\w.$-]+"
_DEFINED = re.compile(rf"^ *({_NAME})(?::\d+)? = ")
_ALIAS = re.compile(r"^(#\w+) = ")
#: What no text can lose: they end a region, or hold everything.
_FIXED = re.compile(r"^ *(?:module|tt\.func|tt\.return|scf\.yield|scf\.condition|tt\.reduce\.return|tt\.scan\.return|ttg\.warp_|\^|\}|$)")


def without_places(text: str) -> str:
    """The text without its locations; values keep their names."""
    lines = (_LOCATION.sub("", line).rstrip() for line in text.splitlines() if not re.match(r"#loc\d* = ", line))
    return "\n".join(line for line in lines if line) + "\n"


_HINTS = re.compile(r"(?P<head>^.*\btt\.(?:load|store|descriptor_load)\b[^{:\n]*?)(?: cacheModifier = (?P<cache>\w+))?(?: evictionPolicy = (?P<evict>\w+))?"
                    r"(?: \{(?P<rest>[^}\n]*)\})?(?P<tail> : .*)$", re.MULTILINE)  # fmt: skip


def for_version(text: str, version: str) -> str:
    """TTIR that an earlier Triton printed, as this one reads it: since 3.8 descriptors leave out `tensor<`, since 3.9 hints
    on caches are one attribute."""
    of_reader = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if of_reader >= (3, 8):
        text = re.sub(r"!tt\.tensordesc<tensor<([^<>]*)>>", r"!tt.tensordesc<\1>", text)
    if of_reader < (3, 9):
        return text

    def joined(match: re.Match[str]) -> str:
        hints = [f"cache_modifier = {match['cache'] or 'none'}", f"eviction_policy = {match['evict'] or 'evict_normal'}"]
        if not match["cache"] and not match["evict"]:
            return match[0]
        attributes = [f"cachePolicy = #tt.cache_policy<{', '.join(hints)}>"] + ([match["rest"]] if match["rest"] else [])
        return f"{match['head']} {{{', '.join(attributes)}}}{match['tail']}"

    return _HINTS.sub(joined, text)


def count_ops(text: str) -> int:
    return sum(_FIXED.match(line) is None and _ALIAS.match(line) is None for line in text.splitlines())


def _end(lines: list[str], first: int) -> int:
    """Past the last line of the op that begins here."""
    indent = len(lines[first]) - len(lines[first].lstrip())
    last = first
    for i in range(first + 1, len(lines)):
        depth = len(lines[i]) - len(lines[i].lstrip())
        if depth > indent or lines[i].lstrip().startswith("^"):
            continue
        if depth == indent and lines[i].lstrip().startswith("}"):
            last = i
            continue
        break
    return last + 1


def _ops(lines: list[str]) -> list[int]:
    return [i for i, line in enumerate(lines) if _FIXED.match(line) is None and _ALIAS.match(line) is None]


def _uses(name: str, lines: list[str]) -> int:
    use = re.compile(re.escape(name) + r"(?![\w.$-])")
    return sum(len(use.findall(line)) for line in lines)


def without_unused(text: str) -> str:
    """Without aliases that nothing names."""
    lines = text.splitlines()
    while True:
        kept = [line for line in lines if (alias := _ALIAS.match(line)) is None
                or any(re.search(re.escape(alias[1]) + r"\b", other) for other in lines if other is not line)]  # fmt: skip
        if len(kept) == len(lines):
            return "\n".join(lines) + "\n"
        lines = kept


def without_op(lines: list[str], first: int) -> str | None:
    """Without the op, if nothing uses its results; what only it used goes with it. None: something uses them."""
    end = _end(lines, first)
    defined = _DEFINED.match(lines[first])
    rest = lines[:first] + lines[end:]
    if defined is not None and _uses(defined[1], rest):
        return None
    return "\n".join(rest) + "\n"


def with_operand(lines: list[str], first: int) -> Iterator[str]:
    """The op's uses see one of its operands, or a value before it, and the op goes."""
    defined = _DEFINED.match(lines[first])
    if defined is None:
        return
    end = _end(lines, first)
    use = re.compile(re.escape(defined[1]) + r"(?:#0)?(?![\w.$#-])")
    operands = dict.fromkeys(re.findall(_NAME + r"(?:#\d+)?", lines[first][defined.end() :]))
    for operand in operands:
        if operand != defined[1]:
            rest = lines[:first] + [use.sub(lambda _, to=operand: to, line) for line in lines[end:]]  # type: ignore[misc]
            yield "\n".join(rest) + "\n"


def without_carried(lines: list[str], first: int) -> Iterator[str]:
    """A loop without one of its carried values, whose uses see the first one of the loop's bounds' side: its start."""
    line = lines[first]
    carried = re.search(r" iter_args\((.*?)\) -> \((.*)\)(  : \w+)? \{$", line)
    defined = re.match(rf"^( *)({_NAME})(?::\d+)? = scf\.for", line)
    if carried is None or defined is None:
        return
    end = _end(lines, first)
    pairs = [pair.split(" = ") for pair in carried[1].split(", ")]
    types = _split(carried[2])
    indent = len(defined[1])
    ends = [i for i in range(first + 1, end) if lines[i].startswith(" " * (indent + 2) + "scf.yield ")]
    if len(pairs) != len(types) or len(ends) != 1 or len(pairs) < 2:
        return
    yielded, _, kinds = lines[ends[0]].strip().removeprefix("scf.yield ").partition(" : ")
    values, kinds_of = yielded.split(", "), _split(kinds)
    for k in range(len(pairs)):
        left = [i for i in range(len(pairs)) if i != k]
        head = f"{defined[1]}{defined[2]}{f':{len(left)}' if len(left) > 1 else ''} = scf.for" + line[line.index("scf.for") + 7 : carried.start()]
        head += f" iter_args({', '.join(' = '.join(pairs[i]) for i in left)}) -> ({', '.join(types[i] for i in left)}){carried[3] or ''} {{"
        body = list(lines)
        body[first] = head
        body[ends[0]] = " " * (indent + 2) + f"scf.yield {', '.join(values[i] for i in left)} : {', '.join(kinds_of[i] for i in left)}"
        for i in range(first + 1, end):
            body[i] = re.sub(re.escape(pairs[k][0]) + r"(?![\w.$-])", lambda _: pairs[k][1], body[i])
        for i in range(end, len(body)):
            body[i] = _renumbered(body[i], defined[2], k, pairs[k][1], len(left))
        yield "\n".join(body) + "\n"


def _renumbered(line: str, name: str, gone: int, instead: str, left: int) -> str:
    def of(match: re.Match[str]) -> str:
        number = int(match[1] or 0)
        if number == gone:
            return instead
        number -= number > gone
        return name if left == 1 else f"{name}#{number}"

    return re.sub(re.escape(name) + r"(?:#(\d+))?(?![\w.$-])", of, line)


def _split(text: str) -> list[str]:
    """A list of types at its outer commas."""
    parts, depth, at = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "<({[") - (letter in ">)}]" and text[i - 1] != "-")
        if letter == "," and depth == 0:
            parts.append(text[at:i].strip())
            at = i + 1
    return [*parts, text[at:].strip()]


def smaller(text: str) -> Iterator[str]:
    """Texts with an op less, from the end to the beginning; then with a carried value less, then without attributes."""
    lines = text.splitlines()
    for first in reversed(_ops(lines)):
        one = without_op(lines, first)
        if one is not None:
            yield one
    for first in reversed(_ops(lines)):
        yield from without_carried(lines, first)
        yield from with_operand(lines, first)
    yield from _without_parameters(text)


def _without_parameters(text: str) -> Iterator[str]:
    """Without a parameter that nothing uses."""
    head = re.search(r"(tt\.func public @[\w.$]+\()(.*)(\) attributes|\) \{)", text)
    if head is None:
        return
    parameters = _split(head[2])
    for i, one in enumerate(parameters):
        name = one.partition(":")[0]
        if len(parameters) > 1 and _uses(name, text.splitlines()) == 1:
            kept = ", ".join(parameters[:i] + parameters[i + 1 :])
            yield text[: head.start(2)] + kept + text[head.end(2) :]


def parameters_of(text: str) -> list[str]:
    """Names of the kernel's parameters, without %."""
    head = re.search(r"tt\.func public @[\w.$]+\((.*)(?:\) attributes|\) \{)", text)
    return [one.partition(":")[0].strip().lstrip("%") for one in _split(head[1])] if head and head[1] else []
