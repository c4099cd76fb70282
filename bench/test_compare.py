"""bench/compare.py cannot rot: every row runs at a tiny size and agrees with torch; means, limits and files are right.

Times are not looked at here, except made-up ones.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import report
import rows

import compare


def made_up(name: str, lockstep: float, peer: float = 1.0, in_mean: bool = True) -> report.Result:
    """A result whose torch took a second."""
    times = {"lockstep": [lockstep, 2 * lockstep], "torch": [1.0, 3.0], "interpreter": [peer]}
    result = {"name": name, "in_mean": in_mean, "torch_words": "", "tags": [], "times": times, "errors": {}}
    return result | {"scale": 10.0}


def test_every_row_agrees_with_torch(tmp_path: Path) -> None:
    pytest.importorskip("liger_kernel")
    pytest.importorskip("fla")
    assert compare.main(["--tiny", "--no-interpreter", "--write", str(tmp_path)]) == 0
    results = json.loads((tmp_path / "results.json").read_text())["results"]
    assert [result["name"] for result in results] == [row.name for row in rows.ROWS]
    assert all(result["errors"] == {} for result in results)
    assert all(result["times"]["lockstep"] and result["times"]["torch"] for result in results)
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "ratios.svg").read_text().count("torch") >= 1
    table = (tmp_path / "RESULTS.md").read_text()
    assert all(f"| {row.name}" in table for row in rows.ROWS)


def test_interpreter_runs_and_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["--tiny", "--only", "^softmax f32 1823"]) == 0
    cells = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("| softmax")).split("|")
    assert float(cells[7]) > 1


def test_means_and_limits() -> None:
    results = [made_up("a", 2.0, 400.0), made_up("b", 0.4, 80.0), made_up("c", 9.0, 1800.0, in_mean=False)]
    found = {limit.name: limit for limit in report.limits(results, None)}
    assert found["mean"].value == pytest.approx(0.8**0.5)
    assert found["mean"].holds
    assert found["worst"].value == pytest.approx(2.0)
    assert found["interpreter"].value == pytest.approx(2000.0)
    results += [made_up("vector add", 4.0), made_up("matmul of 128", 2.0) | {"eigen": 1.5}]
    found = {limit.name: limit for limit in report.limits(results, None)}
    assert not found["worst"].holds
    assert not found["vector-add"].holds
    assert found["eigen"].value == pytest.approx(0.75)
    assert found["eigen"].holds


def test_outputs_that_differ_do_not_count() -> None:
    a, b = torch.tensor([1.0, float("nan")]), torch.tensor([1.5, float("nan")])
    assert compare.difference([a], [b]) == pytest.approx(0.5 / 1.5)
    assert compare.difference([torch.zeros(2)], [torch.zeros(3)]) == float("inf")
    assert compare.difference([a], [torch.zeros(2)]) == float("inf")
    assert compare.difference([torch.ones(2)], [torch.ones(2)]) == 0


def test_a_row_that_does_not_run_is_named() -> None:
    side = compare.Side("torch", {"OMP_NUM_THREADS": "1"})
    try:
        with pytest.raises(compare.SideFailedError, match="KeyError"):
            side.ask(open="no such row")
    finally:
        side.close()
