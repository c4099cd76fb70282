"""Texts and numbers in the page's form."""

from __future__ import annotations

import html

from lockstep.campaign.code_coverage import Share


def text(value: object) -> str:
    """Escapes a text for elements and quoted attributes."""
    return html.escape(str(value), quote=True)


def number(value: int) -> str:
    return f"{value:,}"


def of(share: Share) -> str:
    return f"{number(share.seen)} of {number(share.all)}"
