"""Every public name of Triton's language is supported or left out with a reason, and no name is ours alone."""

import re
import types

import lockstep_tool
import pytest
import triton_oracle  # noqa: F401 (before Triton: it sees to the environment)

FOLDER = lockstep_tool.ROOT / "tests" / "frontend"
#: Where a kernel finds the names, and what has them in Triton.
SPACES = {
    "tl": "tl",
    "math": "tl.math",
    "random": "tl.random",
    "standard": "tl.standard",
    "libdevice": "tl.extra.cuda.libdevice",
    "tensor": "x",
    "descriptor": "d",
    "dtype": "tl.float32",
}
#: Added by Triton 3.8 and 3.9: can be used, though hasattr() does not tell so. The layouts and types of descriptors that
#: they added belong to Gluon and to launches.
NEWER = ["aggregate_replace", "atomic_load", "atomic_poll", "atomic_store", "expect_zero", "squeeze", "to_tensor", "unsqueeze"]
KERNEL = "import triton\nimport triton.language as tl\nimport triton.language.extra.cuda.libdevice\n\n\n@triton.jit\ndef kernel(x, d):\n"
SIGNATURE = "x=*fp32,d=tensordesc<fp16[16,32]>"


def members() -> dict[str, set[str]]:
    import triton.language as tl
    import triton.language.extra.cuda.libdevice as libdevice

    owners = [tl, tl.math, tl.random, tl.standard, libdevice, tl.tensor, tl.tensor_descriptor, tl.dtype]
    lazily = {"semantic"}  # a module of the compiler's, there once something was compiled
    return {space: {name for name in dir(owner) if name[0] != "_"} - lazily for space, owner in zip(SPACES, owners)}


def left_out() -> dict[tuple[str, str], str]:
    lines = (FOLDER / "names_left_out.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line and line[0] != "#"]
    return {(space, name): reason for space, name, reason in rows}


@pytest.fixture(scope="module")
def known(tmp_path_factory) -> set[tuple[str, str]]:
    """The pairs of a space and a name, of all names anywhere, for which hasattr() holds in a kernel."""
    names = sorted(set().union(*members().values()))
    lines = [f'    tl.static_print("{space}", "{name}", hasattr({text}, "{name}"))\n' for space, text in SPACES.items() for name in names]
    path = tmp_path_factory.mktemp("names") / "names.py"
    path.write_text(KERNEL + "".join(lines))
    result = lockstep_tool.call(["emit", f"{path}::kernel", "--sig", SIGNATURE])
    assert result.exit_code == 0, result.text()
    return set(re.findall(r"^(\w+) (\w+) True$", result.output + result.errors, re.M))


def test_every_name_is_supported_or_left_out_with_a_reason(known):
    wanted = {(space, name) for space, names in members().items() for name in names}
    assert wanted - known == set(left_out())
    assert all(left_out().values())


def test_no_name_is_ours_alone(known):
    of_instances = {("tensor", "dtype")}
    assert not {(space, name) for space, name in known if name not in members()[space]} - of_instances


@pytest.mark.parametrize("name", NEWER)
def test_newer_names_can_be_used(name, tmp_path):
    path = tmp_path / "newer.py"
    path.write_text(KERNEL + f"    f: tl.constexpr = tl.{name}\n")
    result = lockstep_tool.call(["emit", f"{path}::kernel", "--sig", SIGNATURE])
    assert result.exit_code == 0, result.text()


def test_every_function_is_in_a_case():
    """The cases of tests/frontend/ok are compared with Triton op by op (libdevice has a test of its own)."""
    import triton.language as tl

    text = "\n".join(path.read_text() for path in FOLDER.glob("ok/*.py"))
    for space in (tl, tl.math, tl.tensor, tl.tensor_descriptor, tl.dtype):
        functions = {name for name in dir(space) if name[0] != "_" and callable(getattr(space, name))}
        not_for_kernels = {name for where, name in left_out()} | CLASSES
        missing = {name for name in functions - not_for_kernels if not re.search(rf"\b{name}\b", text)}
        assert not missing, f"{space.__name__}: {sorted(missing)}"


#: Classes that kernels name in annotations and isinstance() only.
CLASSES = {"block_type", "const", "constexpr_type", "slice", "tensor_descriptor", "tuple_type"}


def test_modules_are_no_functions():
    import triton.language as tl

    modules = {name for name in members()["tl"] if isinstance(getattr(tl, name), types.ModuleType)}
    assert modules <= {"core", "extra", "math", "random", "standard", "target_info"}


@pytest.mark.parametrize(
    "kernel, words",
    [
        ("atomic_access", ["--sig", "flags=*i32,x=*fp32,o=*fp32,n=i32", "BLOCK=64"]),
        ("atomic_wait", ["--sig", "flags=*i32,o=*i32,n=i64"]),
    ],
)
def test_newer_atomics_are_those_of_triton_3_9(kernel, words):
    """The ops that Triton 3.9 made of the same kernels, as recorded in tests/roundtrip; constants may stand elsewhere."""
    folder = lockstep_tool.ROOT / "tests" / "roundtrip"
    result = lockstep_tool.call(["emit", f"{folder / 'new_ops.py'}::{kernel}", "--stage", "ttir", *words])
    assert result.exit_code == 0, result.text()
    theirs = (folder / "3.9" / f"{kernel}.ttir90.mlir").read_text()
    assert sorted(re.sub(r"%\w+", "%", result.output).splitlines()) == sorted(re.sub(r"%\w+", "%", theirs).splitlines())
