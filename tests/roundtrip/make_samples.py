#!/usr/bin/env python3
"""Maintainer's script: writes the samples of one Triton version.

  PYTHONPATH=<an unpacked Triton wheel> make_samples.py FOLDER [KERNEL ...]

compiles the kernels of ops.py and new_ops.py as far as TTIR, on a machine without a GPU, and writes FOLDER/KERNEL.STAGE.mlir:
  raw90   what the front end emits before any pass, without locations
  ttir90  what a cached .ttir file holds for compute capability 9.0, without locations
  ttir80  the same for 8.0, where it differs
  loc90   as ttir90 with locations, as on disk
A kernel that this version refuses is named and left out. Outside of the folders 3.6 and 3.9, which are whole, a text that
another version's folder has already is not written.
"""
import importlib.util
import inspect
import os
import re
import sys

os.environ.pop("TRITON_INTERPRET", None)
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
HERE = os.path.dirname(os.path.abspath(__file__))

# file, kernel: types of the parameters, constants
KERNELS = [
    ("ops", "elem_f", "x=*fp32 o=*fp32", {"BLOCK": 64}),
    ("ops", "elem_i", "x=*i32 u=*u32 o=*i32 p=*u32", {"BLOCK": 64}),
    ("ops", "casts", "f32=*fp32 f16=*fp16 bf=*bf16 f8=*fp8e5 f64=*fp64 i32=*i32 i8=*i8 u8=*u8 i64=*i64 b1=*i1 o=*fp32",
     {"BLOCK": 64}),
    ("ops", "shapes", "x=*fp32 o=*fp32", {"M": 8, "N": 16}),
    ("ops", "control", "x=*fp32 o=*fp32 n=i32 k=i32", {"BLOCK": 64}),
    ("ops", "toplevel_ret", "x=*fp32 n=i32", {}),
    ("ops", "ptrs", "x=*fp16 o=*fp16 M=i32 N=i32 sm=i32", {"BM": 16, "BN": 32}),
    ("ops", "descs", "x=*fp16 o=*fp16 M=i32 N=i32", {"BM": 16, "BN": 32}),
    ("ops", "hostdesc", "d=tensordesc<fp16[16,32]> o=*i32", {}),
    ("ops", "atomics", "i32p=*i32 u32p=*u32 f32p=*fp32 f16p=*fp16 i64p=*i64 o=*i32", {"BLOCK": 64}),
    ("ops", "dots", "a=*fp32 b=*fp32 c8=*u8 s=*u8 o=*fp32", {"K": 64}),
    ("ops", "misc", "x=*fp32 o=*fp32 n=i32", {"BLOCK": 64}),
    ("new_ops", "atomic_access", "flags=*i32 x=*fp32 o=*fp32 n=i32", {"BLOCK": 64}),
    ("new_ops", "atomic_wait", "flags=*i32 o=*i32 n=i64", {}),
    ("new_ops", "dependent_launch", "x=*fp32 o=*fp32", {"BLOCK": 64}),
    ("new_ops", "extents", "x=*fp32 o=*fp32", {"M": 8, "N": 16}),
    ("new_ops", "folds", "x=*fp32 o=*fp32", {"M": 8, "N": 16}),
    ("new_ops", "half_floats", "x=*fp16 y=*bf16 z=*fp32 o=*fp32", {"BLOCK": 64}),
    ("new_ops", "wide", "x=*i32 o=*i64 n=i64", {"BLOCK": 64}),
    ("new_ops", "branches", "x=*fp32 o=*fp32 n=i32", {"BLOCK": 64}),
    ("new_ops", "calls", "x=*fp32 o=*fp32 n=i32", {"BLOCK": 64}),
    ("new_ops", "narrow_floats", "x=*fp32 o=*fp32 p=*fp8e4nv", {"K": 32}),
    ("new_ops", "packed_scale", "x=*u8 s=*u8 o=*fp32", {"M": 32, "K": 64}),
    ("new_ops", "descriptor_kinds", "x=*i32 y=*u32 o=*fp32 M=i32 N=i32", {"BM": 16, "BN": 32}),
    ("new_ops", "old_descriptors", "x=*fp16 M=i32 N=i32", {}),
    ("new_ops", "raw_descriptors", "x=*fp16", {}),
]
# Asserts stay in with debug, and with sanitize_overflow there is one for every integer sum.
OPTIONS = {"misc": {"debug": True, "sanitize_overflow": False}, "wide": {"debug": True}}
DEFAULT_OPTIONS = {"sanitize_overflow": False}
STAGES = {"raw90": ("raw", 90, False), "ttir90": ("ttir", 90, False), "ttir80": ("ttir", 80, False),
          "loc90": ("ttir", 90, True)}


def load(name):
    """The module `name` of this folder; None if this version cannot import it."""
    path = os.path.join(HERE, name + ".py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def split_types(text):
    return dict(part.split("=", 1) for part in text.split())


def make_ir(source, target, options, backend, context):
    rest = [options, backend.get_codegen_implementation(options), backend.get_module_map(), context]
    if "target" in inspect.signature(source.make_ir).parameters:
        rest.insert(0, target)
    return source.make_ir(*rest)


def module_of(kernel, types, constants, chosen, stage, arch):
    """The kernel's IR at a stage: raw or ttir."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource, make_backend
    names = kernel.arg_names
    signature = {name: types.get(name, "constexpr") for name in names}
    constexprs = {(names.index(name),): value for name, value in constants.items()}
    target = GPUTarget("cuda", arch, 32)
    backend = make_backend(target)
    options = backend.parse_options(dict(chosen))
    source = ASTSource(kernel, signature, constexprs, {})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = make_ir(source, target, options, backend, context)
    if stage == "raw":
        return module
    stages = {}
    adds_language = len(inspect.signature(backend.add_stages).parameters) > 2
    backend.add_stages(stages, options, *([source.language] if adds_language else []))
    return stages["ttir"](module, {})


def text_of(module, locations):
    """The module's text, with file names instead of paths; None if this version cannot leave locations out."""
    if not locations and not hasattr(module, "str_nodebug"):
        return None
    text = str(module) if locations else module.str_nodebug()
    text = re.sub(r'"(?:[^"]*/)?(\w+\.py)"', r'"\1"', text)
    return text.rstrip("\n") + "\n"


WHOLE = ("3.6", "3.9")


def is_elsewhere(folder, text):
    """Whether a folder is not one of WHOLE, and another version's folder has the same text."""
    own = os.path.basename(os.path.abspath(folder))
    if own in WHOLE:
        return False
    for version in sorted(os.listdir(HERE)):
        other = os.path.join(HERE, version)
        if version == own or not os.path.isdir(other):
            continue
        for name in os.listdir(other):
            with open(os.path.join(other, name), encoding="utf-8") as file:
                if name.endswith(".mlir") and file.read() == text:
                    return True
    return False


def main():
    folder, wanted = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    import triton
    print("Triton", triton.__version__)
    modules, refused = {}, {}
    for file, name, types, constants in KERNELS:
        if wanted and name not in wanted:
            continue
        texts = {}
        for stage, (kind, arch, locations) in STAGES.items():
            try:
                if file not in modules:
                    modules[file] = load(file)
                module = module_of(getattr(modules[file], name), split_types(types), constants,
                                   OPTIONS.get(name, DEFAULT_OPTIONS), kind, arch)
                text = text_of(module, locations)
            except Exception as error:  # any refusal of any version
                last_line = (str(error).strip().splitlines() or [""])[-1]
                refused.setdefault(f"{name}: {type(error).__name__}: {last_line}", []).append(stage)
                continue
            texts[stage] = text
            same = text is None or stage == "ttir80" and text == texts.get("ttir90") or is_elsewhere(folder, text)
            if not same:
                with open(os.path.join(folder, f"{name}.{stage}.mlir"), "w") as out:
                    out.write(text)
    for message, stages in refused.items():
        print("refused", message, "(" + ", ".join(stages) + ")")


if __name__ == "__main__":
    main()
