"""The five reports that Lockstep was founded on, on the real packages: each script of founding/ runs in its own process."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

HERE = Path(__file__).parent
GPU_LIBRARY = re.compile(r"lib(cuda|nvrtc|cudart|nvidia)[\w-]*\.so")

without_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")


def needs(*packages: str) -> pytest.MarkDecorator:
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} not installed")


def run(script: str, *arguments: str, by_lockstep: bool = True, **environment: str) -> str:
    paths = [str(HERE), *(path for path in sys.path if path)]
    module = ("-m", "lockstep") if by_lockstep else ()
    done = subprocess.run(
        [sys.executable, *module, str(HERE / "founding" / script), *arguments],
        env={**os.environ, "LOCKSTEP": "1", "PYTHONPATH": os.pathsep.join(paths), **environment},
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert "active drivers" not in done.stderr
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    return done.stdout


@needs("fla")
def test_import_of_fla_with_no_driver():
    printed = run("import_without_driver.py", "fla.ops")
    autotuned, several = map(int, re.search(r"(\d+) autotuned, (\d+) with several", printed).groups())
    assert autotuned >= 150
    assert several >= 100
    assert "launched" in printed


@without_gpu
@needs("fla")
def test_plain_import_of_fla():
    assert "imported" in run("plain_import.py", "fla.ops", by_lockstep=False)


@pytest.mark.campaign
@needs("liger_kernel")
def test_import_of_liger_with_no_driver():
    assert int(run("import_without_driver.py", "liger_kernel.ops").split()[0]) >= 20


@needs("fla")
def test_scalar_promotion():
    assert "promoted" in run("scalar_promotion.py")


@needs("fla", "einops")
@pytest.mark.parametrize(
    "dtype",
    [
        "bfloat16",
        pytest.param("float16", marks=pytest.mark.campaign),
        pytest.param("float32", marks=pytest.mark.campaign),
    ],
)
def test_gated_delta_net_layer(dtype):
    """As sm_80: with Triton 3.6, fla refuses this backward on sm_90 (its issue 640)."""
    printed = run("gated_delta_net.py", dtype, LOCKSTEP_AS="sm_80")
    assert len(printed.splitlines()) == 15


@without_gpu
def test_no_gpu_library_is_looked_for(tmp_path):
    printed = run("no_gpu.py", by_lockstep=False, LD_DEBUG="libs", LD_DEBUG_OUTPUT=str(tmp_path / "ld"))
    assert "ran" in printed
    trace = "".join(path.read_text(errors="replace") for path in tmp_path.glob("ld.*"))
    assert "_native" in trace
    assert {match[0] for match in GPU_LIBRARY.finditer(trace)} == set()


def test_aliased_arguments():
    assert "aliased" in run("aliased_arguments.py")
