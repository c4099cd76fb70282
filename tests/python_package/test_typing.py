"""The package is typed: a user's file type-checks strictly, and the stub of the native engine names what it has."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import lockstep
import pytest

PACKAGE = Path(lockstep.__file__).parent


def test_the_marker_is_there():
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_a_users_file_checks_strictly(tmp_path):
    user = Path(__file__).with_name("typed_user.py")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(tmp_path),
        str(user),
    ]
    done = subprocess.run(
        command,
        env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_stub_names_what_the_engine_has():
    from lockstep import _native

    tree = ast.parse((PACKAGE / "_native.pyi").read_text())
    named = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            named.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            named.add(node.target.id)
        elif isinstance(node, ast.Assign):
            named |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    existing = {name for name in vars(_native) if not name.startswith("_")} | {"__version__"}
    assert existing - named == set(), "in the engine, not in the stub"
    assert named - existing == set(), "in the stub, not in the engine"
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
            members |= {
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            }
            missing = {name for name in members if not hasattr(getattr(_native, node.name), name)}
            assert not missing - {"__init__"}, (node.name, missing)


def test_public_functions_have_docstrings():
    for name in lockstep.__all__:
        if name != "__version__":
            assert getattr(lockstep, name).__doc__, name
