"""The stand-in `triton`, in processes that have no other: their sys.path has NumPy and lockstep only."""

import os
import pathlib
import subprocess
import sys
import textwrap

import lockstep
import numpy as np
import pytest

HERE = pathlib.Path(__file__).parent


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """Runs code in a Python without site-packages; returns what it printed."""
    folder = tmp_path_factory.mktemp("site")
    site = pathlib.Path(np.__file__).parent.parent
    for name in ("numpy", "numpy.libs"):
        if (site / name).exists():
            (folder / name).symlink_to(site / name)
    package = pathlib.Path(lockstep.__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(package), str(folder), str(HERE / "kernels")])}

    def run(code: str, install: bool = True) -> str:
        text = "import lockstep.triton_stub\nlockstep.triton_stub.install()\n" if install else ""
        done = subprocess.run([sys.executable, "-S", "-c", text + textwrap.dedent(code)], env=environment, text=True,
                              capture_output=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_a_kernel_file_is_imported_and_launched(bare):
    assert (
        bare("""
        import numpy as np, triton, teaching
        x = np.arange(300, dtype=np.float32)
        out = np.zeros_like(x)
        teaching.scaled_add[(triton.cdiv(300, 128),)](x, x, out, 300)
        assert np.array_equal(out, x * 12)
        print(triton.__version__, triton.is_lockstep_stub)
    """)
        == "3.6.0 True\n"
    )


def test_autotune_and_heuristics(bare):
    assert (
        bare("""
        import numpy as np, teaching
        x = np.zeros(128, np.float32)
        out = np.zeros(128, np.float32)
        teaching.tuned[lambda meta: (128 // meta["BLOCK"],)](x, out, 128)
        print(out[0], out[-1], teaching.tuned.best_config)
        teaching.tuned[(2,)](x, out, 100)
        print(out[0], out[99], out[100])
    """)
        == "64.0 64.0 Config({'BLOCK': 64}, num_warps=2, num_stages=3)\n-64.0 -64.0 64.0\n"
    )


def test_every_configuration_runs_when_asked(bare):
    assert (
        bare("""
        import lockstep, numpy as np, teaching
        seen = []
        run = teaching.tuned.fn.run
        teaching.tuned.fn.run = lambda *a, **k: (seen.append(k["BLOCK"]), run(*a, **k))[1]
        with lockstep.options(autotune="all"):
            teaching.tuned[lambda meta: (128 // meta["BLOCK"],)](np.zeros(128, np.float32), np.zeros(128, np.float32), 128)
        print(seen)
    """)
        == "[64, 128, 64]\n"
    )


def test_the_language_at_module_level(bare):
    assert bare("""
        import triton, triton.language as tl
        import triton.language.math as tlm
        from triton.language.extra import libdevice
        from triton.language.extra.cuda import libdevice as same
        print(hasattr(tl, "gather"), hasattr(tl, "no_such_function"), hasattr(libdevice, "erf"), hasattr(same, "nothing"))
        print(tl.float16, repr(tl.int32), tl.float8e4nv.primitive_bitwidth, tl.pointer_type(tl.int8), tl.float32 == tl.float32)
        print(tl.constexpr(4) * 2 + 1, bool(tl.constexpr(0)), tl.constexpr(8) == 8, [10, 20][tl.constexpr(1)])
        print(triton.next_power_of_2(1000), triton.cdiv(7, 2), tlm.exp.__name__)
        try:
            tl.load(1)
        except RuntimeError as error:
            print(error)
    """).splitlines() == [
        "True False True False",
        "fp16 triton.language.int32 8 pointer<int8> True",
        "constexpr[9] False constexpr[True] 20",
        "1024 4 exp",
        "triton.language.load can be called in kernels only",
    ]


def test_host_code_asks_for_the_gpu(bare):
    assert (
        bare("""
        import triton
        target = triton.runtime.driver.active.get_current_target()
        print(target.backend, target.arch, target.warp_size)
        print(triton.runtime.driver.active.utils.get_device_properties(0)["warpSize"])
    """)
        == "cuda 90 32\n32\n"
    )


def test_kernels_are_not_called_like_functions(bare):
    assert "launch it as twice[grid](...)" in bare("""
        import teaching
        try:
            teaching.twice(1)
        except RuntimeError as error:
            print(error)
    """)


def test_without_install_there_is_no_triton(bare):
    assert (
        bare(
            """
        import lockstep
        try:
            import triton
        except ModuleNotFoundError as error:
            print(error)
    """,
            install=False,
        )
        == "No module named 'triton'\n"
    )


def test_a_real_triton_wins():
    pytest.importorskip("triton")
    code = "import lockstep.triton_stub as s; print(s.install()); import triton; print(hasattr(triton, 'is_lockstep_stub'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\nFalse\n"


def test_the_command_installs_it(bare, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np, teaching\nx = np.ones(64, np.float32)\nteaching.scaled_add[(1,)](x, x, x, 64)\nprint(x[0])\n"
    )
    assert (
        bare(
            f"""
        import runpy, sys
        sys.argv = ["lockstep", {str(script)!r}]
        runpy.run_module("lockstep", run_name="__main__", alter_sys=True)
    """,
            install=False,
        )
        == "12.0\n"
    )
