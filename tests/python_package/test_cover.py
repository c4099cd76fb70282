"""The option cover: which lines, branch outcomes and mask outcomes a launch showed."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import lockstep
import pytest
from backend_fixture import on_lockstep  # noqa: F401

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")
tl = pytest.importorskip("triton.language")


@triton.jit
def clipped(x, out, n, limit, BLOCK: tl.constexpr, DOUBLE: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    if limit > 3:
        value = tl.minimum(value, limit)
    if DOUBLE:
        value *= 2
    tl.store(out + index, value, mask=index < n)


def shown(n: int, limit: int) -> dict:
    x, out = torch.arange(n, dtype=torch.int32), torch.empty(n, dtype=torch.int32)
    clipped[(triton.cdiv(n, 16),)](x, out, n, limit, BLOCK=16, DOUBLE=False)
    coverage = lockstep.last_report().coverage
    (file,) = coverage
    assert file == __file__
    return coverage[file]


def lines_of(words: str) -> list[int]:
    return [number for number, line in enumerate(Path(__file__).read_text().splitlines(), 1) if words in line and "words" not in line]


def test_nothing_is_noted_unasked():
    x = torch.zeros(16, dtype=torch.int32)
    clipped[(1,)](x, x, 16, 1, BLOCK=16, DOUBLE=False)
    assert lockstep.last_report().coverage is None


def test_lines_branches_and_masks():
    with lockstep.options(cover=True):
        one = shown(30, 2)
        (branch,) = one["branches"].items()
        assert branch[0][0] == lines_of("if limit > 3:")[0]
        assert branch[1] == ("if", False, True)
        assert [line for line, ran in one["lines"].items() if not ran] == lines_of("tl.minimum(value, limit)")[:1]
        assert lines_of("value *= 2")[0] not in one["lines"]
        assert sorted(one["masks"].values()) == [("load", True, True), ("store", True, True)]
        other = shown(32, 5)
        assert list(other["branches"].values()) == [("if", True, False)]
        assert sorted(other["masks"].values()) == [("load", True, False), ("store", True, False)]
        assert all(other["lines"].values())


def test_it_does_not_depend_on_threads_or_checkers():
    with lockstep.options(cover=True, threads=1, check="none"):
        expected = shown(200, 5)
    for options in ({"threads": 4}, {"check": "all"}, {"check": "all", "threads": 1}):
        with lockstep.options(cover=True, **options):
            assert shown(200, 5) == expected


def test_it_goes_with_a_pickled_report():
    with lockstep.options(cover=True):
        shown(30, 2)
    report = lockstep.last_report()
    assert pickle.loads(pickle.dumps(report)).coverage == report.coverage


def test_launches_of_a_block_are_united_and_told_as_the_command_tells_them():
    with lockstep.coverage() as seen:
        shown(30, 2)
        text = str(seen)
        assert text.startswith("clipped: coverage: 4 of 5 lines, 1 of 2 branch outcomes, 4 of 4 mask outcomes\n")
        assert f"test_cover.py:{lines_of('if limit > 3:')[0]}  if: never true  | if limit > 3:" in text
        shown(32, 5)
    x = torch.zeros(32, dtype=torch.int32)
    clipped[(2,)](x, x, 32, 2, BLOCK=16, DOUBLE=True)
    assert str(seen) == "clipped: coverage: 5 of 5 lines, 2 of 2 branch outcomes, 4 of 4 mask outcomes\n"
    assert set(seen.kernels) == {"clipped"}
    assert lockstep.last_report().coverage is None


def test_the_command_tells_it_when_the_program_ends(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys\nsys.path.insert(0, sys.argv[1])\nimport torch, test_cover\n"
                       "x = torch.zeros(40, dtype=torch.int32)\ntest_cover.clipped[(3,)](x, x, 40, 9, BLOCK=16, DOUBLE=True)\n")  # fmt: skip
    words = [sys.executable, "-m", "lockstep", "--cover", str(program), str(Path(__file__).parent)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    assert "clipped: coverage: 6 of 6 lines, 1 of 2 branch outcomes, 4 of 4 mask outcomes\n" in ended.stderr
    assert "if: never false" in ended.stderr
