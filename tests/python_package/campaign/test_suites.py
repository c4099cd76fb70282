"""Suites, packages beside their suites and functions, all in one campaign: torch and Triton take their time."""

import json
import os
import re
import shutil
import sys
import threading
from pathlib import Path

import pytest
from lockstep.campaign import __main__ as command
from lockstep.campaign import plan
from lockstep.campaign.problems import PlanError

HERE = Path(__file__).parent
SUITE = '\n[[run]]\nkind = "tests"\nsuite = "pytest small_suite.py --lockstep"\nchecks = "all"\n'
REPOSITORY = '\n[[run]]\nkind = "tests"\nsuite = "pytest tests --lockstep"\nfolder = "repository"\n'
CALL = '\n[[run]]\nkind = "call"\nmodule = "small_calls"\n'


def plan_text():
    axes = [("contiguous|double.4", "", {"layout": ["columns"]}), ("double.9", "", {"values": ["zeros", "ties"], "seed": [0, 1]}),
            ("double.9", 'adapter = "small_calls.py"', {"arguments": [1, 2]})]  # fmt: skip
    text = SUITE + SUITE + "sizes = 4\n"
    for select, more, names in axes:
        text += f"{SUITE}select = '{select}'\n{more}\n[run.axes]\n" + "".join(f"{name} = {values}\n" for name, values in names.items())
    text += f'{REPOSITORY}sizes = 5\n{REPOSITORY}[run.axes]\nlayout = ["columns"]\n'
    text += f'{CALL}function = "halves"\n[run.axes]\nn = [3, 8]\nfactor = [0.5, 0.25]\n'
    return text + f'{CALL}function = "raises"\nkwargs = {{ n = "{{m + 1}}" }}\n[run.axes]\nm = [3]\n'


@pytest.fixture(scope="module")
def suite_ran(new_folder):
    """Tests read its results and leave its state as it is."""
    folder = new_folder("suite")
    for name in ("small_suite.py", "small_calls.py"):
        shutil.copy(HERE / name, folder.path / name)
    shutil.copytree(HERE / "small_repository", folder.path / "repository")
    folder.run(plan_text())
    return folder


def by_test(folder):
    """{test's name: {sizes or the point: verdict}} of small_suite.py"""
    found = {}
    for one in folder.results():
        file, _, name = one["case"]["source"].get("test", "").partition("::")
        if file == "small_suite.py":
            vary = one["case"]["vary"]
            key = tuple(sorted(vary.get("sizes", vary).items()))
            found.setdefault(name, {})[key] = one["result"]["verdict"]
    return found


def results_of(folder, kind, value):
    """{variation: result} of cases whose source says so."""
    return {json.dumps(one["case"]["vary"]): one["result"] for one in folder.results() if one["case"]["source"].get(kind) == value}


def test_a_suite_is_run_as_it_is_and_varied(suite_ran):
    found = by_test(suite_ran)
    as_it_is = {name: verdicts.pop(()) for name, verdicts in found.items()}
    assert as_it_is.pop("test_not_today") == "refused" and set(as_it_is.values()) == {"pass"}
    kernels = {name for one in suite_ran.results() if one["case"]["source"].get("test", "").startswith("small_suite.py")
               for name in one["result"].get("coverage", {})}  # fmt: skip
    assert kernels == {"double", "double_of_whole_blocks"}
    # Sizes: a block of 31 is refused by the compiler; a tensor that is no whole number of blocks is read past its end.
    assert {found["test_double[9]"].pop(key) for key in list(found["test_double[9]"]) if key[0][0] == "32"} <= {"refused", "pass"}
    for ((number, other),), verdict in found["test_whole_blocks"].items():
        if number == "64":
            assert verdict == ("pass" if other % 32 == 0 else "finding"), other
    assert any(number == "64" for ((number, _),) in found["test_whole_blocks"])
    # What the test itself refuses is no finding; empty_like keeps the order of columns, so that the kernel is right there.
    assert found["test_only_contiguous"][(("layout", "columns"),)] == "refused"
    assert found["test_double[4]"][(("layout", "columns"),)] == "pass"
    drawn = {key: verdict for key, verdict in found["test_double[9]"].items() if key[0][0] in ("seed", "arguments")}
    assert len(drawn) == 6 and set(drawn.values()) == {"pass"}


def test_a_package_beside_its_suite_is_not_varied(suite_ran):
    """Numbers of the package stay; its own asserts refuse a variation, those of torch are the suite's."""
    found = results_of(suite_ran, "test", "tests/test_rows.py::test_row_sums")
    verdicts = {vary: result["verdict"] for vary, result in found.items()}
    assert verdicts.pop('{"layout": "columns"}') == "mismatch"
    expected = {127: "pass", 129: "mismatch", 144: "mismatch", 13: "refused", 256: "mismatch"}
    assert verdicts == {json.dumps({"sizes": {"128": size}}): verdict for size, verdict in expected.items()}
    assert "13 columns are not taken" in found['{"sizes": {"128": 13}}']["message"]
    assert found['{"sizes": {"128": 256}}']["message"].startswith("Tensor-likes are not close")


def test_a_suite_that_cannot_be_collected_is_told(suite_ran):
    def cases(text):
        return list(plan.read(suite_ran.write(text, "other.toml")).cases())

    with pytest.raises(PlanError, match=r"other.toml:\d+: pytest cannot list its tests"):
        cases(SUITE.replace("small_suite.py", "no_such_suite.py"))
    with pytest.raises(PlanError, match="no test is left"):
        cases(SUITE + 'select = "no such test"\n')


def test_functions_are_called_over_axes(suite_ran):
    found = results_of(suite_ran, "function", "halves")
    verdicts = {vary: one["verdict"] for vary, one in found.items()}
    assert verdicts == {json.dumps({"factor": factor, "n": n}): "pass" if factor == 0.5 else "mismatch" for n in (3, 8) for factor in (0.5, 0.25)}
    for one in found.values():
        assert one["verdict"] == "pass" or re.match(r"halves\[1\]: 0.25, expected 0.5; \d of \d elements differ", one["message"])


def test_what_a_function_raises_is_an_error(suite_ran):
    (one,) = results_of(suite_ran, "function", "raises").values()
    assert (one["verdict"], one["message"]) == ("error", "ValueError: no 4")


def failing(folder):
    """Of a test that reads past its tensor where that is no whole number of blocks."""
    return next(one["result"]["id"] for one in folder.results()
                if one["result"]["verdict"] == "finding" and one["case"]["source"].get("test") == "small_suite.py::test_whole_blocks")  # fmt: skip


def test_a_suites_case_becomes_a_capsule(suite_ran, tmp_path, capsys):
    assert command.main(["shrink", str(suite_ran.path / "plan.db"), failing(suite_ran), "-o", str(tmp_path)]) == 0
    assert list(tmp_path.glob("*double_of_whole_blocks.capsule")), capsys.readouterr().out


def test_the_process_is_as_before(suite_ran, capsys):
    before = (os.getcwd(), list(sys.path))
    command.main(["case", str(suite_ran.path / "plan.db"), failing(suite_ran)])
    assert '"verdict": "finding"' in capsys.readouterr().out
    assert (os.getcwd(), sys.path) == before
    assert [one.name for one in threading.enumerate() if one.name == "pytest"] == []  # the suite's session, with its pretended GPU
