"""What was recorded as a capsule's reference: the very bytes, or the bounds of every legal result (docs/differential.md)."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from lockstep import record_main
from lockstep.campaign.problems import Missing
from lockstep.campaign.sources import Outcome, Refused


def judge(kind: str, path: str, case: Mapping[str, Any], told: Mapping[str, Any], after: Sequence[bytes], outcome: Outcome) -> None:
    """`kind`: "recorded" or "enclosure". `told`: the capsule's manifest, `after`: each storage after our launch.

    Raises Refused where the case does not make the launch that was recorded, or its outputs were not."""
    if case["vary"].get("values", "recorded") != "recorded":
        raise Refused(f"the reference `{kind}` holds for the recorded values only")
    if not told.get("has_outputs"):
        raise Refused("the capsule has no outputs: it was recorded without")
    if kind == "recorded":
        _judge_bytes(path, told, after, outcome)
    else:
        _judge_bounds(path, outcome)


def _judge_bytes(path: str, told: Mapping[str, Any], after: Sequence[bytes], outcome: Outcome) -> None:
    wrong = []
    with zipfile.ZipFile(path) as archive:
        for number, (storage, ours) in enumerate(zip(told["storages"], after, strict=True)):
            member = storage.get("after") or storage["before"]
            if archive.read(member["file"]) != ours:
                wrong += [one["name"] for one in told["arguments"] if one.get("storage") == number]
    if wrong:
        outcome.mismatch = f"other bytes than were recorded: {', '.join(wrong)}"


def _judge_bounds(path: str, outcome: Outcome) -> None:
    """By `lockstep replay`, which knows what every op may give on a GPU."""
    command = os.environ.get("LOCKSTEP_COMMAND") or shutil.which("lockstep")
    if command is None or shutil.which(command) is None:
        raise Missing("the reference `enclosure` needs the command lockstep on PATH, or named by LOCKSTEP_COMMAND")
    (said,) = record_main.judge(command, [path])
    judgement = said.get("judgement")
    if judgement is None:
        raise Refused(f"lockstep replay: {said.get('problem', 'no judgement')}")
    for one in judgement["tensors"]:
        if one["written"]:
            outcome.error[one["name"]] = {
                "max_ulp": one["distances"]["max_ulp"], "median_ulp": one["distances"]["median_ulp"],
                "median_width_ulp": one["widths"]["median_ulp"], "outside": one["outside"], "unbounded": one["unbounded"]}  # fmt: skip
    outside = [f"{one['name']}: {one['outside']} elements" for one in judgement["tensors"] if one["outside"]]
    if outside:
        outcome.mismatch = f"recorded outside of what is legal: {', '.join(outside)}"
