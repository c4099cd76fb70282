"""The checked-in TTIR is what Triton 3.6 makes of the example's source, and the table's types are what its JIT would choose."""

import lockstep_tool
import pytest
import triton_oracle

LAUNCHES = lockstep_tool.launches()
TRITON_TYPE = {"f16": "*fp16", "f32": "*fp32", "bf16": "*bf16", "i32": "*i32"}


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch["name"])
def test_ttir_is_fresh(launch):
    kernel = triton_oracle.load_kernel(launch["file"], launch["kernel"])
    text = str(triton_oracle.lower(kernel, launch["sig"], launch["attr"], launch["constants"]))
    stored = lockstep_tool.ROOT / "examples" / "ttir" / f"{launch['name']}.ttir"
    assert triton_oracle.portable(text) == stored.read_text(), "run tools/make_example_ttir.py"


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch["name"])
def test_table_has_the_types_that_triton_specialises(launch):
    types, divisible = {}, {}
    for name, text in launch["arguments"].items():
        if "[" in text:
            types[name] = TRITON_TYPE[text.partition(":")[2].partition("[")[0]]
            divisible[name] = "16"
        elif text.isdigit():
            assert text != "1", f"{name}=1 is a constant to Triton: list it under constants"
            types[name] = "i32"
            if int(text) % 16 == 0:
                divisible[name] = "16"
        else:
            types[name] = "fp32"
    assert types == triton_oracle.split_pairs(launch["sig"])
    assert divisible == triton_oracle.split_pairs(launch["attr"])
