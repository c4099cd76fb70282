"""Skips, with the reason printed, what this machine cannot check."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
os.environ.pop("TRITON_INTERPRET", None)

NEEDS = {
    "test_examples.py": ["numpy"],
    "test_emit_accepted.py": ["triton", "torch"],
    "test_example_ttir.py": ["triton", "torch"],
    "test_cases_lower.py": ["triton", "torch"],
    "test_frontend_oracle.py": ["triton", "torch"],
    "test_gluon_oracle.py": ["triton", "torch"],
}


def missing(modules: list[str]) -> list[str]:
    return [name for name in modules if importlib.util.find_spec(name) is None]


def pytest_collection_modifyitems(items):
    for item in items:
        absent = missing(NEEDS.get(Path(item.fspath).name, []))
        if absent:
            item.add_marker(pytest.mark.skip(reason="needs " + ", ".join(absent) + " (tests/triton_oracle/requirements.txt)"))


def pytest_report_header(config):
    import lockstep_tool

    return f"lockstep: {lockstep_tool.EXECUTABLE} ({'found' if lockstep_tool.EXECUTABLE.exists() else 'NOT FOUND'})"
