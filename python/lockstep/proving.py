"""What holds of a kernel at every size: prove() runs `lockstep prove`, guard() checks its conditions before launches.

Invariant: this process proves nothing itself. A guarded launch happens only where the contract and every condition of the
proof hold; that different arguments are different memory is assumed."""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lockstep.errors import LaunchError, LockstepError

_MOST = 2147483647
_ANSWERS = ("holds", "fails", "not decided")
_DTYPES = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i1": "bool", "i8": "int8", "u8": "uint8",
    "i16": "int16", "i32": "int32", "i64": "int64", "fp16": "float16", "fp32": "float32", "fp64": "float64",
}  # fmt: skip


class OutsideProof(LaunchError):
    """A guarded launch does not meet a condition of the proof. Nothing was launched."""


@dataclass(frozen=True)
class Condition:
    """`text` has to hold of a launch; `exactly`: launches just beyond it were run, and all of them fail."""

    text: str
    place: str  # FILE:LINE
    property: str  # bounds, integers, loop, division, races, lanes, hints or coverage
    reason: str
    exactly: bool
    expression: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Undecided:
    """What was not decided: the op, its place, and why."""

    place: str
    property: str
    op: str
    reason: str


@dataclass(frozen=True)
class Uncertified:
    """What a solver proved (`by`, with its version), without a certificate."""

    place: str
    property: str
    op: str
    by: str


@dataclass(frozen=True)
class Counterexample:
    """A launch of the contract that was run and failed."""

    command: str
    findings: tuple[str, ...]

    def run(self) -> subprocess.CompletedProcess[str]:
        """Runs it again: its exit code is 1, its output has the finding."""
        words = shlex.split(self.command)
        return subprocess.run([_command(), *words[1:]], capture_output=True, text=True, check=False)


class Proof:
    """A proof as a file, for `check_proof.py` and for guard()."""

    def __init__(self, text: str) -> None:
        self.text = text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Raises OSError."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)


class Proved:
    """The answer about a kernel under a contract."""

    def __init__(self, report: Mapping[str, Any], proof: str | None, words: Mapping[str, str]) -> None:
        self.report, self._words = report, dict(words)
        self.answer: str = report["answer"]
        self.proof = None if proof is None else Proof(proof)
        self.conditions = tuple(
            Condition(one["text"], one["place"], one["property"], one["reason"], one["exactly"], one["expression"])
            for one in report["conditions"]
        )
        self.undecided = tuple(Undecided(one["place"], one["property"], one["op"], one["reason"]) for one in report["undecided"])
        self.uncertified = tuple(Uncertified(one["place"], one["property"], one["op"], one["by"]) for one in report["uncertified"])
        found = report.get("counterexample")
        self.counterexample = found and Counterexample(
            found["command"], tuple(f"{one['code']} at {one['place']}: {one['message']}" for one in found["findings"]))

    @property
    def holds(self) -> bool:
        """For every launch that meets the contract and the conditions."""
        return self.answer == "holds"

    @property
    def certified(self) -> bool:
        """It holds, and `proof` shows why; nothing of it is known from z3 or isl alone."""
        return self.holds and not self.uncertified

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return f"<{self.report['kernel']}: {self.answer}; {', '.join(map(str, self.conditions)) or 'no conditions'}>"

    def admits(self, **sizes: int) -> bool:
        """Whether a launch of these sizes meets the contract's facts and every condition. owned_x: the elements of x, where
        no shape says them. Raises NameError: a size is missing."""
        if not self.holds:
            return False
        scope = scope_of(sizes)
        expressions = [*self.report["contract"]["facts"], *(one.expression for one in self.conditions)]
        return all(1 <= one <= _MOST for one in sizes.values()) and all(eval(one, scope) for one in expressions)  # noqa: S307

    def largest(self, name: str, **sizes: int) -> int:
        """The largest number that is admitted together with everything below it; the others are given. 0: not even 1."""
        low, high = 0, 1
        while high <= _MOST and self.admits(**sizes, **{name: high}):
            low, high = high, high * 2
        high = min(high, _MOST + 1)
        while low + 1 < high:
            middle = (low + high) // 2
            if self.admits(**sizes, **{name: middle}):
                low = middle
            else:
                high = middle
        return low


def prove(
    kernel: Any,
    *,
    grid: str | None = None,
    where: Sequence[str] | str = (),
    assume: Sequence[str] | str = (),
    properties: Sequence[str] | str = (),
    like: Sequence[str | os.PathLike[str]] | str | os.PathLike[str] = (),
    **contract: Any,
) -> Proved:
    """Proves `kernel` for all launches of a contract: x="f32[M,N]", n="i64", BLOCK=64; an argument without one is any i32.

    kernel: "FILE.py::NAME", a kernel of Triton or of lockstep.kernel(). grid: expressions over the arguments; None: any grid.
    where: "n % 16 == 0". assume: "index in [0,n)". properties: beside bounds and integers, "races", "lanes", "hints",
    "coverage", or "all". like: capsules of launches, which say what the contract does not.
    Raises LockstepError: the contract is wrong, or no command is found."""
    words = {name: str(value) for name, value in contract.items()}
    command = [_command(), "prove", _target(kernel), "--json", *(["--grid", grid] if grid else [])]
    environment = {"LOCKSTEP_PYTHON": sys.executable, **os.environ}  # beside it may be a z3
    if properties:
        command += ["--properties", properties if isinstance(properties, str) else ",".join(properties)]
    for option, rows in (("--where", where), ("--assume", assume), ("--like", like)):
        for row in [rows] if isinstance(rows, (str, os.PathLike)) else rows:
            command += [option, os.fspath(row)]
    with tempfile.TemporaryDirectory(prefix="lockstep-proof-") as folder:
        path = os.path.join(folder, "proof")
        given = [name if value == name else f"{name}={value}" for name, value in words.items()]
        done = subprocess.run([*command, "--proof", path, *given], capture_output=True, text=True, check=False, env=environment)
        try:
            report = json.loads(done.stdout)
        except json.JSONDecodeError:
            raise LockstepError(done.stderr.strip() or f"lockstep prove ended with exit code {done.returncode}") from None
        if report["answer"] not in _ANSWERS:
            raise LockstepError(f"a launch that meets what was proved fails: {report['defect']['command']}; please report it")
        proof = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                proof = file.read()
    pairs = [one.partition("=") for one in report["contract"]["words"]]  # those of `like`, too
    return Proved(report, proof, {name: value or name for name, _, value in pairs})


def guard(kernel: Any, proved: Proved) -> Guarded:
    """A kernel whose launches happen only where `proved` holds of them. Raises LockstepError: it does not hold at all, or
    nothing of a launch says a size that it names."""
    return Guarded(kernel, proved)


class Guarded:
    """`[grid](...)` checks the launch, then makes it. Raises OutsideProof before anything runs."""

    def __init__(self, kernel: Any, proved: Proved) -> None:
        if not proved.holds:
            raise LockstepError(f"{proved.report['kernel']} is not proved: {proved.answer}")
        self.kernel = kernel
        self.source = _check_source(proved, proved._words, _parameters(kernel, proved))
        scope = scope_of({}) | {"owned": _owned, "_lists": _lists, "OutsideProof": OutsideProof, "_check_data": _check_data, "_check_chunks": _check_chunks}
        if unknown := _unknown_names(self.source, scope):
            raise LockstepError(f"no argument of {proved.report['kernel']} says {', '.join(unknown)}: give it as the size of a tensor, n, n+1 or 2*n")
        exec(self.source, scope)  # noqa: S102 (our own text, made of the proof's expressions)
        self.check: Callable[..., None] = scope["check"]

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        def launch(*args: Any, **kwargs: Any) -> Any:
            self.check(grid, *args, **kwargs)
            return self.kernel[grid](*args, **kwargs)

        return launch


def _command() -> str:
    from lockstep.notebooks.pages import find_command

    return find_command()


def _target(kernel: Any) -> str:
    if isinstance(kernel, (str, os.PathLike)):
        return os.fspath(kernel)
    if isinstance(getattr(kernel, "path", None), str) and isinstance(getattr(kernel, "name", None), str):
        return f"{kernel.path}::{kernel.name}"
    function = kernel
    while not hasattr(function, "__code__") and hasattr(function, "fn"):
        function = function.fn
    if not hasattr(function, "__code__"):
        raise LockstepError(f"{kernel!r} is not a kernel")
    return f"{function.__code__.co_filename}::{function.__name__}"


def _cdiv(x: int, y: int) -> int:
    return -(-x // y)


def scope_of(sizes: Mapping[str, int]) -> dict[str, Any]:
    """What expressions of a proof name."""
    return {"cdiv": _cdiv, "min": min, "max": max, "owned": lambda name: sizes[f"owned_{name}"], **sizes}


def _owned(tensor: Any, needed: int) -> bool:
    """Whether the tensor owns so many elements from its first on: those of its view, or of its storage."""
    if tensor.is_contiguous() and tensor.numel() >= needed:
        return True
    return (tensor.untyped_storage().nbytes() // tensor.element_size() - tensor.storage_offset()) >= needed


def _lists(tensor: Any, needed: int) -> bool:
    """The same of memory that an assumption speaks of: what is checked is the view, element by element."""
    return tensor.is_contiguous() and tensor.numel() >= needed


def _check_data(tensor: Any, low: int, high: int, rises: bool) -> bool:
    if tensor.numel() == 0:
        return True
    flat = tensor.reshape(-1)
    return int(flat.min()) >= low and int(flat.max()) <= high and not (rises and bool((flat[1:] < flat[:-1]).any()))


def _check_chunks(table: Any, offsets: Any, size: int, sequences: int) -> bool:
    """Whether each pair (sequence, chunk) begins inside of its sequence, and is there once."""
    if table.numel() == 0:
        return True
    pairs, starts = table.reshape(-1), offsets.reshape(-1)
    if table.numel() % 2 or starts.numel() < sequences + 1:
        return False
    sequence, chunk = pairs[0::2].long(), pairs[1::2].long()
    if int(sequence.min()) < 0 or int(sequence.max()) >= sequences or int(chunk.min()) < 0:
        return False
    # Compared without products, which may wrap.
    last = (starts[sequence + 1].long() - starts[sequence].long() - 1).div(size, rounding_mode="floor")
    if bool((chunk > last).any()):
        return False
    order = chunk.argsort(stable=True)
    order = order[sequence[order].argsort(stable=True)]
    sequence, chunk = sequence[order], chunk[order]
    return not bool(((sequence[1:] == sequence[:-1]) & (chunk[1:] == chunk[:-1])).any())


def _split(text: str) -> list[str]:
    """At commas outside of parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [one.strip() for one in parts]


def _parameters(kernel: Any, proved: Proved) -> dict[str, Any]:
    """The kernel's parameters in their order, with the defaults of those that the contract does not name."""
    function = kernel
    while not hasattr(function, "__code__") and hasattr(function, "fn"):
        function = function.fn
    signature = inspect.signature(function).parameters if hasattr(function, "__code__") else {}
    names = list(signature) or list(getattr(kernel, "arg_names", proved.report["arguments"]))
    empty = inspect.Parameter.empty
    return {name: signature[name].default if name in signature and signature[name].default is not empty else None for name in names}


def _unknown_names(source: str, scope: Mapping[str, Any]) -> list[str]:
    """The names of the check that nothing gives a value."""
    nodes = list(ast.walk(ast.parse(source)))
    names = [one for one in nodes if isinstance(one, ast.Name)]
    given = {one.id for one in names if isinstance(one.ctx, ast.Store)} | {one.arg for one in nodes if isinstance(one, ast.arg)}
    return sorted({one.id for one in names} - given - set(scope) - set(vars(builtins)))


def _check_source(proved: Proved, words: Mapping[str, str], parameters: Mapping[str, Any]) -> str:
    """Python that checks one launch: what the contract says, then the conditions."""
    contract, arguments = proved.report["contract"], list(proved.report["arguments"])
    constants = {name: text for name, text in words.items() if re.fullmatch(r"-?\d+|True|False|true|false|\"[^\"]*\"", text)}
    lines, tests, known = [], [], set(arguments)

    def name_value(name: str) -> str:
        text = constants.get(name, repr(parameters.get(name)))
        return text.capitalize() if text in ("true", "false") else text

    owned = {name: f"{text}" for name, text in contract["elements"].items()}
    for name in arguments:
        text = words.get(name, "")
        shaped = re.match(r"\w+\[([^\]]*)\]", text)
        if shaped:
            for axis, extent in enumerate(_split(shaped[1])):
                size = re.fullmatch(r"(?:(\d+) *\* *)?([^\W\d]\w*)(?: *\+ *(\d+))?", extent)  # n, n+1 of offsets, 2*n of pairs
                if size and size[2] not in known and size[1] != "0":
                    lines.append(f"    {size[2]} = ({name}.shape[{axis}] - {size[3] or 0}) // {size[1] or 1}")
                    known.add(size[2])
        dtype = re.match(r"\*?(\w+)", text)
        if "[" in text or text.startswith("*"):
            tests.append((f"str({name}.dtype)[6:] == {_DTYPES.get(dtype[1], dtype[1])!r}" if dtype else "True", f"{name} is {text}"))
        elif name in constants:
            tests.append((f"{name} == {name_value(name)}", f"{name} is {constants[name]}"))
        elif re.fullmatch(r"(i8|i16|i32|i64)?", text) or text == name:
            most = (1 << (int(text[1:]) - 1)) - 1 if text.startswith("i") and text[1:].isdigit() else _MOST
            tests.append((f"1 <= {name} <= {most}", f"1 <= {name} <= {most}"))
    assumed = {*contract["data"], *contract["chunks"]}

    def owns(name: str, text: str) -> str:
        return f"{'_lists' if name in assumed else 'owned'}({name}, {text})"

    tests += [(owns(name, text), f"{name} owns {text} elements") for name, text in owned.items()]
    tests += [(one, one) for one in contract["facts"]]
    for one in proved.conditions:
        tests.append((re.sub(r"(.*) <= owned\(\"(\w+)\"\)$", lambda found: owns(found[2], found[1]), one.expression), f"{one.text} ({one.place}: {one.reason})"))
    for name, (low, high, rises) in contract["data"].items():
        tests.append((f"_check_data({name}, {low}, {high}, {rises})", f"{name} rises from {low} to {high}" if rises else f"{name} in [{low}, {high}]"))
    for name, (offsets, size, sequences) in contract["chunks"].items():
        tests.append((f"_check_chunks({name}, {offsets}, {size}, {sequences})", f"{name} counts chunks of {size} in {sequences} sequences of {offsets}"))
    # A constexpr that the contract does not name has its default in the proof.
    tests += [(f"{name} == {value!r}", f"{name} is {value!r}") for name, value in parameters.items() if name not in arguments]
    defaults = [f"{name}={name_value(name)}" if name in constants or name not in arguments else name for name in parameters]
    for place, one in enumerate(defaults):  # what follows a default needs one
        if "=" not in one and any("=" in before for before in defaults[:place]):
            defaults[place] = f"{one}=None"
    grid = ["    if callable(grid): grid = grid({" + ", ".join(f"{name!r}: {name}" for name in arguments) + "})",
            "    if type(grid) is int: grid = (grid,)"]
    extents = contract["grid"]
    free = [one.startswith("grid.") for one in extents]
    for axis, extent in enumerate(extents):
        if extent.isidentifier() and extent not in known:  # no tensor's size says it: the launch does
            lines.append(f"    {extent} = grid[{axis}] if len(grid) > {axis} else 1")
            known.add(extent)
        elif not free[axis]:
            tests.append((f"(grid[{axis}] if len(grid) > {axis} else 1) == {extent}", f"grid[{axis}] is {extent}"))
        if free[axis]:
            lines.append(f"    grid_{'xyz'[axis]} = grid[{axis}] if len(grid) > {axis} else 1")
    body = []
    for test, text in tests:
        test = re.sub(r"\bgrid\.([xyz])\b", r"grid_\1", test)
        problem = f"this launch of {proved.report['kernel']} is outside of its proof: {text}"
        body.append(f"    if not ({test}): raise OutsideProof({problem!r})")
    return "\n".join([f"def check(grid, {', '.join(defaults)}, **_):", *grid, *lines, *body]) + "\n"
