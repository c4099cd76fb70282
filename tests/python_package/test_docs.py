"""Every code block of the package's pages is run, and prints what its `# -> text` comments say."""

import os
import re
import runpy
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("python-package.md", "how-to/from-triton-interpret.md")
NOT_RUN = {
    "pip install .": "test_wheel builds and installs the wheel",
    "pytest --lockstep-debug -k softmax": "it asks somebody at a terminal",
}
RUNNER = """
    import runpy, sys
    sys.path.insert(0, "")
    for name in sys.argv[1:]:
        runpy.run_path(name, run_name="__main__")
"""


def blocks(page: str) -> list[tuple[str, str]]:
    """(language, text) of each fenced block."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def python_files(page: str) -> dict[str, str]:
    """Name -> text, in order. A block that starts with `# name.py` is that file."""
    files = {}
    for number, (language, text) in enumerate(blocks(page)):
        if language == "python":
            named = re.match(r"# (\w+\.py)\n", text)
            # The comment stays in the file: the lines that the page quotes count it.
            files[named[1] if named else f"block_{number}.py"] = text
    return files


def commands(page: str) -> list[str]:
    lines = [line for language, text in blocks(page) if language == "sh" for line in text.splitlines()]
    return [re.sub(r"\s+#.*", "", line).strip() for line in lines if line.strip()]


def write(page: str, folder: Path) -> list[str]:
    """Writes the page's files; returns those that no command runs."""
    files = python_files(page)
    for name, text in files.items():
        (folder / name).write_text(text)
    used = " ".join(commands(page))
    return [name for name in files if name not in used and not name.startswith("test_")]


def environment() -> dict[str, str]:
    return {**os.environ, "LOCKSTEP": "1", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks(page, tmp_path):
    run = write(page, tmp_path)
    code = textwrap.dedent(RUNNER)
    done = subprocess.run(
        [sys.executable, "-c", code, *run], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    wanted = [text for name in run for text in re.findall(r"# -> (.*)$", python_files(page)[name], re.MULTILINE)]
    assert wanted
    printed = iter(done.stdout.splitlines())
    for text in wanted:
        assert text in printed, f"{text!r} is not printed (in this order):\n{done.stdout}"


def test_the_quoted_message_is_the_real_one(tmp_path):
    page = "python-package.md"
    write(page, tmp_path)
    done = subprocess.run(
        [sys.executable, "fault.py"], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    quoted = next(text for language, text in blocks(page) if language == "text" and "error:" in text)
    assert quoted in done.stdout.replace(f"{tmp_path}/", "")


ALL_COMMANDS = [(page, command) for page in PAGES for command in commands(page)]
IN_CI = ("python -m lockstep", "pytest --lockstep-check")


@pytest.mark.parametrize(
    ("page", "command"),
    [
        pytest.param(page, command, marks=() if command.startswith(IN_CI) else pytest.mark.campaign)
        for page, command in ALL_COMMANDS
        if command not in NOT_RUN
    ],
)
def test_commands(page, command, tmp_path):
    write(page, tmp_path)
    if command.startswith("pytest"):
        command += " -p no:cacheprovider" + named_plugin()
    command = re.sub(r"\b(python|pytest)\b", lambda name: PROGRAMS[name[1]], command, count=1)
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


PROGRAMS = {"python": sys.executable, "pytest": f"{sys.executable} -m pytest"}


def named_plugin() -> str:
    import importlib.metadata

    installed = any(point.name == "lockstep" for point in importlib.metadata.entry_points(group="pytest11"))
    return "" if installed else " -p lockstep.pytest_plugin"


def test_commands_that_are_not_run_exist():
    assert set(NOT_RUN) <= {command for _, command in ALL_COMMANDS}
    assert shutil.which("bash")


def test_the_number_of_other_answers():
    listed = runpy.run_path(str(Path(__file__).parent / "semantics" / "other_answers.py"))["OTHER"]
    words = f"{274 - len(listed)} print it here to the letter; the other {len(listed)} are"
    assert words in (DOCS / PAGES[1]).read_text(encoding="utf-8")


def test_every_option_and_variable_is_documented():
    from lockstep import settings

    text = (DOCS / PAGES[0]).read_text(encoding="utf-8")
    for name in (*settings._CHECKS, *settings.ENVIRONMENT):
        assert f"`{name}`" in text, name


def test_every_exception_is_documented():
    import lockstep

    text = (DOCS / PAGES[0]).read_text(encoding="utf-8")
    for name in lockstep.__all__:
        assert name in text, name
