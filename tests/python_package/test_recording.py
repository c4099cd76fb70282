"""lockstep.record(): capsules of launches under Lockstep, read back by `lockstep replay`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import lockstep
import pytest
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

EXECUTABLE = os.environ.get("LOCKSTEP_EXECUTABLE", "")


@triton.jit
def add(x, y, out, n, scale, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    power = tl.exp(tl.load(x + index, mask=mask).to(tl.float32))
    tl.store(out + index, (power + tl.load(y + index, mask=mask)) * scale, mask=mask)


@triton.jit
def copy_block(source, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at[:, None] * BLOCK + at[None, :], source.load([4, 0]))


@triton.jit
def of_tuple(pair, out, nothing, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(pair[0] + index * 2).to(tl.float32) * pair[1])


@triton.jit
def follow(table, out, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    first = tl.load(table).to(tl.pointer_type(tl.float32))
    tl.store(out + index, tl.load(first + index))


@triton.autotune([triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64})], key=["n"])
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + index, tl.load(x + index, mask=index < n) + 1, mask=index < n)


def manifest_of(path: str) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))


def replay(path: str, code: int = 0) -> dict[str, Any]:
    """What `lockstep replay --json` says; every recorded byte is Lockstep's own, so that all of it must be legal."""
    if not EXECUTABLE:
        pytest.skip("LOCKSTEP_EXECUTABLE is not set")
    done = subprocess.run([EXECUTABLE, "replay", "--json", path], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert said["judgement"]["inside"]
    for tensor in said["judgement"]["tensors"]:
        assert tensor["distances"]["equal_bits"] == tensor["widths"]["elements"], tensor
    return said


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_views_of_one_storage_stay_one_storage(tmp_path: Path, dtype: torch.dtype) -> None:
    base = torch.randn(300).to(dtype)
    with lockstep.record(tmp_path) as recorder:
        add[(4,)](base[3:103], base[103:203], base[203:], 97, 2.5, BLOCK=32)
    assert [Path(path).name for path in recorder.written] == ["0000-add.capsule"]
    told = manifest_of(recorder.written[0])
    assert len(told["storages"]) == 1
    assert [one.get("offset") for one in told["arguments"][:3]] == [n * dtype.itemsize for n in (3, 103, 203)]
    assert told["recorded_by"] == "lockstep"
    assert (told["grid"], told["constants"]) == ([4, 1, 1], {"BLOCK": 32})
    assert any(path["path"] == __file__ for path in told["sources"])
    replay(recorder.written[0])


def test_descriptors_bring_their_sizes(tmp_path: Path) -> None:
    source, out = torch.randn(16, 32), torch.zeros(16, 16)
    with lockstep.record(tmp_path / "one.capsule") as recorder:
        copy_block[(1,)](TensorDescriptor.from_tensor(source, [16, 16], "nan"), out, BLOCK=16)
        copy_block[(1,)](TensorDescriptor.from_tensor(source, [16, 16], "nan"), out, BLOCK=16)
    assert recorder.written == [str(tmp_path / "one.capsule")]
    told = manifest_of(recorder.written[0])
    assert [one["kind"] for one in told["arguments"]] == ["descriptor", *["scalar"] * 4, "pointer"]
    assert told["arguments"][0]["padding"] == "nan"
    replay(recorder.written[0])


def test_descriptors_of_older_gpus_are_taken_apart(tmp_path: Path) -> None:
    source, out = torch.randn(16, 32), torch.zeros(16, 16)
    with lockstep.active(as_="sm_80"), lockstep.record(tmp_path) as recorder:
        copy_block[(1,)](TensorDescriptor.from_tensor(source, [16, 16]), out, BLOCK=16)
    told = manifest_of(recorder.written[0])
    assert told["arguments"][0]["kind"] == "pointer"
    assert told["target"]["arch"] == "sm_80"
    replay(recorder.written[0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float8_e4m3fn, torch.float8_e5m2, torch.uint8, torch.int64])
def test_tuples_strides_and_types(tmp_path: Path, dtype: torch.dtype) -> None:
    source = torch.arange(-8, 56).abs().to(torch.float32).to(dtype)
    with lockstep.record(tmp_path) as recorder:
        of_tuple[(1,)]((source[::2], 1.5, None), torch.zeros(32), None, BLOCK=32)
    told = manifest_of(recorder.written[0])
    assert told["arguments"][0]["strides"] == [2]
    assert told["constants"] == {"pair.2": None, "nothing": None, "BLOCK": 32}
    replay(recorder.written[0])


def test_empty_and_zero_dimensional_tensors(tmp_path: Path) -> None:
    with lockstep.record(tmp_path) as recorder:
        add[(1,)](torch.zeros(0), torch.tensor(2.0), torch.zeros(0), 0, 1.0, BLOCK=16)
    assert [one.get("shape") for one in manifest_of(recorder.written[0])["arguments"][:3]] == [[0], [], [0]]
    replay(recorder.written[0])
    base = torch.zeros(4, 4)
    with lockstep.record(tmp_path / "views") as recorder:  # without elements, of a storage that has some
        add[(1,)](base[:, 2:2], base, torch.zeros(4), 0, 1.0, BLOCK=32)
    assert not recorder.skipped
    replay(recorder.written[0])


def test_addresses_in_memory_are_relocated(tmp_path: Path) -> None:
    values = torch.randn(16)
    table = torch.tensor([values.data_ptr()])
    with lockstep.record(tmp_path) as recorder:
        follow[(1,)](table, torch.zeros(16), BLOCK=16)
    told = manifest_of(recorder.written[0])
    assert sum(len(one.get("addresses", [])) for one in told["storages"]) == 1
    replay(recorder.written[0])


def test_only_what_the_program_launches_is_recorded(tmp_path: Path) -> None:
    with lockstep.options(autotune="all"), lockstep.record(tmp_path) as recorder:
        tuned[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](torch.zeros(100), 100)
    assert len(recorder.written) == 1
    replay(recorder.written[0])


def test_selection_and_limits(tmp_path: Path) -> None:
    x = torch.randn(64)
    with (
        lockstep.record(tmp_path / "named", kernels="^add$", first=1) as named,
        lockstep.record(tmp_path / "small", max_bytes=100) as small,
        lockstep.record(tmp_path / "bare", limit=2, outputs=False) as bare,
    ):
        for _ in range(3):
            add[(2,)](x, x, torch.zeros(64), 64, 1.0, BLOCK=32)
        of_tuple[(1,)]((x, 1.5), torch.zeros(32), None, BLOCK=32)
    assert [Path(path).name for path in named.written] == ["0000-add.capsule"]
    assert (small.written, sum(small.skipped.values())) == ([], 4)
    assert all("max_bytes" in reason for reason in small.skipped)
    assert [manifest_of(path)["has_outputs"] for path in bare.written] == [False, False]
    with lockstep.record(tmp_path / "after") as after:
        pass
    add[(2,)](x, x, torch.zeros(64), 64, 1.0, BLOCK=32)
    assert after.written == []


def test_inductor_is_recorded(tmp_path: Path) -> None:
    with lockstep.pretend_cuda(), lockstep.record(tmp_path) as recorder:
        compiled = torch.compile(lambda x, y: torch.softmax(x * 2 + y, dim=-1))
        compiled(torch.randn(8, 64, device="cuda"), torch.randn(8, 64, device="cuda"))
    assert recorder.written
    for path in recorder.written:
        replay(path)


def test_a_gpu_is_waited_for_and_asked_for_its_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The GPU's path with the CPU in its place: what is read by torch, and when."""
    from lockstep import recorded_arguments, recording

    waits: list[str] = []
    monkeypatch.setattr(recording, "is_ours", lambda kernel: False)
    monkeypatch.setattr(recorded_arguments, "_read_host", None)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: waits.append("wait"))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "a fake")
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: "capture" in waits)
    x, out = torch.randn(300), torch.zeros(64)
    with lockstep.record(tmp_path) as recorder:
        add[(2,)](x[5:69], x[69:133], out, 64, 2.0, BLOCK=32)
        assert waits == ["wait", "wait"]
        waits.append("capture")
        add[(2,)](x[5:69], x[69:133], out, 64, 2.0, BLOCK=32)
    told = manifest_of(recorder.written[0])
    assert (told["recorded_by"], told["versions"]["gpu"]) == ("gpu", "a fake")
    assert list(recorder.skipped.values()) == [1]
    assert "CUDA graph" in next(iter(recorder.skipped))
    replay(recorder.written[0])


GPU_PROGRAM = """
import sys
import torch
from triton.compiler.compiler import CompiledKernel
import lockstep

class Facts:
    def __init__(self, **facts):
        self.__dict__.update(facts)

def launch(*arguments):  # what Triton's own launcher would do, with the CPU as the GPU
    arguments[9].add_(1)

kernel = CompiledKernel.__new__(CompiledKernel)
kernel.src = Facts(signature={"x": "*fp32", "n": "i32", "B": "constexpr"})
kernel.name, kernel.hash, kernel.module, kernel._run = "k", "0" * 64, 1, launch
kernel.asm = {"ttir": "module {\\n  tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {\\n    tt.return\\n  }\\n}\\n"}
kernel.metadata = Facts(target=Facts(arch=90), num_warps=4, num_stages=3, num_ctas=1, debug=False, enable_fp_fusion=True)
torch.cuda.synchronize = lambda: None
torch.cuda.get_device_name = lambda: "a fake"
torch.cuda.is_current_stream_capturing = lambda: False
x = torch.zeros(8)
with lockstep.record(sys.argv[1]) as recorder:
    kernel.run(2, 1, 1, 0, None, (), None, None, None, x, 5, 16)
    kernel.run(2, 1, 1, 0, None, (), None, None, None, x, 5)
assert kernel.run is launch and x.tolist() == [2.0] * 8
print(recorder.written[0], sum(recorder.skipped.values()), "lockstep._native" in sys.modules)
"""


def test_tritons_own_kernels_are_recorded_without_the_engine(tmp_path: Path) -> None:
    """On a GPU machine that has the package's Python files and nothing else; its launcher is a stand-in."""
    (tmp_path / "lockstep").mkdir()
    for path in Path(lockstep.__file__).parent.glob("*.py"):
        (tmp_path / "lockstep" / path.name).write_text(path.read_text())
    (tmp_path / "program.py").write_text(GPU_PROGRAM)
    environment = {**os.environ, "LOCKSTEP": "0", "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "program.py", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    path, skipped, has_engine = done.stdout.split()
    assert (skipped, has_engine) == ("1", "False")
    told = manifest_of(path)
    assert (told["recorded_by"], told["grid"], told["versions"]["gpu"]) == ("gpu", [2, 1, 1], "a fake")
    assert [one["kind"] for one in told["arguments"]] == ["pointer", "scalar"]
    assert "after" in told["storages"][0]


def run_program(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(
        "import sys, torch\nsys.path.insert(0, sys.argv[1])\nfrom test_recording import add\n"
        "x = torch.randn(64, device='cuda')\n"
        "for _ in range(2): add[(2,)](x, x, torch.empty_like(x), 64, 2.0, BLOCK=32)\nsys.exit(int(sys.argv[2]))\n"
    )
    here = str(Path(__file__).parent)
    command = [sys.executable, "-m", "lockstep", *words, "program.py", here]
    code = "3" if words[0] == "record" else "0"
    environment = {**os.environ, "PYTHONPATH": str(Path(lockstep.__file__).parent.parent)}
    return subprocess.run([*command, code], capture_output=True, text=True, check=False, cwd=folder, env=environment)


def test_the_record_command(tmp_path: Path) -> None:
    done = run_program(tmp_path, "record", "-o", "out", "--first", "1", "--kernels", "add")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (3, "lockstep: 1 of 2 launches recorded in out"), done.stderr
    replay(str(tmp_path / "out" / "0000-add.capsule"))
    for words, says in (
        (("record", "--frist", "1"), "unknown option --frist"),
        (("record", "--first", "0"), "not a number from 1 on"),
        (("record", "--on", "moon"), "neither gpu nor lockstep"),
        (("diff", "--lockstep", "/nowhere/lockstep"), "not on PATH"),
        (("record", "--kernels", "("), "--kernels"),
    ):
        done = run_program(tmp_path, *words)
        assert done.returncode == 2
        assert says in done.stderr


def test_the_diff_command(tmp_path: Path) -> None:
    if not EXECUTABLE:
        pytest.skip("LOCKSTEP_EXECUTABLE is not set")
    done = run_program(tmp_path, "diff", "--lockstep", EXECUTABLE, "--first", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].split()[:4] == ["add", "2", "2", "0"]


def test_recording_needs_no_engine(tmp_path: Path) -> None:
    """The modules that a GPU machine gets import nothing of the engine."""
    folder = Path(lockstep.__file__).parent
    code = "import sys; import lockstep; lockstep.record; print(sorted(n for n in sys.modules if n.startswith('lockstep')))"
    (tmp_path / "lockstep").mkdir()
    for path in folder.glob("*.py"):
        (tmp_path / "lockstep" / path.name).write_text(path.read_text())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(tmp_path)})  # fmt: skip
    assert "_native" not in done.stdout
    assert "lockstep.recording" in done.stdout
