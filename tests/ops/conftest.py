"""One pytest parameter per case of each op file; --shard i/n takes every n-th file."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import catalogue, runner  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", "ignore::RuntimeWarning")  # NaN and overflow are what these tests are about


def pytest_addoption(parser):
    parser.addoption("--shard", default="", help="i/n: only every n-th op file, starting with the i-th")
    parser.addoption("--op", default="", help="only this op file, e.g. arith_addf")


def pytest_report_header(config):
    program = runner.executable()
    return f"lockstep: {program} ({'found' if program.exists() else 'NOT FOUND'})"


def pytest_generate_tests(metafunc):
    if "op_case" not in metafunc.fixturenames:
        return
    config = metafunc.config
    stems = [config.getoption("--op")] if config.getoption("--op") else catalogue.op_files()
    parameters = []
    for stem in catalogue.shard(stems, config.getoption("--shard")):
        try:
            parameters += [pytest.param((stem, case), id=f"{stem}-{case.name}") for case in catalogue.cases_of(stem)]
        except Exception as problem:  # noqa: BLE001 (one broken file must not hide the others)
            parameters.append(pytest.param((stem, problem), id=f"{stem}-import"))
    metafunc.parametrize("op_case", parameters)


def pytest_collection_modifyitems(config, items):
    """What is not about one op runs in the first part alone."""
    part = config.getoption("--shard").split("/")[0]
    if part not in ("", "1"):
        items[:] = [item for item in items if "op_case" in getattr(item, "fixturenames", ())]
