"""The command `lockstep judge`. Exit codes: 0 accepted, 1 rejected, 2 usage or a wrong reference, 3 environment, 4 not decided (5 where
the time is over), 130 interrupted; of several candidates the worst."""

from __future__ import annotations

import argparse
import json
import sys

from lockstep.judging import JudgeError, judge

_SUMMARY = "Decide whether a program (Triton kernels and the Python around them) computes what a reference computes. Needs no GPU."
_FOOTER = """\
A task is a KernelBench pair: REF.py has Model, get_inputs and get_init_inputs; each CANDIDATE.py has ModelNew.

It checks the function (every float of the launches also in f64) and its digits, structured inputs, other parameters, histories
of calls, changed inputs, torch's share of the work, and errors that checkers find. It does not check speed, other shapes and layouts,
faults of GPUs and compilers, and backward passes that the task does not call. See docs/judge.md.

Exit codes: 0 accepted, 1 rejected, 2 usage or the reference is wrong, 3 environment, 4 not decided, 5 not decided in time, 70 a defect
of Lockstep, 130 interrupted. Of several candidates, the worst code counts.
Example:
  lockstep judge layernorm.py candidate.py
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lockstep judge", description=_SUMMARY, epilog=_FOOTER, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", metavar="REF.py")
    parser.add_argument("candidates", metavar="CANDIDATE.py", nargs="+")
    parser.add_argument("--seed", type=int, help="seed of all random draws (default: a new one each time; the verdict names it)")
    parser.add_argument("--time", type=float, default=120.0, metavar="S", help="most seconds for each candidate (default 120)")
    parser.add_argument("--torch", choices=("glue", "any"), default="glue", help="torch's share of the work: glue (views, casts, copies) or any (default glue)")
    parser.add_argument("--precision", choices=("tf32", "ieee"), default="tf32", help="ieee rejects products in tf32 (default tf32)")
    parser.add_argument("--witnesses", default="lockstep-witness", metavar="FOLDER", help="write witnesses of rejections there (default lockstep-witness)")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON, a line for each candidate")
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
