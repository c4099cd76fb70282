"""Verdicts in the forms that other programs read: JUnit, SARIF, GitHub's annotations, a paragraph of Markdown for the next attempt."""

from __future__ import annotations

import json
from xml.sax.saxutils import escape, quoteattr

from lockstep.judging.verdict import ACCEPTED, REJECTED, Verdict


def _rows(one: Verdict) -> list[tuple[str, str, int]]:
    """(class, message, line) of what speaks against it."""
    return [*((r.kind, r.message, r.line) for r in one.reasons), *((u.what, u.why, u.line) for u in one.undecided)]


def junit(verdicts: list[Verdict]) -> str:
    """A test case for each candidate: rejected is a failure, not decided is skipped."""
    failures = sum(one.verdict == REJECTED for one in verdicts)
    skipped = sum(one.verdict not in (REJECTED, ACCEPTED) for one in verdicts)
    lines = ['<?xml version="1.0" encoding="utf-8"?>',
             f'<testsuite name="lockstep judge" tests="{len(verdicts)}" failures="{failures}" skipped="{skipped}">']
    for one in verdicts:
        tag = "failure" if one.verdict == REJECTED else "skipped"
        rows = [
            f"    <{tag} type={quoteattr(kind)} message={quoteattr(_plain(text))}>{escape(_plain(text))}</{tag}>"
            for kind, text, _ in _rows(one)]
        lines.append(f'  <testcase classname={quoteattr(one.reference)} name={quoteattr(one.candidate)} time="{one.seconds:.2f}">')
        lines += [*rows, "  </testcase>"]
    return "\n".join([*lines, "</testsuite>"])


def _plain(text: str) -> str:
    """Without characters that XML does not have: candidates' messages may hold any."""
    return "".join(one if one in "\t\n" or " " <= one < "\ud800" or "\ue000" <= one <= "\ufffd" else "?" for one in text)


def sarif(verdicts: list[Verdict]) -> str:
    """SARIF 2.1.0."""
    results = [
        {"ruleId": f"judge/{kind}", "level": "error" if one.verdict == REJECTED else "warning", "message": {"text": text},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": one.candidate}, "region": {"startLine": max(line, 1)}}}]}
        for one in verdicts for kind, text, line in _rows(one)]
    rules = [{"id": name} for name in sorted({str(one["ruleId"]) for one in results})]
    tool = {"driver": {"name": "lockstep judge", "rules": rules}}
    return json.dumps({"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                       "runs": [{"tool": tool, "results": results}]}, indent=1)


def github(verdicts: list[Verdict]) -> str:
    """Annotations of a workflow."""
    lines = []
    for one in verdicts:
        level = "error" if one.verdict == REJECTED else "warning"
        for kind, text, line in _rows(one):
            told = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            lines.append(f"::{level} file={one.candidate},line={max(line, 1)},title={one.verdict} ({kind})::{told}")
        lines += [] if _rows(one) else [f"::notice file={one.candidate}::accepted"]
    return "\n".join(lines)


def markdown(verdicts: list[Verdict]) -> str:
    """A paragraph for each candidate, to feed back. What the candidate itself wrote is quoted."""
    parts = []
    for one in verdicts:
        parts.append(f"**{one.candidate}: {one.verdict}.**")
        for kind, text, line in _rows(one):
            place = f" at line {line}" if line else ""
            parts.append(f"- {kind}{place}: `{text.replace('`', chr(39))}`")
        for reason in one.reasons:
            if reason.witness:
                parts.append(f"- The witness `{one.witnesses}/{reason.witness}` has the inputs; `replay.py` prints expected and obtained.")
        parts += [f"- note: `{text.replace('`', chr(39))}`" for text in one.notes]
        parts.append("")
    return "\n".join(parts)


FORMS = {"junit": junit, "sarif": sarif, "github": github, "markdown": markdown}
