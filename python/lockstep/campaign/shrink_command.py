"""lockstep campaign shrink STATE ID [-o FOLDER]: a failing case made small."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lockstep import recording
from lockstep.campaign import case_command
from lockstep.campaign.case import canonical, case_id
from lockstep.campaign.command_line import parse
from lockstep.campaign.problems import UsageError
from lockstep.campaign.shrink import capsules, cases, kernels
from lockstep.campaign.worker import Runner

_SHRINKABLE = ("finding", "mismatch")


def main(words: list[str]) -> int:
    """Raises UsageError, PlanError, StateError."""
    positional, given = parse(words[1:], {"-o": "output", "--output": "output"}, {})
    if len(positional) != 2:
        raise UsageError("usage: lockstep campaign shrink FILE.toml|STATE ID [-o FOLDER]")
    plan, _, text = case_command.find(positional[0], positional[1])
    output = os.path.abspath(given.get("output", "."))
    os.makedirs(output, exist_ok=True)
    with case_command.runner_of(plan) as runner:
        return _shrink(runner, json.loads(text), output)


def _shrink(runner: Runner, case: dict[str, Any], output: str) -> int:
    def run(one: dict[str, Any]) -> dict[str, Any]:
        return runner.run(case_id(canonical(one)), one)

    result = run(case)
    failure = cases.Failure.of(result)
    if failure.verdict not in _SHRINKABLE:
        raise UsageError(f"the case ends with the verdict {result['verdict']} here ({result['message'] or 'nothing to say'}); "
                         f"only {' and '.join(_SHRINKABLE)} can be made small")  # fmt: skip
    small, tried = cases.shrunk(case, run, failure)
    key = case_id(canonical(small))
    path = os.path.join(output, f"{key}.case.json")
    Path(path).write_text(canonical(small) + "\n", encoding="ascii")
    print(f"case {key}: the least of {tried} that were tried\n  {canonical(small)}\n  {path}")
    if failure.verdict == "finding":
        _write_capsule(runner, small, failure, output)
    return 0


def _write_capsule(runner: Runner, case: dict[str, Any], failure: cases.Failure, output: str) -> None:
    codes = {code for code, _ in failure.codes}
    options = runner.options(case)
    for path in _launches(runner, case):
        one = capsules.Shrunk.read(path)
        if not codes & capsules.errors_of(one, options):
            continue
        before = kernels.count(one.ttir)
        small = capsules.shrunk(one, codes, options)
        name = os.path.join(output, f"{case_id(canonical(case))}-{small.told['kernel']}.capsule")
        size = small.write(name)
        print(f"launch {small.told['kernel']}: grid {small.told['grid']}, {kernels.count(small.ttir)} of {before} statements, {size:,} bytes\n"
              f"  {capsules.command_line(name, case)}")  # fmt: skip
        return
    print("no recorded launch shows the finding by itself (it may need memory that nobody wrote); run the case above")


def _launches(runner: Runner, case: dict[str, Any]) -> Iterator[str]:
    """Capsules of what the case launches, in order."""
    if case["source"]["kind"] == "capsule":
        path = os.path.join(runner.context.scratch, "varied.capsule")
        capsules.varied(os.path.join(str(runner.context.root), case["source"]["path"]), case).write(path)
        yield path
        return
    with recording.record(os.path.join(runner.context.scratch, "launches"), outputs=False) as recorder:
        runner.run("", case)
    yield from recorder.written
