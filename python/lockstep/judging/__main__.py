"""The command `lockstep judge`. Exit codes: 0 accepted, 1 rejected, 2 usage or a wrong reference, 3 environment, 4 not decided (5 where
the time is over), 130 interrupted; of several candidates the worst."""

from __future__ import annotations

import argparse
import json
import sys

from lockstep.judging import JudgeError, judge

_SUMMARY = "Does a program (Triton kernels and the Python around them) compute what a reference computes? No GPU is needed."
_FOOTER = """\
A task is a KernelBench pair: REF.py has Model, get_inputs and get_init_inputs; each CANDIDATE.py has ModelNew.

Checked: the function (every float of the launches also in f64) and its digits, structured inputs, other parameters, histories of
calls, inputs that change, what torch computes, errors that checkers find. Not checked: speed and what only changes times, other
shapes and layouts, GPUs' and compilers' own faults, backward passes that the task does not call. See docs/judge.md.

Exit codes: 0 accepted, 1 rejected, 2 usage or the reference is wrong, 3 environment, 4 not decided, 5 not decided in time, 70 a defect
of Lockstep, 130 interrupted. Several candidates: the worst.
Example:
  lockstep judge layernorm.py candidate.py
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lockstep judge", description=_SUMMARY, epilog=_FOOTER, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", metavar="REF.py")
    parser.add_argument("candidates", metavar="CANDIDATE.py", nargs="+")
    parser.add_argument("--seed", type=int, help="of all that is drawn (default: another one each time; the verdict names it)")
    parser.add_argument("--time", type=float, default=120.0, metavar="S", help="seconds for each candidate (default 120)")
    parser.add_argument("--torch", choices=("glue", "any"), default="glue", help="what of the work torch may do (default glue)")
    parser.add_argument("--precision", choices=("tf32", "ieee"), default="tf32", help="ieee: products in tf32 count as wrong digits")
    parser.add_argument("--witnesses", default="lockstep-witness", metavar="FOLDER", help="where rejections are shown")
    parser.add_argument("--json", action="store_true", help="the verdict for programs; several: a line each")
    return parser


def main(words: list[str]) -> int:
    """Runs the command; returns its exit code."""
    try:
        given = _parser().parse_args(words)
    except SystemExit as end:
        return 2 if end.code else 0
    worst = 0
    for candidate in given.candidates:
        try:
            verdict = judge(
                given.reference, candidate, seed=given.seed, time=given.time, torch=given.torch, precision=given.precision,
                witnesses=given.witnesses)
        except JudgeError as error:
            sys.stderr.write(f"error: {error}\n")
            return error.code
        except KeyboardInterrupt:
            return 130
        print((json.dumps(verdict.to_dict()) if len(given.candidates) > 1 else verdict.to_json()) if given.json else verdict, flush=True)
        worst = worst if worst == 1 else max(worst, verdict.exit_code) if verdict.exit_code != 1 else 1
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
