"""Lockstep beside a GPU driver, without one, and Triton's disk cache: each in a process of its own."""

import importlib.util
import json
import os
import subprocess
import sys

import lockstep
import pytest
import torch
import triton
from lockstep.triton_backend import presence

if torch.cuda.is_available():
    pytest.skip("these processes fake a GPU or have none; test_real_gpu.py is for real ones", allow_module_level=True)

FOLDER = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(lockstep.__file__)))


def run(name, *arguments, cache, **environment):
    """What the program printed as JSON, with its standard error under "stderr"."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LOCKSTEP", "TRITON"))}
    path = os.pathsep.join([*os.environ.get("PYTHONPATH", "").split(os.pathsep), PACKAGE, FOLDER])
    done = subprocess.run(
        [sys.executable, os.path.join(FOLDER, "side_programs.py"), name, *arguments],
        env={**kept, "PYTHONPATH": path, "TRITON_CACHE_DIR": str(cache), **environment},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout.strip().splitlines()[-1]), "stderr": done.stderr}


def test_without_a_gpu_we_are_the_default(tmp_path):
    assert run("choice", cache=tmp_path) == {
        "driver": "LockstepDriver", "backends": ["amd", "lockstep", "nvidia"], "stderr": "",
    }  # fmt: skip


def test_what_the_environment_says(monkeypatch):
    for text, expected in (("1", True), ("on", True), ("0", False), ("", None), ("auto", None)):
        monkeypatch.setenv("LOCKSTEP", text)
        assert presence.request() is expected
    monkeypatch.setenv("LOCKSTEP", "0")
    assert not presence.is_default()
    monkeypatch.setenv("LOCKSTEP", "maybe")
    with pytest.raises(ValueError, match="LOCKSTEP must be 0 or 1, not 'maybe'"):
        presence.is_default()


def test_lockstep_1_beside_a_gpu(tmp_path):
    assert run("with_gpu", cache=tmp_path, LOCKSTEP="1")["driver"] == "LockstepDriver"


def test_both_sides_in_one_process(tmp_path):
    seen = run("both_sides", cache=tmp_path)
    assert (seen["before"], seen["is_active"], seen["after"]) == ("CudaDriver", False, "CudaDriver")
    assert seen["inside"] == ["LockstepDriver", True, 90]
    assert (seen["device"], seen["interface"]) == ("cpu", "lockstep.triton_backend.device_interface")
    assert seen["reset"] == "LockstepDriver"
    assert seen["counter"] == 5 + 1 + 5  # what ran here; the GPU of this test executes nothing
    assert seen["launched"] == [["count", [5, 1, 1]]]
    assert seen["launched_after"] == ["count", [2, 1, 1]]
    assert seen["target_of_ours"] == "cuda"
    assert seen["chosen"] == 2
    assert seen["gpu_choices"] == []
    assert seen["patches"] >= 8
    assert seen["restored"] is True
    assert "was compiled for a GPU" in seen["gpu_kernel_here"]
    assert "compiled for Lockstep, which is not active" in seen["our_kernel_there"]


def test_only_backends_in_triton_s_tree(tmp_path):
    seen = run("in_tree_only", cache=tmp_path, TRITON_BACKENDS_IN_TREE="1")
    assert seen["backends"] == seen["after"] == ["amd", "nvidia"]
    assert seen["counter"] == 3


def test_without_torch_and_without_the_engine(tmp_path):
    seen = run("without_torch", cache=tmp_path)
    assert (seen["rest"], seen["ran"]) == (0, True)
    assert seen["time"] > 0
    assert "engine cannot be loaded" in seen["said"]


def test_an_autotuned_kernel_can_be_the_first(tmp_path):
    seen = run("tuned_first", cache=tmp_path)
    assert (seen["first"], seen["second"], seen["compiled"]) == ([1.0, 1], [1.0, 1], 1)


def test_torch_answers_as_the_modelled_gpu_where_it_could_only_raise(tmp_path):
    seen = run("plain_torch", cache=tmp_path)
    assert (seen["target"], seen["available"]) == ("cuda", [False, 0])
    assert (seen["name"], seen["capability"], seen["multiprocessors"]) == (["NVIDIA H200"] * 3, [9, 0], 132)
    assert seen["device"] == [0, 0]
    assert seen["refused"] == ["Invalid device id", "Expected a cuda d"]
    assert seen["pretended"] == [True, "NVIDIA A100-SXM4-80GB", "cuda:0"]
    assert (seen["after_pretence"], seen["undone"]) == (True, True)


@pytest.mark.skipif(importlib.util.find_spec("fla") is None, reason="fla is not installed")
@pytest.mark.skipif(triton.__version__ >= "3.9", reason="Triton 3.9 refuses autotune keys of fla 0.5.2 at its import")
def test_fla_is_imported_and_runs_in_plain_python(tmp_path):
    assert run("plain_fla", cache=tmp_path)["agrees"] is True


def test_without_triton(tmp_path):
    seen = run("without_triton", cache=tmp_path)
    assert "lockstep.active() needs Triton" in seen["said"]
    assert (seen["installed"], seen["inside"]) == (True, [True, "sm_80"])


def test_tritons_interpreter_is_mentioned_once(tmp_path):
    seen = run("interpreted", cache=tmp_path, TRITON_INTERPRET="1")
    assert seen["stderr"].count("Lockstep is bypassed") == 1
    assert (seen["is_active"], seen["kernel"]) == (False, "InterpretedFunction")


def test_the_disk_cache(tmp_path):
    first = run("cached_first", cache=tmp_path)
    assert (first["hits"], first["counter"]) == ([False], 3)
    assert first["n_regs"] > 0
    seen = run("cached_again", cache=tmp_path)
    hit, miss = [[True], 3], [[False], 3]
    assert seen["again"] == hit
    assert seen["target"] == "GPUTarget(backend='cuda', arch=90, warp_size=32)"
    assert seen["other_profile"] == seen["other_version"] == seen["always"] == miss
    assert (seen["binary_only"], seen["binary_only_again"]) == (miss, hit)


def test_dumped_kernels_can_be_edited_and_put_back(tmp_path):
    seen = run("dumped", cache=tmp_path)
    assert seen["files"] == ["count.lockstep", "count.ttir"]
    assert seen["counter"] == 21


def test_torch_queries_rest_while_cuda_is_pretended(tmp_path):
    """torch.compile traces into functions of ours where it would pass over torch's own."""
    program = tmp_path / "program.py"
    program.write_text(
        "import torch, triton, lockstep\n"
        "from lockstep.triton_backend import torch_queries\n"
        "triton.runtime.driver.active.get_current_target()\n"
        "assert torch_queries._saved and torch.cuda.get_device_capability() == (9, 0)\n"
        "with lockstep.pretend_cuda():\n"
        "    assert not torch_queries._saved and torch.cuda.get_device_capability() == (9, 0)\n"
        "assert torch_queries._saved and torch.cuda.get_device_capability() == (9, 0)\n"
        "print('fine')\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP")}
    done = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "fine\n", done.stderr
