"""Triton compiles every kernel of the zoo and the seeds, or refuses the ones that we refuse too."""

import lockstep_tool
import pytest
import specialise
import triton_oracle

ROOT = lockstep_tool.ROOT
FOLDERS = ("findings", "founding_reports", "golden/language")  # what Triton refuses is in golden/language, and in REFUSED
CASES = sorted(path for folder in FOLDERS for path in (ROOT / "tests" / folder).rglob("*.py"))
CASES = [path for path in CASES if specialise.commands_of(path, ROOT)]
REFUSED = {"one_branch": "value is not defined", "inside_a_loop": "value is not defined"}
TTIR = sorted((ROOT / "tests/founding_reports/dominance").glob("*.ttir"))
TTIR_REFUSED = {
    "diamond": "does not dominate",
    "use_before_definition": "does not dominate",
    "loop_block": "does not dominate",
    "left_its_region": "undeclared",
}


def case_name(path):
    return str(path.relative_to(ROOT / "tests")).removesuffix(".py")


@pytest.mark.parametrize("path", CASES, ids=case_name)
def test_triton_agrees(path):
    for command in specialise.commands_of(path, ROOT):
        kernel = triton_oracle.load_kernel(command.file, command.kernel or "kernel")
        constexpr = {p.name: p.is_constexpr for p in kernel.params}
        sig, attr, constants = specialise.specialise(command, kernel.arg_names, constexpr)
        reason = "" if path.parent.name == "language" else REFUSED.get(path.stem)
        if reason is not None:
            with pytest.raises(Exception) as refused:
                triton_oracle.lower(kernel, sig, attr, constants)
            assert reason in str(refused.value) + str(refused.value.__cause__)
        else:
            assert "tt.func public" in str(triton_oracle.lower(kernel, sig, attr, constants))


@pytest.mark.parametrize("path", TTIR, ids=lambda path: path.stem)
def test_triton_agrees_on_dominance(path, capfd):
    text = path.read_text()
    if path.stem in TTIR_REFUSED:
        with pytest.raises(Exception):
            triton_oracle.compile_ttir(path)
        assert TTIR_REFUSED[path.stem] in capfd.readouterr().err
    else:
        triton_oracle.compile_ttir(path)
    assert text.startswith("// args: run")
