"""lockstep.kernel(FILE, NAME): launches through the C++ front end, no Triton taking part."""

import pathlib
import subprocess
import sys

import lockstep
import numpy as np
import pytest
from lockstep.standalone import grid_extents

FILE = pathlib.Path(__file__).parent / "kernels" / "teaching.py"


def make(n=300):
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal(n).astype(np.float32), rng.standard_normal(n).astype(np.float32)
    return x, y, np.zeros(n, np.float32)


def test_a_kernel_is_launched_on_numpy_arrays():
    x, y, out = make()
    report = lockstep.kernel(FILE, "scaled_add")[(3,)](x, y, out, x.size)
    assert np.array_equal(out, (x + y) * 2 * 3)
    assert (report.outcome, report.programs_run, report.grid) == ("completed", 3, (3, 1, 1))


def test_parameters_are_bound_as_python_binds_them():
    x, y, out = make()
    kernel = lockstep.kernel(FILE, "scaled_add")
    kernel[lambda meta: (-(-meta["n"] // meta["BLOCK"]),)](x, y, out=out, n=x.size, BLOCK=64, ADD=False, num_warps=8)
    assert np.array_equal(out, x * 2 * 3)


@pytest.mark.parametrize(
    ("args", "kwargs", "text"),
    [
        ((1, 2, 3, 4, 5, 6, 7), {}, "takes 6 arguments, 7 were given"),
        ((), {}, "no argument for the parameter 'x'"),
        ((np.zeros(1, np.float32),), {"x": 1}, "got two values for 'x'"),
        ((), {"z": 1}, "has no parameter 'z'; it has x, y, out, n, BLOCK, ADD"),
        (("text", None, None, 1), {}, "argument 'x' is a str; kernels take arrays"),
        (([1, 2], None, None, 1), {}, "argument 'x' is a list; Triton takes tuples only"),
        ((2**70, None, None, 1), {}, "which does not fit into a 64-bit integer"),
        ((np.zeros(1, np.complex64), None, None, 1), {}, "holds complex64, a type that Triton does not have"),
    ],
)
def test_arguments_that_no_kernel_takes_are_named(args, kwargs, text):
    with pytest.raises(lockstep.LaunchError, match=text.replace("(", r"\(")):
        lockstep.kernel(FILE, "scaled_add")[(1,)](*args, **kwargs)


def test_a_kernel_that_is_not_there():
    with pytest.raises(lockstep.LaunchError, match="has no kernel 'none' at module level; it has twice, scaled_add"):
        lockstep.kernel(FILE, "none")
    with pytest.raises(lockstep.LaunchError, match="has 5 kernels: twice, scaled_add, .*; choose one: lockstep.kernel"):
        lockstep.kernel(FILE)


def test_a_file_that_is_not_there_or_no_python(tmp_path):
    with pytest.raises(lockstep.CompileError, match="cannot read"):
        lockstep.kernel(tmp_path / "none.py", "k")
    (tmp_path / "bad.py").write_text("def (:\n")
    with pytest.raises(lockstep.CompileError) as caught:
        lockstep.kernel(tmp_path / "bad.py", "k")
    assert caught.value.line == 1 and caught.value.file.endswith("bad.py")


@pytest.mark.parametrize("name", ["float16", "float32"])
def test_dtypes_are_constants(name):
    x, _, out = make(64)
    lockstep.kernel(FILE, "converted")[(1,)](x, out, 0.5, 64, DTYPE=np.dtype(name), BLOCK=64)
    assert np.array_equal(out, (x.astype(name) * np.float32(0.5)).astype(np.float32))


def test_one_specialisation_is_compiled_once():
    x, y, out = make(256)
    kernel = lockstep.kernel(FILE, "scaled_add")
    compiled = kernel.warmup(x, y, out, 256)
    assert kernel.warmup(x, y, out, 272) is compiled  # both are multiples of 16
    assert kernel.warmup(x, y, out, 255) is not compiled
    assert kernel.warmup(x, y, out, 1) is not kernel.warmup(x, y, out, 2)  # 1 is a constant
    assert kernel.warmup(x, y, out, 256, ADD=1) is not kernel.warmup(x, y, out, 256, ADD=True)


def test_the_target_belongs_to_the_specialisation():
    x, y, out = make(256)
    kernel = lockstep.kernel(FILE, "scaled_add")
    with lockstep.options(target="sm_80"):
        older = kernel.warmup(x, y, out, 256)
    assert older.target == "sm_80" and kernel.warmup(x, y, out, 256).target == "sm_90"


def test_a_finding_is_an_exception_at_the_kernel_line():
    with pytest.raises(lockstep.OutOfBoundsError) as caught:
        lockstep.kernel(FILE, "out_of_bounds")[(1,)](np.zeros(100, np.float32), np.zeros(128, np.float32), BLOCK=128)
    assert caught.value.finding.code == "LS101"
    assert caught.value.line == next(
        i for i, line in enumerate(FILE.read_text().splitlines(), 1) if "tl.load(x + offsets))" in line
    )


def test_the_source_may_come_without_a_file():
    source = (
        "import triton, triton.language as tl\n@triton.jit\ndef fill(x, v):\n    tl.store(x + tl.program_id(0), v)\n"
    )
    x = np.zeros(5, np.int64)
    lockstep.kernel("<cell 1>", source=source)[(5,)](x, 7)
    assert x.tolist() == [7] * 5


@pytest.mark.parametrize(("grid", "extents"), [(3, (3, 1, 1)), ((3, 2), (3, 2, 1)), ([1, 2, 3], (1, 2, 3)),
                                               (lambda meta: (meta["n"],), (9, 1, 1)), (np.int64(4), (4, 1, 1))])  # fmt: skip
def test_grids(grid, extents):
    assert grid_extents(grid, {"n": 9}) == extents


@pytest.mark.parametrize("grid", [(), (1, 2, 3, 4), (-1,), (1.5,), ("1",), None])
def test_impossible_grids(grid):
    with pytest.raises(lockstep.LaunchError, match="grid"):
        grid_extents(grid, {})


def test_neither_triton_nor_torch_is_imported():
    code = (f"import sys, numpy as np, lockstep; x = np.ones(64, np.float32); "
            f"lockstep.kernel({str(FILE)!r}, 'scaled_add')[(1,)](x, x, x, 64); "
            f"assert x[0] == 12, x; assert not {{'torch', 'triton'}} & set(sys.modules)")  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numpy_scalars_are_numbers():
    x, y, out = make()
    lockstep.kernel(FILE, "scaled_add")[(3,)](x, y, out, np.int64(x.size), BLOCK=np.int32(128), ADD=np.bool_(True))
    assert np.array_equal(out, (x + y) * 2 * 3)
    lockstep.kernel(FILE, "converted")[(1,)](x, out, np.float32(0.5), np.int16(64), DTYPE=np.dtype("float32"), BLOCK=64)
    assert np.array_equal(out[:64], x[:64] * np.float32(0.5))
