"""The page's section of what no case showed: for each kernel its source where something is missing.

Invariant: as page.py's, whose section this is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lockstep.campaign.code_coverage import shares
from lockstep.campaign.report.texts import number, of, text

if TYPE_CHECKING:
    from lockstep.campaign.report.gather import Kernel, Report
    from lockstep.campaign.report.missing import Listing

COVERED = ("lines", "branches", "masks")
COUNTED = {"lines": "lines", "branches": "branch outcomes", "masks": "mask outcomes"}
_MOST_LINES = 6000  # of all kernels together
_MOST_OF_A_KERNEL = 120


def anchors(report: Report) -> dict[str, str]:
    """Kernel -> the id of its part of the section, for those that have one; those that miss most come first."""
    named, left = {}, _MOST_LINES
    for kernel in with_missing(report):
        if left <= 0:
            break
        named[kernel.name] = f"never-{len(named)}"
        left -= min(sum(len(one.source) or len(one.marked) for one in kernel.missing), _MOST_OF_A_KERNEL)
    return named


def with_missing(report: Report) -> list[Kernel]:
    """Kernels whose source the cases did not exercise completely; those that miss most come first."""
    return sorted((one for one in report.kernels.values() if one.missing), key=lambda one: (-_amount(one), one.name))


def missing_of(report: Report) -> str:
    """"" without coverage."""
    covered = [one for one in report.kernels.values() if one.files]
    if not covered:
        return ""
    missing, named = sum(bool(one.missing) for one in covered), anchors(report)
    parts = "".join(_kernel(report.kernels[name], anchor) for name, anchor in named.items())
    rest = missing - len(named)
    more = f"<p>And {_kernels(rest)} with less; the numbers are in the map.</p>" if rest else ""
    return f"""<p>Lines that no case showed, kernels with the most of them first. <b class="mark">&times;</b> was compiled and never ran;
<b class="mark">&minus;</b> is in a block that no case compiled; the end of a line names its branch or mask. A mask
that is never off has cut nothing: no case tested a tail. {_kernels(len(covered) - missing)} of {number(len(covered))} showed all of it.</p>
{parts}{more}"""


def _kernels(count: int) -> str:
    return f"{number(count)} kernel{'' if count == 1 else 's'}"


def _amount(kernel: Kernel) -> int:
    return sum(share.missing for share in shares(kernel.files.values()).values()) + sum(len(one.not_compiled) for one in kernel.missing)


def _kernel(kernel: Kernel, anchor: str) -> str:
    seen = shares(kernel.files.values())
    counted = [f"{of(seen[name])} {COUNTED[name]}" for name in COVERED if seen[name].all]
    blocks = sum(len(one.not_compiled) for one in kernel.missing)
    counted += [f"{number(blocks)} line{'' if blocks == 1 else 's'} never compiled"] if blocks else []
    left, parts = _MOST_OF_A_KERNEL, []
    for one in kernel.missing:
        if left <= 0:
            break
        shown = list(_lines(one))
        parts.append(f'<p class="soft"><code>{text(one.file)}</code></p><pre><code>{"".join(shown[:left])}</code></pre>')
        if len(shown) > left:
            parts.append(f"<p>And {number(len(shown) - left)} more lines.</p>")
        left -= len(shown)
    return (f'<details class="panel" id="{anchor}"><summary><h3>{text(kernel.name)}</h3> <span class="soft">{text(", ".join(counted))}</span></summary>'
            f'{"".join(parts)}</details>')  # fmt: skip


def _lines(one: Listing) -> Iterator[str]:
    """Lines of source, with a gap for hidden ones; line numbers alone where the source is missing."""
    last = 0
    for line in sorted(one.source or one.marked):
        if last and line > last + 1:
            yield '<span class="soft">    ⋯</span>\n'
        last = line
        mark = "×" if line in one.not_run else "−" if line in one.not_compiled else " "
        notes = ", ".join(one.notes.get(line, ()))
        shown = f"{line:5} {mark} {text(one.source.get(line, ''))}" + (f'   <b class="mark">{text(notes)}</b>' if notes else "")
        yield f'<span class="missed">{shown}</span>\n' if mark != " " else f"{shown}\n"
