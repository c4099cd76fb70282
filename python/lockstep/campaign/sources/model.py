"""Steps of models that torch.compile compiles: every launch of generated code is checked and compared with its graph's bounds.

Axes: `model` (hf:NAME, timm:NAME, FILE.py::FUNCTION), `dtype` (f32, bf16, f16), `mode` (of Inductor), `dynamic`, `seed`. A case's log
ends with a line of seconds, which belong to no result."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep.campaign.sources import Needs, Outcome, Refused
from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    from lockstep.campaign.plan import Entry
    from lockstep.campaign.sources import Context
    from lockstep.models.runner import Ran

KEYS = {
    "backward": Key((bool,), "true or false: whether the loss is differentiated; default true"),
    "optimizer": Key((bool,), "true or false: whether a compiled step of AdamW follows"),
    "second_opinion": Key((bool,), "true or false: whether Inductor's C++ side runs nodes again whose results lie outside or have no bounds"),
    "exported": Key((bool,), "true or false: whether torch.export's program is compiled (forward alone), as AOTInductor does"),
    "inductor": Key((dict,), "a table of options of torch._inductor.config"),
}
REFERENCES = ("none",)  # the graph's bounds are the reference
WITHOUT = {"config": "Inductor's kernels have configurations of their own"}
DTYPES = {"f32": "float32", "bf16": "bfloat16", "f16": "float16", "f64": "float64"}
SECONDS = "seconds of the model: "


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """Takes the step out of the point; what is left are options of the engine."""
    from lockstep.models.runner import MODES

    made = {"model": point.get("model", ""), "dtype": point.get("dtype", "f32"), "mode": point.get("mode", "default"), "dynamic": bool(point.get("dynamic", False)),
            "seed": point.get("seed", 0), "backward": entry.values.get("backward", True), "optimizer": entry.values.get("optimizer", False),
            "inductor": entry.values.get("inductor", {})}  # fmt: skip
    if entry.values.get("second_opinion", False):  # not in the identities of other cases
        made["second_opinion"] = True
    if entry.values.get("exported", False):
        made["exported"] = True
        if made["dynamic"] or made["optimizer"]:
            entry.wrong("exported", "an exported program has static sizes and no optimizer here", "leave out dynamic and optimizer")
    if not made["model"]:
        entry.wrong("axes", "a model needs the axis `model`", 'axes = { model = ["hf:BertForMaskedLM"] }')
    for name, known in (("dtype", DTYPES), ("mode", MODES)):
        if made[name] not in known:
            entry.wrong("axes", f"there is no {name} {made[name]!r}", f"there are {', '.join(known)}")
    return made


def needs(case: Mapping[str, Any], root: Path) -> Needs:
    """The user's file; else the package of the model, by its version."""
    name = case["source"]["model"]
    if "::" in name:
        return Needs((str(root / name.partition("::")[0]),), ("torch", "triton"))
    package = {"hf": "transformers", "timm": "timm"}.get(name.partition(":")[0], "torch")
    return Needs((), tuple(one for one in ("torch", "triton", package) if importlib.util.find_spec(one) is not None))


def run(case: dict[str, Any], context: Context) -> Outcome:
    """One step. What ends it before its end is a refusal with whose it is; a kernel outside of its bounds a mismatch."""
    from lockstep.models import runner, zoo

    given = case["source"]
    step = runner.Step(given["model"], DTYPES[given["dtype"]], given["mode"], given["dynamic"], given["backward"], given["optimizer"], given["seed"], given["inductor"], given.get("second_opinion", False), given.get("exported", False))
    try:
        ran = runner.run(step)
    except zoo.NotHere as error:
        raise Refused(str(error)) from None
    print(SECONDS + " ".join(f"{name}={value:.2f}" for name, value in ran.seconds.items()))
    return outcome_of(ran, context.root)


def outcome_of(ran: Ran, root: Path) -> Outcome:
    """Outputs by kernel and node; raises Refused where the step did not come to its end and nothing lies outside."""
    outputs = [(launch, one) for launch in ran.launches for one in launch.outputs]
    outcome = Outcome({f"{launch.number} {launch.kernel} {one.node}": one.bits for launch, one in outputs})
    for launch, one in outputs:
        if not one.cannot:
            outcome.error[f"{launch.number} {launch.kernel} {one.node}"] = {"of_allowed": one.worst, "elements": one.elements, "outside": one.outside}
    outcome.facts = {"kernels": ran.kernels(), "launches": len(ran.launches), "outputs": len(outputs), "parts": sum(one.parts for one in ran.launches),
                     "no bounds": sorted({f"{one.op}: {one.cannot}" for one in ran.cannot()}), "outside": sum(1 for _, one in outputs if one.outside)}  # fmt: skip
    opinions = [f"{launch.kernel}: {one.node} ({one.op}) of {one.place}: {one.second}" for launch, one in outputs if one.second]
    if opinions:
        outcome.facts["second opinions"] = opinions
    wrong = ran.outside()
    if wrong:
        launch, one = wrong[0]
        file, _, line = one.place.rpartition(":")
        file = os.path.relpath(file, root) if file.startswith(os.path.join(os.path.abspath(root), "")) else file
        outcome.facts["mismatch at"] = {"kernel": launch.kernel, "file": file, "line": int(line or 0)}
        outcome.mismatch = f"{launch.kernel} (launch {launch.number}): {one.node} ({one.op}) of {one.place}: {one.code}: {one.outside} of {one.elements} elements outside of the bounds, {one.example}"
        outcome.mismatch += f"; second opinion: {one.second}" if one.second else ""
    elif ran.failed:
        outcome.mismatch = ""
        raise Refused(ran.failed)
    return outcome
