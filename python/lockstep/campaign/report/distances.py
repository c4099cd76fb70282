"""The report's section on distances from the reference: how much of the tolerance the results use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from lockstep.campaign.report.texts import number, text

if TYPE_CHECKING:
    from lockstep.campaign.report.gather import Kernel, Report

_MOST = 60  # kernels
_PARTS = 20  # of a distribution of cases


def section(report: Report) -> str:
    """A table of the measured kernels, the farthest first; "" where none was measured."""
    measured = [one for one in report.kernels.values() if one.distances]
    if not measured:
        return ""
    measured.sort(key=lambda one: (-max(one.distances), one.name))
    is_share = report.distances_of.startswith("share")
    largest = max(max((one for one in kernel.distances if math.isfinite(one)), default=0.0) for kernel in measured)
    limit = 1.0 if is_share else largest or 1.0
    what = ("In shares of the tolerance: 0 is the reference (or the middle of the legal bounds), 1 the end (between two neighbouring numbers there are only ends). The table counts elements that have room, or cases "
            "where a suite reports only its worst element." if is_share else f"{text(report.distances_of)}: the largest element of each case.")  # fmt: skip
    more = f"<p>And {number(len(measured) - _MOST)} more kernels.</p>" if len(measured) > _MOST else ""
    return f"""<p>{what} The bars range from 0 to {_short(limit)}.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of distances"><table>
<thead><tr><th scope="col" class="text">kernel</th><th scope="col">cases</th><th scope="col">elements</th><th scope="col">median</th>
<th scope="col">99 %</th><th scope="col">worst</th><th scope="col" class="text">distribution</th></tr></thead>
<tbody>{"".join(_row(one, limit) for one in measured[:_MOST])}</tbody></table></div>{more}"""


def _row(kernel: Kernel, limit: float) -> str:
    if kernel.positions:
        counts, elements = kernel.positions, number(sum(kernel.positions))
        middle, most = (f"≤ {_short(quantile(counts, share))}" for share in (0.5, 0.99))
    else:
        numbers = sorted(kernel.distances)
        counts, elements = _counted(numbers, limit), ""
        middle, most = (_short(numbers[min(int(len(numbers) * share), len(numbers) - 1)]) for share in (0.5, 0.99))
    return (f'<tr><th scope="row">{text(kernel.name)}</th><td>{number(len(kernel.distances))}</td><td>{elements}</td><td>{middle}</td><td>{most}</td>'
            f"<td>{_short(max(kernel.distances))}</td><td>{_bars(counts)}</td></tr>")  # fmt: skip


def quantile(counts: Sequence[int], share: float) -> float:
    """The upper end of the part of 0 to 1 that this share of all does not pass."""
    wanted = share * sum(counts)
    return next((place + 1) / len(counts) for place, passed in enumerate(accumulate(counts)) if passed >= wanted)


def _counted(numbers: Sequence[float], limit: float) -> list[int]:
    counts = [0] * _PARTS
    for one in numbers:
        share = one / limit if math.isfinite(one) else 1.0
        counts[min(int(share * _PARTS), _PARTS - 1)] += 1
    return counts


def _short(value: float) -> str:
    return f"{value:.3g}"


def _bars(counts: Sequence[int]) -> str:
    top = max(counts)
    bars = "".join(
        f'<rect x="{place * 10}" y="{20 - 20 * count / top:.1f}" width="9" height="{20 * count / top:.1f}"></rect>'
        for place, count in enumerate(counts) if count
    )  # fmt: skip
    label = ", ".join(str(count) for count in counts)
    return f'<svg class="bars" viewBox="0 0 {len(counts) * 10} 20" preserveAspectRatio="none" role="img" aria-label="{label}">{bars}</svg>'
