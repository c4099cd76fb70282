"""What no case of a campaign has shown of a kernel's source: lines, branch outcomes, mask outcomes, and blocks that no
specialisation compiled (the other side of a condition over constants).

Invariant: what is not compiled is read off the source's syntax and said of whole blocks only, where a block calls something
that makes ops; lines alone may have none for many reasons."""

from __future__ import annotations

import ast
import functools
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lockstep.campaign.code_coverage import FileCoverage

_AROUND = 1  # lines of source before and after one that is listed
_IF, _LOOPS = ("never true", "never false"), ("never with an iteration", "never without an iteration")
_MASK = ("mask never on", "mask never off")
#: Calls that may leave no op of their own in compiled code.
_WITHOUT_OPS = {"zeros", "full", "constexpr", "static_assert", "static_print", "cdiv", "arange", "multiple_of", "max_contiguous",
                "max_constancy", "assume", "program_id", "num_programs", "range", "static_range", "to", "int", "float", "min",
                "max", "len", "isinstance", "broadcast_to", "reshape"}  # fmt: skip


@dataclass
class Listing:
    """The missing coverage of one kernel in one file."""

    file: str
    not_run: set[int] = field(default_factory=set)
    not_compiled: set[int] = field(default_factory=set)
    notes: dict[int, list[str]] = field(default_factory=dict)  # of branches and masks, by line
    source: dict[int, str] = field(default_factory=dict)  # those lines, and some around; empty where the file is not here

    @property
    def marked(self) -> set[int]:
        return self.not_run | self.not_compiled | self.notes.keys()


def listings(files: Mapping[str, FileCoverage], root: str) -> list[Listing]:
    """The files with missing coverage, sorted."""
    made = [_listing(file, files[file], root) for file in sorted(files)]
    return [one for one in made if one.marked]


def _listing(file: str, coverage: FileCoverage, root: str) -> Listing:
    made = Listing(file, {line for line, ran in coverage.lines.items() if not ran})
    for sides, words in ((coverage.branches, None), (coverage.masks, _MASK)):
        for (line, _, kind), (first, second) in sorted(sides.items()):
            if line in made.not_run or (first and second):
                continue
            missing = "never reached" if not (first or second) else (words or (_IF if kind == "if" else _LOOPS))[first]
            text = f"{kind}: {missing}"
            if text not in made.notes.setdefault(line, []):
                made.notes[line].append(text)
    text = source_of(file, root)
    made.not_compiled = set(never_compiled(text, coverage.lines.keys(), {line for line, _, _ in coverage.branches}))
    lines = text.splitlines()
    shown = {near for line in made.marked for near in range(line - _AROUND, line + _AROUND + 1) if 1 <= near <= len(lines)}
    made.source = {number: lines[number - 1] for number in sorted(shown)}
    return made


def path_of(file: str, root: str) -> str:
    """The file, if it is here: below `root` or where Python imports from; "" if not."""
    places = [os.path.join(folder, file) for folder in (root, *sys.path)]
    return next((one for one in places if file and os.path.isfile(one)), "")


def source_of(file: str, root: str) -> str:
    """"" where there is none."""
    path = path_of(file, root)
    return _text_of(path) if path else ""


@functools.lru_cache(maxsize=32)
def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace", newline=None) as file:
            return file.read()
    except OSError:
        return ""


# ---- never compiled ----


@dataclass(frozen=True)
class _Block:
    """A branch of an `if`, the body of a loop."""

    header: int  # the line of the statement that it belongs to
    first: int
    last: int
    lines: tuple[int, ...]  # of its statements, those around others left out
    makes_ops: bool
    blocks: tuple[_Block, ...]


@dataclass(frozen=True)
class _Function:
    first: int
    last: int
    inner: tuple[tuple[int, int], ...]  # lines of functions in it
    blocks: tuple[_Block, ...]

    def has(self, line: int) -> bool:
        return self.first <= line <= self.last and not any(first <= line <= last for first, last in self.inner)


def never_compiled(source: str, compiled: Collection[int], branches: Collection[int]) -> list[int]:
    """Lines of the statements in blocks of compiled functions that have no op. `branches`: lines of conditions that a program
    decides: both of their sides are compiled, even if little of them is left."""
    found: set[int] = set()
    for function in _functions_of(source):
        own = [line for line in compiled if function.has(line)]
        if own:
            found.update(_empty(function.blocks, own, branches))
    return sorted(found)


def _empty(blocks: Iterable[_Block], compiled: Collection[int], branches: Collection[int]) -> Iterator[int]:
    for block in blocks:
        if any(block.first <= line <= block.last for line in compiled):
            yield from _empty(block.blocks, compiled, branches)
        elif block.makes_ops and block.header not in branches:
            yield from block.lines


@functools.lru_cache(maxsize=1024)
def _functions_of(source: str) -> tuple[_Function, ...]:
    """Nothing for a text that is not Python, or not this Python's."""
    try:
        functions = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.FunctionDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    spans = [(one.lineno, one.end_lineno or one.lineno) for one in functions]
    return tuple(_function(one, spans) for one in functions)


def _function(one: ast.FunctionDef, spans: Sequence[tuple[int, int]]) -> _Function:
    """spans: those of all functions of the file."""
    first, last = _span(one.body)
    inner = tuple((begin, end) for begin, end in spans if first <= begin and end <= last)
    return _Function(first, last, inner, _blocks_of(one.body))


def _blocks_of(statements: Sequence[ast.stmt]) -> tuple[_Block, ...]:
    headers = [one for one in statements if isinstance(one, (ast.If, ast.For, ast.While))]
    return tuple(
        _Block(one.lineno, *_span(block), tuple(_lines_of(block)), any(map(_makes_ops, block)), _blocks_of(block))
        for one in headers for block in (one.body, one.orelse) if block
    )  # fmt: skip


def _span(block: Sequence[ast.stmt]) -> tuple[int, int]:
    return block[0].lineno, block[-1].end_lineno or block[-1].lineno


def _lines_of(block: Sequence[ast.stmt]) -> Iterator[int]:
    for statement in (inner for outer in block for inner in ast.walk(outer) if isinstance(inner, ast.stmt)):
        if not hasattr(statement, "body"):
            yield from range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def _makes_ops(statement: ast.stmt) -> bool:
    calls = [one.func for one in ast.walk(statement) if isinstance(one, ast.Call)]
    names = [one.attr if isinstance(one, ast.Attribute) else one.id for one in calls if isinstance(one, (ast.Attribute, ast.Name))]
    return any(name not in _WITHOUT_OPS for name in names)
