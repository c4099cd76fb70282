"""The examples: from source and from Triton's TTIR the same bytes, and within the reference's bound."""

import ast
import shlex

import lockstep_tool
import numpy as np
import pytest
import references

LAUNCHES = lockstep_tool.launches()


def check_against_reference(launch, result):
    inputs = {name: result.saved[name] for name in launch["inputs"]}
    for name, (expected, bound) in references.OF[launch["name"]](inputs).items():
        actual = result.saved[name].astype(np.float64)
        assert actual.shape == expected.shape
        excess = np.abs(actual - expected.astype(np.float64)) - bound
        worst = np.unravel_index(np.argmax(excess), excess.shape)
        assert excess[worst] <= 0, (
            f"{name}{list(worst)} is {actual[worst]!r}, the reference says {expected[worst]!r}"
            f" within {np.broadcast_to(bound, expected.shape)[worst]:.3g}"
        )


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch["name"])
@pytest.mark.parametrize("source", ["py", "ttir"])
def test_agrees_with_the_reference(launch, source):
    check_against_reference(launch, lockstep_tool.run_example(launch, source))


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch["name"])
def test_source_and_ttir_give_the_same_bytes(launch):
    from_source = lockstep_tool.run_example(launch, "py", seed=7)
    from_ttir = lockstep_tool.run_example(launch, "ttir", seed=7)
    for name in launch["inputs"] + launch["outputs"]:
        assert from_source.saved[name].dtype == from_ttir.saved[name].dtype
        assert from_source.saved[name].tobytes() == from_ttir.saved[name].tobytes(), name


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch["name"])
def test_bytes_do_not_depend_on_the_number_of_threads(launch):
    runs = [lockstep_tool.run_example(launch, "py", seed=3, options=["--threads", str(n)]) for n in (1, 2, 7)]
    for name in launch["outputs"]:
        assert len({run.saved[name].tobytes() for run in runs}) == 1, name


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch["name"])
def test_no_finding(launch):
    result = lockstep_tool.run_example(launch, "py")
    assert "[LS" not in result.output + result.errors, result.text()


EXAMPLES = sorted((lockstep_tool.ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_command_in_the_docstring_runs(path):
    lines = ast.get_docstring(ast.parse(path.read_text())).splitlines()
    words = shlex.split(next(line for line in lines if line.startswith("lockstep run")))
    result = lockstep_tool.call(words[1:])
    is_buggy = "missing" in path.stem
    assert result.exit_code == (1 if is_buggy else 0), result.text()
    assert ("[LS101]" in result.output + result.errors) == is_buggy, result.text()


def test_the_reference_notices_a_wrong_result():
    """The bound is a bound: a result off by one unit in the last place of a large element, times ten, is refused."""
    launch = next(row for row in LAUNCHES if row["name"] == "matmul")
    result = lockstep_tool.run_example(launch, "py")
    out = result.saved["out"]
    place = np.unravel_index(np.argmax(np.abs(out)), out.shape)
    out[place] *= 1 + 2.0**-6
    with pytest.raises(AssertionError, match="the reference says"):
        check_against_reference(launch, result)
