"""Warnings about barriers held against PTX: a text made by hand, and what the installed Triton makes of two kernels."""

from pathlib import Path

import pytest
import triton
from lockstep.ptx_witness import Listing, judge_report, main, ptx_of

PTX = """
.loc 1 10 4
ld.param.b64 %rd1, [f_param_0];
$L__BB0_1:
.loc 1 11 8
@%p1 ld.global.b32 { %r1 }, [ %rd1 + 0 ];
.loc 2 40 1, $L__info0, inlined_at 1 12 20
st.global.v4.b32 [ %rd2 + 0 ], { %r1, %r1, %r1, %r1 };
.loc 1 13 4
bar.sync 	0;
.loc 1 14 4
atom.global.gpu.acq_rel.add.u32 %r2, [%rd3], 1;
@%p2 bra $L__BB0_1;
ret;
"""

TTIR = """
module {
  tt.func public @f(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %last = arith.constant dense<127> : tensor<128xi32>
    %j = arith.subi %last, %i : tensor<128xi32>
    %b = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %p = tt.addptr %b, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %q = tt.addptr %b, %j : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %p : tensor<128x!tt.ptr<f32>>
    BARRIER
    tt.store %q, %v : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
"""
LOAD, STORE = 10, 12  # lines of TTIR


def test_straight_lines_and_loops():
    listing = Listing(PTX)
    assert [one.line for one in listing.instructions] == [11, 12, 13, 14]
    assert listing.judge(11, 12).verdict == "confirmed"
    assert listing.judge(12, 14).verdict == "refuted"
    assert listing.judge(12, 11).verdict == "refuted"  # around the loop, past the barrier
    assert listing.judge(14, 11).verdict == "confirmed"  # around the loop, behind it
    assert listing.judge(11, 99).text == "line 99 has no memory instruction of its own"


@pytest.mark.parametrize(("barrier", "verdict"), [("", "confirmed"), ("gpu.barrier", "refuted")])
def test_what_triton_makes(tmp_path: Path, barrier: str, verdict: str):
    path = tmp_path / "f.ttir"
    path.write_text(TTIR.replace("BARRIER", barrier))
    finding = {"code": "LS402", "line": STORE, "notes": [{"line": LOAD}]}
    report = {"findings": [finding, finding | {"code": "LS404"}]}
    [(_, witness)] = judge_report(report, Listing(ptx_of(path)))
    assert witness.verdict == verdict, witness.text


def test_the_command_prints_a_line_for_each_finding(tmp_path: Path, capsys: pytest.CaptureFixture):
    path, report = tmp_path / "f.ttir", tmp_path / "report.json"
    path.write_text(TTIR.replace("BARRIER", ""))
    report.write_text('{"findings": [{"code": "LS402", "line": 12, "notes": [{"line": 10}]}]}')
    assert main([str(report), str(path)]) == 0
    line = capsys.readouterr().out
    assert line.startswith("LS402 line 12: confirmed: no bar.sync between ld.global")
    assert line.endswith(f"(PTX of triton {triton.__version__} for sm_90, 4 warps)\n")
