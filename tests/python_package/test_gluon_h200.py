"""Gluon kernels for Hopper against what an H200 stored: the same bytes with `bits`, and findings where it hung or stored other bytes."""

import importlib
import json
import pathlib
import sys

import lockstep
import pytest
import torch
from gluon_names import VERSION

HERE = pathlib.Path(__file__).with_name("gluon_h200")
RECORDED = json.loads((HERE / "recorded.json").read_text())
pytestmark = pytest.mark.skipif(VERSION != (3, 6), reason="the H200 ran what Triton 3.6 made")


@pytest.fixture(scope="module")
def modules():
    sys.path.insert(0, str(HERE))
    try:
        yield importlib.import_module("kernels"), importlib.import_module("cases")
    finally:
        sys.path.remove(str(HERE))
        for name in ("kernels", "cases"):
            sys.modules.pop(name, None)


@pytest.mark.parametrize("name", RECORDED["cases"])
def test_bytes_of_an_h200(modules, name):
    kernels, cases = modules
    case, row = cases.by_name(name), RECORDED["cases"][name]
    assert [cases.digest(t) for t in case.inputs] == row["inputs"], "the inputs are not those of the recording"
    with lockstep.options(bits=True), lockstep.active(as_="sm_90"):
        case.launch(kernels, case.inputs, case.outputs)
    for mine, wanted in zip(case.outputs, case.reference(case.inputs), strict=True):
        torch.testing.assert_close(mine.double(), wanted.double(), rtol=case.tolerance, atol=case.tolerance)
    same = [cases.digest(t) for t in case.outputs] == row["outputs"]
    assert same == ("other_bits" not in row)


@pytest.mark.parametrize("name", RECORDED["faults"])
def test_faults_that_an_h200_shows(modules, name):
    kernels, cases = modules
    fault = next(f for f in cases.FAULTS if f.name == name)
    case = cases.by_name(fault.case)
    assert RECORDED["faults"][name]["shows"] == fault.shows
    with lockstep.active(as_="sm_90"), pytest.raises(lockstep.KernelError, match=fault.code):
        fault.launch(kernels, case.inputs, case.outputs)
