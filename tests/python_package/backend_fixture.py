"""Lets the tests of the backend run beside a GPU too: import `on_lockstep`, and every test of the file is on Lockstep."""

import contextlib

import lockstep
import pytest


@pytest.fixture(autouse=True)
def on_lockstep():
    with contextlib.ExitStack() as stack:
        if not lockstep.is_active():
            stack.enter_context(lockstep.active())
        yield
