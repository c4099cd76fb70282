"""lockstep campaign case, cases: runs one case in this process, as a worker does; lists the cases of a plan."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lockstep.campaign import driver, plan, sources
from lockstep.campaign.case import canonical, case_id
from lockstep.campaign.command_line import parse
from lockstep.campaign.problems import UsageError
from lockstep.campaign.state import State

if TYPE_CHECKING:
    from lockstep.campaign.worker import Runner


def main(words: list[str]) -> int:
    """Raises UsageError, PlanError, StateError."""
    command = words[0]
    positional, _ = parse(words[1:], {}, {})
    if len(positional) != (2 if command == "case" else 1):
        raise UsageError("usage: lockstep campaign " + ("case FILE.toml|STATE ID" if command == "case" else "cases FILE.toml"))
    if command == "cases":
        for key, text in plan.read(positional[0]).cases():
            print(f'{{"case":{text},"id":"{key}"}}')
        return 0
    return _run(*find(positional[0], positional[1]))


def find(file: str, key: str) -> tuple[plan.Plan, str, str]:
    """The plan, the id and the canonical text of the case whose id begins with `key`, or of the case in the file `key` (.json)."""
    if key.endswith(".json"):
        return _plan_of(file), *_read(key)
    if file.endswith(".toml"):
        found = plan.read(file)
        texts = [one for one in found.cases() if one[0].startswith(key)]
    else:
        with State(file, writes=False) as state:
            found = driver.plan_of(state)
            _, rows = state.query("select id, text from cases")
            texts = [one for one in rows if one[0].startswith(key)]
    if len(texts) != 1:
        raise UsageError(f"{file} has {len(texts) or 'no'} case{'s' if len(texts) != 1 else ''} whose id begins with '{key}'")
    return found, *texts[0]


def _plan_of(file: str) -> plan.Plan:
    if file.endswith(".toml"):
        return plan.read(file)
    with State(file, writes=False) as state:
        return driver.plan_of(state)


def _read(file: str) -> tuple[str, str]:
    """Id and canonical text of a case in a file of its own."""
    try:
        with open(file, encoding="utf-8") as opened:
            text = canonical(json.load(opened))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} is not a case: {error}") from None
    return case_id(text), text


@contextlib.contextmanager
def runner_of(found: plan.Plan) -> Iterator[Runner]:
    """Yields a function that runs the plan's cases in this process, as a worker does; restores the process afterwards."""
    from lockstep.campaign.worker import Runner

    before, root = os.getcwd(), str(found.root)
    os.chdir(root)
    sys.path.insert(0, root)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            yield Runner(root, scratch, seconds=found.limits.seconds, memory=found.limits.memory, coverage=found.coverage)
    finally:
        sources.close()
        sys.path.remove(root)
        os.chdir(before)


def _run(found: plan.Plan, key: str, text: str) -> int:
    """Prints the result; findings and tracebacks go where the kernel's own prints go."""
    with runner_of(found) as runner:
        result = runner.run(key, json.loads(text))
    print(json.dumps({"case": json.loads(text), "result": result}, indent=1, sort_keys=True))
    return 0 if result["verdict"] == "pass" else 1
