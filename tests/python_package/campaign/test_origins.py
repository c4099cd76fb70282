"""Results belong to the code that made them: a fixed bug turns green, what is unchanged is not run again, what is old is shown
as old and counted for nothing."""

import json
import os
import sqlite3
import threading
import time
import xml.etree.ElementTree
from pathlib import Path

import pytest
from lockstep.campaign import __main__ as command
from lockstep.campaign import driver, imports, origins
from lockstep.campaign.report import comment, files, gather, page
from lockstep.campaign.state import State
from scale_plan import SCALE, SCALE_AXES, SOFTMAX

AXES = "[run.axes]\nrows = [1, 5]\ncolumns = [16, 17, 100]\n"
BOTH = SOFTMAX + AXES + SCALE + 'reference = "numpy:small_sources:scale"\n' + SCALE_AXES


def edit(folder, name, old, new):
    file = folder.path / name
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def fix(folder):
    edit(folder, "small_padding.py", "0.0", 'float("-inf")')


def run_again(folder):
    return driver.run_plan(folder.path / "plan.toml", jobs=1)


def test_a_fixed_bug_turns_green_and_nothing_else_is_run_again(folder):
    broken = folder.run(BOTH)
    assert (broken.verdicts, broken.exit_code, broken.old) == ({"mismatch": 4, "pass": 14}, 1, 0)
    assert run_again(folder).new == 0
    fix(folder)  # in a module that the kernel's file imports
    fixed = run_again(folder)
    assert (fixed.new, fixed.old, fixed.changed) == (6, 6, "small_padding.py")
    assert (fixed.verdicts, fixed.exit_code, fixed.failures) == ({"pass": 18}, 0, "")
    assert (run_again(folder).new, driver.resume(folder.path / "plan.db", jobs=1).new) == (0, 0)


def test_modules_on_a_path_that_pytest_adds_count(tmp_path):
    """pythonpath = src: nobody but pytest's settings knows where the module lies."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "mykern.py").write_text("import mykern_parts\n")
    (tmp_path / "src" / "mykern_parts.py").write_text("")
    (tmp_path / "test_it.py").write_text("import mykern\n")
    found = imports.closure([str(tmp_path / "test_it.py")], [], [str(tmp_path)])
    assert {Path(one).name for one in found.files} == {"test_it.py", "mykern.py", "mykern_parts.py"}


@pytest.mark.parametrize(("file", "count"), [("small_softmax.py", 6), ("small_kernels.py", 12), ("small_sources.py", 18)])
def test_the_kernel_and_the_reference_count(folder, file, count):
    folder.run(BOTH)
    with (folder.path / file).open("a") as opened:
        opened.write("\n# Another text.\n")
    assert driver.resume(folder.path / "plan.db", jobs=1).new == count
    os.utime(folder.path / file)  # the same text at another time
    assert run_again(folder).new == 0


def test_files_that_arguments_are_read_from_count(folder):
    import numpy as np

    np.save(folder.path / "x.npy", np.ones(100, np.float32))
    text = SCALE.replace("randn:{dtype}[{n}]", "@x.npy") + "[run.axes]\nn = [100]\ndtype = ['f32']\nblock = [16]\n"
    assert folder.run(text).verdicts == {"pass": 1}
    np.save(folder.path / "x.npy", np.zeros(100, np.float32))
    assert run_again(folder).new == 1


def test_what_was_put_back_is_current_again(folder):
    folder.run(SOFTMAX + AXES)
    before = (folder.path / "small_padding.py").read_text()
    fix(folder)
    (folder.path / "small_padding.py").write_text(before)
    assert run_again(folder).new == 0


def test_what_is_not_run_again_is_shown_as_old(folder, capsys):
    folder.run(BOTH)
    fix(folder)
    state = str(folder.path / "plan.db")
    assert command.main(["status", state]) == 5
    said = capsys.readouterr().out
    assert "12 of 18 cases done" in said
    assert "old: 6 results (4 mismatch, 2 pass) of code that has changed since (small_padding.py)" in said
    assert "mismatch  " not in said
    assert command.main(["known", state]) == 0  # the mismatches are not what the code does now
    said = capsys.readouterr()
    assert said.out == "" and "4 mismatch" in said.err
    assert command.main(["query", state, "select verdict, count(*) from results where is_current(origin) group by 1"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("pass\t12\n") and "old: 6 results" in said.err
    assert command.main(["export", state]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum("old" in line for line in lines) == 6
    assert {line["result"]["verdict"] for line in lines if "old" not in line} == {"pass"}


def test_reports_count_nothing_that_is_old(folder, capsys):
    folder.run(SOFTMAX + AXES)
    fix(folder)
    with State(folder.path / "plan.db", writes=False) as state:
        assert gather.gather(state).old == {}  # nobody asked
        origins.judge(state)
        made = gather.gather(state, str(folder.path))
    assert (made.done, made.verdicts, made.troubles, made.kernels) == (0, {}, [], {})
    words = "6 results of older code (4 mismatch, 2 pass): not counted here until they run again"
    assert words in page.page(made)
    assert "6 results of older code" in comment.comment(made)
    suite = xml.etree.ElementTree.fromstring(files.junit(made))
    assert [one.get("message") for one in suite.iter("skipped")] == [words]
    assert json.loads(files.sarif(made))["runs"][0]["properties"]["old"] == {"mismatch": 4, "pass": 2}
    assert command.main(["report", str(folder.path / "plan.db"), "--markdown", str(folder.path / "c.md")]) == 0
    assert "old: 6 results" in capsys.readouterr().err
    assert "Old:" in (folder.path / "c.md").read_text()


def test_old_results_stay_until_they_are_run_again(folder):
    folder.run(SOFTMAX + AXES)
    fix(folder)
    some = driver.run_plan(folder.path / "plan.toml", jobs=1, cases=2)
    assert (some.new, some.done, some.reason, some.exit_code) == (2, 2, "cases", 5)
    with State(folder.path / "plan.db", writes=False) as state:
        origins.judge(state)
        assert sum(state.old_verdicts().values()) == 4
    assert run_again(folder).new == 4


def test_where_the_files_are_not_here_nobody_can_tell(folder):
    folder.run(SOFTMAX + AXES)
    state = folder.path / "plan.db"
    with State(state) as opened:
        opened.set_values(root="/no/such/folder")
    with State(state, writes=False) as opened:
        assert origins.judge(opened) is None
        assert opened.done() == 6


def test_a_state_file_of_the_first_version(folder, capsys):
    """It is read, its results are old, since nobody knows their code, and it can be gone on with."""
    folder.run(SOFTMAX + AXES)
    state = str(folder.path / "plan.db")
    with sqlite3.connect(state) as database:
        database.executescript("""
            create table first (id text primary key, verdict text not null, text text not null, seconds real not null,
                worker text not null, attempts integer not null, log text not null) without rowid;
            insert into first select id, verdict, text, seconds, worker, attempts, log from results;
            drop table results; alter table first rename to results; drop table origins;
            delete from campaign where key = 'root'; update campaign set value = '1' where key = 'version';""")
    database.close()
    assert len(folder.results()) == 6
    assert command.main(["status", state]) == 5
    assert "old: 6 results (4 mismatch, 2 pass) of code that has changed since (code that the state file does not name)" in capsys.readouterr().out
    with State(state, writes=False) as opened:
        assert (opened.value("version"), opened.done()) == ("1", 6)
    went_on = driver.resume(state, jobs=1)
    assert (went_on.new, went_on.done, went_on.exit_code) == (6, 6, 1)
    with State(state, writes=False) as opened:
        assert opened.value("version") == "2"
    assert run_again(folder).new == 0


def test_a_file_that_changes_while_cases_run(folder):
    """Nobody knows which text the workers read: results are run again."""
    folder.write(SCALE + 'reference = "numpy:small_sources:slow"\n' + SCALE_AXES)

    def change():
        time.sleep(1.5)
        with (folder.path / "small_kernels.py").open("a") as opened:
            opened.write("\n# Another text.\n")

    changes = threading.Thread(target=change)
    changes.start()
    summary = run_again(folder)
    changes.join()
    assert (summary.reason, summary.exit_code, summary.done, summary.changed) == ("changed", 5, 0, "small_kernels.py")
    assert driver.resume(folder.path / "plan.db", jobs=1).exit_code == 0


def test_cases_that_the_plan_no_longer_lists_go(folder):
    """Capsules and tests come and go while the TOML stays."""
    import shutil

    golden = Path(__file__).parents[2] / "golden" / "capsules"
    (folder.path / "capsules").mkdir()
    for name in ("one", "two"):
        shutil.copy(golden / "outside.capsule", folder.path / "capsules" / f"{name}.capsule")
    text = '[[run]]\nkind = "capsule"\npath = "capsules"\n'
    assert folder.run(text).cases == 2
    (folder.path / "capsules" / "one.capsule").rename(folder.path / "capsules" / "three.capsule")
    again = run_again(folder)
    assert (again.cases, again.new, again.done) == (2, 1, 2)


# ---- what a file imports ----


def names(found, folder):
    return {os.path.relpath(file, folder) for file in found.files}


def test_imports_are_followed_by_syntax(tmp_path):
    texts = {
        "kernel.py": "import os, triton\nfrom helpers import exact\nfrom package.inner import thing\nimport missing\n",
        "helpers.py": "def f():\n    import late.module as other\n",
        "late/module.py": "raise SystemExit('nobody runs this')\n",
        "package/__init__.py": "",
        "package/inner/__init__.py": "from . import thing\nfrom ..sibling import x\n",
        "package/inner/thing.py": "import kernel\n",
        "package/sibling.py": "this is no Python\n",
        "package/unused.py": "",
        "unused.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = imports.closure([str(tmp_path / "kernel.py")], [], [str(tmp_path)])
    assert names(found, tmp_path) == texts.keys() - {"package/unused.py", "unused.py"}
    assert found.packages <= {"triton"}
    assert names(imports.closure([], ["package.sibling"], [str(tmp_path)]), tmp_path) == {"package/__init__.py", "package/sibling.py"}


def test_names_that_are_worked_out_stand_for_the_whole_package(tmp_path):
    (tmp_path / "package" / "ops").mkdir(parents=True)
    for name in ("__init__.py", "ops/__init__.py", "ops/one.py", "two.py"):
        (tmp_path / "package" / name).write_text("")
    (tmp_path / "package" / "__init__.py").write_text("import importlib\nfor n in ('one',):\n    importlib.import_module('.ops.' + n, __name__)\n")
    found = imports.closure([], ["package"], [str(tmp_path)])
    assert names(found, tmp_path) == {"package/__init__.py", "package/ops/__init__.py", "package/ops/one.py", "package/two.py"}
