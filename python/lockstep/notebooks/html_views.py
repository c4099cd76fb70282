"""What notebooks show of reports, findings, profiles, coverages and tiles: `_repr_html_` of each.

Invariants: self-contained (styles in attributes, no script, nothing fetched); every text is escaped; colours are those of the
notebook's theme but for the marks."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lockstep._native import Finding, LaunchReport, Profile
    from lockstep.code_coverage import Coverage
    from lockstep.profiling import Profiles
    from lockstep.notebooks.tiles import TileView

_MARKS = {"error": ("#c62828", "\u2717"), "warning": ("#b26a00", "!"), "info": ("#3367a8", "i")}
_GOOD = "#2e7d32"
_MOST_FINDINGS, _MOST_ROWS, _MOST_CELLS = 50, 40, 64


def _text(value: object) -> str:
    return html.escape(str(value))


def duration(seconds: float) -> str:
    """Three digits and a unit, as the command prints times: "25.9 us"."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _chip(color: str, text: str) -> str:
    return (f'<span style="background:{color};color:#fff;border-radius:3px;padding:1px 6px;font-size:85%;'
            f'font-weight:600">{_text(text)}</span>')  # fmt: skip


def _details(summary: str, inside: str, is_open: bool = False) -> str:
    return f'<details{" open" if is_open else ""}><summary style="cursor:pointer">{summary}</summary>{inside}</details>'


def _source(text: str) -> str:
    return f'<pre style="margin:4px 0 4px 16px;line-height:1.35;white-space:pre-wrap">{_text(text.rstrip())}</pre>'


def _table(head: list[str], rows: list[list[str]]) -> str:
    cells = "".join(f'<th style="text-align:left">{_text(one)}</th>' for one in head)
    body = "".join("<tr>" + "".join(f'<td style="text-align:left;white-space:nowrap">{one}</td>' for one in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def finding(one: Finding) -> str:
    """Code, tier, place and message; the whole text folded."""
    color, mark = _MARKS.get(one.tier, _MARKS["info"])
    place = f"{one.file}:{one.line}" if one.line else one.file
    head = f"{_chip(color, f'{mark} {one.code}')} {_text(one.message)} <code>{_text(place)}</code>"
    return f"<div>{_details(head, _source(one.text))}</div>"


def report(one: LaunchReport) -> str:
    """A launch in a line; its findings; what Lockstep did not check."""
    errors = sum(each.tier == "error" for each in one.findings)
    warnings = sum(each.tier == "warning" for each in one.findings)
    if errors or one.outcome != "completed":
        verdict = _chip(_MARKS["error"][0], one.outcome if one.outcome != "completed" else f"{errors} error" + "s" * (errors != 1))
    elif warnings:
        verdict = _chip(_MARKS["warning"][0], f"{warnings} warning" + "s" * (warnings != 1))
    else:
        verdict = _chip(_GOOD, "\u2713 no findings" if not one.findings else "\u2713 no errors")
    grid = ", ".join(str(extent) for extent in one.grid)
    text = f"<div><b>{_text(one.kernel)}</b>[{grid}] {verdict} {one.programs_run:,} of {one.programs_total:,} programs in {duration(one.seconds)}"
    if one.left_out:
        text += f' <span style="opacity:.7">not looked for: {_text(", ".join(one.left_out))}</span>'
    text += "".join(finding(each) for each in one.findings[:_MOST_FINDINGS])
    if len(one.findings) > _MOST_FINDINGS:
        text += f"<div>and {len(one.findings) - _MOST_FINDINGS:,} more</div>"
    return text + "</div>"


def reports(all_of_them: list[LaunchReport]) -> str:
    """Of several launches, those with findings first."""
    ordered = sorted(all_of_them, key=lambda one: (not one.has_errors, not one.findings))
    text = "".join(report(one) for one in ordered[:_MOST_FINDINGS])
    return text + (f"<div>and {len(ordered) - _MOST_FINDINGS:,} more launches</div>" if len(ordered) > _MOST_FINDINGS else "")


def profile(one: Profile) -> str:
    """The ops that take most time, as bars; the whole text folded."""
    rows = sorted(one.rows, key=lambda row: -row["seconds"])[:_MOST_ROWS]
    total = sum(row["seconds"] for row in one.rows) or 1.0
    made = [[f'<code>{_text(row["op"])}</code>', _text(f'{row["file"].rsplit("/", 1)[-1]}:{row["line"]}' if row["line"] else ""),
             f"{row['calls']:,}", f"{row['seconds'] * 1e6:,.1f} \u00b5s", _bar(row["seconds"] / total)] for row in rows]  # fmt: skip
    advice = "".join(f"<li>{_text(text)}{f' (line {line})' if line else ''}</li>" for _, line, text in one.advice)
    head = f"<b>{_text(one.kernel)}</b>: {one.launches:,} launches, {one.programs:,} programs, {duration(one.seconds)} on {one.threads} threads"
    return (f"<div>{head}{_table(['op', 'line', 'calls', 'time', 'share'], made)}{f'<ul>{advice}</ul>' if advice else ''}"
            f"{_details('as text', _source(one.text()))}</div>")  # fmt: skip


def _bar(share: float) -> str:
    return (f'<div style="width:120px;height:10px;background:rgba(128,128,128,.25)">'
            f'<div style="width:{min(max(share, 0.0), 1.0) * 120:.0f}px;height:10px;background:#3367a8" title="{share:.1%}"></div></div>')  # fmt: skip


def profiles(all_of_them: Profiles) -> str:
    return "".join(profile(one) for one in all_of_them.kernels.values()) or "<div>no launch was measured</div>"


def coverage(seen: Coverage) -> str:
    """A row for each file of each kernel; what the launch did not exercise, folded."""
    rows = []
    for kernel, files in seen.kernels.items():
        for file, one in files.items():
            shares = [_share(sum(one["lines"].values()), len(one["lines"]))]
            for sides in ("branches", "masks"):
                both = [side for _, *each in one[sides].values() for side in each]
                shares.append(_share(sum(both), len(both)))
            rows.append([f"<b>{_text(kernel)}</b>", _text(file), *shares])
    if not rows:
        return "<div>no launch was checked</div>"
    return f"<div>{_table(['kernel', 'file', 'lines', 'branches', 'masks'], rows)}{_details('what was not exercised', _source(str(seen)))}</div>"


def _share(done: int, of: int) -> str:
    if of == 0:
        return "\u2013"
    color = _GOOD if done == of else _MARKS["warning"][0]
    return f'<span style="color:{color};font-weight:600">{done} of {of}</span>'


def tile(view: TileView) -> str:
    """A heat map with rulers, a scale, numbers where there is room, and red frames around wrong elements."""
    rows, columns = len(view.values), max((len(row) for row in view.values), default=0)
    shown = [row[:_MOST_CELLS] for row in view.values[:_MOST_CELLS]]
    finite = [number for row in shown for number in row if math.isfinite(number)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 0.0)
    size = 44 if columns <= 16 else 24 if columns <= 32 else 12
    cells = ['<tr><th></th>' + "".join(f'<th style="{_RULER}">{j}</th>' for j in _ruler(len(shown[0]) if shown else 0, size)) + "</tr>"]
    for i, row in enumerate(shown):
        cells.append(f'<tr><th style="{_RULER}">{i if size >= 24 or i % 8 == 0 else ""}</th>'
                     + "".join(_cell(number, low, high, size, (i, j) in view.wrong) for j, number in enumerate(row)) + "</tr>")  # fmt: skip
    cut = f" (the first {len(shown)} by {len(shown[0]) if shown else 0} of {rows} by {columns})" if rows > _MOST_CELLS or columns > _MOST_CELLS else ""
    return (f"<div><b>{_text(view.name)}</b> {_text(view.shape)}{cut}, {low:.4g} to {high:.4g}{_text(view.summary)}"
            f'<table style="border-collapse:collapse;font-family:monospace">{"".join(cells)}</table></div>')  # fmt: skip


_RULER = "font-size:9px;font-weight:400;padding:0 2px;opacity:.7;text-align:center"


def _ruler(count: int, size: int) -> list[str]:
    return [str(j) if size >= 24 or j % 8 == 0 else "" for j in range(count)]


def _label(number: float, room: int) -> str:
    """The number in at most so many characters; none where it does not fit."""
    for digits in (3, 2, 1):
        text = f"{number:.{digits}g}".replace("e-0", "e-").replace("e+0", "e+").removeprefix("0" if abs(number) < 1 and len(f"{number:.{digits}g}") > room else "")
        if len(text) <= room:
            return text
    return ""


def _cell(number: float, low: float, high: float, size: int, is_wrong: bool) -> str:
    if math.isfinite(number):
        share = 0.5 if high == low else (number - low) / (high - low)
        # Blue to yellow, as on the page; dark text where it is light.
        back = f"rgb({int(40 + 213 * share)},{int(60 + 171 * share)},{int(130 - 90 * share)})"
        ink = "#111" if share > 0.5 else "#fff"
    else:
        back, ink = "#c62828", "#fff"
    label = _label(number, 6) if size >= 44 else _label(number, 4) if size >= 24 else ""
    frame = "outline:2px solid #e53935;outline-offset:-2px;" if is_wrong else ""
    return (f'<td title="{number!r}" style="{frame}background:{back};color:{ink};width:{size}px;height:{min(size, 24)}px;'
            f'min-width:{size}px;padding:0;text-align:center;font-size:{10 if size >= 24 else 7}px">{label}</td>')  # fmt: skip
