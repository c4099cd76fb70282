"""What differs between two settings of one model: the first kernel and node outside of their bounds, and the first whose bits move.

Each setting runs in a process of its own, because a process has one Triton and one set of compiled code."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lockstep.campaign.problems import UsageError
from lockstep.campaign.sources.model import DTYPES
from lockstep.models import records, runner


_MOST_MOVED = 40  # nodes that are listed


@dataclasses.dataclass(frozen=True)
class Setting:
    """A side of the comparison. `is_eager`: the model without a compiler."""

    text: str
    step: runner.Step
    folder: str = ""  # with another Triton
    is_eager: bool = False


def setting(text: str, model: str, dtype: str, backward: bool, second: bool = False) -> Setting:
    """Raises UsageError."""
    step = runner.Step(model, DTYPES[dtype], backward=backward, second=second)
    name, equals, value = text.partition("=")
    if text in ("eager", "compiled"):
        return Setting(text, step, is_eager=text == "eager")
    if name == "mode" and value in runner.MODES:
        return Setting(text, dataclasses.replace(step, mode=value))
    if name == "triton":
        if not (Path(value) / "triton" / "__init__.py").is_file():
            raise UsageError(f"{value} is not a folder with a package triton")
        return Setting(text, step, str(Path(value).resolve()))
    if equals and name and name != "mode":
        known = {"True": True, "False": False, "true": True, "false": False}
        return Setting(text, dataclasses.replace(step, options={name: known.get(value, int(value) if value.lstrip("-").isdecimal() else value)}))
    raise UsageError(f"{text!r} is not a setting: eager, compiled, mode=M, OPTION=VALUE, triton=FOLDER")


def run_apart(side: Setting) -> dict[str, Any]:
    """The setting's step in a process of its own, as runner.Ran.data gives it. Raises UsageError where the process fails."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "ran.json"
        request = json.dumps({"step": dataclasses.asdict(side.step), "eager": side.is_eager, "out": str(out)})
        environment = dict(os.environ)
        package = str(Path(__file__).absolute().parents[2])
        paths = [one for one in (side.folder, package, environment.get("PYTHONPATH", "")) if one]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
        done = subprocess.run([sys.executable, "-m", "lockstep.models.side", request], env=environment, text=True, capture_output=True, check=False)
        if not out.is_file():
            raise UsageError(f"the setting {side.text} did not run: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}")
        return dict(json.loads(out.read_text()))


def launches_of(data: dict[str, Any]) -> list[records.Launch]:
    return [records.from_data(one) for one in data["launches"]]


@dataclasses.dataclass(frozen=True)
class Moved:
    """A node that both settings stored with other bits. `is_own`: although both launches read the same."""

    launch: records.Launch
    output: records.Output
    is_own: bool


def moved(before: list[records.Launch], after: list[records.Launch]) -> list[Moved]:
    """In the order of the second setting. A node is known by its graph and name."""
    known = {(launch.graph, one.node, one.op): (launch, one) for launch in before for one in launch.outputs}
    found = []
    for launch in after:
        for one in launch.outputs:
            earlier, other = known.get((launch.graph, one.node, one.op), (None, None))
            if earlier is not None and other is not None and other.bits != one.bits:
                same = all(earlier.reads.get(node) == bits for node, bits in launch.reads.items())
                found.append(Moved(launch, one, same and earlier.reads.keys() == launch.reads.keys()))
    return found


def text_of(sides: tuple[Setting, Setting], data: tuple[dict[str, Any], dict[str, Any]]) -> tuple[str, bool]:
    """What is to be said, and whether something lies outside of its bounds."""
    lines, wrong = [], False
    for side, one in zip(sides, data, strict=True):
        if one["failed"]:
            lines.append(f"{side.text}: {one['failed']}")
        if side.is_eager:
            continue
        launches = launches_of(one)
        outside = [(launch, output) for launch in launches for output in launch.outputs if output.outside]
        compared = sum(1 for launch in launches for output in launch.outputs if not output.cannot)
        if outside:
            wrong = True
            launch, output = outside[0]
            lines += [f"{side.text}: the first kernel outside of its bounds is {launch.kernel}, launch {launch.number} of {len(launches)}",
                      f"  node {output.node} ({output.op}), {output.place}: {output.code}",
                      f"  {output.outside} of {output.elements} elements; {output.example}", f"  kernel: {launch.file}",
                      *([f"  second opinion: {output.second}"] if output.second else [])]  # fmt: skip
        else:
            lines.append(f"{side.text}: {len(launches)} launches, {compared} nodes compared, all within their bounds")
    lines.append(f"loss: {data[0]['loss']!r} with {sides[0].text}, {data[1]['loss']!r} with {sides[1].text}")
    if not any(side.is_eager for side in sides):
        lines += _moved_lines(sides, data)
    return "\n".join(lines), wrong


def _moved_lines(sides: tuple[Setting, Setting], data: tuple[dict[str, Any], dict[str, Any]]) -> list[str]:
    found = moved(launches_of(data[0]), launches_of(data[1]))
    if not found:
        return ["no node that both settings store has other bits"]
    launch, one = found[0].launch, found[0].output
    own = [each for each in found if each.is_own]
    lines = [f"bits move first in {launch.kernel}, launch {launch.number}: node {one.node} ({one.op}), {one.place}: {one.code}",
             f"  {len(found)} nodes have other bits with {sides[1].text} than with {sides[0].text}; of these, {len(own)} in launches that read the same bits:"]  # fmt: skip
    rows = [f"  {each.launch.kernel}: {each.output.node} ({each.output.op}), {each.output.place}: {each.output.code}" for each in own]
    return lines + rows[:_MOST_MOVED] + ([f"  and {len(rows) - _MOST_MOVED} more"] if len(rows) > _MOST_MOVED else [])


def main(model: str, settings: tuple[str, str], dtype: str, *, backward: bool, second: bool = False) -> int:
    """Prints what differs. 1 where a kernel lies outside of its bounds."""
    sides = setting(settings[0], model, dtype, backward, second), setting(settings[1], model, dtype, backward, second)
    text, wrong = text_of(sides, (run_apart(sides[0]), run_apart(sides[1])))
    print(text)
    return 1 if wrong else 0
