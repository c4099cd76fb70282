"""`lockstep stages`: the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lockstep import errors
from lockstep.pipeline import stages

EPILOG = """\
All other options are those of `lockstep run` that make a launch: --seed, --bounds, --global, --path, --config, --max-memory.
Runs the passes of the installed Triton one by one (make_ttir, make_ttgir), executes each text that a pass changed in the
interpreter, with the launch's arguments, and holds what it leaves against the bounds of every legal result. Names the first
pass whose result leaves them, and keeps that pass's input and output as files, and the smallest input that shows it. A text that Lockstep cannot execute is
"not executed", with the op, and never counts as right.
exit codes: 0 no departure, 1 a pass is wrong, 2 usage or source error, 3 environment, 4 no text of TTGIR was executed.
example:
  lockstep stages examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \\
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128 --as sm_90"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="lockstep stages", description="Execute what each pass of Triton makes of a kernel, and name the first that is wrong.", epilog=EPILOG, allow_abbrev=False, add_help=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="lockstep stages FILE.py[::KERNEL] --grid X[,Y[,Z]] NAME=VALUE ... [OPTIONS]\n"
        "       lockstep stages (FILE.capsule | FOLDER of capsules) [OPTIONS]\n"
        "       lockstep stages [OPTIONS] PROGRAM.py [its arguments]     (every kernel that it launches)",
    )  # fmt: skip
    made.add_argument("--triton", default="", metavar="3.9", help="a version (LOCKSTEP_TRITONS/triton-3.9*) or a folder that has it (default: the installed one)")
    made.add_argument("--as", dest="arch", metavar="sm_90", help="the GPU that the passes compile for [default: sm_90, or the capsule's]")
    made.add_argument("--num-warps", "--warps", dest="num_warps", type=int, metavar="N", help="warps of each program [default: 4]")
    made.add_argument("--num-stages", dest="num_stages", type=int, metavar="N", help="stages of pipelined loops [default: 3]")
    made.add_argument("--keep", default="", metavar="FOLDER", help="write the text after every pass to this folder")
    made.add_argument("--shrink", type=float, default=60.0, metavar="SECONDS", help="time for the minimal file of a departure; 0: none [default: 60]")
    made.add_argument("--all", dest="judges_all", action="store_true", help="also judge the passes after the first departure")
    made.add_argument("--json", dest="as_json", action="store_true", help="print the result as JSON")
    made.add_argument("-h", "--help", action="help", help="print this help message and exit")
    return made


def main(words: Sequence[str]) -> int:
    chosen, launch = parser().parse_known_args(list(words))
    if not launch or launch[0].startswith("-"):
        print("error: stages needs a kernel and --grid, or a capsule\nhint: lockstep stages --help has an example", file=sys.stderr)
        return 2
    options = {name: getattr(chosen, name) for name in ("triton", "arch", "num_warps", "num_stages", "keep", "judges_all", "shrink")}
    try:
        if _is_several(launch):
            return _judge_several(launch, options, chosen.as_json)
        found = stages.judge_launch(launch, **options)
    except errors.LaunchError as error:
        print(error if str(error).startswith("error") else f"error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found.facts()) if chosen.as_json else found.text(), end="\n" if chosen.as_json else "")
    return _code_of(found)


def _code_of(found: stages.Stages) -> int:
    if found.first_wrong is not None or found.failure is not None:
        return 1
    is_run = any(one.verdict is not None and one.verdict.kind == "inside" for one in found.stages)
    return 0 if is_run else 4


def _is_several(launch: Sequence[str]) -> bool:
    """A folder of capsules, or a program: a Python file without a kernel's name and without a grid."""
    is_program = launch[0].endswith(".py") and not any(word.partition("=")[0] in ("--grid", "-g") for word in launch)
    return is_program or Path(launch[0]).is_dir()


def _judge_several(launch: Sequence[str], options: dict[str, Any], as_json: bool) -> int:
    """A text, or a line of JSON, for each launch; the worst code, where a wrong pass is the worst."""
    codes: list[int] = []
    wrong = 0
    for name, found in stages.judge_several(launch, **options):
        codes.append(2 if isinstance(found, errors.LaunchError) else _code_of(found))
        wrong += codes[-1] == 1
        if as_json:
            facts = {"error": str(found)} if isinstance(found, errors.LaunchError) else found.facts()
            print(json.dumps({"launch": name} | facts), flush=True)
        else:
            print(f"== {name}\n" + (f"error: {found}\n" if isinstance(found, errors.LaunchError) else found.text()), flush=True)
    if not as_json:
        print(f"{len(codes)} launches, a pass is wrong in {wrong}" if codes else "no kernel was launched")
    return next((code for code in (1, 2, 4) if code in codes), 0 if codes else 4)
