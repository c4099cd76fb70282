"""What `lockstep emit` prints is accepted by Triton 3.6's parser and verifier, and compiles on to a cubin without a GPU."""

import lockstep_tool
import pytest
import triton_oracle

LAUNCHES = lockstep_tool.launches()


def emit(launch, *options):
    words = ["emit", f"{launch['file']}::{launch['kernel']}", "--sig", launch["sig"], "--attr", launch["attr"], "--to", "ttir"]
    words += [*options, *(f"{name}={value}" for name, value in launch["constants"].items())]
    result = lockstep_tool.call(words)
    assert result.exit_code == 0, result.text()
    return result.output


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch["name"])
def test_triton_compiles_what_we_emit(launch, arch, tmp_path):
    path = tmp_path / f"{launch['kernel']}.ttir"
    path.write_text(emit(launch, "--as", f"sm_{arch}"))
    compiled = triton_oracle.compile_ttir(path, arch)
    assert compiled.asm["cubin"][:4] == b"\x7fELF"
    assert f".entry {launch['kernel']}" in compiled.asm["ptx"]


def test_triton_refuses_broken_ttir(tmp_path):
    """The check above can fail: an operand of another type does not get through Triton's verifier."""
    launch = next(row for row in LAUNCHES if row["name"] == "vector_add")
    text = (lockstep_tool.ROOT / "examples" / "ttir" / "vector_add.ttir").read_text()
    path = tmp_path / "broken.ttir"
    path.write_text(text.replace("arith.addf %left_6, %right_8", "arith.addf %left_6, %inside_4"))
    with pytest.raises(Exception):
        triton_oracle.compile_ttir(path)
    assert launch["kernel"] in text
