#!/usr/bin/env python3
"""Differential fuzzing of the front end: kernels of tests/frontend/ok with their syntax trees changed.

    front_end_fuzz.py LOCKSTEP [--seconds N] [--seed N] [--keep FOLDER] [--corpus SHARE]

`lockstep emit` must neither crash nor hang, and what it accepts Triton's front end must accept. Exit code 1 and the
kernels in FOLDER otherwise; 77 without Triton. --corpus 0.5: half of the seeds are kernels of the corpus's packages. Python's own parser sees to it that every kernel is Python.
"""

import argparse
import ast
import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import corpus_seeds  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SEEDS = sorted((ROOT / "tests" / "frontend" / "ok").glob("*.py"))
OPERATORS = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor]
COMPARISONS = [ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.In]
CONSTANTS = [0, 1, 2, 3, 8, 16, -1, 7, 255, 256, 1 << 31, 1 << 40, 0.5, -0.0, 1e300, True, False, None, "a", ""]
TYPES = ["int1", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "bfloat16", "float32", "float64", "float8e5"]
SECONDS_PER_KERNEL = 20


class Mutation:
    """One random change of a module's tree, in a function of it."""

    def __init__(self, functions: list[ast.FunctionDef], source: random.Random):
        self.random = source
        self.function = source.choice(functions)
        nodes = [node for statement in self.function.body for node in ast.walk(statement)]
        self.expressions = [node for node in nodes if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)]
        self.names = sorted({node.id for node in nodes if isinstance(node, ast.Name)} | {"o", "n", "tl"})
        self.bodies = [self.function.body] + [node.body for node in nodes if isinstance(node, (ast.If, ast.For, ast.While))]
        self.nodes = nodes

    def apply(self) -> None:
        self.random.choice(
            [self.operator, self.constant, self.name, self.swap, self.delete, self.repeat, self.wrap, self.dtype, self.argument, self.method]
        )()

    def pick(self, *kinds):
        found = [node for node in self.nodes if isinstance(node, kinds)]
        return self.random.choice(found) if found else None

    def operator(self) -> None:
        node = self.pick(ast.BinOp, ast.AugAssign, ast.Compare, ast.UnaryOp, ast.BoolOp)
        if isinstance(node, (ast.BinOp, ast.AugAssign)):
            node.op = self.random.choice(OPERATORS)()
        elif isinstance(node, ast.Compare):
            node.ops[0] = self.random.choice(COMPARISONS)()
        elif isinstance(node, ast.UnaryOp):
            node.op = self.random.choice([ast.USub, ast.Not, ast.Invert, ast.UAdd])()
        elif isinstance(node, ast.BoolOp):
            node.op = self.random.choice([ast.And, ast.Or])()

    def constant(self) -> None:
        node = self.pick(ast.Constant)
        if node is not None:
            node.value = self.random.choice(CONSTANTS)
            node.kind = None

    def name(self) -> None:
        node = self.pick(ast.Name)
        if node is not None:
            node.id = self.random.choice(self.names)

    def swap(self) -> None:
        """An expression takes the place of another."""
        if len(self.expressions) < 2:
            return
        a, b = self.random.sample(self.expressions, 2)
        b = copy.deepcopy(b)
        for parent in self.nodes:
            for field, value in ast.iter_fields(parent):
                if value is a and not isinstance(parent, (ast.FormattedValue, ast.JoinedStr)):
                    setattr(parent, field, b)
                elif isinstance(value, list) and a in value and not isinstance(parent, ast.JoinedStr):
                    value[value.index(a)] = b

    def delete(self) -> None:
        body = self.random.choice(self.bodies)
        if len(body) > 1:
            del body[self.random.randrange(len(body))]

    def repeat(self) -> None:
        source, target = self.random.choice(self.bodies), self.random.choice(self.bodies)
        statement = copy.deepcopy(self.random.choice(source))
        target.insert(self.random.randrange(len(target) + 1), statement)

    def wrap(self) -> None:
        """A statement goes into a branch or a loop."""
        body = self.random.choice(self.bodies)
        at = self.random.randrange(len(body))
        head = self.random.choice(["if n > 3:", "if 1:", "if None:", "for w in range(n):", "for w in tl.static_range(2):", "while n > 1:"])
        outer = ast.parse(head + "\n    pass").body[0]
        outer.body = [body[at]]
        if isinstance(outer, ast.If) and self.random.random() < 0.3:
            outer.orelse = [copy.deepcopy(body[at])]
        body[at] = outer

    def dtype(self) -> None:
        found = [node for node in self.nodes if isinstance(node, ast.Attribute) and node.attr in TYPES]
        if found:
            self.random.choice(found).attr = self.random.choice(TYPES)

    def argument(self) -> None:
        node = self.pick(ast.Call)
        if node is None:
            return
        change = self.random.randrange(4)
        if change == 0 and node.args:
            del node.args[self.random.randrange(len(node.args))]
        elif change == 1 and node.keywords:
            del node.keywords[self.random.randrange(len(node.keywords))]
        elif change == 2 and len(node.args) > 1:
            self.random.shuffle(node.args)
        elif self.expressions:
            node.args.append(copy.deepcopy(self.random.choice(self.expressions)))

    def method(self) -> None:
        """tl.f(x) calls another function of the kernel's."""
        found = [node for node in self.nodes if isinstance(node, ast.Attribute)]
        if len(found) > 1:
            a, b = self.random.sample(found, 2)
            a.attr = b.attr


def changed(source: random.Random, tree: ast.Module, functions: list[ast.FunctionDef]) -> str | None:
    """The module's text after some changes; None if that is no Python."""
    for _ in range(source.choice([1, 1, 1, 2, 3])):
        Mutation(functions, source).apply()
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError, TypeError, RecursionError):
        return None
    return text


def mutant(source: random.Random) -> tuple[str, str]:
    seed = source.choice(SEEDS)
    text = seed.read_text()
    for _ in range(20):
        tree = ast.parse(text)
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        if (mutated := changed(source, tree, functions)) is not None:
            spec = re.search(r"^# spec: .*$", text, re.M).group(0)
            return seed.stem, f"{spec}\n{mutated}\n"
    return seed.stem, text


def corpus_mutant(source: random.Random, lines: list) -> tuple[str, str]:
    line = corpus_seeds.pick(source, lines)
    name = line["kernel"].rpartition(".")[2]
    for _ in range(20):
        tree, functions = corpus_seeds.tree_of(line)
        if functions and (mutated := changed(source, tree, functions)) is not None:
            break
    else:
        mutated = ast.unparse(corpus_seeds.tree_of(line)[0])
    return f"corpus_{name}", f"{mutated}\n{corpus_seeds.MARK}{json.dumps(line)}\n"


class Triton:
    """Triton's front end in a process of its own, which a failed assertion may end."""

    def __init__(self, python: str):
        self.command = [python, str(Path(__file__).resolve()), "--worker"]
        self.process = None

    def verdict(self, path: Path) -> str:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else "the process ended"

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def worker() -> None:
    sys.path.insert(0, str(ROOT / "tests" / "triton_oracle"))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what kernels print is no answer
    import test_frontend_oracle as oracle
    import triton_oracle

    for line in sys.stdin:
        path = Path(line.strip())
        try:
            recorded = corpus_seeds.line_in(path.read_text())
            if recorded is not None:
                corpus_seeds.lower_by_triton(recorded, path)
            else:
                signature, constants = oracle.read_spec(path)
                triton_oracle.lower(oracle.load(path), signature, "", oracle.values_of(path, constants), stage="raw")
            answer = "accepted"
        except Exception as error:  # noqa: BLE001 (any of its errors is a refusal)
            answer = f"{type(error).__name__}: {error}"[-600:]
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def ours(lockstep: str, path: Path) -> subprocess.CompletedProcess:
    sys.path.insert(0, str(ROOT / "tests" / "triton_oracle"))
    import test_frontend_oracle as oracle

    recorded = corpus_seeds.line_in(path.read_text())
    if recorded is not None:
        words = [lockstep, *corpus_seeds.words_of(recorded, path)]
    else:
        signature, constants = oracle.read_spec(path)
        words = [lockstep, "emit", f"{path}::kernel", "--sig", signature, "--stage", "raw"]
        words += [f"{name}={value}" for name, value in constants.items()]
    return subprocess.run(words, capture_output=True, text=True, timeout=SECONDS_PER_KERNEL, errors="replace")


def problem_of(lockstep: str, triton: Triton, path: Path, counts: dict) -> str:
    """What is wrong with a kernel's lowering; "" if nothing is."""
    try:
        result = ours(lockstep, path)
    except subprocess.TimeoutExpired:
        return "lockstep hangs"
    if result.returncode not in (0, 2, 4):
        return f"lockstep ends with {result.returncode}: {result.stderr[-400:]}"
    counts["kernels"] += 1
    if result.returncode != 0:
        return ""
    counts["accepted"] += 1
    verdict = triton.verdict(path)
    return "" if verdict == "accepted" else f"Triton refuses it: {verdict}"


def kind_of(text: str) -> str:
    return "own" if corpus_seeds.line_in(text) is None else "corpus"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=float, default=0.0, help="this share of the seeds are kernels of installed packages")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.mkdtemp(prefix="lockstep-front-end-")))
    options = parser.parse_args()
    try:
        import pytest  # noqa: F401
        import triton  # noqa: F401
    except ImportError:
        print("skipped: no Triton here")
        return 77
    options.keep.mkdir(parents=True, exist_ok=True)
    lines = corpus_seeds.read_seeds() if options.corpus > 0 else []
    # The corpus's kernels in a process of their own: the GPU that they see is Lockstep's, where asserts are kept.
    processes = {name: Triton(sys.executable) for name in ("own", "corpus")}
    source, counts, failures = random.Random(options.seed), {"kernels": 0, "accepted": 0}, 0
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        name, text = corpus_mutant(source, lines) if source.random() < options.corpus else mutant(source)
        path = options.keep / f"{name}.py"
        path.write_text(text)
        if problem := problem_of(options.lockstep, processes[kind_of(text)], path, counts):
            failures += 1
            kept = options.keep / f"failure_{failures}_{name}.py"
            kept.write_text(text)
            print(f"{kept}: {problem}\n", flush=True)
    for process in processes.values():
        process.close()
    print(f"{counts['kernels']} kernels, {counts['accepted']} accepted by both, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        worker()
    else:
        sys.exit(main())
