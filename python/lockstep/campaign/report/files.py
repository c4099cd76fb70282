"""A campaign's troubles for other programs: JUnit (a case for each kernel) and SARIF 2.1.0 (a result for each place).

Both follow what `lockstep run --report` writes for one launch (docs/checking.md, "Reports")."""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from lockstep.campaign.report.gather import Report, Trouble

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_CASES = 10


def _clean(value: str) -> str:
    return _NO_XML.sub("\ufffd", value)


def junit(report: Report) -> str:
    """A test case for each kernel; it fails if one of the kernel's cases failed, and lists how. It is skipped if all failures are known."""
    by_kernel: dict[str, list[Trouble]] = {}
    for trouble in report.troubles:
        by_kernel.setdefault(trouble.kernel, []).append(trouble)
    known = {one.kernel: one.known for one in report.known if one.kernel not in by_kernel}
    names = sorted(report.kernels.keys() | by_kernel.keys() | known.keys())
    old = f'    <testcase classname="campaign" name="results of older code"><skipped message={quoteattr(report.old_text)}/></testcase>\n' if report.old else ""
    failures = sum(1 for one in report.troubles if one.verdict != "error")
    errors = len(report.troubles) - failures
    counts = f'tests="{len(names) + bool(old)}" failures="{sum(_has(by_kernel.get(n, ()), False) for n in names)}" errors="{sum(_has(by_kernel.get(n, ()), True) for n in names)}" skipped="{len(known) + bool(old)}"'
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="lockstep" {counts}>\n'
    suite = f"  <testsuite name={quoteattr(_clean(report.name))} {counts}>\n"
    assert failures + errors == len(report.troubles)
    cases = "".join(_junit_case(name, by_kernel.get(name, []), known.get(name, "")) for name in names)
    return head + suite + cases + old + "  </testsuite>\n</testsuites>\n"


def _has(troubles: Any, is_error: bool) -> bool:
    """Whether the kernel's case counts as failed; as an error where all of its troubles are errors."""
    only_errors = bool(troubles) and all(one.verdict == "error" for one in troubles)
    return bool(troubles) and only_errors == is_error


def _junit_case(name: str, troubles: list[Trouble], known: str) -> str:
    open_tag = f'    <testcase classname="campaign" name={quoteattr(_clean(name))}'
    if not troubles:
        return open_tag + (f"><skipped message={quoteattr(_clean(f'known: {known}'))}/></testcase>\n" if known else "/>\n")
    element = "error" if _has(troubles, True) else "failure"
    kind = ",".join(sorted({one.code or one.verdict for one in troubles}))
    body = "\n\n".join(_words(one) for one in troubles)
    first = _clean(troubles[0].what)
    return (f"{open_tag}>\n      <{element} type={quoteattr(kind)} message={quoteattr(first)}>"
            f"{escape(_clean(body))}</{element}>\n    </testcase>\n")  # fmt: skip


def _words(trouble: Trouble) -> str:
    place = f"{trouble.file}:{trouble.line}: " if trouble.file else ""
    code = f" [{trouble.code}]" if trouble.code else ""
    cases = ", ".join(trouble.cases[:_MOST_CASES])
    more = f" and {len(trouble.cases) - _MOST_CASES} more" if len(trouble.cases) > _MOST_CASES else ""
    seen = "".join(f"\n  {one}" for one in trouble.variations)
    return f"{place}{trouble.verdict}: {trouble.what}{code}\ncases {cases}{more}{seen}"


def sarif(report: Report) -> str:
    """A result for each finding's place, and for each kernel that gave a wrong result, crashed or did not end."""
    troubles = [*report.troubles, *report.known]
    rules = sorted({_rule(one) for one in troubles})
    run = {
        "tool": {"driver": {"name": "lockstep", "version": report.version, "rules": [_rule_entry(rule) for rule in rules]}},
        "results": [_sarif_result(one, rules) for one in troubles],
        "properties": {"campaign": report.name, "cases": report.done, "verdicts": report.verdicts,
                       **({"old": report.old} if report.old else {})},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(trouble: Trouble) -> str:
    return trouble.code or f"campaign/{trouble.verdict}"


def _rule_entry(rule: str) -> dict[str, Any]:
    from lockstep import error_pages

    try:
        page = error_pages.explain(rule)
    except KeyError:
        return {"id": rule, "shortDescription": {"text": f"a case of the campaign ended with the verdict {rule.partition('/')[2]}"}}
    title = page.splitlines()[0].lstrip("# ").partition(": ")[2]
    return {"id": rule, "shortDescription": {"text": title or rule}, "help": {"text": page, "markdown": page}}


def _sarif_result(trouble: Trouble, rules: list[str]) -> dict[str, Any]:
    text = f"{trouble.kernel}: {trouble.what} ({len(trouble.cases)} cases, first {trouble.cases[0]})"
    level = "warning" if trouble.tier == "warning" else "error"
    identity = hashlib.sha256("\0".join(trouble.key).encode()).hexdigest()
    entry: dict[str, Any] = {
        "ruleId": _rule(trouble), "ruleIndex": rules.index(_rule(trouble)), "level": level, "message": {"text": text},
        "partialFingerprints": {"lockstepCampaign/v1": identity},
        "properties": {"verdict": trouble.verdict, "kernel": trouble.kernel, "cases": trouble.cases[:_MOST_CASES]},
    }  # fmt: skip
    if trouble.known:
        entry["suppressions"] = [{"kind": "external", "justification": trouble.known}]
    if trouble.file:
        entry["locations"] = [{"physicalLocation": _physical(trouble.file, trouble.line)}]
    if trouble.related:
        entry["relatedLocations"] = [{"message": {"text": message}, "physicalLocation": _physical(file, line)} for message, file, line in trouble.related]
    return entry


def _physical(file: str, line: int) -> dict[str, Any]:
    return {"artifactLocation": {"uri": file.replace(os.sep, "/")}, **({"region": {"startLine": line}} if line else {})}
