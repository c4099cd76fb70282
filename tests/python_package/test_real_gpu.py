"""On a machine with a GPU: Triton's own backend stays the default, Lockstep is asked for by name, and they do not mix."""

import os
import subprocess
import sys
import textwrap

import pytest

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")
if not torch.cuda.is_available():
    pytest.skip("no GPU here", allow_module_level=True)

PRELUDE = """
import torch, triton, triton.language as tl, lockstep
from triton.runtime.driver import driver

@triton.jit
def scale(x, out, n, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.exp(tl.load(x + i, mask=i < n, other=0.0)) * FACTOR, mask=i < n)

def place(tensor):
    with torch._C.DisableTorchFunction():
        return tensor.device.type if not lockstep.is_active() else torch._C.TensorBase.device.__get__(tensor).type

def run(device, factor=3):
    x = torch.linspace(-2, 2, 1000).to(device)
    out = torch.zeros_like(x)
    scale[(8,)](x, out, 1000, factor, 128)
    return out.cpu()
"""


def child(code: str, **environment: str) -> str:
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith("LOCKSTEP") and key != "TRITON_INTERPRET"
    }
    import pathlib
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "script.py"
        script.write_text(PRELUDE + textwrap.dedent(code))
        done = subprocess.run(
            [sys.executable, str(script)], env={**clean, **environment}, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_gpu_stays_the_default():
    assert (
        child("""
        assert not lockstep.is_active()
        out = run("cuda")
        print(type(driver.active).__name__, driver.active.get_current_target().backend)
    """)
        == "CudaDriver cuda\n"
    )


def test_both_sides_in_turn():
    assert (
        child("""
        gpu = run("cuda")
        with lockstep.active():
            cpu = run("cpu")
            target = driver.active.get_current_target()
            assert (target.backend, target.arch, target.warp_size) == ("cuda", 90, 32)
            assert lockstep.is_active()
            with lockstep.active(as_="sm_80"):
                older = run("cpu")
                assert driver.active.get_current_target().arch == 80
        again = run("cuda", factor=3)
        assert torch.equal(gpu, again)
        print(float((gpu - cpu).abs().max() / gpu.abs().max()) < 1e-6, torch.equal(cpu, older), lockstep.is_active())
    """)
        == "True True False\n"
    )


def test_lockstep_first_then_the_gpu():
    assert (
        child("""
        with lockstep.active():
            cpu = run("cpu")
        gpu = run("cuda")
        with lockstep.active():
            assert torch.equal(run("cpu"), cpu)
        print(torch.allclose(gpu, cpu))
    """)
        == "True\n"
    )


def test_the_environment_asks_for_lockstep():
    assert (
        child(
            """
        out = run("cpu")
        print(lockstep.is_active(), driver.active.get_current_target().backend)
    """,
            LOCKSTEP="1",
        )
        == "True cuda\n"
    )


def test_pretended_cuda_is_the_cpu():
    assert (
        child("""
        with lockstep.pretend_cuda():
            x = torch.ones(100, device="cuda")
            assert x.is_cuda and place(x) == "cpu"
            run("cuda")
        y = torch.ones(100, device="cuda")
        print(place(y), not lockstep.is_active())
    """)
        == "cuda True\n"
    )


def test_cpu_tensors_on_the_gpus_side_are_refused_by_triton():
    assert "cannot be accessed from Triton" in child("""
        try:
            run("cpu")
        except ValueError as error:
            print(error)
    """)
