"""Tests of flag-gems's kernels are collected only where it is installed; which of them continuous integration runs:
support/selection.py."""

from support.selection import mark_campaign, missing, tensors_on_the_gpu  # noqa: F401

collect_ignore_glob = missing("flag-gems")


def pytest_collection_modifyitems(items):
    mark_campaign(items, "flag_gems")
