"""`lockstep stages`: Triton's passes one by one, each executed and judged; planted faults are named by pass and element."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import lockstep
import pytest
from lockstep.pipeline import command, judging, minimal, stages, texts

ROOT = Path(__file__).resolve().parents[2]
SOFTMAX = [str(ROOT / "examples/softmax.py") + "::softmax", *"--grid rows x=randn:f32[8,100] out=empty:f32[8,100] x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128".split()]  # fmt: skip
MATMUL = [str(ROOT / "examples/matmul.py") + "::matmul", "--grid", "cdiv(m, TILE_M) * cdiv(n, TILE_N)",
          *("a=randn:f16[70,60] b=randn:f16[60,40] out=empty:f16[70,40] m=70 n=40 k=60 a_row=60 a_column=1 b_row=40 b_column=1 "
            "out_row=40 out_column=1 TILE_M=32 TILE_N=32 TILE_K=32 GROUP=2").split()]  # fmt: skip
PIPELINED = [MATMUL[0], *("--grid 1 a=randn:f16[64,200] b=randn:f16[200,64] out=empty:f16[64,64] m=64 n=64 k=200 a_row=200 a_column=1 "
             "b_row=64 b_column=1 out_row=64 out_column=1 TILE_M=64 TILE_N=64 TILE_K=32 GROUP=1").split()]  # fmt: skip
ADD = """
module {
  tt.func public @f(%x: !tt.ptr<f32>) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %b = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %p = tt.addptr %b, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %p : tensor<128x!tt.ptr<f32>>
    %w = arith.addf %v, %v : tensor<128xf32>
    tt.store %p, %w : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
"""


@pytest.fixture(autouse=True)
def this_command(monkeypatch):
    if "LOCKSTEP_EXECUTABLE" in os.environ:
        monkeypatch.setenv("LOCKSTEP_COMMAND", os.environ["LOCKSTEP_EXECUTABLE"])
    monkeypatch.delenv("LOCKSTEP_AS", raising=False)


@pytest.fixture
def add(tmp_path):
    (tmp_path / "add.ttir").write_text(ADD)
    return [str(tmp_path / "add.ttir"), "--grid", "1", "x=randn:f32[128]"]


def test_every_changed_text_of_softmax_is_executed():
    found = lockstep.stages(SOFTMAX, arch="sm_90")
    changed = [one for one in found.stages if one.file]
    assert found.first_wrong is None and found.failure is None
    assert len(changed) >= 4 and found.executed == len(changed)
    assert all(one.verdict.kind == "inside" for one in changed)
    assert "no executed pass leaves the legal results" in found.text()
    assert not any(Path(one.file).exists() for one in changed)  # nothing stays where nothing is wrong


def test_the_last_text_is_what_the_whole_pipeline_makes(tmp_path, add):
    """One manager for each pass makes what Triton's one manager for all makes."""
    for warps in (4, 8):
        (tmp_path / f"w{warps}").mkdir()
        made = stages.run_passes(Path(add[0]), tmp_path / f"w{warps}", {"arch": 90, "num_warps": warps, "num_stages": 3})
        last = [Path(one.file) for one in made if one.file][-1].read_text()
        whole = f"""
import sys
sys.path.insert(0, {str(stages.DRIVER.parent)!r})
import passes
from triton._C.libtriton import ir
backend = passes.backend_of(90)
context = ir.context()
ir.load_dialects(context)
backend.load_dialects(context)
module = passes.read_module({add[0]!r}, context)
options = backend.parse_options({{"num_warps": {warps}, "num_stages": 3}})
module = backend.make_ttir(module, {{}}, options, 90)
print(str(backend.make_ttgir(module, {{}}, options, 90)), end="")
"""
        done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
        assert done.stdout == last


@pytest.mark.parametrize("fault, kind", [(("arith.addf %v", "arith.mulf %v"), "outside"), (("end = 128", "end = 256"), "refused"),
                                         (("start = 0", "start = 0"), "none")])  # fmt: skip
def test_a_planted_fault_is_named_with_pass_and_element(tmp_path, add, fault, kind):
    keep = tmp_path / "kept"
    clean = lockstep.stages(add, keep=str(keep))
    victim = next(one for one in clean.stages if one.name == "coalesce" and one.file)
    text = Path(victim.file).read_text()
    assert fault[0].split()[0] in text
    planted = tmp_path / "planted.ttgir"
    planted.write_text(text.replace(*(word.split()[0] for word in fault)) if kind == "outside" else text.replace(*fault))
    found = stages.judge_launch(add, keep=str(tmp_path / "again"), plant=(victim.number, str(planted)))
    if kind == "none":
        assert found.first_wrong is None
    elif kind == "refused":  # Triton itself does not take that text
        assert found.failure.name == "coalesce"
        assert "error" in found.failure.failure
    else:
        assert found.first_wrong.name == "coalesce"
        assert found.first_wrong.verdict.tensor == "x" and found.first_wrong.verdict.elements == 128
        assert found.input.endswith("-convert-to-ttgpuir.ttgir") and "arith.addf" in Path(found.input).read_text()
        assert any("arith.mulf" in line for line in found.changed_ops())
        assert "arith.addf" in found.first_wrong.verdict.op  # as the launch's own kernel has it
        assert f"first wrong: pass {victim.number}, coalesce (make_ttgir): x[0]" in found.text()


def test_an_access_that_a_pass_adds_is_a_departure(tmp_path, add):
    keep = tmp_path / "kept"
    clean = lockstep.stages(add, keep=str(keep))
    victim = next(one for one in clean.stages if one.name == "coalesce" and one.file)
    planted = tmp_path / "planted.ttgir"
    planted.write_text(re.sub(r"end = 128 : i32, start = 0 : i32", "end = 129 : i32, start = 1 : i32", Path(victim.file).read_text()))
    found = stages.judge_launch(add, keep=str(tmp_path / "again"), plant=(victim.number, str(planted)))
    assert found.first_wrong.name == "coalesce"
    assert found.first_wrong.verdict.kind == "finding" and "LS101" in found.first_wrong.verdict.words


@pytest.mark.parametrize("was, code", [(r"(ttg\.async_wait %[\w#]+ \{num = )1", "LS201"),  # late copies: what the load reads is not there yet
                                       (r"(ttg\.async_wait \{num = )0", "LS418")])  # fmt: skip
def test_a_wait_for_too_little_behind_the_pipeliner_is_named(tmp_path, was, code):
    clean = lockstep.stages(PIPELINED, arch="sm_80", keep=str(tmp_path / "kept"))
    assert clean.first_wrong is None
    victim = next(one for one in clean.stages if one.name == "pipeline")
    text = Path(victim.file).read_text()
    changed = re.sub(was, lambda found: found[1] + "3", text, count=1)
    assert changed != text
    (tmp_path / "planted.ttgir").write_text(changed)
    found = stages.judge_launch(PIPELINED, arch="sm_80", keep=str(tmp_path / "again"),
                                plant=(victim.number, str(tmp_path / "planted.ttgir")))  # fmt: skip
    assert found.first_wrong.name == "pipeline"
    assert code in found.first_wrong.verdict.words


def test_what_is_not_executed_is_never_right(tmp_path):
    refused = judging._refused(4, "k.ttgir:3:8: error: ttng.tmem_alloc is not supported yet: tensor memory\n")
    assert (refused.kind, refused.op) == ("not executed", "ttng.tmem_alloc")
    none = stages.Stages("3.6.0", "sm_90", [stages.Stage(1, "coalesce", "make_ttgir", "f.ttgir", refused)])
    assert none.executed == 0 and none.first_wrong is None
    assert "coalesce: not executed: ttng.tmem_alloc" in none.text()


def test_products_are_executed_up_to_shared_memory():
    found = lockstep.stages(MATMUL, arch="sm_80")
    by_name = {one.name: one.verdict for one in found.stages if one.file}
    assert found.first_wrong is None
    assert by_name["accelerate-matmul"].kind == "inside"
    assert all(one.kind == "inside" or one.op for one in by_name.values())


def test_the_command_prints_json_and_codes(capsys, tmp_path):
    assert command.main([*SOFTMAX, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["first_wrong"] is None and said["executed"] >= 4
    assert command.main([]) == 2
    assert command.main([str(tmp_path / "none.py::f"), "--grid", "1"]) == 2
    assert command.main([*SOFTMAX, "--triton", "1.0"]) == 2
    assert "no Triton 1.0" in capsys.readouterr().err


FLATTENED = f"{ROOT}/tests/ttgir/published/flatten_empty.py::flatten_empty --grid 1 out=empty:i32[1] first=6 last=4".split()


def test_the_minimal_file_of_a_departure_departs(tmp_path):
    if not stages.version_of("").startswith("3.6"):
        pytest.skip("Triton 3.6 has this fault")
    found = lockstep.stages(FLATTENED, keep=str(tmp_path / "kept"))
    assert found.first_wrong.name == "fuse-nested-loops"
    small = found.minimal
    text = Path(small.input).read_text()
    assert small.ops == texts.count_ops(text) < small.ops_before
    assert "loc(" not in text and "%last" not in text
    assert "first=2" in " ".join(small.launch) or "first=3" in " ".join(small.launch)  # halved, and halved again
    again = judging.judge(os.environ["LOCKSTEP_COMMAND"], small.launch, small.output)
    assert again.kind == "outside" and again.words == small.verdict.words
    report = Path(small.report).read_text()
    assert text.rstrip() in report and small.verdict.words in report and "Triton 3.6" in report
    assert not list((tmp_path / "kept").glob("try*")) and not list((tmp_path / "kept").glob("smaller*"))
    assert f"minimal:    {small.input}, {small.ops} of {small.ops_before} ops" in found.text()


def test_ops_go_only_where_nothing_uses_them():
    lines = ["  tt.func public @f(%x: i32, %y: i32) {", "    %a = arith.addi %x, %x : i32", "    %b = scf.if %c -> (i32) {", "      scf.yield %a : i32",
             "    } else {", "      scf.yield %x : i32", "    }", "    tt.return", "  }"]  # fmt: skip
    assert texts.without_op(lines, 1) is None
    assert texts.without_op(lines, 2) == "\n".join(lines[:2] + lines[7:]) + "\n"
    assert next(texts.with_operand(lines, 1)) == "\n".join(lines[:1] + lines[2:3] + ["      scf.yield %x : i32"] + lines[4:]) + "\n"
    assert texts.parameters_of("\n".join(lines)) == ["x", "y"]
    assert any("(%x: i32)" in one for one in texts.smaller("\n".join(lines)))


def test_a_loop_loses_a_carried_value():
    lines = ["  %r:2 = scf.for %i = %a to %b step %c iter_args(%p = %u, %q = %v) -> (i32, f32)  : i32 {", "    %s = arith.addi %p, %a : i32",
             "    scf.yield %s, %q : i32, f32", "  }", "  use %r#0, %r#1"]  # fmt: skip
    first, second = texts.without_carried(lines, 0)
    assert "%r = scf.for" in first and "iter_args(%q = %v) -> (f32)" in first and "scf.yield %q : f32" in first
    assert "arith.addi %u, %a" in first and "use %u, %r\n" in first
    assert "iter_args(%p = %u) -> (i32)" in second and "use %r, %v" in second


def test_hints_on_caches_are_written_as_the_version_reads_them():
    old = "  %v = tt.load %p, %m evictionPolicy = evict_last : tensor<4x!tt.ptr<f32>>\n  tt.store %p, %v cacheModifier = wt evictionPolicy = evict_first {a = 1 : i32} : t\n"
    assert texts.for_version(old, "3.8.0") == old
    new = texts.for_version(old, "3.9.0")
    assert "%m {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : tensor" in new
    assert "%v {cachePolicy = #tt.cache_policy<cache_modifier = wt, eviction_policy = evict_first>, a = 1 : i32} : t" in new
    assert texts.for_version(new, "3.9.0") == new
    assert texts.for_version("(%d: !tt.tensordesc<tensor<1x64xf16>>, i32)", "3.8.0") == "(%d: !tt.tensordesc<1x64xf16>, i32)"
    assert "tensor<1x64" in texts.for_version("(%d: !tt.tensordesc<tensor<1x64xf16>>, i32)", "3.7.1")


def test_launches_become_smaller_by_halves():
    made = list(minimal.smaller_launches("k.py::k --grid 8 x=randn:f32[8,16] n=8 BLOCK=16 --seed 3".split()))
    assert made[0] == "k.py::k --grid 8 x=randn:f32[8,8] n=8 BLOCK=8 --seed 3".split()
    assert made[1] == "k.py::k --grid 4 x=randn:f32[4,16] n=4 BLOCK=16 --seed 3".split()
    text = "tt.func public @k(%x: !tt.ptr<f32>, %n: i32) attributes {noinline = false} {"
    assert minimal.launch_of("k.py::k --grid cdiv(n,BLOCK) x=randn:f32[9] n=9 BLOCK=4 --seed 3".split(), Path("t.ttgir"), text) == [
        "t.ttgir", "--grid", "cdiv(9,4)", "x=randn:f32[9]", "n=9", "--seed", "3"]  # fmt: skip


def test_every_launch_of_a_program(tmp_path, capsys):
    (tmp_path / "program.py").write_text("""
import sys
import torch
import triton
import triton.language as tl

@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)

@triton.jit
def double(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) * 2)

x = torch.randn(int(sys.argv[1]), device="cuda")
y = torch.empty_like(x)
add[(2,)](x, y, x.numel(), BLOCK=64)
add[(2,)](x, y, x.numel(), BLOCK=64)
double[(1,)](y, BLOCK=64)
""")
    assert command.main([str(tmp_path / "program.py"), "100"]) == 0
    said = capsys.readouterr().out
    assert "0000-add.capsule" in said and "-double.capsule" in said
    assert "2 launches, a pass is wrong in 0" in said and said.count("no executed pass leaves the legal results") == 2


@pytest.mark.parametrize("version", ["3.4", "3.7", "3.9"])
def test_other_versions_of_triton(version):
    folder = ROOT / ".cache"
    if not list(folder.glob(f"triton-{version}*")):
        pytest.skip(f"no .cache/triton-{version}*")
    os.environ["LOCKSTEP_TRITONS"] = str(folder)
    try:
        found = lockstep.stages(SOFTMAX, triton=version)
    finally:
        del os.environ["LOCKSTEP_TRITONS"]
    assert found.triton.startswith(version)
    assert found.first_wrong is None and found.executed >= 3


def test_texts_whose_descriptors_got_a_layout_are_executed(tmp_path):
    text = """
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @f(%d: !tt.tensordesc<{}>, %out: !tt.ptr<f32>) {{
    %v = arith.constant 2.0 : f32
    tt.store %out, %v : !tt.ptr<f32>
    tt.return
  }}
}}
"""
    (tmp_path / "a.ttgir").write_text(text.format("tensor<16x16xf32>"))
    shared = "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>"
    for number, (block, kind) in enumerate([(f"tensor<16x16xf32, {shared}>", "inside"), ("16x16xf32", "inside"), ("tensor<16x32xf32>", "not executed")]):
        (tmp_path / f"b{number}.ttgir").write_text(text.format(block))
        launch = [str(tmp_path / "a.ttgir"), "--grid", "1", "d=zeros:f32[16,16]", "out=zeros:f32[1]"]
        assert judging.judge(os.environ["LOCKSTEP_COMMAND"], launch, str(tmp_path / f"b{number}.ttgir")).kind == kind
