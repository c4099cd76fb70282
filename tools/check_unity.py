#!/usr/bin/env python3
"""Demands that the names which the files of one room keep to themselves differ, so that the files can be compiled in one batch.

A unity build (LOCKSTEP_UNITY) puts the unnamed namespaces of a batch's files together. A name that two files declare in the
same one, or that a header declares around it, is an error there, or changes silently which function a call means. The check
is of all files of a room, not of today's batches: a new file moves them."""

import re
import sys
from collections import defaultdict
from pathlib import Path

from check_layers import ALLOWED

ROOT = Path(__file__).resolve().parents[1]
ROOMS = [*(room for room in ALLOWED if room != "python"), "python/native"]
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\'|^[ \t]*\#(?:\\\n|[^\n])*',
    re.DOTALL | re.MULTILINE,
)
NAMESPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*\Z")
TYPE = re.compile(r"\b(?:struct|class|enum(?:\s+(?:class|struct))?|union|concept)\s+(\w+)(?!\s*<)")
USING = re.compile(r"\busing\s+(\w+)\s*=")
FUNCTION = re.compile(r"(?<![\w:~.])(\w+)\s*\(")
VARIABLE = re.compile(r"(?<![\w:])([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?:=|\{|\Z)")
# What other types become without a word in the call.
CONVERTED = re.compile(r"^(?:(?:std::)?(?:u?int\d+_t|size_t|ptrdiff_t|string|string_view|function\b.*)|unsigned|int|long|char|bool|float|double|auto|Py_ssize_t)\b")
COMPILED_ALONE = re.compile(r"^using namespace ", re.MULTILINE)  # as cmake/LockstepRooms.cmake has it
ALIAS = re.compile(r"using |namespace |__extension__ using ")
WORDS = {"if", "for", "while", "switch", "return", "operator", "decltype", "alignas", "noexcept", "static_assert", "requires",
         "sizeof", "template", "const", "override", "TEST", "TEST_F", "TEST_P", "INSTANTIATE_TEST_SUITE_P", "__attribute__"}  # fmt: skip


def without_noise(text: str) -> str:
    return NOISE.sub(lambda match: "\n" * match[0].count("\n") + (' ""' if match[0][0] in '"R' else " "), text)


def head_of(declaration: str) -> str:
    """The declaration without template parameters, attributes and what stands in angle brackets."""
    head = re.sub(r"\[\[.*?\]\]", " ", declaration)
    while True:
        shorter = re.sub(r"<[^<>;{}]*>", " ", head)
        if shorter == head:
            return head.strip()
        head = shorter


def name_of(declaration: str) -> str | None:
    """What one declaration of a namespace's level declares; None for what declares no new name there."""
    head = head_of(declaration)
    if not head or head.startswith(("using namespace", "using enum", "static_assert", "extern", "friend", "LOCKSTEP_")):
        return None
    if match := USING.search(head):
        return match[1]
    function = FUNCTION.search(head)
    if match := TYPE.search(head):
        if not function or function.start() > match.start() and not re.search(r"\w\s+[\w&*]+\s*\(", head[match.end() :]):
            return match[1] if not re.search(rf"\b{match[1]}\s*::", head) else None
    if function and "=" not in head[: function.start()] and function[1] not in WORDS:
        return function[1]
    member = re.search(r"::\s*~?\w+\s*\(", head)
    if member and "=" not in head[: member.start()]:
        return None
    head = head.split("=")[0] if "=" in head else head
    match = VARIABLE.search(head.strip())
    return match[1] if match and " " in head.strip() and match[1] not in WORDS else None


def declarations(text: str):
    """(open namespaces, declaration, line) of everything that stands directly in a namespace."""
    stack: list[str | None] = []  # names of open namespaces; "" for an unnamed one, None for any other brace
    start = 0
    initialiser = False  # up to the next semicolon
    for match in re.finditer(r"[{};]", text):
        piece, brace = text[start : match.start()], match[0]
        opened = NAMESPACE.search(piece) if brace == "{" else None
        if brace == "{":
            if None not in stack and not opened and not initialiser:
                yield stack[:], piece, text.count("\n", 0, match.start()) + 1
                initialiser = re.search(r"[^=!<>]=(?!=)", head_of(piece)) is not None and "operator" not in piece
            stack.append(opened[1] if opened else None)
        elif brace == "}":
            if stack:
                stack.pop()
        elif None not in stack and initialiser:
            initialiser = False
        elif None not in stack and piece.strip():
            yield stack[:], piece, text.count("\n", 0, match.start()) + 1
        if None not in stack or brace == "{":
            start = match.end()


def names_in(path: Path):
    """(namespace, is it kept to the file, name, line, text)"""
    for stack, piece, line in declarations(without_noise(path.read_text(encoding="utf-8"))):
        name = name_of(piece)
        if name:
            own = "" in stack or re.match(r"\s*(?:template\s*<[^{};]*>\s*)?static\b", piece) is not None
            yield "::".join(part for part in stack if part), own, name, line, " ".join(piece.split())


def parameters(text: str, name: str) -> list[str] | None:
    """The types of a function's parameters, as written; None for what is no function or is a template."""
    found = re.search(rf"\b{name}\s*\(", text)
    if not found or "=" in text[: found.start()] or text.startswith("template"):
        return None
    depth, types, start = 0, [], found.end()
    for at in range(found.end(), len(text)):
        if text[at] in "<({[":
            depth += 1
        elif text[at] in ">)}]" and depth:
            depth -= 1
        elif text[at] in ",)":
            if depth == 0:
                types.append(text[start:at])
                start = at + 1
                if text[at] == ")":
                    break
    without_default = (one.split("=")[0].strip() for one in types)
    return [re.sub(r"(?<=[\s&*>])\w+$|\b(?!std)\w+::", "", one).replace("const ", "").strip(" &") for one in without_default if one]


def is_alias(a: str, b: str) -> bool:
    return a == b and ALIAS.match(a) is not None


def apart(a: str, b: str, name: str) -> bool:
    """No call of one of these functions can mean the other: some parameter of both has a class that only one of them takes."""
    first, second = parameters(a, name), parameters(b, name)
    if first is None or second is None:
        return False
    pairs = zip(first, second)
    return any(x != y and not CONVERTED.search(x) and not CONVERTED.search(y) for x, y in pairs)


def headers() -> dict[str, dict[str, tuple[str, str]]]:
    """Per namespace the names that headers declare: where, and the declaration."""
    declared: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.h")):
            for namespace, own, name, line, text in names_in(path):
                if not own:
                    declared[namespace].setdefault(name, (f"{path.relative_to(ROOT)}:{line}", text))
    return declared


def enclosing(namespace: str):
    while namespace:
        yield namespace
        namespace = namespace.rpartition("::")[0]


def problems_of(files: list[Path], declared: dict[str, dict[str, tuple[str, str]]]):
    kept: dict[tuple[str, str], dict[Path, tuple[int, str]]] = defaultdict(dict)
    for path in files:
        if COMPILED_ALONE.search(path.read_text(encoding="utf-8")):
            continue
        for namespace, own, name, line, text in names_in(path):
            if own:
                kept[namespace, name].setdefault(path, (line, text))
    for (namespace, name), places in sorted(kept.items()):
        where = [f"{path.relative_to(ROOT)}:{line}" for path, (line, _) in places.items()]
        texts = [text for _, text in places.values()]
        pairs = [(i, j) for j in range(len(where)) for i in range(j)]
        same = [f"{where[i]} and {where[j]}" for i, j in pairs if not (is_alias(texts[i], texts[j]) or apart(texts[i], texts[j], name))]
        if same:
            yield f"{where[0]}: '{name}' is kept to the file by {', '.join(same)}"
        for outer in enclosing(namespace):
            place, text = declared[outer].get(name, ("", ""))
            if place and not is_alias(texts[0], text):  # it would hide that one, whatever its parameters
                yield f"{where[0]}: '{name}' is declared for all by {place}, too"


def main() -> int:
    declared = headers()
    groups = [sorted((ROOT / room).rglob("*.cpp")) for room in ROOMS]
    groups += [sorted(folder.glob("*_test.cpp")) for folder in sorted((ROOT / "tests" / "unit").iterdir()) if folder.is_dir()]
    count = 0
    for files in groups:
        for problem in problems_of([path for path in files if not path.name.startswith("isa_")], declared):
            print(problem)
            count += 1
    if count:
        print(f"{count} names meet in a unity build: rename one of each, or let a header declare it for all")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
