"""The report as a pull request comment: short Markdown, however much the campaign found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lockstep.campaign.report.listing import COUNTED, with_missing
from lockstep.campaign.report.texts import of

if TYPE_CHECKING:
    from lockstep.campaign.report.gather import Changes, Report, Trouble

_MOST = 15
_MOST_KERNELS = 5
_MOST_TEXT = 160


def comment(report: Report) -> str:
    """New failures if an earlier campaign is known; otherwise all failures."""
    counts = ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(report.verdicts.items())) or "nothing was run"
    lines = [f"### Campaign {_plain(report.name)}: {counts}", "",
             f"{report.done:,} of {report.cases:,} cases over {len(report.kernels):,} kernels."]  # fmt: skip
    lines += ["", f"**Old:** {_plain(report.old_text)}."] if report.old else []
    if report.changes is None:
        lines += _table("What went wrong", report.troubles)
    else:
        lines += _table("New", report.changes.new) + _table("Gone", report.changes.gone)
        before = len(report.troubles) - len(report.changes.new)
        lines += ["", f"{before} seen before."] if before else []
        lines += _moved(report.changes)
    cases = len({case for one in report.known for case in one.cases})
    lines += ["", f"{cases:,} cases failed in known ways."] if cases else []
    return "\n".join(lines + _shown(report)) + "\n"


def _shown(report: Report) -> list[str]:
    """What all cases together exercised of the kernels' source, and where the most is missing; nothing without coverage."""
    now = {name: share for name, share in report.shown.items() if share.all}
    if not now:
        return []
    before = report.changes.shown_before if report.changes else {}
    parts = []
    for name, share in now.items():
        old = before.get(name, share)
        parts.append(f"{of(share)} {COUNTED[name]}" + (f" (before: {of(old)})" if old.all and old != share else ""))
    missing = with_missing(report)
    most = f" Never exercised: most of {', '.join(_plain(one.name) for one in missing[:_MOST_KERNELS])}." if missing else ""
    return ["", f"Exercised by all cases together: {', '.join(parts)}.{most}"]


def _moved(changes: Changes) -> list[str]:
    """Results that passed, but changed."""
    lines = []
    if changes.farther:
        most = [f"{one.kernels} ({len(one.cases)} cases, the worst {one.before:.3g} → {one.now:.3g}, {one.measured})" for one in changes.farther[:_MOST]]
        lines += ["", "Farther from the reference than before: " + ", ".join(map(_plain, most)) + "."]
    if changes.other_bytes:
        most = [f"{kernels} ({count} cases)" for kernels, count in changes.other_bytes[:_MOST]]
        lines += ["", "Other bytes than before: " + ", ".join(map(_plain, most)) + "."]
    return lines


def _table(title: str, troubles: list[Trouble]) -> list[str]:
    if not troubles:
        return ["", f"{title}: nothing."]
    lines = ["", f"**{title}: {len(troubles)}**", "", "| | kernel | where | what | cases |", "|---|---|---|---|---|"]
    for one in troubles[:_MOST]:
        place = f"{one.file.rpartition('/')[2]}:{one.line}" if one.file else next(iter(one.variations), "")
        lines.append(f"| {_plain(one.code or one.verdict)} | {_plain(one.kernel)} | {_plain(place)} | {_plain(one.what)} | {len(one.cases)} |")
    if len(troubles) > _MOST:
        lines += ["", f"and {len(troubles) - _MOST} more, in the report."]
    return lines


def _plain(text: str) -> str:
    """One line without Markdown, HTML and mentions."""
    line = " ".join(text.split())
    line = line if len(line) <= _MOST_TEXT else line[: _MOST_TEXT - 3] + "..."
    return re.sub(r"([\\`*_{}\[\]()#+!|<>~@&])", r"\\\1", line)
