"""Lockstep beside a GPU driver, without one, and Triton's disk cache: each in a process of its own."""

import json
import os
import subprocess
import sys

import lockstep
import pytest

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


def test_lockstep_0_keeps_us_out(tmp_path):
    assert "0 active drivers" in run("choice", cache=tmp_path, LOCKSTEP="0")["driver"]


@pytest.mark.parametrize(("variable", "expected"), [("", "CudaDriver"), ("0", "CudaDriver"), ("1", "LockstepDriver")])
def test_the_default_beside_a_gpu(tmp_path, variable, expected):
    assert run("with_gpu", cache=tmp_path, LOCKSTEP=variable)["driver"] == expected


def test_both_sides_in_one_process(tmp_path):
    seen = run("both_sides", cache=tmp_path)
    assert (seen["before"], seen["is_active"], seen["after"]) == ("CudaDriver", False, "CudaDriver")
    assert seen["inside"] == ["LockstepDriver", True, 90]
    assert seen["reset"] == "LockstepDriver"
    assert seen["counter"] == 5 + 1 + 5  # what ran here; the GPU of this test executes nothing
    assert seen["launched"] == [["count", [5, 1, 1]]]
    assert seen["launched_after"] == ["count", [2, 1, 1]]
    assert seen["target_of_ours"] == "cuda"
    assert seen["chosen"] == 2
    assert seen["gpu_choices"] == []
    assert seen["supports_target_restored"] is True
    assert "was compiled for a GPU" in seen["gpu_kernel_here"]
    assert "compiled for Lockstep, which is not active" in seen["our_kernel_there"]


def test_only_backends_in_triton_s_tree(tmp_path):
    seen = run("in_tree_only", cache=tmp_path, TRITON_BACKENDS_IN_TREE="1")
    assert seen["backends"] == seen["after"] == ["amd", "nvidia"]
    assert seen["counter"] == 3


def test_tritons_interpreter_is_mentioned_once(tmp_path):
    seen = run("interpreted", cache=tmp_path, TRITON_INTERPRET="1")
    assert seen["stderr"].count("Lockstep is bypassed") == 1
    assert (seen["is_active"], seen["kernel"]) == (False, "InterpretedFunction")


def test_the_disk_cache(tmp_path):
    first = run("cached", cache=tmp_path, ASK_REGISTERS="1")
    assert (first["hits"][0], first["counter"]) == (False, 3)
    assert first["n_regs"] > 0
    again = run("cached", cache=tmp_path)
    assert (again["hits"], again["counter"]) == ([True], 3)
    assert again["target"] == "GPUTarget(backend='cuda', arch=90, warp_size=32)"
    assert run("cached", cache=tmp_path, LOCKSTEP_AS="sm_80")["hits"] == [False]
    assert run("cached", "99.0", cache=tmp_path)["hits"] == [False]
    assert run("cached", cache=tmp_path, TRITON_ALWAYS_COMPILE="1")["hits"] == [False]
    binary_only = run("cached", cache=tmp_path, TRITON_STORE_BINARY_ONLY="1")
    assert (binary_only["hits"], binary_only["counter"]) == ([False], 3)


def test_dumped_kernels_can_be_edited_and_put_back(tmp_path):
    folders = {"TRITON_DUMP_DIR": str(tmp_path / "dump"), "TRITON_OVERRIDE_DIR": str(tmp_path / "override")}
    run("cached", cache=tmp_path / "cache", TRITON_KERNEL_DUMP="1", TRITON_ALWAYS_COMPILE="1", **folders)
    dumped = sorted(path.name for path in (tmp_path / "dump").rglob("count.*"))
    assert dumped == ["count.lockstep", "count.ttir"]
    (tmp_path / "dump").rename(tmp_path / "override")
    ttir = next((tmp_path / "override").rglob("count.ttir"))
    text = ttir.read_text()
    assert text.count("dense<1>") + text.count("arith.constant 1 :") == 1
    ttir.write_text(text.replace("arith.constant 1 :", "arith.constant 7 :"))
    seen = run("cached", cache=tmp_path / "cache", TRITON_KERNEL_OVERRIDE="1", TRITON_ALWAYS_COMPILE="1", **folders)
    assert seen["counter"] == 21
