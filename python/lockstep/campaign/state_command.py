"""lockstep campaign status, query, export, merge."""

from __future__ import annotations

import sys

from lockstep.campaign import known as knowns
from lockstep.campaign import origins
from lockstep.campaign import state as states
from lockstep.campaign.command_line import parse
from lockstep.campaign.problems import UsageError
from lockstep.campaign.state import State

_MOST_ROWS = 20  # of the findings in `status`


def main(words: list[str]) -> int:
    """Raises UsageError, StateError."""
    command, rest = words[0], words[1:]
    return {"status": _status, "query": _query, "export": _export, "merge": _merge}[command](rest)


def _status(words: list[str]) -> int:
    positional, given = parse(words, {"--known": "known"}, {})
    if len(positional) != 1:
        raise UsageError("usage: lockstep campaign status STATE [--known FILE]")
    with State(positional[0], writes=False) as state:
        code = origins.judge(state)
        cases, done, verdicts = state.count("cases"), state.done(), state.verdicts()
        print(f"{state.value('name')}: {done:,} of {cases:,} cases done")
        for verdict, count in verdicts.items():
            print(f"  {verdict:9} {count:,}")
        if old := origins.note(state, code):
            print(f"  {old}")
        known = knowns.of_state(state, given.get("known", ""))
        told = knowns.account(known, state).cases if known is not None else 0
        if known is not None and told:
            print(f"  {told:,} that did not pass are known: {known.path}")
        _, rows = state.query(
            "select code, tier, kernel, file, line, count(distinct id) from findings where id in "
            f"(select id from results where {state.is_current}) group by 1, 2, 3, 4, 5 order by 6 desc, 1, 3"
        )
        for code, tier, kernel, file, line, count in rows[:_MOST_ROWS]:
            print(f"  {code} {tier} {kernel} {file}:{line}  {count:,} case{'s' if count != 1 else ''}")
        if len(rows) > _MOST_ROWS:
            print(f"  and {len(rows) - _MOST_ROWS} more places")
    return 5 if done < cases else 0 if verdicts.get("pass", 0) + told == done else 1


def _query(words: list[str]) -> int:
    positional, _ = parse(words, {}, {})
    if len(positional) != 2:
        raise UsageError('usage: lockstep campaign query STATE "SQL"')
    with State(positional[0], writes=False) as state:
        origins.print_note(state)  # the query may ask is_current(origin)
        names, rows = state.query(positional[1])
    print("\t".join(names))
    for row in rows:
        print("\t".join("" if value is None else str(value) for value in row))
    return 0


def _export(words: list[str]) -> int:
    positional, options = parse(words, {"-o": "output", "--output": "output"}, {})
    if len(positional) != 1:
        raise UsageError("usage: lockstep campaign export STATE [-o FILE]")
    with State(positional[0], writes=False) as state:
        origins.print_note(state)
        if "output" not in options:
            state.export(sys.stdout)
            return 0
        try:
            with open(options["output"], "w", encoding="ascii") as out:
                state.export(out)
        except OSError as error:
            raise UsageError(f"{options['output']}: {error.strerror}") from None
    return 0


def _merge(words: list[str]) -> int:
    positional, options = parse(words, {"-o": "output", "--output": "output"}, {})
    if len(positional) < 1 or "output" not in options:
        raise UsageError("usage: lockstep campaign merge A B ... -o C")
    cases, results = states.merge(positional, options["output"])
    print(f"{cases:,} cases, {results:,} results: {options['output']}")
    return 0
