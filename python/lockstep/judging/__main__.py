"""The command `lockstep judge`. Exit codes: 0 accepted, 1 rejected, 2 usage or a wrong reference, 3 environment, 4 not decided (5 where
the time is over), 130 interrupted; of several candidates the worst."""

from __future__ import annotations

import argparse
import json
import sys

from lockstep.judging import JudgeError, judge_many, reports

_SUMMARY = "Decide whether a program (Triton kernels and the Python around them) computes what a reference computes. Needs no GPU."
_FOOTER = """\
Tasks:
  REF.py CANDIDATE.py                     KernelBench: Model, get_inputs, get_init_inputs; ModelNew
  ref.py::f cand.py::g --inputs in.py::m  functions; m returns the list of arguments
  FOLDER SOLUTION.py                      reference.py of the folder; ModelNew, or Model
  FOLDER SUBMISSION.py                    GPU MODE: task.yml, reference.py (generate_input, and ref_kernel or
                                          check_implementation); custom_kernel
  test_x.py CANDIDATE.py                  a file of pytest, or --tests "pytest test_x.py -k fast"; the candidate replaces the
                                          module that the tests import (test_x.py=MODULE)
  aten::relu IMPLEMENTATION.py            BackendBench: relu_kernel_impl, on torch's own samples of the operator
A candidate may also be a folder of .py files, or JSONL with "code" and "name" in each line.

Checked: the function (every float of the launches also in f64) and its digits, structured inputs, what all draws share dropped one
at a time, other parameters, sizes, layouts, histories of calls, inputs that change, what torch computes, configurations of
autotuners, GPUs, orders of programs, errors that checkers find. Not checked: speed and what only changes times, GPUs' and
compilers' own faults, backward passes that the task does not call. See docs/judge.md.

Exit codes: 0 accepted, 1 rejected, 2 usage or the reference is wrong, 3 environment, 4 not decided, 5 not decided in time, 70 a defect
of Lockstep, 130 interrupted. Of several candidates, the worst code counts.
Example:
  lockstep judge layernorm.py candidate.py
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lockstep judge", description=_SUMMARY, epilog=_FOOTER, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", metavar="REF.py")
    parser.add_argument("candidates", metavar="CANDIDATE.py", nargs="*")
    parser.add_argument("--tests", metavar="COMMAND", help="the reference: a command line of pytest with one file of tests")
    parser.add_argument("--seed", type=int, help="seed of all random draws (default: a new one each time; the verdict names it)")
    parser.add_argument("--time", type=float, default=120.0, metavar="S", help="most seconds for each candidate (default 120)")
    parser.add_argument("--torch", choices=("glue", "any"), default="glue", help="torch's share of the work: glue (views, casts, copies) or any (default glue)")
    parser.add_argument("--precision", choices=("tf32", "ieee"), default="tf32", help="ieee rejects products in tf32 (default tf32)")
    parser.add_argument("--witnesses", default="lockstep-witness", metavar="FOLDER", help="write witnesses of rejections there (default lockstep-witness)")
    parser.add_argument("--inputs", metavar="FILE.py::MAKER", help="the function that makes a function's inputs")
    parser.add_argument("--shapes", choices=("family", "given"), default="family", help="given: the task's sizes alone")
    parser.add_argument("--layouts", choices=("asked", "note", "strict", "given"), default="asked",
                        help="transposed and sliced inputs: reject a wrong result if the program asks for these strides (asked), note, reject, or do not try")
    parser.add_argument("--assume", action="append", default=[], metavar="N=WHAT", help="an invariant of input N that holds (repeat)")
    parser.add_argument("--as", dest="targets", action="append", default=[], metavar="GPU", help="compiled for it, too (repeat)")
    parser.add_argument(
        "--isolation", choices=("auto", "strict"), default="auto", help="strict: refuse where namespaces, Landlock or seccomp lack")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="judge N candidates at once (default 1)")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON, a line for each candidate")
    parser.add_argument("--report", choices=tuple(reports.FORMS), help="the verdicts in this form")
    return parser


def main(words: list[str]) -> int:
    """Runs the command; returns its exit code."""
    try:
        given = _parser().parse_args(words)
    except SystemExit as end:
        return 2 if end.code else 0
    if given.tests:
        given.reference, given.candidates = "pytest " + given.tests.removeprefix("pytest "), [given.reference, *given.candidates]
    if not given.candidates:
        sys.stderr.write("error: name a candidate\n")
        return 2
    codes, verdicts = [], []
    options = {name: getattr(given, name) for name in ("seed", "time", "torch", "precision", "shapes", "layouts", "isolation")}
    options |= {"assume": tuple(given.assume), "targets": tuple(given.targets)}
    try:
        for verdict in judge_many(given.reference, given.candidates, inputs=given.inputs, witnesses=given.witnesses, workers=given.workers, **options):
            codes.append(verdict.exit_code)
            verdicts.append(verdict)
            if given.json:
                is_one = len(given.candidates) == 1 and given.candidates[0].endswith(".py")
                print(verdict.to_json() if is_one else json.dumps(verdict.to_dict()), flush=True)
            elif not given.report:
                print(verdict, flush=True)
    except JudgeError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.code
    except KeyboardInterrupt:
        return 130
    if given.report:
        print(reports.FORMS[given.report](verdicts))
    return next((code for code in (1, 5, 4) if code in codes), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
