"""The zoo through Triton: each kernel's TTIR, as Triton 3.6 makes it, gives the findings that its source gives: the same
codes at the same lines, and the good twins none. Block pointers are written out by Triton, so that their codes are those of
plain accesses there."""

import re

import lockstep_tool
import pytest
import specialise
import triton_oracle

ROOT = triton_oracle.ROOT
KERNELS = sorted((ROOT / "tests" / "findings").glob("LS*/*/kernel.py"))
FINDING = re.compile(r"^[^\n]*?:(?P<line>\d+):\d+: (?P<tier>error|warning|info): .* \[(?P<code>LSP?\d+)\]$", re.MULTILINE)

#: What is another code, or none, once Triton has made plain loads of block pointers.
BLOCK_POINTERS = {"LS106", "LS108"}

#: Triton deletes the loop around a plain load that nothing else uses: then nothing waits, and the race is a plain one.
DELETED = {"LS306_spin_on_load": {"LS309"}}


def found(text: str) -> set[tuple[str, str, str]]:
    return {(match["code"], match["tier"], match["line"]) for match in FINDING.finditer(text)}


def grid_of(command: specialise.Command) -> str:
    """As numbers: constexpr parameters are no arguments of the TTIR."""
    numbers = {name: int(value) for name, value in command.values.items() if re.fullmatch(r"-?\d+", value)}
    extents = eval(f"({command.grid},)", {"cdiv": lambda a, b: -(-a // b)}, numbers)
    return ",".join(map(str, extents))


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: f"{path.parents[1].name}/{path.parent.name}")
def test_triton_s_ttir_gives_the_same_findings(path, tmp_path):
    command = specialise.commands_of(path, ROOT)[0]
    from_source = lockstep_tool.call(["run", f"{command.file}::{command.kernel}", "--grid", command.grid, *command.rest]
                                     + [f"{name}={value}" for name, value in command.values.items()])  # fmt: skip
    kernel = triton_oracle.load_kernel(command.file, command.kernel)
    constexpr = {parameter.name: parameter.is_constexpr for parameter in kernel.params}
    sig, attr, constants = specialise.specialise(command, kernel.arg_names, constexpr)
    text = str(triton_oracle.lower(kernel, sig, attr, constants))
    case = tmp_path / "kernel.ttir"
    case.write_text(text)
    values = [f"{name}={value}" for name, value in command.values.items() if name not in constants]
    from_ttir = lockstep_tool.call(["run", str(case), "--grid", grid_of(command), *command.rest, *values])
    expected, actual = found(from_source.output), found(from_ttir.output)
    codes = {code for code, _, _ in actual}
    if path.parents[1].name in DELETED and path.parent.name == "bad":
        assert codes == DELETED[path.parents[1].name], from_ttir.text()
    elif {code for code, _, _ in expected} & BLOCK_POINTERS:
        assert bool(actual) == bool(expected), from_ttir.text()
    else:
        assert actual == expected, from_source.text() + "\n" + from_ttir.text()
