"""docs/corpus.md is what table.py makes of results.jsonl, and results.jsonl speaks of tests and kernels that exist."""

from __future__ import annotations

import json
import re

import check_capsules
import table
import tomllib

#: What the page calls by the operation, not by a kernel.
OPERATIONS = {
    "liger_cross_entropy_kernel": "LigerCrossEntropyFunction",
    "tests/corpus/torch_sparse/test_torch_sparse.py::test_bsr_scatter_mm?bsr_strided_mm*": "bsr_scatter_mm",
}


def findings_page() -> str:
    return (table.PAGE.parent / "findings.md").read_text(encoding="utf-8")


def test_the_page_is_current():
    assert table.PAGE.read_text(encoding="utf-8") == table.page(table.load()), "run tests/corpus/table.py"


def test_recorded_tests_exist():
    """Every test named by a result is a function in the named file."""
    sources: dict[str, str] = {}
    for entries in table.load().values():
        for entry in entries:
            path, name = entry["test"].split("::", 1)
            text = sources.setdefault(path, (table.HERE / path).read_text(encoding="utf-8"))
            assert f"def {name.split('[')[0]}(" in text, entry["test"]


def test_tests_of_findings_exist():
    for item in json.loads((table.HERE / "findings.json").read_text(encoding="utf-8")):
        path, name = item["test"].split("::", 1)
        assert f"def {name}(" in (table.HERE / path).read_text(encoding="utf-8"), item["test"]


def test_known_findings_are_explained():
    """docs/findings.md has a row for each known finding of a recorded launch, and none besides; warnings have a section of their own."""
    errors = findings_page().split("## Warnings about barriers")[0]
    rows = [row for row in errors.splitlines() if "| LS" in row]
    told = {(row[2:7], kernel) for row in rows for kernel in re.findall(r"`(\w+)`", row.split("|")[2])}
    assert told == check_capsules.known_findings(check_capsules.KNOWN)


def test_what_campaigns_know_is_explained():
    """Of every kernel and code of the file, the page has a line with both."""
    lines = findings_page().splitlines()
    entries = tomllib.loads(check_capsules.KNOWN.read_text(encoding="utf-8"))["known"]
    for one in entries:
        kernels = one.get("kernel", [])
        for kernel in [kernels] if isinstance(kernels, str) else kernels:
            name = OPERATIONS.get(kernel, kernel)
            assert any(f"`{name}`" in line and one.get("code", "wrong") in line for line in lines), one


def test_nothing_recorded_differs():
    wrong = [
        (key, entry["test"]) for key, entries in table.load().items() for entry in entries if entry["agrees"] is False
    ]
    assert not wrong


def test_reasons_are_needed():
    """A reason stands only for a listed kernel that no test compares."""
    listed = {name for names in table.listed().values() for name in names}
    agreed = {kernel for (kernel, _), entries in table.load().items() if any(entry["agrees"] for entry in entries)}
    assert set(table.reasons()) <= listed - agreed
