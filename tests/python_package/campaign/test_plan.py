"""What a TOML may say; what is wrong with one is told with file, line and a hint."""

import itertools
import re
from pathlib import Path

import pytest
from lockstep.campaign import axes, case, expressions, known
from lockstep.campaign.problems import PlanError
from scale_plan import SCALE, SCALE_AXES

RUN = '[[run]]\nkind = "kernel"\nfile = "k.py"\nkernel = "k"\ngrid = 1\narguments = {}\n'


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ("[campain]\n" + RUN, 1, "no key `campain`", "did you mean `campaign`?"),
        ("[limits]\nmemory = '2GB'\ntimes = 3\n" + RUN, 3, "no key `times`", "did you mean `time`?"),
        ("[limits]\n\nmemory = 'much'\n" + RUN, 3, "`memory` is 'much'", '"2GiB"'),
        ("[budget]\ntime = -1\n" + RUN, 2, "`time` is -1", "10min"),
        ("[budget]\ncases = 'all'\n" + RUN, 2, "`cases` is a whole number", ""),
        ("[campaign]\nroot = 'none'\n" + RUN, 2, "`root` is 'none'", "from the TOML's folder"),
        ("", 0, "nothing to run", "[[run]]"),
        ("[[run]]\n", 1, "`kind` is missing", "kernel"),
        ("[[run]]\nkind = 'kernels'\n", 2, "no source 'kernels'", "kernel"),
        ("[[run]]\nkind = 'kernel'\n", 1, "`file` is missing", ""),
        (RUN + "check = 'all'\n", 7, "no key `check`", "did you mean `checks`?"),
        (RUN + "checks = 'rases'\n", 7, "names of checkers", "--check"),
        (RUN + "reference = 'torch'\n", 7, "`reference` is 'torch'", "numpy:MODULE:FUNCTION"),
        (RUN + "combine = 'all'\n", 7, "`combine` is 'all'", "pairwise"),
        (RUN + "fail_on = 'info'\n", 7, "`fail_on` is 'info'", "warning"),
        (RUN + "[run.axes]\n\nn = []\n", 9, "at least one value", "list or a range"),
        (RUN + "[run.axes]\nn = { from = 3, to = 1 }\n", 8, "0 values", ""),
        (RUN + "[run.axes]\nn = { from = 3 }\n", 8, "a range is", ""),
        (RUN + "[run.axes]\nn = [0.5, nan]\n", 8, "axis `n`", ""),
        (RUN + "[run.axes]\ntarget = ['sm_90', 'sm_9']\n", 8, "`target` must be one of", ""),
        (RUN + "[run.axes]\nnum_warps = [4, 'x']\n", 8, "`num_warps` is 'x'", "1 to 64"),
        (RUN + "[run.options]\nlane_ordre = 'forward'\n", 8, "no key `lane_ordre`", "did you mean `lane_order`?"),
        (RUN + "kind = 'kernel'\n", 7, "Cannot overwrite", ""),
        (RUN.replace("'kernel'", "{}").replace('"kernel"', "{ a = 1 }", 1), 2, "no source {'a': 1}", "kernel"),
        (RUN + "checks = [1]\n", 7, "`checks` is a text or a list of texts", ""),
        (RUN + "rtol = nan\n", 7, "`rtol` is nan", "from 0 on"),
        (RUN + "[run.options]\ntarget = { a = 1 }\n", 8, "`target` must be one of", ""),
        ("[campaign]\nroot = \"\\u0000\"\n" + RUN, 2, "not a folder", ""),
        (RUN + "axes = { n = [1],\n  m = [2] }\n", 7, "", "[run.name]"),
        (RUN + RUN.replace("arguments", "argument"), 12, "no key `argument`", "did you mean `arguments`?"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(folder, text, line, message, hint):
    with pytest.raises(PlanError) as error:
        folder.plan(text)
    assert message in str(error.value)
    assert hint in error.value.hint
    assert error.value.line == line
    assert error.value.file.endswith("plan.toml")


@pytest.mark.parametrize(
    ("where", "message"),
    [("rows > 1", "no axis 'rows'"), ("n.real", "not allowed"), ("n +", "not an expression"), ("n // 0", "zero"), ("2 * 'x' > 1", "not a number")],
)
def test_expressions_are_checked_when_cases_are_made(folder, where, message):
    plan = folder.plan(SCALE + f'where = "{where}"\n' + SCALE_AXES)
    with pytest.raises(PlanError, match=message):
        list(plan.cases())


@pytest.mark.parametrize(
    ("more", "message"),
    [("combine = 'pairwise'\n[run.axes]\na = { from = 1, to = 100000 }\nb = { from = 1, to = 20 }\n", "pairs of values"),
     ("[run.axes]\na = [1979-05-27]\n", "axis `a`"),
     ("arguments2 = {}\n", "no key `arguments2`")],
)  # fmt: skip
def test_cases_that_cannot_be_are_errors_of_the_plan(folder, more, message):
    with pytest.raises(PlanError, match=message):
        list(folder.plan(RUN + more).cases())


def test_expressions():
    names = {"n": 10, "dtype": "f16", "flag": True}
    for text, value in {"n * 2 + 1": 21, "cdiv(n, 4)": 3, "next_power_of_2(n + 7)": 32, "min(n, 3) % 2": 1, "-n // 3": -4,
                        "dtype == 'f16' and 1 <= n < 11": True, "dtype in ('f32', 'bf16')": False, "not flag": False}.items():  # fmt: skip
        assert expressions.evaluate(text, names) == value
    assert expressions.fill("randn:{dtype}[{n},{n*2}] {flag}", names) == "randn:f16[10,20] true"
    for hostile in ("__import__('os')", "n ** n", "(lambda: n)()", "[n for n in (1, 2)]", "n << 90", "2**63 * 2", "(" * 500):
        with pytest.raises(expressions.ExpressionError):
            expressions.evaluate(hostile, names)


AXES = {"a": list(range(5)), "b": list("xyz"), "c": [True, False], "d": list(range(4)), "e": [1.5, 2.5]}


def everything(_):
    return True


def pairs(points):
    return {pair for point in points for pair in itertools.combinations(sorted(point.items()), 2)}


def test_pairwise_lets_every_two_values_meet():
    points = list(axes.pairwise(AXES, everything, axes.Lot(1)))
    assert pairs(points) == pairs(axes.product(AXES, everything))
    assert 20 <= len(points) <= 30  # of 240
    assert points == list(axes.pairwise(AXES, everything, axes.Lot(1)))


def test_pairwise_keeps_to_where_and_leaves_out_only_what_it_rules_out():
    def accepts(point):
        return not (point["b"] == "x" and point["c"]) and point["a"] != point["d"]

    points = list(axes.pairwise(AXES, accepts, axes.Lot(1)))
    assert all(map(accepts, points))
    assert pairs(points) == pairs(axes.product(AXES, accepts))


def test_points_by_lot_are_different_and_the_same_again():
    points = list(axes.drawn(AXES, everything, 50, axes.Lot(3)))
    assert len({case.canonical(one) for one in points}) == 50
    assert points == list(axes.drawn(AXES, everything, 50, axes.Lot(3)))
    assert points != list(axes.drawn(AXES, everything, 50, axes.Lot(4)))
    assert len(list(axes.drawn(AXES, everything, 1000, axes.Lot(3)))) == 240


def test_values_of_an_axis():
    lot = axes.Lot(5)
    assert axes.values_of({"from": 1, "to": 10, "step": 4}, lot) == [1, 5, 9]
    assert axes.values_of({"from": 1, "to": 3}, lot) == [1, 2, 3]
    drawn = axes.values_of({"random": 5, "from": 10, "to": 1000}, lot)
    assert len(set(drawn)) == 5
    assert all(10 <= one <= 1000 for one in drawn)


def test_ids_are_for_ever(folder):
    """Ids of an earlier version of Lockstep: a change here breaks `what changed since the last campaign` for users."""
    (key, text), *_ = folder.plan(SCALE + SCALE_AXES).cases()
    assert text == ('{"checks":["default"],"options":{},"reference":"none","schedule":{"number":0,"seed":0},"source":{"arguments":'
                    '{"BLOCK":"16","FACTOR":"2","n":"1","out":"empty:f32[1]","x":"randn:f32[1]"},"file":"small_kernels.py","grid":'
                    '"cdiv(n, BLOCK)","kernel":"scale","kind":"kernel"},"vary":{"block":16,"dtype":"f32","n":1}}')  # fmt: skip
    assert key == "65f729946adc8956"


def test_options_and_schedules_stand_in_places_of_their_own(folder):
    plan = folder.plan(SCALE + "fail_on = 'warning'\nrtol = 0.5\n[run.options]\ntarget = 'sm_80'\n" + SCALE_AXES +
                       "schedule = [3]\nnum_warps = [8]\n")  # fmt: skip
    (_, text), *_ = plan.cases()
    assert '"options":{"fail_on":"warning","num_warps":8,"rtol":0.5,"target":"sm_80"}' in text
    assert '"schedule":{"number":3,"seed":0}' in text
    assert '"vary":{"block":16,"dtype":"f32","n":1}' in text


DOCUMENTED = re.findall(r"```toml\n(.*?)```", (Path(__file__).parents[3] / "docs" / "campaigns.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("text", DOCUMENTED)
def test_what_the_documentation_shows_is_a_plan(folder, text):
    if text.startswith("[[known]]"):
        assert known.read(folder.write(text, "known.toml")).entries
    else:
        assert folder.plan(text).entries
