"""The launch behind a case as a capsule, and a smaller launch that fails alike: fewer programs, a simpler kernel, zeros.

Everything is tried in this process, in the grid order or the schedule that the case names."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lockstep import capsule_writer, report, settings
from lockstep.campaign.shrink import kernels
from lockstep.campaign.sources import capsule as source
from lockstep.option_rows import ROWS


@dataclass
class Shrunk:
    """A capsule's content while it shrinks."""

    told: dict[str, Any]
    ttir: str
    before: list[bytes]
    expected: list[bytes] | None = None  # what the storages should hold afterwards, where a result is wrong

    @classmethod
    def read(cls, path: str) -> Shrunk:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(archive.read("manifest.json"))
            before = [archive.read(one["before"]["file"]) for one in told["storages"]]
            return cls(told, archive.read(told["ttir"]["file"]).decode(), before)

    def write(self, path: str) -> int:
        """The file's size in bytes."""
        known = ("recorded_by", "target", "options", "versions", "constants")
        after: list[bytes] | list[None] = self.expected or [None] * len(self.before)
        storages = [
            capsule_writer.Storage(content, right, [tuple(one) for one in storage.get("addresses", [])])
            for content, right, storage in zip(self.before, after, self.told["storages"], strict=True)
        ]
        launch = capsule_writer.Launch(
            kernel=self.told["kernel"], ttir=self.ttir, grid=tuple(self.told["grid"]), arguments=self.told["arguments"],
            storages=storages, has_outputs=self.expected is not None,
            facts={name: self.told[name] for name in known if name in self.told},
        )  # fmt: skip
        return capsule_writer.write(path, launch)

    def with_grid(self, grid: list[int]) -> Shrunk:
        return Shrunk({**self.told, "grid": grid}, self.ttir, self.before)

    def with_expected(self, expected: list[bytes], by: str) -> Shrunk:
        """`by`: the judge's name, for people."""
        return Shrunk({**self.told, "recorded_by": by}, self.ttir, self.before, expected)

    def with_text(self, text: str) -> Shrunk:
        return Shrunk(self.told, text, self.before)

    def with_zeros(self, number: int) -> Shrunk:
        before = list(self.before)
        before[number] = bytes(len(before[number]))
        return Shrunk(self.told, self.ttir, before)


def varied(path: str, case: Mapping[str, Any]) -> Shrunk:
    """The launch of a capsule's case: with the case's numbers and options."""
    one = Shrunk.read(path)
    one.before = source.content_of(source.read(path), case["vary"])
    names = {"num_warps": "num_warps", "num_stages": "num_stages", "target": "arch"}
    changes = {to: case["options"][name] for name, to in names.items() if name in case["options"]}
    one.told = {**one.told, "target": {**one.told["target"], **changes}}
    return one


Place = tuple[Any, ...]  # code, line and op of a finding


def launched(one: Shrunk, options: Mapping[str, Any]) -> tuple[set[Place], list[bytes]] | None:
    """Code, line and op of errors and warnings, and the storages afterwards; None: it does not compile or cannot be launched."""
    from lockstep import _native

    target = one.told["target"]
    flags = one.told.get("options", {})
    try:
        module = _native.Module.from_ttir(
            one.ttir, one.told["kernel"], target=target["arch"], num_warps=target.get("num_warps", 4),
            num_stages=target.get("num_stages", 3), fp_fusion=bool(flags.get("fp_fusion")), debug=bool(flags.get("debug")),
        )  # fmt: skip
        kernel = module.kernel(one.told["kernel"], one.told.get("constants", {}))
        memory = source.memory_of(one.told, one.before)
        arguments = [source.argument_of(argument, memory) for argument in one.told["arguments"]]
        with settings.options(**options), report.reports() as seen:
            kernel.launch(one.told["grid"], arguments, [argument["name"] for argument in one.told["arguments"]])
    except (_native.CompileError, TypeError, ValueError):
        return None
    places: set[Place] = {(finding.code, finding.line, finding.op) for made in seen for finding in made.findings if finding.tier != "info"}
    return places, [bytes(storage.bytes) for storage in memory]


def errors_of(one: Shrunk, options: Mapping[str, Any]) -> set[Place]:
    """The findings of its launch; nothing where it does not compile or run."""
    made = launched(one, options)
    return made[0] if made is not None else set()


def _smaller_grids(grid: list[int]) -> Iterator[list[int]]:
    for axis, extent in enumerate(grid):
        for one in sorted({1, 2, extent // 2, extent - 1}):
            if 0 < one < extent:
                yield [*grid[:axis], one, *grid[axis + 1 :]]


def shrunk(one: Shrunk, fails: Callable[[Shrunk], bool], *, simpler: bool = True, zeros: bool = True) -> Shrunk:
    """The smallest failing launch that was found. simpler: its kernel has fewer statements; zeros: its memory is set to 0."""
    progress = True
    while progress:
        progress = False
        for grid in _smaller_grids(one.told["grid"]):
            if fails(one.with_grid(grid)):
                one, progress = one.with_grid(grid), True
                break
    if simpler:
        text, _ = kernels.simplified(one.ttir, lambda other: fails(one.with_text(other)))
        one = one.with_text(text)
    for number, content in enumerate(one.before if zeros else []):
        if any(content) and not one.told["storages"][number].get("addresses") and fails(one.with_zeros(number)):
            one = one.with_zeros(number)
    return one


def command_line(path: str, case: Mapping[str, Any], options: Mapping[str, Any], expected: Sequence[str] = ()) -> str:
    """One line that shows the failure again, anywhere. path: quoted for a shell; options: Lockstep's, of the case; expected: more words."""
    words = ["lockstep", "run", path, "--check", ",".join(case["checks"])]
    if case["schedule"]["number"]:
        for row in sorted(ROWS, key=lambda one: one.campaign_key):
            words += [row.flag, str(case["schedule"][row.campaign_key])] if row.campaign == "axis" else []
    for row in ROWS:
        is_told = row.is_setting and row.campaign == "option" and row.group in ("checkers", "schedules", "bounds")
        if is_told and options.get(row.name, row.initial) != row.initial:
            words += [row.flag, str(options[row.name])]
    return " ".join([*words, *expected])
