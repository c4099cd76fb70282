"""Coverage of lines, branches and masks: in results, over cases, in the report."""

import json

import pytest
from lockstep.campaign import __main__ as command
from lockstep.campaign import code_coverage, plan
from lockstep.campaign.code_coverage import FileCoverage, Share
from lockstep.campaign.problems import PlanError
from lockstep.campaign.report import comment, gather, missing, page
from lockstep.campaign.report.texts import of
from lockstep.campaign.state import State

KERNEL = '''
import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def walk(x, out, n, limit, BLOCK: tl.constexpr, TWICE: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)  # </code>&
    if limit > 5:
        value = larger(value, limit)
    if TWICE:
        value += tl.load(x + at, mask=at < n)
    else:
        value = value + 1
    tl.store(out + at, value, mask=at < n)
'''.lstrip()
WALK = """
[[run]]
kind = "kernel"
file = "walk.py"
kernel = "walk"
grid = "cdiv(n, 16)"
arguments = { x = "arange:i32[{n}]", out = "empty:i32[{n}]", n = "{n}", limit = "{limit}", BLOCK = 16, TWICE = "false" }
"""


def line(words):
    return next(number for number, text in enumerate(KERNEL.splitlines(), 1) if words in text)


@pytest.fixture
def walk(folder):
    (folder.path / "walk.py").write_text(KERNEL)
    return folder


def gathered(folder):
    with State(folder.path / "plan.db", writes=False) as state:
        return gather.gather(state, str(folder.path))


def test_numbers_are_written_as_spans():
    assert code_coverage.spans([3, 4, 5, 8, 10, 11]) == "3-5,8,10-11"
    assert list(code_coverage.numbers("3-5,8")) == [3, 4, 5, 8]
    assert code_coverage.spans([]) == "" and not list(code_coverage.numbers(""))


def test_what_is_packed_is_unpacked():
    one = FileCoverage({3: True, 4: True, 9: False}, {(4, 2, "if"): (True, False)}, {(9, 1, "load"): (False, False)})
    packed = code_coverage.packed(one)
    assert packed == {"run": "3-4", "not_run": "9", "branches": {"4:2": "if 10"}, "masks": {"9:1": "load 00"}}
    assert code_coverage.unpacked(json.loads(json.dumps(packed))) == one


def test_cases_together_have_what_any_of_them_has():
    first = FileCoverage({3: True, 4: False}, {(4, 2, "if"): (True, False)}, {})
    second = FileCoverage({4: True, 5: False}, {(4, 2, "if"): (False, True)}, {(5, 1, "load"): (True, False)})
    union, other = FileCoverage(), FileCoverage()
    for one in (first, second):
        union.add(one)
    for one in (second, first):
        other.add(one)
    assert union == other == FileCoverage({3: True, 4: True, 5: False}, {(4, 2, "if"): (True, True)}, {(5, 1, "load"): (True, False)})
    assert code_coverage.shares([union]) == {"lines": Share(2, 3), "branches": Share(2, 2), "masks": Share(1, 2)}


def test_a_result_has_the_case_s_coverage(walk):
    walk.run(WALK + "[run.axes]\nn = [32]\nlimit = [2]\n")
    (one,) = walk.results()
    (file,) = one["result"]["coverage"]["walk"]["files"].values()
    assert list(one["result"]["coverage"]["walk"]["files"]) == ["walk.py"]
    # the helper's line, which no other calls, and the line of the call
    assert list(code_coverage.numbers(file["not_run"])) == [line("return tl.where"), line("larger(value, limit)")]
    assert [place.partition(":")[0] for place in file["branches"]] == [str(line("if limit"))]
    assert list(file["branches"].values()) == ["if 01"]
    assert sorted(file["masks"].values()) == ["load 10", "store 10"]


def test_a_plan_may_do_without(walk):
    walk.run("[campaign]\ncoverage = false\n" + WALK + "[run.axes]\nn = [32]\nlimit = [2]\n")
    (one,) = walk.results()
    assert "files" not in one["result"].get("coverage", {}).get("walk", {})
    walk.run(WALK + "[run.axes]\nn = [32]\nlimit = [2]\n", state=walk.path / "with.db")
    (other,) = walk.results("with.db")
    assert {**one["result"], "coverage": 0} == {**other["result"], "coverage": 0}
    with pytest.raises(PlanError, match="`coverage` is true or false, not 3") as raised:
        plan.read(walk.write("[campaign]\ncoverage = 3\n" + WALK))
    assert raised.value.line == 2


def test_exports_are_the_same_for_any_number_of_workers(walk):
    text = WALK + "[run.axes]\nn = [7, 32, 100]\nlimit = [2, 9]\nnum_warps = [1, 4]\n"
    walk.run(text, state=walk.path / "one.db", jobs=1)
    walk.run(text, state=walk.path / "three.db", jobs=3)
    assert walk.export("one.db") == walk.export("three.db")


def test_the_report_says_what_no_case_showed(walk):
    walk.run(WALK + "[run.axes]\nn = [32, 64]\nlimit = [2]\n")
    made = gathered(walk)
    kernel = made.kernels["walk"]
    seen = code_coverage.shares(kernel.files.values())
    assert seen["lines"].missing == 2
    assert (seen["branches"], seen["masks"]) == (Share(1, 2), Share(2, 4))
    (listing,) = kernel.missing
    assert listing.not_run == {line("return tl.where"), line("larger(value, limit)")}
    assert listing.not_compiled == {line("value += tl.load")}
    assert listing.notes == {line("value = tl.load"): ["load: mask never off"], line("if limit"): ["if: never true"],
                             line("tl.store"): ["store: mask never off"]}  # fmt: skip
    text = page.page(made, "plan.db")
    assert "# &lt;/code&gt;&amp;" in text and "# </code>" not in text
    assert "load: mask never off" in text and "1 of 2" in text and "1 line never compiled" in text
    said = comment.comment(made)
    assert f"{of(seen['lines'])} lines, 1 of 2 branch outcomes, 2 of 4 mask outcomes. Never exercised: most of walk." in said


def test_the_report_says_what_is_shown_since(walk):
    walk.run(WALK + "[run.axes]\nn = [32, 64]\nlimit = [2]\n")
    (walk.path / "plan.db").rename(walk.path / "old.db")
    walk.run(WALK + "[run.axes]\nn = [7]\nlimit = [2]\n")
    with State(walk.path / "plan.db", writes=False) as now, State(walk.path / "old.db", writes=False) as before:
        made = gather.gather(now, str(walk.path), before)
    assert "branch outcomes, 4 of 4 mask outcomes (before: 2 of 4)." in comment.comment(made)
    assert "All cases together showed 4 of 4 mask outcomes, 2 of 4 before." in page.page(made, "plan.db")


def test_a_campaign_before_that_noted_nothing_is_not_compared(walk):
    walk.run("[campaign]\ncoverage = false\n" + WALK + "[run.axes]\nn = [32]\nlimit = [2]\n")
    (walk.path / "plan.db").rename(walk.path / "old.db")
    walk.run(WALK + "[run.axes]\nn = [32]\nlimit = [2]\n")
    with State(walk.path / "plan.db", writes=False) as now, State(walk.path / "old.db", writes=False) as before:
        made = gather.gather(now, str(walk.path), before)
    said = comment.comment(made)
    assert "Exercised by all cases together" in said and "before:" not in said
    assert "All cases together showed" not in page.page(made, "plan.db")


def test_a_report_without_coverage_says_nothing_of_it(walk):
    walk.run("[campaign]\ncoverage = false\n" + WALK + "[run.axes]\nn = [32]\nlimit = [2]\n")
    assert "Exercised by" not in comment.comment(gathered(walk))


def test_what_cases_show_together_is_not_missing(walk):
    text = WALK + "[run.axes]\nn = [7]\nlimit = [2, 9]\n" + WALK.replace("false", "true") + "[run.axes]\nn = [7]\nlimit = [2]\n"
    walk.run(text)
    made = gathered(walk)
    assert made.kernels["walk"].missing == []
    assert "1 kernel of 1 showed all of it" in page.page(made, "plan.db")


def test_blocks_that_no_specialisation_compiled():
    source = """
def host(flag):
    if flag:
        print("no kernel")


def kernel(x, A, B):
    value = load(x)
    if A:
        value = dot(value)
        if B:
            value = load(x + 1)
    elif B:
        value = load(x + 2)
    else:
        value = zeros(value)
    for i in range(3):
        store(x, i)
"""
    find = missing.never_compiled
    assert find(source, frozenset({8, 10}), frozenset()) == [12, 14, 16, 18]
    assert find(source, frozenset({8, 14, 18}), frozenset()) == [10, 12]
    assert find(source, frozenset({8, 10, 12, 14}), frozenset({17})) == []  # the loop's bounds are a program's
    assert find(source, frozenset(), frozenset()) == []
    assert find("not python ][", frozenset({1}), frozenset()) == []


def test_a_page_of_many_kernels_stays_small(walk):
    walk.run(WALK + "[run.axes]\nn = [32]\nlimit = [2]\n")
    made = gathered(walk)
    one = made.kernels["walk"]
    for number in range(3000):
        made.kernels[f"walk{number}"] = gather.Kernel(f"walk{number}", 1, one.verdicts, one.cells, one.files, one.missing)
    text = page.page(made, "plan.db")
    assert " kernels with less" in text and len(text) < 6_000_000


def test_the_command_runs_a_case_with_coverage(walk, capsys):
    walk.run(WALK + "[run.axes]\nn = [32]\nlimit = [2]\n")
    (one,) = walk.results()
    capsys.readouterr()
    assert command.main(["case", str(walk.path / "plan.db"), one["result"]["id"]]) == 0
    assert json.loads(capsys.readouterr().out)["result"]["coverage"] == one["result"]["coverage"]
