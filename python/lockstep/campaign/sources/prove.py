"""A kernel's contract, as `lockstep prove` takes it: the launches at which its proof was tried become cases.

Where the plan is made, `lockstep prove` runs once for each point. Its cases are the launches that meet the conditions, those just
beyond a condition and the counterexample, if there is one. Each runs as a kernel's launch does, with the run's checks. The prover
draws the same launches on every machine, so the cases depend on the contract and the kernel's text alone."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep.campaign.sources import Needs, Outcome, kernel
from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    from lockstep.campaign.plan import Entry
    from lockstep.campaign.sources import Context

_LIST = "a text or a list of texts"
KEYS = {
    "file": Key((str,), "the kernel's .py file", is_required=True),
    "kernel": Key((str,), "the kernel's name", is_required=True),
    "grid": Key((str, int), 'expressions over the contract\'s sizes, for example "cdiv(n, BLOCK)"', is_required=True),
    "contract": Key((dict,), "a table NAME = TEXT in the notation of `lockstep prove`", is_required=True),
    "facts": Key((str, list), _LIST + ": what every launch meets (--where)"),
    "assume": Key((str, list), _LIST),
    "properties": Key((str, list), _LIST),
}
REFERENCES = ("none", "schedule0")
DEFAULTS = kernel.DEFAULTS
_OPTIONS = {"facts": "--where", "assume": "--assume", "properties": "--properties"}


def points(entry: Entry) -> Iterator[dict[str, Any]]:
    """Every point with each launch of its proof."""
    for point in entry.points():
        for role, launch in _launches(entry, point):
            yield {**point, "launch": {"role": role, **launch}}


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """The launch, with everything spelled out, so that the case can run alone."""
    launch = point.pop("launch")
    for name in entry.axes:  # they made the contract, and nothing else
        point.pop(name, None)
    point["role"] = launch["role"]
    arguments = dict(word.split("=", 1) for word in launch["words"])
    values = entry.values
    return {"file": values["file"], "kernel": values["kernel"], "grid": launch["grid"], "arguments": arguments}


def needs(case: Mapping[str, Any], root: Path) -> Needs:
    return kernel.needs(case, root)


def run(case: dict[str, Any], context: Context) -> Outcome:
    return kernel.run(case, context)


def _launches(entry: Entry, point: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what it is for, the launch) of a proof's trials; a launch of a few programs of its grid is left out."""
    report = _report(entry, point)
    if "counterexample" in report:
        yield "counterexample", report["counterexample"]
    for one in report["launches"]:
        yield "within", one
    for condition in report["conditions"]:
        if "beyond" in condition and not condition["beyond"].get("only"):
            yield "beyond", condition["beyond"]


def _report(entry: Entry, point: Mapping[str, Any]) -> dict[str, Any]:
    from lockstep.notebooks.pages import find_command

    values = entry.values
    path = entry.plan.root / values["file"]
    words = []
    for name, given in values["contract"].items():
        text = entry.fill("contract", given, dict(point))
        words.append(name if text == name else f"{name}={text}")
    command = [find_command(), "prove", f"{path}::{values['kernel']}", "--json", "--grid", str(entry.fill("grid", values["grid"], dict(point))), *words]
    for key, option in _OPTIONS.items():
        rows = values.get(key, [])
        for row in [rows] if isinstance(rows, str) else rows:
            command += [option, row]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        entry.wrong("contract", (done.stderr.strip() or f"lockstep prove ended with exit code {done.returncode}").splitlines()[0])
    return report
