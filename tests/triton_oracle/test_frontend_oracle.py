"""The front end against Triton 3.6's: equal raw IR for tests/frontend/ok and the examples, and the same verdict on tests/frontend/reject.

Raw IR is compared as text without locations, after both sides went through Triton's own parser and printer.
"""

import importlib.util
import re
import sys
from pathlib import Path

import lockstep_tool
import pytest
import triton_oracle

FOLDER = Path(__file__).resolve().parents[1] / "frontend"
OK = sorted((FOLDER / "ok").glob("*.py"))
REJECT = sorted((FOLDER / "reject").glob("*.py"))

# What Triton's backend for sm_90 does not compile, though its front end lowers it.
REFUSED_BY_BACKEND = {
    "block_pointers": "they are rewritten before this stage",
    "custom_floats": "fp32 to bf16 toward zero",
    "descriptors": "gather and scatter need sm_100",
    "dot_scaled": "three axes",
}
# Cases that end Triton's process by a failed assertion instead of an error.
ABORTS_TRITON = {"advance_of_pointer"}
# What a loop carries wrongly is shown where it is assigned; Triton shows the loop, which is our note.
SHOWN_IN_NOTE = {"loop_changes_constexpr", "loop_changes_shape", "loop_changes_type"}
# Triton shows the line of another function than the one it names, wherever its stack ends, or where it hashes a callee.
WRONG_LINE_IN_TRITON = {"aggregate_plain_init", "constexpr_tensor_argument", "noinline_with_block", "recursion_without_else"}
# The classes of Triton's errors whose kind is unmistakable, and the codes that say the same.
SAME_KIND = {
    "CompileTimeAssertionFailure": {"LS1310"},
    "UnsupportedLanguageConstruct": {"LS1301", "LS1305", "LS1306", "LS1307"},
    "NameError": {"LS1302", "LS1303", "LS1304"},
}

# fp8e4b15 is converted by assembly: ours has other instructions.
OWN_ASSEMBLY = "custom_float8"


def without_assembly(text: str) -> str:
    return re.sub(r'inline_asm "[^"]*"', "inline_asm", text)


def read_spec(path: Path) -> tuple[str, dict]:
    """The signature and the constants that the comment `# spec:` gives."""
    words = re.search(r"^# spec: (.*)$", path.read_text(), re.M).group(1).split()
    pairs = [word.split("=", 1) for word in words]
    is_type = re.compile(r"^((\*k?)?([iu](1|8|16|32|64)|fp\w+|bf16)|tensordesc<.*>|\(.*\))$")
    signature = ",".join(f"{name}={value}" for name, value in pairs if is_type.match(value))
    constants = {name: value for name, value in pairs if not is_type.match(value)}
    return signature, constants


def python_value(text: str):
    import triton.language as tl

    return eval(text, {"tl": tl})  # noqa: S307 (the text is ours)


def values_of(path: Path, constants: dict) -> dict:
    """What Triton gets for the constants: for F, which names a function, the function."""
    values = {name: python_value(value) for name, value in constants.items()}
    if path.stem == "function_parameter":
        values["F"] = getattr(sys.modules[path.stem], values["F"])
    return values


def load(path: Path):
    """Imports a case under its own name, which Triton puts into the names of helpers."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.kernel


def emit(path: Path, stage: str, signature: str, constants: dict) -> lockstep_tool.Result:
    words = ["emit", f"{path}::kernel", "--sig", signature, "--stage", stage]
    return lockstep_tool.call(words + [f"{name}={value}" for name, value in constants.items()])


def through_triton(text: str, folder: Path) -> str:
    """The text after Triton's parser, verifier and printer."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import make_backend

    context = ir.context()
    ir.load_dialects(context)
    make_backend(GPUTarget("cuda", 90, 32)).load_dialects(context)
    path = folder / "case.ttir"
    path.write_text(text)
    module = ir.parse_mlir_module(str(path), context)
    module.context = context
    return module.str_nodebug()


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_raw_ir_is_tritons(path, tmp_path):
    signature, constants = read_spec(path)
    kernel = load(path)
    theirs = triton_oracle.lower(kernel, signature, "", values_of(path, constants), stage="raw")
    result = emit(path, "raw", signature, constants)
    assert result.exit_code == 0, result.text()
    ours, expected = through_triton(result.output, tmp_path), through_triton(theirs.str_nodebug(), tmp_path)
    if path.stem == OWN_ASSEMBLY:
        ours, expected = without_assembly(ours), without_assembly(expected)
    assert ours == expected


def test_sums_of_dots_fold_as_in_triton():
    """What `lockstep run` executes adds in Triton's order."""
    path = FOLDER / "ok" / "sum_of_dots.py"
    signature, constants = read_spec(path)
    theirs = triton_oracle.lower(load(path), signature, "", constants).str_nodebug()
    result = emit(path, "ttir", signature, constants)
    assert result.exit_code == 0, result.text()
    assert sums(result.output) == sums(theirs)


def sums(text: str) -> list[str]:
    """The dots and additions of floats, with what they take numbered by loads and by each other."""
    names: dict[str, str] = {}
    for name, operation, words in re.findall(r"(%\w+) = (\S+) (.*)", text):
        if operation == "tt.load":
            names[name] = f"load{len(names)}"
        elif operation in ("tt.dot", "arith.addf"):
            inputs = re.findall(r"%\w+", words)
            names[name] = f"{operation}({', '.join(names.get(one, 'zero') for one in inputs)})"
    return [names[value] for value in re.findall(r"tt.store %\w+, (%\w+)", text)]


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_triton_compiles_our_ttir(path, tmp_path):
    signature, constants = read_spec(path)
    result = emit(path, "ttir", signature, constants)
    assert result.exit_code == 0, result.text()
    if path.stem in REFUSED_BY_BACKEND:
        pytest.skip(REFUSED_BY_BACKEND[path.stem])
    text = tmp_path / "kernel.ttir"
    # ptxas refuses the combination of hints that masks_and_hints tries out.
    text.write_text(re.sub(r" (cacheModifier|evictionPolicy) = \w+| {isVolatile = true}", "", result.output))
    assert triton_oracle.compile_ttir(text).asm["cubin"]


@pytest.mark.parametrize("path", REJECT, ids=lambda path: path.stem)
def test_triton_rejects_it_too(path):
    signature, constants = read_spec(path)
    result = emit(path, "raw", signature, constants)
    assert result.exit_code == 2, result.text()
    if path.stem in ABORTS_TRITON:
        return
    with pytest.raises(Exception) as refused:  # noqa: B017 (Triton raises many types)
        triton_oracle.lower(
            load(path), signature, "", {name: python_value(value) for name, value in constants.items()}, stage="raw"
        )
    check_place_and_kind(path, result.errors, refused.value)


def check_place_and_kind(path: Path, ours: str, error: BaseException) -> None:
    """Our first error stands at Triton's line and is of the same kind, as far as Triton's error tells."""
    first, *rest = re.findall(rf"{path.name}:(\d+):\d+: (error|note|unsupported): .*?(?:\[(LS\d+)\])?$", ours, re.M)
    line, kind = triton_oracle.place_and_kind(error, path)
    if line is not None and path.stem in SHOWN_IN_NOTE:
        assert (str(line), "note", "") in rest, ours
    elif line is not None and path.stem not in WRONG_LINE_IN_TRITON:
        assert int(first[0]) == line, f"{ours}\nTriton: line {line}"
    if kind in SAME_KIND:
        assert first[2] in SAME_KIND[kind], f"{ours}\nTriton: {kind}"


@pytest.mark.parametrize("launch", lockstep_tool.launches(), ids=lambda launch: launch["name"])
def test_raw_ir_of_examples_is_tritons(launch, tmp_path):
    kernel = triton_oracle.load_kernel(launch["file"], launch["kernel"])
    constants = launch["constants"]
    theirs = triton_oracle.lower(kernel, launch["sig"], launch["attr"], constants, stage="raw").str_nodebug()
    words = ["emit", f"{launch['file']}::{launch['kernel']}", "--sig", launch["sig"], "--attr", launch["attr"], "--stage", "raw"]
    result = lockstep_tool.call(words + [f"{name}={value}" for name, value in constants.items()])
    assert result.exit_code == 0, result.text()
    # Triton names helpers after the name the test gave the module.
    theirs = theirs.replace(kernel.fn.__module__ + ".", Path(launch["file"]).stem + ".")
    assert through_triton(result.output, tmp_path) == through_triton(theirs, tmp_path)


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_locations_are_tritons(path):
    signature, constants = read_spec(path)
    kernel = load(path)
    values = values_of(path, constants)
    theirs = str(triton_oracle.lower(kernel, signature, "", values, stage="raw"))
    if "triton.language." in theirs:
        pytest.skip("Triton's library and ours stand at other places")
    if "#loop_annotation" in theirs:
        pytest.skip("Triton prints an alias where we print the attribute")
    words = ["emit", f"{path}::kernel", "--sig", signature, "--stage", "raw", "--locations"]
    result = lockstep_tool.call(words + [f"{name}={value}" for name, value in constants.items()])
    assert result.exit_code == 0, result.text()
    ours = result.output
    if path.stem == OWN_ASSEMBLY:
        ours, theirs = without_assembly(ours), without_assembly(theirs)
    assert resolved(ours) == resolved(theirs)


def resolved(text: str) -> list[str]:
    """The lines with every location written out; value names left out, since they only repeat the locations."""
    aliases = dict(re.findall(r"^(#loc\d*) = (loc\(.*\))$", text, re.M))

    def expand(line: str) -> str:
        while found := re.search(r"#loc\d*\b", line):
            line = line[: found.start()] + aliases[found.group(0)].replace("loc(", "at(", 1) + line[found.end() :]
        return line

    lines = [line for line in text.splitlines() if line.strip() and not re.match(r"#loc\d* = ", line)]
    return [re.sub(r"%[\w#]+", "%", expand(line)) for line in lines]
