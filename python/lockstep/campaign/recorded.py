"""A capsule's recording as its reference: the same bytes, or the bounds of every legal result (docs/differential.md)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from lockstep.campaign.problems import Missing
from lockstep.campaign.sources import Outcome, Refused, TimedOut


def judge(kind: str, path: str, case: Mapping[str, Any], told: Mapping[str, Any], after: Sequence[bytes], seconds: float,
          outcome: Outcome) -> None:  # fmt: skip
    """`kind`: "recorded" or "enclosure". `told`: the capsule's manifest, `after`: each storage after our launch, `seconds`: the time
    of a launch.

    Raises Refused where the case does not make the launch that was recorded, or its outputs were not."""
    if case["vary"].get("values", "recorded") != "recorded":
        raise Refused(f"the reference `{kind}` holds for the recorded values only")
    if not told.get("has_outputs"):
        raise Refused("the capsule has no outputs: it was recorded without them")
    if kind == "recorded":
        _judge_bytes(path, told, after, outcome)
    else:
        _judge_bounds(path, seconds, outcome)


def _judge_bytes(path: str, told: Mapping[str, Any], after: Sequence[bytes], outcome: Outcome) -> None:
    wrong = []
    with zipfile.ZipFile(path) as archive:
        for number, (storage, ours) in enumerate(zip(told["storages"], after, strict=True)):
            member = storage.get("after") or storage["before"]
            if archive.read(member["file"]) != ours:
                wrong += [one["name"] for one in told["arguments"] if one.get("storage") == number]
    if wrong:
        outcome.mismatch = f"different bytes from the recording: {', '.join(wrong)}"


def _judge_bounds(path: str, seconds: float, outcome: Outcome) -> None:
    """Judges by `lockstep replay`, which knows what each op may give on a GPU."""
    said = _asked(seconds).ask(path)
    judgement = said.get("judgement")
    if judgement is None:
        raise Refused(f"lockstep replay: {said.get('problem', 'no judgement')}")
    if said["outcome"] == "timed out":
        raise TimedOut("the launch under bounds exceeded the case's time")
    if said["outcome"] != "completed":
        raise Refused(f"lockstep replay: {said['outcome']}")
    for one in judgement["tensors"]:
        if one["written"]:
            positions = one["positions"]
            has_room = {"of_allowed": _number(positions["max"]), "histogram": positions["histogram"]} if positions["elements"] else {}
            outcome.error[one["name"]] = {
                **has_room, "elements": one["widths"]["elements"], "max_ulp": _number(one["distances"]["max_ulp"]), "median_ulp": _number(one["distances"]["median_ulp"]),
                "median_width_ulp": _number(one["widths"]["median_ulp"]), "outside": one["outside"], "unbounded": one["unbounded"]}  # fmt: skip
    outside = [f"{one['name']}: {one['outside']} elements" for one in judgement["tensors"] if one["outside"]]
    if outside:
        outcome.mismatch = f"recorded outside the legal bounds: {', '.join(outside)}"


def _number(value: float | None) -> float | str:
    """JSON has no infinity: the command prints null, results contain "inf", as everywhere."""
    return "inf" if value is None else value


class _Replay:
    """A `lockstep replay` that stays: it reads names of capsules and answers each with a line."""

    def __init__(self, command: str, seconds: float) -> None:
        words = [command, "replay", "--json", "--timeout", str(seconds), "-"]
        self.command, self.seconds = command, seconds
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")

    def ask(self, path: str) -> dict[str, Any]:
        """The answer for a capsule; {"problem"} where the process ends instead."""
        if "\n" in path:
            return {"problem": "a name of two lines"}
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(path + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return dict(json.loads(line))
        close()
        return {"problem": f"it ended with {self._process.returncode}"}

    def close(self) -> None:
        """Ends the process, even while it works."""
        self._process.kill()
        self._process.communicate()


_replays: list[_Replay] = []  # at most one


def _asked(seconds: float) -> _Replay:
    """Raises Missing without the command."""
    command = os.environ.get("LOCKSTEP_COMMAND") or shutil.which("lockstep")
    if command is None or shutil.which(command) is None:
        raise Missing("the reference `enclosure` needs the command lockstep, on PATH or in LOCKSTEP_COMMAND")
    if _replays and (_replays[0].command, _replays[0].seconds) != (command, seconds):
        close()
    if not _replays:
        _replays.append(_Replay(command, seconds))
    return _replays[0]


def close() -> None:
    """Ends the process that waits for the next case."""
    while _replays:
        _replays.pop().close()
