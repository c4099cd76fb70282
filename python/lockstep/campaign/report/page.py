"""The report as one HTML file: no network, its own style and script named in its security policy by their hashes.

Invariant: every text of a campaign (names, messages, lines of source) reaches the page through `text`, which escapes it; no
attribute but `title`, `href="#..."`, `id` and `data-*` holds any."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lockstep.campaign.code_coverage import Share, shares
from lockstep.campaign.report import distances
from lockstep.campaign.report.gather import FAILED
from lockstep.campaign.report.listing import COUNTED, COVERED, anchors, missing_of
from lockstep.campaign.report.texts import number, of, text

if TYPE_CHECKING:
    from lockstep.campaign.report.gather import Cell, Changes, Kernel, Report, Trouble

_HERE = Path(__file__).parent
_MOST_TROUBLES = 200
_MOST_CASES = 5  # named for each trouble


def seconds(value: float) -> str:
    if value >= 3600:
        return f"{value / 3600:.1f} h"
    if value >= 120:
        return f"{value / 60:.0f} min"
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def page(report: Report, state_name: str = "STATE") -> str:
    """The whole file."""
    style, script = (_HERE / "page.css").read_text("utf-8"), (_HERE / "page.js").read_text("utf-8")
    policy = (f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
              "base-uri 'none'; form-action 'none'")  # fmt: skip
    sections = [
        ("changes", "Since the last campaign", _changes(report.changes, report.shown)),
        ("findings", "What went wrong", _troubles(report.troubles, state_name, is_known=bool(report.known))),
        ("known", "What is known", _known(report.known)),
        ("map", "Kernels and axes", _map(report)),
        ("coverage", "Never exercised", missing_of(report)),
        ("distances", "Distances from the reference", distances.section(report)),
        ("slowest", "Slowest cases", _slowest(report)),
        ("refused", "Not judged", _refused(report)),
    ]
    there = [one for one in sections if one[2]]
    links = " ".join(f'<a href="#{name}">{title}</a>' for name, title, _ in there)
    body = "\n".join(f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>{content}</section>'
                     for name, title, content in there)  # fmt: skip
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(report.name)}: campaign</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#content">To the report</a>
<header><h1>{text(report.name)}</h1><nav aria-label="Sections">{links}</nav><button id="theme" type="button" hidden>Dark</button></header>
<main id="content" tabindex="-1">
{_summary(report)}
{body}
</main>
<footer class="soft">Made by Lockstep {text(report.version)} from {text(state_name)}.</footer>
<script>{script}</script>
</body>
</html>
"""


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _word(verdict: str) -> str:
    kind = "good" if verdict == "pass" else "bad" if verdict in (*FAILED, "error") else ""
    return f'<span class="word {kind}">{text(verdict)}</span>'


# ---- sections ----


def _summary(report: Report) -> str:
    ran = f"{number(report.done)} of {number(report.cases)} cases" if report.done < report.cases else f"{number(report.done)} cases"
    tiles = [("cases run", ran.partition(" cases")[0]), ("kernels", number(len(report.kernels))),
             ("ways to go wrong", number(len(report.troubles))), ("known ways", number(len(report.known))), ("time of all cases", seconds(report.seconds))]  # fmt: skip
    lines = report.shown["lines"]
    tiles += [("lines that ran", of(lines))] if lines.all else []
    tiles += [(verdict, number(count)) for verdict, count in sorted(report.verdicts.items())]
    items = "".join(f"<li><b>{text(value)}</b>{text(name)}</li>" for name, value in tiles)
    old = f"<p><b>Old:</b> {text(report.old_text)}.</p>" if report.old else ""
    return f'<ul class="tiles" aria-label="The campaign in numbers">{items}</ul>{old}'


def _changes(changes: Changes | None, shown: Mapping[str, Share]) -> str:
    if changes is None:
        return ""
    before = ", ".join(f"{number(count)} {verdict}" for verdict, count in sorted(changes.verdicts_before.items())) or "nothing"
    parts = [f"<p>The last campaign ran {number(changes.cases_before)} cases: {text(before)}.</p>"]
    for title, troubles in (("New", changes.new), ("Gone", changes.gone)):
        rows = "".join(f"<li>{_word(one.verdict)} {_name(one)}, {_cases(len(one.cases))}</li>" for one in troubles[:_MOST_TROUBLES])
        parts.append(f'<div class="panel"><h3>{title}: {number(len(troubles))}</h3><ul>{rows}</ul></div>' if rows
                     else f"<p>{title}: none.</p>")  # fmt: skip
    if changes.turned_bad:
        ids = " ".join(f"<code>{text(one)}</code>" for one in changes.turned_bad[:_MOST_CASES])
        parts.append(f"<p>{_cases(len(changes.turned_bad))} passed before and no longer pass: {ids}</p>")
    if changes.turned_good:
        parts.append(f"<p>{_cases(changes.turned_good)} did not pass before and pass now.</p>")
    return "".join(parts) + _moved(changes) + _shown(changes.shown_before, shown)


def _shown(before: Mapping[str, Share], now: Mapping[str, Share]) -> str:
    """Changed coverage; nothing where either campaign has no coverage."""
    moved = [f"{of(now[name])} {COUNTED[name]}, {of(before[name])} before" for name in now if before[name].all and now[name].all and before[name] != now[name]]
    return f"<p>All cases together showed {text('; '.join(moved))}.</p>" if moved else ""


def _moved(changes: Changes) -> str:
    parts = []
    if changes.farther:
        rows = "".join(
            f"<li>{text(one.kernels)}: {_cases(len(one.cases))}, the worst {one.before:.3g} before and {one.now:.3g} now ({text(one.measured)}); "
            f"first <code>{text(one.cases[0])}</code></li>" for one in changes.farther[:_MOST_TROUBLES]
        )  # fmt: skip
        parts.append(f'<div class="panel"><h3>Farther from the reference than before: {number(len(changes.farther))}</h3><ul>{rows}</ul></div>')
    if changes.other_bytes:
        rows = "".join(f"<li>{text(kernels)}: {_cases(count)}</li>" for kernels, count in changes.other_bytes[:_MOST_TROUBLES])
        parts.append(f'<div class="panel"><h3>Different bytes from before: {number(len(changes.other_bytes))}</h3><ul>{rows}</ul></div>')
    return "".join(parts)


def _cases(count: int) -> str:
    return f"{number(count)} case{'' if count == 1 else 's'}"


def _name(trouble: Trouble) -> str:
    code = f"<b>{text(trouble.code)}</b> " if trouble.code else ""
    place = f" <code>{text(trouble.file.rpartition('/')[2])}:{trouble.line}</code>" if trouble.file else ""
    return f"{code}{text(trouble.kernel)}{place}"


def _troubles(troubles: Sequence[Trouble], state_name: str, *, is_known: bool) -> str:
    if not troubles:
        return "<p>Nothing new: all failures are known.</p>" if is_known else "<p>Nothing: every judged case passed.</p>"
    parts = []
    for place, trouble in enumerate(troubles[:_MOST_TROUBLES]):
        lines = "".join(_source_line(line, content, line == trouble.line) for line, content in trouble.source)
        source = f"<pre><code>{lines}</code></pre>" if lines else ""
        varied = "".join(f"<li><code>{text(one)}</code></li>" for one in trouble.variations)
        first = trouble.cases[0]
        file = f"<p class=\"soft\"><code>{text(trouble.file)}:{trouble.line}</code></p>" if trouble.file else ""
        parts.append(
            f'<details class="panel"{" open" if place < 3 else ""}><summary>{_word(trouble.verdict)} <h3>{_name(trouble)}</h3> '
            f'<span class="soft">{_cases(len(trouble.cases))}</span></summary><p>{text(trouble.what)}</p>{file}{source}'
            f"<p>Seen with:</p><ul>{varied}</ul>"
            f"<p>Again: <code>lockstep campaign case {text(state_name)} {text(first)}</code></p></details>"
        )
    if len(troubles) > _MOST_TROUBLES:
        parts.append(f"<p>And {number(len(troubles) - _MOST_TROUBLES)} more, in the state file.</p>")
    return "".join(parts)


def _known(troubles: Sequence[Trouble]) -> str:
    if not troubles:
        return ""
    by_reason: dict[str, list[Trouble]] = {}
    for one in troubles:
        by_reason.setdefault(one.known, []).append(one)
    rows = "".join(
        f'<tr><td>{number(len({case for one in some for case in one.cases}))}</td><td class="text">{_places(some)}</td><td class="text why">{text(reason)}</td></tr>'
        for reason, some in by_reason.items()
    )
    return ("<p>Cases that fail for a written reason; they do not make the campaign fail.</p>"
            '<div class="scroll" tabindex="0" role="region" aria-label="Table of what is known"><table><thead><tr><th scope="col">cases</th>'
            f'<th scope="col" class="text">what</th><th scope="col" class="text">why</th></tr></thead><tbody>{rows}</tbody></table></div>')  # fmt: skip


def _places(troubles: Sequence[Trouble]) -> str:
    """Each kind of trouble and place once."""
    names = list(dict.fromkeys(f"{_word(one.verdict)} {_name(one)}" for one in troubles))
    more = f"<br>and {number(len(names) - _MOST_CASES)} more" if len(names) > _MOST_CASES else ""
    return "<br>".join(names[:_MOST_CASES]) + more


def _source_line(line: int, content: str, is_here: bool) -> str:
    shown = f"{line:5} {text(content)}\n"
    return f'<span class="here">{shown}</span>' if is_here else shown


def _map(report: Report) -> str:
    columns = [(axis, value) for axis, values in report.axes.items() for value in values]
    coverage = COVERED if any(kernel.files for kernel in report.kernels.values()) else ()
    if not report.kernels:
        return "<p>No case was judged.</p>"
    groups = "".join(f'<th scope="colgroup" class="first" colspan="{len(values)}">{text(axis)}</th>'
                     for axis, values in report.axes.items())  # fmt: skip
    if coverage:
        groups += f'<th scope="colgroup" class="first" colspan="{len(coverage)}">seen of all</th>'
    heads = "".join(f'<th scope="col"{_first(report, axis, value)}>{text(value)}</th>' for axis, value in columns)
    heads += "".join(f'<th scope="col"{first}>{kind}</th>' for kind, first in zip(coverage, (' class="first"', "", "")))
    kernels = sorted(report.kernels.values(), key=lambda one: (one.cases == one.verdicts["pass"], one.name))
    named = anchors(report)
    rows = "".join(_row(report, kernel, columns, coverage, named.get(kernel.name, "")) for kernel in kernels)
    more = " The last three show how many of its lines, branch outcomes and mask outcomes all cases together exercised." if coverage else ""
    return f"""<p>Failed cases of all. A case counts for every kernel that it launched; the columns are what the cases varied.{more}</p>
<p id="controls" hidden><label>Kernels with <input id="filter" type="search" autocomplete="off"></label>
<label><input id="failing" type="checkbox"> only those that failed</label> <span id="shown" class="soft" role="status"></span></p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of kernels and axes"><table>
<thead><tr><td></td><td></td>{groups}</tr><tr><th scope="col" class="text">kernel</th><th scope="col">all</th>{heads}</tr></thead>
<tbody>{rows}</tbody></table></div>"""


def _first(report: Report, axis: str, value: str) -> str:
    return ' class="first"' if report.axes[axis][0] == value else ""


def _row(report: Report, kernel: Kernel, columns: Sequence[tuple[str, str]], coverage: Sequence[str], anchor: str) -> str:
    failed = kernel.cases - kernel.verdicts["pass"]
    cells = _cell(kernel.cases, failed, "")
    for axis, value in columns:
        cell: Cell | None = kernel.cells.get((axis, value))
        first = _first(report, axis, value) != ""
        cells += _cell(cell.cases, cell.failed, "first" if first else "") if cell else f'<td class="{"first" if first else ""}"></td>'
    seen = shares(kernel.files.values())
    for place, kind in enumerate(coverage):
        share, kinds = seen[kind], ["first"] if place == 0 else []
        kinds += ["good"] if share.all and not share.missing else []
        cells += f'<td class="{" ".join(kinds)}">{of(share) if share.all else ""}</td>'
    name = f'<a href="#{anchor}">{text(kernel.name)}</a>' if anchor else text(kernel.name)
    return (f'<tr data-name="{text(kernel.name.lower())}" data-failed="{failed}"><th scope="row" title="{text(kernel.name)}">'
            f"{name}</th>{cells}</tr>")  # fmt: skip


def _cell(cases: int, failed: int, more: str) -> str:
    kind = "bad" if failed else "good"
    shown = f"{number(failed)} / {number(cases)}" if failed else number(cases)
    return f'<td class="{kind} {more}">{shown}</td>'


def _slowest(report: Report) -> str:
    rows = "".join(f'<tr><td>{seconds(took)}</td><td class="text"><code>{text(key)}</code></td><td class="text">{text(what)}</td></tr>'
                   for took, key, what in report.slowest)  # fmt: skip
    return ('<div class="scroll" tabindex="0" role="region" aria-label="Table of the slowest cases"><table><thead><tr><th scope="col">time</th>'
            f'<th scope="col" class="text">case</th><th scope="col" class="text">what</th></tr></thead><tbody>{rows}</tbody></table></div>')  # fmt: skip


def _refused(report: Report) -> str:
    if not report.refused:
        return ""
    rows = "".join(f'<tr><td>{number(one.cases)}</td><td class="text">{"known: " if one.is_known else ""}{text(one.why)}</td></tr>'
                   for one in report.refused)  # fmt: skip
    return ("<p>Cases that the test, the package or Lockstep refuses; they show nothing about a kernel.</p>"
            '<div class="scroll" tabindex="0" role="region" aria-label="Table of what was not judged"><table><thead><tr><th scope="col">cases</th>'
            f'<th scope="col" class="text">why</th></tr></thead><tbody>{rows}</tbody></table></div>')  # fmt: skip
