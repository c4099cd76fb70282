"""Another version of Triton as one more side of bench/gpu.py: compiled without a GPU, launched beside the others.

    PYTHONPATH=.cache/triton-3.9.0 python bench/other_triton.py FOLDER        here: cubins of all rows for sm_90
    python bench/gpu.py build/lockstep --other FOLDER                         on the GPU

A process has one Triton. So the other version's cubins are made before, and launched through the driver as Lockstep's are.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

TYPES = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float8_e4m3fn": "fp8e4nv", "int32": "i32"}


def stem_of(row: Any) -> str:
    return hashlib.sha256(f"{row.name}, {row.setting}".encode()).hexdigest()[:16]


def type_of(value: Any) -> str:
    if isinstance(value, float):
        return "fp32"
    if isinstance(value, int):
        return "i32" if -(2**31) <= value < 2**31 else "i64"
    return "*" + TYPES[str(value.dtype).removeprefix("torch.")]


def compile_row(row: Any) -> Any:
    """As a launch specialises it: ones are constants, pointers and multiples of 16 are known to be such."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    names = row.kernel.arg_names
    values = dict(zip(names, row.arguments))
    constants = row.constants | {name: 1 for name, value in values.items() if isinstance(value, int) and value == 1}
    signature = {name: "constexpr" if name in constants else type_of(values[name]) for name in names}
    aligned = [i for i, name in enumerate(names) if signature[name] != "constexpr"
               and (signature[name].startswith("*") or (isinstance(values[name], int) and values[name] % 16 == 0))]
    source = ASTSource(row.kernel, signature, constants, {(i,): [["tt.divisibility", 16]] for i in aligned})
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": row.warps, "num_stages": row.stages})


def prepare(folder: Path) -> int:
    import gpu
    import triton

    gpu.DEVICE = "meta"
    folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    for row in (row for make in gpu.MAKERS for row in make()):
        try:
            made = compile_row(row)
        except Exception as problem:  # of the compiler: the row has no other side
            failures += 1
            print(f"{row.name}, {row.setting}: {type(problem).__name__}: {str(problem)[:200]}")
            continue
        facts = made.metadata
        scratch = {name: getattr(facts, f"{name}_scratch_size", 0) or 0 for name in ("global", "profile")}
        (folder / f"{stem_of(row)}.cubin").write_bytes(made.asm["cubin"])
        (folder / f"{stem_of(row)}.json").write_text(json.dumps({
            "triton": triton.__version__, "row": row.name, "setting": row.setting, "name": facts.name, "shared": facts.shared,
            "threads": 32 * facts.num_warps, "scratch": scratch}))
    print(f"{folder}: Triton {triton.__version__}, {failures} rows not compiled")
    return 1 if failures else 0


def version_in(folder: Path) -> str:
    found = {json.loads(path.read_text())["triton"] for path in folder.glob("*.json")}
    if len(found) != 1:
        raise SystemExit(f"{folder}: cubins of {len(found)} versions of Triton")
    return found.pop()


def launcher(row: Any, folder: Path, driver: Any) -> Callable[[], None]:
    """Raises RuntimeError if the row was not compiled, or needs scratch memory."""
    import gpu

    place = folder / f"{stem_of(row)}.json"
    if not place.exists():
        raise RuntimeError("the other Triton did not compile it")
    facts = json.loads(place.read_text())
    if any(facts["scratch"].values()):
        raise RuntimeError("the other Triton wants scratch memory")
    function = driver.load(place.with_suffix(".cubin").read_bytes(), facts["name"], facts["shared"])
    values = gpu.parameters_of(row) + [ctypes.c_uint64(0)] * len(facts["scratch"])
    return driver.launcher(function, row.extents, facts["threads"], facts["shared"], values)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.exit(prepare(Path(sys.argv[1])))
