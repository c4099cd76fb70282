"""What Triton itself makes of a kernel on a machine without a GPU: TTIR text, verified TTIR, and a cubin.

Triton 3.6 lowers without a driver when it is told the target. It must be imported with TRITON_INTERPRET unset.
"""

from __future__ import annotations

import collections
import importlib.util
import os
import re
import sys
from pathlib import Path

os.environ.pop("TRITON_INTERPRET", None)

ROOT = Path(__file__).resolve().parents[2]


def split_pairs(text: str) -> dict[str, str]:
    """Reads 'x=*fp32,d=tensordesc<fp16[16,32]>' to a dictionary; commas inside brackets belong to the value."""
    pairs = [piece.partition("=") for piece in split_list(text)]
    return {name.strip(): value.strip() for name, _, value in pairs}


def split_list(text: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth, piece = [], 0, ""
    for letter in text + ",":
        depth += (letter in "[<(") - (letter in "]>)")
        if letter == "," and depth == 0:
            if piece.strip():
                parts.append(piece.strip())
            piece = ""
        else:
            piece += letter
    return parts


def portable(text: str) -> str:
    """TTIR with the folder of Triton's own library taken out of its locations, so that no file names a machine."""
    return re.sub(r'loc\("/[^"]*/site-packages/', 'loc("', text)


def load_kernel(path: str, kernel: str):
    """Imports path (relative to the project, so that locations do not name a machine) and returns one of its kernels."""
    module_name = "example_" + path.replace("/", "_").removesuffix(".py")
    if module_name not in sys.modules:
        previous = Path.cwd()
        os.chdir(ROOT)
        try:
            spec = importlib.util.spec_from_file_location(module_name, path)
            module = importlib.util.module_from_spec(spec)
            module.__file__ = path
            sys.modules[module_name] = module
            code = compile(Path(path).read_text(), path, "exec")
            exec(code, module.__dict__)  # noqa: S102 (the file is ours)
        finally:
            os.chdir(previous)
    return getattr(sys.modules[module_name], kernel)


def signature_type(text: str, place: tuple[int, ...], constexprs: dict):
    """'(*fp32,i32)' is a tuple of types for Triton, '(x=*fp32,n=i32)' a named one; 1 and None in it are constants."""
    if len(place) > 1 and re.fullmatch(r"None|\d+", text):
        constexprs[place] = None if text == "None" else int(text)
        return "constexpr"
    if not text.startswith("("):
        return text
    parts = [re.fullmatch(r"(?:(\w+)=)?(.*)", part).groups() for part in split_list(text[1:-1])]
    types = [signature_type(part, (*place, i), constexprs) for i, (_, part) in enumerate(parts)]
    if parts and parts[0][0]:
        return collections.namedtuple("Named", [name for name, _ in parts])(*types)
    return tuple(types)


def source_of(kernel, sig: str, attr: str, constants: dict):
    """The specialisation of a kernel, in the words of `lockstep emit`."""
    from triton.compiler import ASTSource

    types, divisible = split_pairs(sig), split_pairs(attr)
    names = kernel.arg_names
    constexprs = {(names.index(name),): value for name, value in constants.items()}
    signature = {name: signature_type(types.get(name, "constexpr"), (i,), constexprs) for i, name in enumerate(names)}
    attributes = {(names.index(name),): [["tt.divisibility", int(value)]] for name, value in divisible.items()}
    return ASTSource(kernel, signature, constexprs, attributes)


def lower(kernel, sig: str, attr: str, constants: dict, arch: int = 90, stage: str = "ttir", num_warps: int = 4):
    """Returns the MLIR module after Triton's front end ('raw') or after make_ttir ('ttir')."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import make_backend

    target = GPUTarget("cuda", arch, 32)
    backend = make_backend(target)
    options = backend.parse_options({"num_warps": num_warps})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    previous = Path.cwd()
    os.chdir(ROOT)
    try:
        source = source_of(kernel, sig, attr, constants)
        module = source.make_ir(
            target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
        )
        if stage == "raw":
            return module
        stages: dict = {}
        backend.add_stages(stages, options, source.language)
        return stages["ttir"](module, {})
    finally:
        os.chdir(previous)


def place_and_kind(error: BaseException, path: Path) -> tuple[int | None, str]:
    """Where in the file at `path` Triton says an error is (the innermost place in it; None if it says none), and the
    class of the error: of what Triton wrapped, if it wrapped something."""
    from triton.compiler.errors import CompilationError
    from triton.runtime.jit import JITFunction, get_jit_fn_file_line

    functions = {
        value.src: get_jit_fn_file_line(value)
        for module in list(sys.modules.values())
        for value in list(getattr(module, "__dict__", {}).values())
        if isinstance(value, JITFunction)
    }
    line, kind = None, type(error).__name__
    while error is not None:
        kind = type(error).__name__
        if isinstance(error, CompilationError):
            file, begin = functions.get(error.src, ("", 0))
            if Path(file).name == path.name and hasattr(error.node, "lineno"):
                line = begin + error.node.lineno - 1
            wrapped = re.match(r"(\w+)\(", error.error_message or "")
            if kind == "CompilationError" and wrapped:
                kind = wrapped[1]
        error = error.__cause__
    return line, kind


def compile_ttir(path: Path, arch: int = 90, num_warps: int = 4):
    """Lets Triton parse, verify and compile a TTIR file for a GPU that is not there. Raises when it does not accept it."""
    import triton
    from triton.backends.compiler import GPUTarget

    return triton.compile(str(path), target=GPUTarget("cuda", arch, 32), options={"num_warps": num_warps})
