"""The example of a GitHub workflow: its steps run here one after the other, as a push to the main branch and then as a pull
request that breaks a kernel. What GitHub does itself (checkout, caches, uploads) is done by hand."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "examples" / "github-actions"
TAKEN = ("Run", "Report", "Comment", "Fail on what is new", "Keep it for the next comparison")


def steps(event):
    """{name: its shell text} of the steps that this event runs, in their order."""
    job = yaml.safe_load((EXAMPLE / "campaign.yml").read_text())["jobs"]["campaign"]
    named = {one["name"]: one for one in job["steps"] if one.get("name") in TAKEN}
    assert list(named) == list(TAKEN)
    other = {"push": "pull_request", "pull_request": "push"}[event]
    return {name: one["run"] for name, one in named.items() if f"event_name == '{other}'" not in one.get("if", "")}


def one_core():
    """One worker then, which imports torch once."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def run(folder, event):
    """{step: exit code}; `gh` writes what it is told to the file `gh`."""
    tools = folder.parent / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tools / "gh").write_text('#!/bin/sh\necho "$@" > gh\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "NUMBER": "7"}
    for name in ("now.db", "now.db.lock"):  # a new machine has the cached before.db only
        (folder / name).unlink(missing_ok=True)
    codes = {}
    for name, text in steps(event).items():
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=False,
                              preexec_fn=one_core)  # fmt: skip
        assert done.returncode in (0, 1), f"{name}: {done.stdout}{done.stderr}"
        codes[name] = done.returncode
    return codes


@pytest.fixture
def repository(tmp_path):
    shutil.copytree(HERE / "small_repository", tmp_path / "repository")
    plan = (EXAMPLE / "campaign.toml").read_text().replace("schedule = [0, 1, 2]", "schedule = [0, 1]").replace("sizes = 3", "sizes = 2")
    (tmp_path / "repository" / "campaign.toml").write_text(plan)
    return tmp_path / "repository"


def test_the_steps_of_the_example_do_what_they_say(repository):
    assert run(repository, "push") == {"Run": 0, "Report": 0, "Keep it for the next comparison": 0}
    known = (repository / "summary.md").read_text()
    assert r"test\_row\_sums \(sizes 128 → 129\)" in known  # what is wrong, and known from then on
    for name in ("report.html", "report.xml", "report.sarif"):
        assert (repository / name).stat().st_size > 0
    kernel = repository / "rows.py"
    kernel.write_text(kernel.read_text().replace("row * columns + at,", "row * columns + at + 1,"))
    assert run(repository, "pull_request") == {"Run": 0, "Report": 0, "Comment": 0, "Fail on what is new": 1}
    assert (repository / "gh").read_text().startswith("pr comment 7 --body-file comment.md")
    assert "LS101" in (repository / "comment.md").read_text()
