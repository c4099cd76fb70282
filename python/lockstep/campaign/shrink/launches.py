"""The launches of a case as capsule content, and the judge of whether one of them is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lockstep import recording, settings
from lockstep.campaign import references
from lockstep.campaign.shrink import capsules, host_launch, mismatches
from lockstep.campaign.sources import kernel

if TYPE_CHECKING:
    from lockstep.campaign.shrink.capsules import Shrunk
    from lockstep.campaign.worker import Runner


def of(runner: Runner, case: dict[str, Any]) -> Iterator[Shrunk]:
    """In order."""
    kind = case["source"]["kind"]
    if kind == "capsule":
        yield capsules.varied(_path(runner, case), case)
    elif kind == "kernel":
        with settings.options(**runner.options(case)):
            yield _of_file(kernel.Launch(case, runner.context))
    else:
        with recording.record(os.path.join(runner.context.scratch, "launches"), outputs=False) as recorder:
            runner.run("", case)
        yield from map(capsules.Shrunk.read, recorder.written)


def _path(runner: Runner, case: Mapping[str, Any]) -> str:
    return os.path.join(str(runner.context.root), case["source"]["path"])


def _of_file(launch: kernel.Launch) -> Shrunk:
    module, planned, grid, binding = launch.prepared()
    warps, stages = kernel.launch_options(binding, launch.case["options"])
    target = {"arch": planned.target, "num_warps": warps, "num_stages": stages, "num_ctas": 1}
    constants = {name: value if isinstance(value, (bool, int, float, str, type(None))) else str(value)
                 for name, value in kernel.shown_constants(binding).items()}  # fmt: skip
    return host_launch.of(module, planned, grid, binding.arguments, {"target": target, "constants": constants})


def judge(runner: Runner, case: dict[str, Any], one: Shrunk,
          options: Mapping[str, Any]) -> mismatches.AgainstAnother | mismatches.AgainstKnown | None:  # fmt: skip
    """The judge of a launch; None: no judge knows single launches."""
    reference = references.of(case["reference"])
    others = references.other_options(reference)
    if others is not None:
        return mismatches.AgainstAnother(options, others, case["reference"])
    if reference.kind == "recorded":
        return mismatches.against_recorded(one, options, _path(runner, case))
    if reference.kind == "numpy":
        launch = kernel.Launch(case, runner.context)
        given = launch.host_tensors() | launch.scalars()
        expected = references.function_of(reference)(**given)
        with settings.options(**options):
            _, planned, _, binding = launch.prepared()
        windows = host_launch.windows(planned, binding.arguments, launch.tensors)
        typed = {name: {**window, "dtype": launch.tensors[name].dtype} for name, window in windows.items()}
        return mismatches.against_reference(one, options, case, typed, expected)
    if case["schedule"]["number"]:  # a suite's test that goes wrong in this order of programs
        in_grid_order = references.other_options(references.of("schedule0"))
        assert in_grid_order is not None
        return mismatches.AgainstAnother(options, in_grid_order, "schedule0")
    return None
