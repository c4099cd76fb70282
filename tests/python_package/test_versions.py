"""Every version of Triton that Lockstep serves, beside the installed one: the tests of the plug-in, the 274 checks and the examples.

Versions lie in .cache/triton-VERSION of the source tree (`./dev setup`; by hand: `pip install --no-deps --target FOLDER
triton==VERSION`); LOCKSTEP_TRITON_3_9_0 and its like name other folders. What is not there is skipped by name. CI runs the checks
and the examples with each minor version, the plug-in's tests with the oldest and the newest; `./dev test all` runs the rest and
the other patch releases. What came out stands in docs/versions.md, which tools/triton_versions.py writes."""

import json
import os
import pathlib
import re
import subprocess
import sys

import lockstep
import pytest
from lockstep.triton_backend import versions

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGE = pathlib.Path(lockstep.__file__).resolve().parent.parent
PLUG_IN = ("test_backend.py", "test_autotune.py", "test_configuration.py", "test_arguments.py")
campaign = pytest.mark.campaign
EACH = ["3.4.0", "3.5.1", "3.7.1", "3.8.0", "3.9.0", *(pytest.param(one, marks=campaign) for one in ("3.5.0", "3.7.0"))]
ENDS_FIRST = ["3.4.0", "3.9.0", *(pytest.param(one, marks=campaign) for one in ("3.5.0", "3.5.1", "3.7.0", "3.7.1", "3.8.0"))]


def folder_of(version):
    given = os.environ.get("LOCKSTEP_TRITON_" + version.replace(".", "_"))
    return pathlib.Path(given) if given else ROOT / ".cache" / f"triton-{version}"


def with_triton(folder, tmp_path, *words, **variables):
    """A Python that finds the Triton of the folder first."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", ""), str(PACKAGE)])
    environment = {**os.environ, "PYTHONPATH": path, "TRITON_CACHE_DIR": str(tmp_path / "cache"), **variables}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, timeout=240, check=False, cwd=HERE)


@pytest.fixture
def python(request, tmp_path):
    """with_triton of the test's version; skipped where it is not there."""
    version = request.param
    folder = folder_of(version)
    if not (folder / "triton" / "__init__.py").exists():
        pytest.skip(f"no Triton {version} in {folder}: ./dev setup")
    shown = with_triton(folder, tmp_path, "-c", "import triton; print(triton.__version__)")
    assert shown.stdout.strip() == version, shown.stderr
    return lambda *words, **variables: with_triton(folder, tmp_path, *words, **variables)


def passed(done):
    """How many tests passed; none may fail."""
    assert done.returncode == 0, done.stdout + done.stderr
    return int(re.search(r"(\d+) passed", done.stdout)[1])


PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "-m", "not campaign")


@pytest.mark.parametrize("python", ENDS_FIRST, indirect=True)
def test_the_plug_in(python):
    assert passed(python(*PYTEST, *(str(HERE / name) for name in PLUG_IN))) > 150


@pytest.mark.parametrize("python", EACH, indirect=True)
def test_the_checks_are_those_of_the_table(python, tmp_path):
    """Every key prints what the H200 printed, or what h200_answers/by_version.py says; the counts are the document's."""
    table = tmp_path / "table.json"
    assert passed(python(*PYTEST, "h200_answers/test_h200_answers.py", LOCKSTEP_CHECKS_TABLE=str(table))) > 260
    told = json.loads(table.read_text())
    outcomes = list(told["outcomes"].values())
    assert len(outcomes) == 274
    assert "failed" not in outcomes
    counts = [outcomes.count(kind) for kind in ("same", "words", "language", "absent", "failed")]
    row = re.search(rf"^\| {re.escape(told['triton'])} \|(.*)\|$", (ROOT / "docs" / "versions.md").read_text(), re.MULTILINE)
    assert row, f"docs/versions.md has no row for {told['triton']}: tools/triton_versions.py"
    assert [int(cell) for cell in row[1].split("|")[:5]] == counts


@pytest.mark.parametrize("python", EACH, indirect=True)
def test_the_command_runs_its_ttir(python):
    """The examples as .ttir files of this version: the bytes of the same kernels from source."""
    done = python("version_examples.py")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert len(told) == 6
    assert set(told.values()) == {"same bytes"}, told


@pytest.mark.parametrize(
    ("python", "which"),
    [("3.9.0", "late and box"), *(pytest.param(one, "", marks=campaign) for one in ("3.7.1", "3.8.0", "3.9.0"))],
    indirect=["python"],
)
def test_gluon(python, which):
    """Gluon's kernels under the names of the version: the same verdicts."""
    words = ("-k", which) if which else ("test_gluon.py",)
    assert passed(python(*PYTEST, "test_consan.py", *words)) > (10 if which else 220)


def test_parameters_without_names_get_those_of_the_signature():
    """Triton 3.4 prints %arg0 with the function's place."""
    text = b'tt.func public @k(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("a.py":1:0), %arg1: i32 loc(#loc2)) {\n'
    named = versions.with_names(text, {"x": "*fp32", "N": "constexpr", "n": "i32"})
    assert named == text.replace(b'loc("a.py":1:0)', b'loc("x"("a.py":1:0))').replace(b"loc(#loc2)", b'loc("n"(#loc2))')
    assert versions.with_names(named, {"x": "*fp32", "n": "i32"}) == named
    assert versions.with_names(text, {"x": ("*fp32", "i32")}) == text


# ---- versions that are not served ----


@pytest.mark.parametrize(
    ("version", "begins"),
    [("3.3.1", "Lockstep serves Triton 3.4 to 3.9, and this is Triton 3.3.1: pip install"), ("2.1.0", "Lockstep serves"),
     ("3.10.0", "Lockstep serves"), ("4.0.0+git1", "Lockstep serves"), ("3.4.0", None), ("3.9.1+rocm", None), ("", None)],
)  # fmt: skip
def test_other_versions_are_refused(version, begins, monkeypatch):
    monkeypatch.delenv(versions.OVERRIDE, raising=False)
    said = versions.refusal(version)
    assert said is None if begins is None else said.startswith(begins)
    monkeypatch.setenv(versions.OVERRIDE, "1")
    is_newer = version.startswith(("3.10", "4."))
    assert (versions.refusal(version) is None) == (begins is None or is_newer)


LAUNCH = """
import torch, triton, lockstep
import backend_kernels as kernels
out = torch.zeros(1, dtype=torch.int32)
for context in (lockstep.options(), lockstep.active()):
    try:
        with context:
            kernels.count[(3,)](out)
        print(out.item())
    except Exception as error:
        print(type(error).__name__, error)
"""


def another_version(folder, version, tmp_path):
    """The Triton of the folder under another number, by links."""
    (tmp_path / "triton").mkdir()
    for entry in (folder / "triton").iterdir():
        if entry.name != "__init__.py":
            (tmp_path / "triton" / entry.name).symlink_to(entry)
    text = (folder / "triton" / "__init__.py").read_text()
    changed = re.sub(r"(__version__ = )(['\"])[^'\"]*\2", rf"\1'{version}'", text)
    assert changed != text
    (tmp_path / "triton" / "__init__.py").write_text(changed)
    [entry_points] = folder.glob("triton-*.dist-info")
    (tmp_path / f"triton-{version}.dist-info").symlink_to(entry_points)


def test_a_newer_triton_can_be_imported_and_a_launch_says_why_not(tmp_path):
    folder = folder_of("3.9.0")
    if not (folder / "triton" / "__init__.py").exists():
        pytest.skip(f"no Triton 3.9.0 in {folder}: ./dev setup")
    another_version(folder, "3.10.0", tmp_path)
    done = with_triton(tmp_path, tmp_path, "-c", LAUNCH)
    lines = done.stdout.splitlines()
    assert len(lines) == 2, done.stderr
    assert all(line.startswith("LaunchError Lockstep serves Triton 3.4 to 3.9, and this is Triton 3.10.0") for line in lines)
    tried = with_triton(tmp_path, tmp_path, "-c", LAUNCH, LOCKSTEP_UNTESTED_TRITON="1")
    assert tried.stdout.splitlines() == ["3", "6"], tried.stderr


def test_an_older_triton_knows_no_plug_ins_and_active_says_so(tmp_path):
    folder = folder_of("3.3.1")
    if not (folder / "triton" / "__init__.py").exists():
        pytest.skip(f"no Triton 3.3.1 in {folder}: ./dev setup all")
    done = with_triton(folder, tmp_path, "-c", LAUNCH)
    first, second = done.stdout.splitlines()
    assert "0 active drivers" in first  # Triton's own words: before 3.4 it asks no packages for backends
    assert second.startswith("LaunchError Lockstep serves Triton 3.4 to 3.9, and this is Triton 3.3.1")
