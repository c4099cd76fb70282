"""Marks of the package's tests. `campaign`: run by `./dev test all`, not by every CI run."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "campaign: long; not part of every CI run")
