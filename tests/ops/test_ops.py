"""Every case of every op file: against its reference, and against what an H200 answered."""

import json
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from support import catalogue, compare, recorded, rows, runner
from support.case import Exact, Ulp


def spelling_of(stem: str) -> str:
    """arith_addf -> arith.addf; the rows decide where an op's own name has dots or underscores."""
    for spelling in rows.rows():
        if rows.file_stem(spelling) == stem:
            return spelling
    return stem.replace("_", ".", 1)


def verdict(stem, case, outcome) -> str | None:
    """What is wrong with the outcome, or None."""
    if outcome.returncode != case.exit_code:
        return f"exit code {outcome.returncode}, not {case.exit_code}"
    if case.output is not None:
        if problem := case.output(outcome.stdout + outcome.stderr):
            return problem
    row = rows.row(spelling_of(stem))
    expected = case.expected()
    if expected is not None or callable(case.bound):  # a checker may have its own source of truth
        bound = case.bound or row.bound()
        if problem := compare.check(outcome.outputs, expected, case.inputs(), bound, "expected"):
            return problem
    answer = recorded.answer(stem, case) if case.gpu is True else None
    if answer is None:
        return None
    bound = case.gpu_bound or (case.bound if case.bound and not isinstance(case.bound, (Exact, Ulp)) else None)
    return compare.check(outcome.outputs, answer, case.inputs(), bound or gpu_bound(row, case), "H200")


def gpu_bound(row, case):
    """The row's two bounds added up; a case's own bound in units takes the place of the first."""
    own = case.bound.most if isinstance(case.bound, Ulp) else row.ulp
    return Ulp(own + row.gpu_ulp) if own + row.gpu_ulp > 0 else Exact()


def test_case(op_case):
    stem, case = op_case
    if isinstance(case, Exception):
        raise case
    folder = Path(tempfile.mkdtemp(prefix="lockstep-ops-"))
    with np.errstate(all="ignore"):
        outcome = runner.run(case, folder)
        problem = verdict(stem, case, outcome)
    if not problem:  # else the command in the message can be run again
        shutil.rmtree(folder)
    else:
        pytest.fail(f"{spelling_of(stem)}, case {case.name}: {problem}\n{outcome.text()}", pytrace=False)


def executed_in_modules():
    """The ops of TTGIR on buffers, barriers and tensor memory that modules with known results execute: one alone does nothing."""
    tests = Path(__file__).parent.parent
    launches = json.loads((tests / "ttgir" / "launches.json").read_text())["launches"]
    files = [path for one in launches for path in (tests / "ttgir" / "3.6").glob(f"{one['name']}.sm*.ttgir")]
    text = "\n".join(path.read_text() for path in [*files, *(tests / "golden" / "ttgir").glob("*.ttgir")])
    return {rows.file_stem(name) for name in re.findall(r"\bttn?g\.[a-z0-9_]+", text)}


def test_every_op_has_a_file():
    stems = {rows.file_stem(spelling): row for spelling, row in rows.rows().items()}
    files = set(catalogue.op_files())
    known = files | executed_in_modules()
    missing = sorted(stem for stem, row in stems.items() if row.evaluates and stem not in known)
    unknown = sorted(files - set(stems))
    assert not missing, f"ops without a file in tests/ops: {missing}"
    assert not unknown, f"files in tests/ops that name no op: {unknown}"
