"""What a plan says once for all of its runs."""

import json

import pytest
from lockstep.campaign.problems import PlanError
from scale_plan import SCALE, SCALE_AXES

KERNEL = 'file = "small_kernels.py"\ngrid = 1\narguments = {}\n'


def cases_of(plan):
    return [json.loads(text) for _, text in plan.cases()]


def test_the_same_cases_as_where_every_run_says_everything(folder):
    said = SCALE + "checks = 'all'\n[run.options]\ntarget = 'sm_80'\n" + SCALE_AXES
    keys = SCALE.replace("[[run]]\nkind = \"kernel\"\n", "")
    assert keys != SCALE
    once = ("[defaults]\nkind = 'kernel'\nchecks = 'all'\n[defaults.options]\ntarget = 'sm_80'\n" + SCALE_AXES.replace("run.", "defaults.") +
            "[defaults.kernel]\n" + keys + "[[run]]\n")  # fmt: skip
    assert list(folder.plan(once).cases()) == list(folder.plan(said).cases())


def test_a_run_wins_over_its_kind_and_that_over_all(folder):
    text = ("[defaults]\nchecks = 'all'\nwhere = 'n < 3'\n[defaults.axes]\nn = [1, 2]\nseed = [7]\n[defaults.kernel]\nchecks = 'races'\n" + KERNEL +
            "[defaults.kernel.axes]\nn = [2, 3]\n"
            "[[run]]\nkind = 'kernel'\nkernel = 'a'\n[[run]]\nkind = 'kernel'\nkernel = 'b'\nchecks = 'none'\n[run.axes]\nn = [0]\n"
            "[[run]]\nkind = 'call'\nmodule = 'm'\nfunction = 'f'\n")  # fmt: skip
    found = [(one["source"].get("kernel", "f"), one["checks"], one["vary"]) for one in cases_of(folder.plan(text))]
    assert found == [("a", ["races"], {"n": 2, "seed": 7}), ("b", ["none"], {"n": 0, "seed": 7}),
                     ("f", ["all"], {"n": 1, "seed": 7}), ("f", ["all"], {"n": 2, "seed": 7})]  # fmt: skip


def test_more_adds_to_a_list(folder):
    text = ("[defaults]\nkind = 'kernel'\nchecks = ['races', 'overflow']\n[defaults.kernel]\n" + KERNEL +
            "[[run]]\nkernel = 'a'\nchecks = { more = ['lanes'] }\n[[run]]\nkernel = 'b'\n")  # fmt: skip
    assert [one["checks"] for one in cases_of(folder.plan(text))] == [["races", "overflow", "lanes"], ["races", "overflow"]]


RUN = "[[run]]\nkernel = 'k'\n"
ALL = "[defaults]\nkind = 'kernel'\n[defaults.kernel]\n" + KERNEL


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ("defaults = 1\n" + RUN, 1, "`defaults` is a table", ""),
        ("[defaults]\nfile = 'k.py'\n" + RUN, 2, "`file` is not a key of every run", "[defaults.kernel]"),
        ("[defaults]\ncheck = 'all'\n" + RUN, 2, "no key `check`", "did you mean `checks`?"),
        ("[defaults]\nname = 'all'\n" + RUN, 2, "no key `name`", ""),
        ("[defaults.kernel]\nsuite = 'tests'\n" + RUN, 2, "no key `suite`", ""),
        ("[defaults.kernel]\nkind = 'kernel'\n" + RUN, 2, "no key `kind`", ""),
        ("[defaults.kernels]\ngrid = 1\n" + RUN, 1, "no key `kernels`", ""),
        ("[defaults]\nchecks = 1\n" + RUN, 2, "`checks` is a text or a list", ""),
        ("[defaults]\nkind = 'kernels'\n" + RUN, 3, "no source 'kernels'", "kernel"),
        ("[defaults]\nkind = 'kernel'\n" + RUN, 3, "`file` is missing", ""),
        (ALL + "checks = 'rases'\n" + RUN, 7, "names of checkers", "--check"),
        (ALL + "[defaults.axes]\n\nn = []\n" + RUN, 9, "at least one value", "list or a range"),
        (ALL + "[defaults.kernel.options]\nlane_ordre = 'late'\n" + RUN, 8, "no key `lane_ordre`", "lane_order"),
        (ALL + "options = { num_warps = 99 }\n" + RUN, 7, "`num_warps` is 99", "1 to 64"),
        (ALL + RUN + "checks = { more = ['lanes'] }\n", 9, "no list that `more` could extend", "[defaults]"),
        (ALL + "checks = ['lanes']\n" + RUN + "checks = { more = 'races' }\n", 10, "`more` is a list", ""),
        (ALL + "checks = ['lanes']\n" + RUN + "checks = { most = ['races'] }\n", 10, "`checks` is a text or a list", ""),
    ],
)
def test_what_is_wrong_is_named_where_it_stands(folder, text, line, message, hint):
    with pytest.raises(PlanError) as error:
        list(folder.plan(text).cases())
    assert message in str(error.value)
    assert hint in error.value.hint
    assert error.value.line == line
