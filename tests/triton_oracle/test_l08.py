"""The 65 cases about control flow and the accepted Python (tests/h200_answers/l08_control.py): Triton's verdict, line and kind.

l08_cases.jsonl has, for each check of the measurements, the kernels that it launches with the types and constants of
their arguments. Triton's front end is asked afresh."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import lockstep_tool
import pytest
import triton_oracle
from test_frontend_oracle import SAME_KIND, python_value, through_triton

HERE = Path(__file__).resolve().parents[1] / "semantics"
FILE = HERE / "l08_control.py"
CASES = [json.loads(line) for line in (HERE / "l08_cases.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def kernels():
    spec = importlib.util.spec_from_file_location(FILE.stem, FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[FILE.stem] = module
    spec.loader.exec_module(module)
    return module


def constants_of(kernels, constants: dict) -> dict:
    return {name: getattr(kernels, text) if hasattr(kernels, text) else python_value(text) for name, text in constants.items()}


def triton_says(kernels, launch: dict):
    """The module's text, or the error."""
    kernel = getattr(kernels, launch["kernel"])
    try:
        constants = constants_of(kernels, launch["constants"])
        return triton_oracle.lower(kernel, launch["sig"], "", constants, stage="raw").str_nodebug(), None
    except Exception as error:  # noqa: BLE001 (Triton raises many types)
        return None, error


@pytest.mark.parametrize("case", CASES, ids=lambda case: re.sub(r"[^\w.,+*/<>-]+", "_", case["key"]))
def test_verdict_line_and_kind_are_tritons(case, kernels, tmp_path):
    for launch in case["launches"]:
        theirs, error = triton_says(kernels, launch)
        words = ["emit", f"{FILE}::{launch['kernel']}", "--sig", launch["sig"], "--stage", "raw"]
        ours = lockstep_tool.call(words + [f"{name}={value}" for name, value in launch["constants"].items()])
        assert ours.exit_code == (2 if error else 0), f"{ours.text()}\nTriton: {error}"
        if error is None:
            assert through_triton(ours.output, tmp_path) == through_triton(theirs, tmp_path)
        else:
            check_place_and_kind(ours.errors, error)


def check_place_and_kind(ours: str, error: BaseException) -> None:
    first, *rest = re.findall(rf"{FILE.name}:(\d+):\d+: (error|note): (.*)", ours)
    code = re.search(r"\[(LS\d+)\]$", first[2])
    line, kind = triton_oracle.place_and_kind(error, FILE)
    if code and code[1] == "LS1409":  # Triton shows the loop, which is our note
        first = rest[0]
    if kind != "RecursionError":  # wherever Python's stack ended
        assert line is None or str(line) == first[0], f"{ours}\nTriton: line {line}"
    if kind in SAME_KIND:
        assert code and code[1] in SAME_KIND[kind], f"{ours}\nTriton: {kind}"
