"""Kernels of the corpus's packages as seeds of front_end_fuzz.py: imported where they are installed, nothing is copied.

A seed is a recorded specialisation (tests/cuda/corpus_signatures.jsonl.gz) and the source file of its kernel, whose relative
imports are made absolute, so that a changed copy may lie anywhere. What both sides need is in the copy's last line."""

from __future__ import annotations

import ast
import functools
import importlib.util
import json
import random
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "frontend"))

MARK = "# corpus: "
Line = dict[str, Any]


def source_file(line: Line) -> Path | None:
    """Where the kernel's module lies, without importing it."""
    module = line["kernel"].rpartition(".")[0].split(".")
    base = Path(sysconfig.get_paths()["purelib"], *module)
    found = [path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()]
    return found[0] if found else None


def read_seeds() -> list[Line]:
    from corpus_lowering import corpus_ttir

    return [line for line in corpus_ttir.read_signatures() if source_file(line) is not None]


class Movable(ast.NodeTransformer):
    """Makes a module one that may lie anywhere, and be imported many times in a process."""

    def __init__(self, module: str, is_package: bool) -> None:
        self.package = module.split(".") if is_package else module.split(".")[:-1]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.level:
            outer = self.package[: len(self.package) - node.level + 1]
            node.module, node.level = ".".join([*outer, *([node.module] if node.module else [])]), 0
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """A library of operators has another name each time: torch registers an operator once."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "Library" and node.args:
            node.args[0] = ast.parse("'lockstep' + __import__('uuid').uuid4().hex", mode="eval").body
        self.generic_visit(node)
        return node


def tree_of(line: Line) -> tuple[ast.Module, list[ast.FunctionDef]]:
    """The module, and its functions that Triton compiles for the kernel."""
    path = source_file(line)
    assert path is not None
    module, _, name = line["kernel"].rpartition(".")
    tree = Movable(module, path.name == "__init__.py").visit(ast.parse(path.read_text(encoding="utf-8")))
    jit = {
        node.name: node for node in tree.body
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(one) for one in node.decorator_list)
    }  # fmt: skip
    chosen, pending = {}, [name]
    while pending:
        function = jit.get(pending.pop())
        if function is None or function.name in chosen:
            continue
        chosen[function.name] = function
        pending += [node.id for node in ast.walk(function) if isinstance(node, ast.Name)]
    return tree, list(chosen.values())


def pick(source: random.Random, seeds: list[Line]) -> Line:
    """Every kernel as often as any other, whatever its number of specialisations."""
    name = source.choice(sorted({line["kernel"] for line in seeds}))
    return source.choice([line for line in seeds if line["kernel"] == name])


def line_in(text: str) -> Line | None:
    last = text.rstrip().rpartition("\n")[2]
    return json.loads(last.removeprefix(MARK)) if last.startswith(MARK) else None


def words_of(line: Line, path: Path) -> list[str]:
    """The arguments of `lockstep`."""
    import corpus_lowering

    words = corpus_lowering.words_of(line, str(path), line["kernel"].rpartition(".")[2])
    return [*words, "--path", sysconfig.get_paths()["purelib"]]


@functools.cache
def prepare() -> None:
    """Once in a process: packages see a pretended GPU."""
    from corpus_lowering import corpus_ttir

    corpus_ttir.start_process()


def lower_by_triton(line: Line, path: Path) -> None:
    """Raises what Triton's front end raises."""
    import corpus_lowering
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget

    corpus_ttir = corpus_lowering.corpus_ttir
    prepare()
    corpus_ttir.prepare_package(line["package"])
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    target = GPUTarget("cuda", corpus_lowering.ARCHITECTURE, 32)
    backend = corpus_lowering.triton_backend(target)
    options = backend.parse_options({"num_warps": line["warps"], "num_stages": line["stages"]})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = corpus_ttir.source_of({**line, "kernel": f"{path.stem}.{line['kernel'].rpartition('.')[2]}"})
    source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
