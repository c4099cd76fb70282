"""lockstep campaign report STATE [--since OLD] [--html F] [--junit F] [--sarif F] [--markdown F]."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from lockstep.campaign.command_line import parse
from lockstep.campaign.problems import UsageError
from lockstep.campaign.report import comment, files, gather, page
from lockstep.campaign.state import State

_WITH_VALUE = {"--since": "since", "--html": "html", "--junit": "junit", "--sarif": "sarif", "--markdown": "markdown"}


def main(words: list[str]) -> int:
    """Raises UsageError, StateError."""
    positional, given = parse(words[1:], _WITH_VALUE, {})
    formats = {"html", "junit", "sarif", "markdown"} & given.keys()
    if len(positional) != 1 or not formats:
        raise UsageError("usage: lockstep campaign report STATE [--since OLD_STATE] --html F | --junit F | --sarif F | --markdown F")
    made = _gathered(positional[0], given.get("since"))
    name = os.path.basename(positional[0])
    renders = {"html": lambda: page.page(made, name), "junit": lambda: files.junit(made), "sarif": lambda: files.sarif(made),
               "markdown": lambda: comment.comment(made)}  # fmt: skip
    for kind in sorted(formats):
        try:
            Path(given[kind]).write_text(renders[kind](), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{given[kind]}: {error.strerror}") from None
        print(f"{kind}: {given[kind]}")
    return 0


def _gathered(path: str, since: str | None) -> gather.Report:
    with contextlib.ExitStack() as stack:
        state = stack.enter_context(State(path, writes=False))
        before = stack.enter_context(State(since, writes=False)) if since else None
        root = os.path.dirname(state.value("path") or "")
        return gather.gather(state, root, before)
