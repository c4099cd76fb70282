"""lockstep campaign report STATE [--since OLD [--fail-on-new]] [--known F] [--html F] [--junit F] [--sarif F] [--markdown F]."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from lockstep.campaign import known as knowns
from lockstep.campaign import origins
from lockstep.campaign.command_line import parse
from lockstep.campaign.problems import UsageError
from lockstep.campaign.report import comment, files, gather, page
from lockstep.campaign.state import State

_WITH_VALUE = {"--since": "since", "--html": "html", "--junit": "junit", "--sarif": "sarif", "--markdown": "markdown",
               "--known": "known"}  # fmt: skip


def main(words: list[str]) -> int:
    """Raises UsageError, StateError. With --fail-on-new: 1 where something is wrong that was right in the older campaign, 5
    where results of older code leave that open."""
    positional, given = parse(words[1:], _WITH_VALUE, {"--fail-on-new": "fail_on_new"})
    formats = {"html", "junit", "sarif", "markdown"} & given.keys()
    if len(positional) != 1 or not (formats or "fail_on_new" in given):
        raise UsageError("usage: lockstep campaign report STATE [--since OLD_STATE [--fail-on-new]] [--known FILE] --html F | --junit F | --sarif F | --markdown F")
    if "fail_on_new" in given and "since" not in given:
        raise UsageError("--fail-on-new needs --since OLD_STATE")
    made = _gathered(positional[0], given.get("since"), given.get("known", ""))
    name = os.path.basename(positional[0])
    renders = {"html": lambda: page.page(made, name), "junit": lambda: files.junit(made), "sarif": lambda: files.sarif(made),
               "markdown": lambda: comment.comment(made)}  # fmt: skip
    for kind in sorted(formats):
        try:
            Path(given[kind]).write_text(renders[kind](), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{given[kind]}: {error.strerror}") from None
        print(f"{kind}: {given[kind]}")
    new = made.changes.new if made.changes is not None else []
    if "fail_on_new" in given:
        print(f"new: {len(new)} ways to go wrong")
        return 1 if new else 5 if made.old else 0
    return 0


def _gathered(path: str, since: str | None, known: str) -> gather.Report:
    with contextlib.ExitStack() as stack:
        state = stack.enter_context(State(path, writes=False))
        before = stack.enter_context(State(since, writes=False)) if since else None
        root = os.path.dirname(state.value("path") or "")
        origins.print_note(state)  # `before` is of older code, as it should be
        return gather.gather(state, root, before, knowns.of_state(state, known))
