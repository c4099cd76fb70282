"""What a campaign's report says: as a page, JUnit, SARIF and a comment."""

import json
import xml.etree.ElementTree

import pytest
from lockstep.campaign import __main__ as command
from lockstep.campaign.report import comment, gather, page
from lockstep.campaign.state import State
from scale_plan import SCALE, SCALE_AXES

BROKEN = SCALE.replace('"scale"', '"scale_without_mask"').replace("FACTOR = 2, ", "")


def report(folder, state="plan.db", since=None):
    with State(folder.path / state, writes=False) as opened:
        if since is None:
            return gather.gather(opened, str(folder.path))
        with State(folder.path / since, writes=False) as before:
            return gather.gather(opened, str(folder.path), before)


@pytest.fixture
def ran(folder):
    folder.run('[campaign]\nname = "<b>both</b> & more"\n' + SCALE + SCALE_AXES + BROKEN + SCALE_AXES)
    return folder


def test_kernels_axes_and_findings_are_counted(ran):
    made = report(ran)
    assert set(made.kernels) == {"scale", "scale_without_mask"}
    good, bad = made.kernels["scale"], made.kernels["scale_without_mask"]
    assert (good.cases, good.verdicts["pass"]) == (12, 12)
    assert (bad.cases, bad.verdicts["finding"]) == (12, 12)
    assert made.axes == {"block": ["16", "64"], "dtype": ["bf16", "f32"], "n": ["1", "7", "100"]}
    assert (bad.cells["n", "7"].cases, bad.cells["n", "7"].failed) == (4, 4)
    first = made.troubles[0]
    assert (first.code, first.kernel, first.file, first.line) == ("LS101", "scale_without_mask", "small_kernels.py", 16)
    assert any(number == 16 and "tl.load" in line for number, line in first.source)


def test_what_changed_is_told_by_places_and_by_cases(ran):
    (ran.path / "plan.db").rename(ran.path / "old.db")
    broken = (ran.path / "small_kernels.py").read_text()
    fixed = broken.replace("tl.load(x + at) * 2)", "tl.load(x + at, mask=at < 1) * 2, mask=at < 1)")
    (ran.path / "small_kernels.py").write_text(fixed)
    ran.run('[campaign]\nname = "<b>both</b> & more"\n' + SCALE + SCALE_AXES + BROKEN + SCALE_AXES)
    changes = report(ran, since="old.db").changes
    assert changes.cases_before == 24
    assert not changes.new
    assert {one.code for one in changes.gone} == {"LS101"}
    assert report(ran, "old.db", since="plan.db").changes.new
    words = ["report", str(ran.path / "plan.db"), "--since", str(ran.path / "old.db"), "--fail-on-new"]
    assert command.main(words) == 0
    assert command.main([words[0], words[3], words[2], words[1], words[4]]) == 5  # of the code before the fix
    (ran.path / "small_kernels.py").write_text(broken)
    assert command.main([words[0], words[3], words[2], words[1], words[4]]) == 1
    assert command.main(["report", words[1], "--fail-on-new"]) == 2


def test_results_that_moved_are_told_though_they_pass(folder):
    """Rounded to f16 on the way, they lie in a wide bound all the same."""
    text = SCALE + 'reference = "numpy:thrice:scale"\nrtol = 0.01\n' + SCALE_AXES.replace('"bf16"', '"f16"')
    (folder.path / "thrice.py").write_text("def scale(x, **_): return {'out': 3.0 * x.astype('f8')}\n")
    text = text.replace("FACTOR = 2", "FACTOR = 3")
    folder.run(text)
    (folder.path / "plan.db").rename(folder.path / "old.db")
    kernels = folder.path / "small_kernels.py"
    kernels.write_text(kernels.read_text().replace("mask=at < n) * FACTOR", "mask=at < n).to(tl.float16) * FACTOR"))
    assert folder.run(text).exit_code == 0
    made = report(folder, since="old.db")
    (farther,), ((name, count),) = made.changes.farther, made.changes.other_bytes
    assert (farther.kernels, farther.measured, name) == ("scale", "share of the tolerance", "scale")
    assert farther.before < 1e-4 and 0.02 < farther.now < 0.1
    assert 1 <= len(farther.cases) <= count <= 6  # those of f32
    assert "Farther from the reference than before: 1" in page.page(made, "plan.db")
    assert f"Farther from the reference than before: scale \\({len(farther.cases)} cases" in comment.comment(made)
    assert not report(folder, since="plan.db").changes.farther


def test_the_page_holds_texts_and_no_markup_of_theirs(ran):
    text = page.page(report(ran), "<plan>.db")
    assert "<b>both</b>" not in text and "&lt;b&gt;both&lt;/b&gt; &amp; more" in text
    assert "&lt;plan&gt;.db" in text
    assert "default-src 'none'" in text and "http" not in text.replace("http-equiv", "")


def test_junit_has_a_case_for_each_kernel(ran, capsys):
    out = ran.path / "junit.xml"
    assert command.main(["report", str(ran.path / "plan.db"), "--junit", str(out)]) == 0
    root = xml.etree.ElementTree.parse(out).getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "0")
    failed = root.find(".//testcase[@name='scale_without_mask']/failure")
    assert failed.get("type") == "LS101" and "small_kernels.py:16" in failed.text


def test_sarif_has_a_result_for_each_place(ran):
    out = ran.path / "out.sarif"
    command.main(["report", str(ran.path / "plan.db"), "--sarif", str(out)])
    run = json.loads(out.read_text())["runs"][0]
    places = {(one["ruleId"], one["locations"][0]["physicalLocation"]["region"]["startLine"]) for one in run["results"]}
    assert ("LS101", 16) in places
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["LS101"]
    assert all(run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"])


def test_a_comment_is_short_and_plain(ran):
    out = ran.path / "comment.md"
    command.main(["report", str(ran.path / "plan.db"), "--markdown", str(out)])
    text = out.read_text()
    assert r"\<b\>both\</b\> \& more" in text and "| LS101 |" in text and len(text) < 5000


def test_a_report_needs_a_format(ran, capsys):
    assert command.main(["report", str(ran.path / "plan.db")]) == 2
    assert "usage: lockstep campaign report" in capsys.readouterr().err
