"""The front end's Gluon against Triton 3.6's: equal IR before any pass, for tests/frontend/gluon and the kernels of the Python package's tests.

Both texts are compared without locations, after Triton's own parser and printer.
"""

import ast
import importlib.util
import re
import sys
from pathlib import Path

import lockstep_tool
import pytest
import triton_oracle
from test_frontend_oracle import through_triton

TESTS = Path(__file__).resolve().parents[1]
OK = sorted((TESTS / "frontend" / "gluon").glob("*.py"))
BOX = "tensordesc<fp16[64,64],NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2, transposed=False, fp4_padded=False, cga_layout=[])>"
ROW = BOX.replace("fp16[64,64]", "fp16[1,64]")
# Of tests/python_package/gluon_kernels.py: signature, constants, architecture.
OF_THE_PACKAGE = {
    "axpy": ("x=*fp32,y=*fp32,out=*fp32,n=i32,alpha=fp32", {"BLOCK": 512}, 90),
    "sums": ("x=*fp32,out=*fp32,tiles=i32", {"BLOCK": 512, "STAGES": 3, "LEFT": 1}, 90),
    "doubled": (f"source={BOX},target={BOX}", {"ROWS": 64, "COLUMNS": 64, "BYTES": 8192}, 90),
    "matmul": (f"a={BOX},b={BOX},out=*fp32,steps=i32,out_row=i32", {"TILE": 64, "TILE_K": 64, "STAGES": 2, "LEFT": 0}, 90),
    "attention": (f"q={BOX},k={BOX},v={BOX},out=*fp16,length=i32,scale=fp32", {"SIZE": 64}, 90),
    "into_tensor_memory": ("x=*fp32,out=*fp32", {"SIZE": 32, "COMMITS": True}, 100),
    "picked": (f"source={ROW},target={ROW},from_rows=*i32,to_rows=*i32,column=i32", {"ROWS": 32, "COLUMNS": 64, "BYTES": 4096}, 100),
    "across": ("x=*fp32,out=*fp32", {"SIZE": 64}, 90),
}
BLOCKS = {"across": 2}  # of a cluster; 1 where nothing is said


def cases() -> list:
    """(file, kernel, signature, constants, architecture); a case of tests/frontend/gluon says them in `# spec:` lines."""
    found = []
    for path in OK:
        for kernel, words in re.findall(r"^# spec: (\w+) (.*)$", path.read_text(), re.M):
            arch = re.search(r"--as sm_(\d+)", words)
            words = words.split(" --as ")[0].strip()
            signature, _, constants = words.partition(" ; ")
            values = dict(word.split("=", 1) for word in constants.split())
            found.append((path, kernel, signature, {k: ast.literal_eval(v) for k, v in values.items()}, int(arch[1]) if arch else 90))
    package = TESTS / "python_package" / "gluon_kernels.py"
    return found + [(package, kernel, *row) for kernel, row in OF_THE_PACKAGE.items()]


def load(path: Path):
    """Imports a file under its own name, which Triton puts into the names of helpers."""
    if path.stem not in sys.modules:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        sys.modules[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[path.stem])
    return sys.modules[path.stem]


def tritons(path: Path, kernel: str, signature: str, constants: dict, arch: int) -> str:
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import make_backend
    from triton.experimental.gluon._runtime import GluonASTSource

    function = getattr(load(path), kernel)
    types = triton_oracle.split_pairs(signature)
    names = function.arg_names
    values = {(names.index(name),): value for name, value in constants.items()}
    source = GluonASTSource(function, {name: types.get(name, "constexpr") for name in names}, values, {})
    target = GPUTarget("cuda", arch, 32)
    backend = make_backend(target)
    options = backend.parse_options({"num_ctas": BLOCKS.get(kernel, 1)})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    return module.str_nodebug()


def emit(path: Path, kernel: str, signature: str, constants: dict, arch: int, stage: str) -> lockstep_tool.Result:
    words = ["emit", f"{path}::{kernel}", "--sig", signature, "--stage", stage, "--as", f"sm_{arch}"]
    words += ["--num-ctas", str(BLOCKS.get(kernel, 1))]
    return lockstep_tool.call(words + [f"{name}={value}" for name, value in constants.items()])


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case[0].stem}.{case[1]}")
def test_gluon_is_tritons(case, tmp_path):
    result = emit(*case, "raw")
    assert result.exit_code == 0, result.text()
    assert through_triton(result.output, tmp_path) == through_triton(tritons(*case), tmp_path)


REJECTED = TESTS / "frontend" / "gluon_reject.py"


def rejected() -> list[tuple[str, int, str]]:
    """(kernel, line, code) of each kernel with a mark; the mark is the last word of a line."""
    found, kernel = [], ""
    for number, line in enumerate(REJECTED.read_text().splitlines(), 1):
        name = re.match(r"def (\w+)", line)
        kernel = name[1] if name else kernel
        mark = re.search(r"# (LS\d+)$", line)
        if mark:
            found.append((kernel, number, mark[1]))
    return found


@pytest.mark.parametrize("case", rejected(), ids=lambda case: case[0])
def test_triton_refuses_it_too(case):
    kernel, line, code = case
    names = getattr(load(REJECTED), kernel).arg_names
    signature = ",".join(f"{name}={'*i32' if name == 'out' else 'i32'}" for name in names)
    result = emit(REJECTED, kernel, signature, {}, 90, "ttir")
    assert result.exit_code == 2, result.text()
    assert f"{REJECTED.name}:{line}:" in result.errors and f"[{code}]" in result.errors, result.text()
    with pytest.raises(Exception):  # noqa: B017, PT011 (whatever Triton raises)
        tritons(REJECTED, kernel, signature, {}, 90)


def test_open_layouts_are_settled():
    path = OK[0]
    result = emit(path, "open_until_set", "out=*i32", {"SIZE": 256}, 90, "ttir")
    assert result.exit_code == 0 and "auto" not in result.output, result.text()
