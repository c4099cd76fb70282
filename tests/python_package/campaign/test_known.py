"""What goes wrong for a reason that is written down does not make a campaign fail, and is shown as known."""

import json
import sqlite3
import xml.etree.ElementTree

import pytest
from lockstep.campaign import __main__ as command
from lockstep.campaign import driver, known
from lockstep.campaign.problems import PlanError
from lockstep.campaign.report import comment, files, gather, page
from lockstep.campaign.state import State
from scale_plan import SCALE, SCALE_AXES

BROKEN = SCALE.replace('"scale"', '"scale_without_mask"').replace("FACTOR = 2, ", "")
WRONG = SCALE.replace("FACTOR = 2", "FACTOR = 3") + 'reference = "numpy:small_references:doubled"\n'
REFERENCE = "def doubled(x, **others):\n    return {'out': x * 2}\n"
ENTRY = '[[known]]\ncode = "LS101"\nkernel = "scale_without_mask"\nfile = "small_*.py"\nreason = "page <b>3</b>"\n'
OTHERS = '[[known]]\nverdict = "mismatch"\nkernel = "scale"\nvary = { block = [16, 64], n = "*" }\nmessage = "out: *"\nreason = "three, not two"\n'


@pytest.fixture
def ran(folder):
    """12 findings, 12 mismatches and one that is refused, nothing of it known."""
    folder.write(REFERENCE, "small_references.py")
    folder.write("", "known.toml")
    descriptor = "[[run]]\nkind = 'kernel'\nfile = 'small_kernels.py'\nkernel = 'does_not_compile'\ngrid = 1\narguments = { out = 'empty:i32[4]' }\n"
    summary = folder.run('[campaign]\nknown = "known.toml"\n' + BROKEN + SCALE_AXES + WRONG + SCALE_AXES + descriptor)
    assert summary.exit_code == 1
    assert set(summary.verdicts) == {"finding", "mismatch", "refused"}
    return folder


def resumed(folder):
    return driver.resume(folder.path / "plan.db", jobs=1)


def test_a_campaign_fails_for_what_is_not_known(ran):
    ran.write(ENTRY, "known.toml")
    summary = resumed(ran)
    assert (summary.exit_code, summary.known.cases, summary.failed, summary.known.stale) == (1, 12, 25, [])
    assert command.main(["status", str(ran.path / "plan.db")]) == 1
    refused = '[[known]]\nverdict = "refused"\nmessage = "*arange*"\nreason = "not written yet"\n'
    ran.write(ENTRY + OTHERS + refused, "known.toml")
    assert resumed(ran).exit_code == 0
    assert command.main(["status", str(ran.path / "plan.db")]) == 0
    ran.write("", "known.toml")
    assert command.main(["status", str(ran.path / "plan.db")]) == 1
    ran.write(ENTRY + OTHERS + refused, "other.toml")
    assert command.main(["status", str(ran.path / "plan.db"), "--known", str(ran.path / "other.toml")]) == 0


@pytest.mark.parametrize(
    "change",
    [('"LS101"', '"LS102"'), ("scale_without", "without"), ("small_*", "large_*"), ("three", "three\"\nvary = { block = 16 }\n#"),
     ("three", "three\"\nvary = { seed = '*' }\n#"), ('"out: *"', '"in: *"'), ('"mismatch"', '"timeout"')],
)  # fmt: skip
def test_every_key_of_an_entry_must_hold(ran, change):
    ran.write((ENTRY + OTHERS).replace("vary", "#").replace(*change), "known.toml")
    assert resumed(ran).known.cases in (12, 18)
    ran.write((ENTRY + OTHERS).replace("vary", "#"), "known.toml")
    assert resumed(ran).known.cases == 24


def test_entries_that_nothing_met_are_told_if_their_kernel_ran(ran, capsys):
    stale = '[[known]]\ncode = "LS205"\nkernel = "scale*"\nreason = "mended"\n'
    elsewhere = '[[known]]\ncode = "LS205"\nkernel = "other"\nreason = "not run here"\n'
    elsewhere += '[[known]]\nverdict = "refused"\nmessage = "the test skips itself*"\nreason = "of any kernel"\n'
    ran.write(ENTRY + stale + elsewhere, "known.toml")
    assert [(one.code, one.line) for one in resumed(ran).known.stale] == [("LS205", 6)]
    assert command.main(["resume", str(ran.path / "plan.db"), "--jobs", "1"]) == 1
    said = capsys.readouterr()
    assert "known, but not seen although its kernel ran: LS205 scale* (line 6)" in said.err
    assert "(12 of 25 that did not pass are known)" in said.out
    ran.write(ENTRY + stale * 7, "known.toml")
    assert command.main(["resume", str(ran.path / "plan.db"), "--jobs", "1"]) == 1
    said = capsys.readouterr().err
    assert said.count("not seen although") == 5 and "and 2 more, in lines 26, 30" in said


def test_reports_show_the_reason(ran):
    ran.write(ENTRY, "known.toml")
    with State(ran.path / "plan.db", writes=False) as state:
        made = gather.gather(state, str(ran.path), state, known.of_state(state))
    assert {one.verdict for one in made.troubles} == {"mismatch"}
    assert {one.known for one in made.known} == {"page <b>3</b>"}
    text = page.page(made)
    assert "What is known" in text and "page &lt;b&gt;3&lt;/b&gt;" in text and "<b>3</b>" not in text
    assert "12 cases failed in known ways" in comment.comment(made)
    suite = xml.etree.ElementTree.fromstring(files.junit(made))
    assert suite.get("skipped") == "1"
    assert [one.get("message") for one in suite.iter("skipped")] == ["known: page <b>3</b>"]
    results = json.loads(files.sarif(made))["runs"][0]["results"]
    assert {one["ruleId"] for one in results if "suppressions" in one} == {"LS101"}


def test_the_command_writes_entries_that_match_once_they_have_reasons(ran, capsys):
    assert command.main(["known", str(ran.path / "plan.db"), "-o", str(ran.path / "new.toml")]) == 0
    text = (ran.path / "new.toml").read_text()
    assert '# 12 cases, first ' in text
    with pytest.raises(PlanError, match="`reason` is empty"):
        known.read(ran.path / "new.toml")
    ran.write(text.replace('reason = ""', 'reason = "so it is"'), "known.toml")
    assert resumed(ran).exit_code == 0
    capsys.readouterr()
    assert command.main(["known", str(ran.path / "plan.db")]) == 0
    assert capsys.readouterr().out == ""
    assert command.main(["known", str(ran.path / "plan.db"), "-o", str(ran.path / "new.toml")]) == 2


def test_what_the_command_writes_of_names_with_brackets_matches_them(ran, capsys):
    """Tests that launched nothing are named as a whole; folders may have brackets, too."""
    with sqlite3.connect(ran.path / "plan.db") as database:
        database.execute("delete from results where verdict = 'refused'")
        database.execute("update results set text = replace(json_remove(text, '$.coverage'), 'small_kernels.py', 'a[1]/small_kernels.py')")
        database.execute("update cases set text = json_set(text, '$.source', json('{\"kind\": \"tests\", \"test\": \"t.py::test[a-*]\"}'))")
    database.close()
    assert command.main(["known", str(ran.path / "plan.db")]) == 0
    text = capsys.readouterr().out
    assert 'kernel = "t.py::test?a-??"' in text and 'file = "a?1?/small_kernels.py"' in text
    ran.write(text.replace('reason = ""', 'reason = "so it is"'), "known.toml")
    assert command.main(["known", str(ran.path / "plan.db")]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ("[[knows]]\n", 1, "no key `knows`", "did you mean `known`?"),
        ("known = 1\n", 1, "`known` is a list of tables", ""),
        ("[[known]]\ncode = 'LS101'\n", 1, "`reason` is missing", ""),
        ("[[known]]\ncode = 'LS101'\nreason = ' '\n", 3, "`reason` is empty", "why it is true"),
        (ENTRY + "[[known]]\nreason = 'a'\nkernl = 'b'\n", 8, "no key `kernl`", "did you mean `kernel`?"),
        ("[[known]]\nreason = 'a'\nverdict = 'pass'\n", 3, "no verdict 'pass'", "mismatch"),
        ("[[known]]\nreason = 'a'\nverdict = 'mismatch'\n", 1, "every mismatch", "name a"),
        ("[[known]]\nreason = 'a'\nverdict = 'crash'\ncode = 'LS101'\n", 4, "`code` belongs to a finding", "kernel"),
        ("[[known]]\nreason = 'a'\nkernel = []\n", 3, "`kernel` must be a pattern", ""),
        ("[[known]]\nreason = 'a'\nkernel = 'b'\n[known.vary]\nn = [[1]]\n", 5, "`n` must be a pattern", ""),
        ("[[known]]\nreason = a\n", 2, "Invalid value", ""),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_line(folder, text, line, message, hint):
    with pytest.raises(PlanError, match=message) as error:
        known.read(folder.write(text, "known.toml"))
    assert (error.value.line, hint in error.value.hint) == (line, True)


def test_a_file_that_is_not_there_is_an_error_of_the_plan(folder):
    with pytest.raises(PlanError, match="`known` is 'none.toml', which is not a file") as error:
        folder.plan("[campaign]\nknown = 'none.toml'\n" + SCALE)
    assert error.value.line == 2
