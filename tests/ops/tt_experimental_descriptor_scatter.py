"""tt.experimental_descriptor_scatter: what Triton 3.3 calls tt.descriptor_scatter."""

import tt_descriptor_scatter


def cases():
    for element in ("i8", "f16", "f32"):
        yield tt_descriptor_scatter.case(element, element, op="tt.experimental_descriptor_scatter")
