"""The summary of the generated launches; Triton's cache goes to a folder of this run."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory):
    before = os.environ.get("TRITON_CACHE_DIR")
    os.environ["TRITON_CACHE_DIR"] = str(tmp_path_factory.mktemp("triton"))
    yield
    os.environ.pop("TRITON_CACHE_DIR")
    if before is not None:
        os.environ["TRITON_CACHE_DIR"] = before


def pytest_terminal_summary(terminalreporter) -> None:
    totals: dict[str, int] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", []):
                if name == "launches" and report.when == "call":
                    test = report.nodeid.split("::")[-1].partition("[")[0]
                    totals[test] = totals.get(test, 0) + value
    for test, count in totals.items():
        terminalreporter.write_line(f"{test}: {count:,} launches")
