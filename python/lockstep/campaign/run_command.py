"""lockstep campaign run, resume."""

from __future__ import annotations

import sys
from typing import Any

from lockstep.campaign import driver
from lockstep.campaign.command_line import parse
from lockstep.campaign.plan import seconds_of
from lockstep.campaign.problems import UsageError

_WITH_VALUE = {"--state": "state", "--jobs": "jobs", "--cases": "cases", "--time": "seconds", "--ray": "ray",
               "--known": "known_file"}  # fmt: skip
_MOST_STALE = 5  # told in full
# : Cases must be the same on any machine, so they have a fixed set of checkers, not the cheap ones of the
# moment.
_QUICK = 'findings: of `--check quick` only (not looked for: races, lanes, NaN and more; checks = "all" in the plan)'
_FLAGS = {"--progress": "progress", "--no-progress": "progress"}


def main(words: list[str]) -> int:
    """Raises UsageError, PlanError, StateError, Missing."""
    command = words[0]
    positional, given = parse(words[1:], _WITH_VALUE, _FLAGS)
    if len(positional) != 1 or (command == "resume" and "state" in given):
        raise UsageError(f"usage: lockstep campaign {command} {'FILE.toml' if command == 'run' else 'STATE'} [options]")
    options = _options(given)
    if command == "run":
        summary = driver.run_plan(positional[0], state=given.get("state"), **options)
    else:
        summary = driver.resume(positional[0], **options)
    print(text_of(summary))
    if summary.is_quick:
        print(_QUICK)
    if summary.failures:
        print(summary.failures)
    stale = summary.known.stale
    for entry in stale[:_MOST_STALE]:
        print(f"lockstep: known, but not seen although its kernel ran: {entry} (line {entry.line})", file=sys.stderr)
    if len(stale) > _MOST_STALE:
        lines = ", ".join(str(entry.line) for entry in stale[_MOST_STALE:])
        print(f"lockstep: and {len(stale) - _MOST_STALE} more, in lines {lines}", file=sys.stderr)
    if summary.reason == "changed":
        print(f"lockstep: {summary.changed} changed while cases ran; `lockstep campaign resume {summary.state}` runs those again", file=sys.stderr)
    elif summary.reason:
        print(f"lockstep: stopped before its end ({summary.reason}); `lockstep campaign resume {summary.state}` continues it", file=sys.stderr)
    return summary.exit_code


def _options(given: dict[str, str]) -> dict[str, Any]:
    options: dict[str, Any] = {"ray": given.get("ray", ""), "known_file": given.get("known_file", "")}
    for name in ("jobs", "cases"):
        if name in given:
            if not given[name].isdecimal() or int(given[name]) == 0:
                raise UsageError(f"--{name} {given[name]} is not a number from 1 on")
            options[name] = int(given[name])
    if "seconds" in given:
        seconds = seconds_of(given["seconds"])
        if not seconds:
            raise UsageError(f'--time {given["seconds"]} is not a time: 90, "10min", "2h"')
        options["seconds"] = seconds
    if "progress" in given:
        options["progress"] = given["progress"] == "--progress"
    return options


def text_of(summary: driver.Summary) -> str:
    """The summary for people: how many cases, which verdicts, how fast."""
    verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(summary.verdicts.items())) or "none"
    rate = f", {summary.new / summary.seconds:,.1f}/s" if summary.seconds > 0 and summary.new else ""
    known = f" ({summary.known.cases:,} of {summary.failed:,} that did not pass are known)" if summary.known.cases else ""
    old = f"\n{summary.old:,} of older code ({summary.changed})" if summary.old and summary.reason != "changed" else ""
    old += ": run again" if old and not summary.reason else ", not all run again" if old else ""
    return (f"{summary.done:,} of {summary.cases:,} cases: {verdicts}{known}{old}\n"
            f"{summary.new:,} run now in {summary.seconds:,.1f} s{rate}; state: {summary.state}")  # fmt: skip
