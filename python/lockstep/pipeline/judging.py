"""One stage of the pipeline beside the launch's own kernel, both executed by the command `lockstep`.

`lockstep diff LAUNCH --gpu-kernel STAGE --stand-in --json` runs the stage in the interpreter from the launch's bytes, and holds
every element that it leaves against the enclosure of the launch's kernel. Invariant: a stage that was not executed is
never said to be inside."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from typing import Any

INSIDE, OUTSIDE, FINDING, NOT_EXECUTED = "inside", "outside", "finding", "not executed"


@dataclass
class Verdict:
    """The judgement of a stage. `elements` counts what lies outside; `is_equal`: it left the same bytes as the launch's kernel."""

    kind: str
    words: str = ""  # why, for people
    code: str = ""  # of a finding
    op: str = ""  # what is not executed, or the first op whose value is outside
    source: str = ""  # its line
    tensor: str = ""
    element: int = 0
    elements: int = 0
    is_equal: bool = False
    facts: dict[str, Any] = field(default_factory=dict)  # the command's own answer

    @property
    def is_departure(self) -> bool:
        return self.kind in (OUTSIDE, FINDING)


def judge(command: str, launch: list[str], stage: str, seconds: float | None = None) -> Verdict:
    """launch: the words of `lockstep run`; stage: a file. After `seconds`, the stage counts as not executed."""
    words = [command, "diff", *launch, "--gpu-kernel", stage, "--stand-in", "--json"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Verdict(NOT_EXECUTED, f"no end after {seconds:g} s")
    try:
        facts = json.loads(done.stdout)
    except json.JSONDecodeError:
        return _refused(done.returncode, done.stderr or done.stdout)
    verdict = _judged(facts)
    if verdict.kind == OUTSIDE:
        _name_op(verdict, words, seconds)
    return verdict


def _name_op(verdict: Verdict, words: list[str], seconds: float | None) -> None:
    """The op by its text in the launch's own kernel: the command runs the program at fault again and compares every value that
    both texts compute, by its place in the source. Some faults have none: a store to another address."""
    try:
        done = subprocess.run([*words, "--bisect"], capture_output=True, text=True, check=False, timeout=seconds)
        programs = json.loads(done.stdout)["bisect"]["programs"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError):
        return
    found = [one["deviation"] for one in programs if one["deviation"] is not None]
    if found:
        verdict.op, verdict.source = found[-1]["op"], found[-1]["source"]


def _refused(code: int, text: str) -> Verdict:
    first = next((line for line in text.splitlines() if line.strip()), f"the command ended with {code}")
    op = re.search(r"'?\b((?:tt|ttg|ttng|nvws|arith|math|scf|cf|gpu)\.[\w.]+)", first)
    return Verdict(NOT_EXECUTED, first.strip(), op=op.group(1) if op else "", facts={"exit_code": code})


def _judged(facts: dict[str, Any]) -> Verdict:
    said = facts.get("stand_in", {"findings": [], "own": []})
    new = [one for one in said["findings"] if one["tier"] == "error" and one["code"] not in said["own"]]
    if new:
        return Verdict(FINDING, f"{new[0]['code']}: {new[0]['message']}", code=new[0]["code"], facts=facts)
    wrong = [one for one in facts["tensors"] if one["outside"]]
    if wrong:
        one = wrong[0]
        first = one["first"]
        words = (f"{one['name']}[{first['element']}] = {_number(first['actual'])}, legal: {_number(first['low'])} to "
                 f"{_number(first['high'])}; {one['outside']} elements outside")  # fmt: skip
        return Verdict(OUTSIDE, words, tensor=one["name"], element=first["element"], elements=one["outside"], facts=facts)
    if facts["strays"]:
        return Verdict(OUTSIDE, f"bytes outside of tensors differ: {facts['strays'][0]}", facts=facts)
    if not facts["inside"]:
        return Verdict(NOT_EXECUTED, "the bounds hold no verdict", facts=facts)
    written = [one for one in facts["tensors"] if one["written"]]
    is_equal = all(one["distances"]["equal_bits"] == one["widths"]["elements"] for one in written)
    return Verdict(INSIDE, is_equal=is_equal, facts=facts)


def _number(value: Any) -> str:
    return "?" if value is None else f"{value:.9g}"
