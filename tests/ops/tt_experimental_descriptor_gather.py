"""tt.experimental_descriptor_gather: what Triton 3.3 calls tt.descriptor_gather."""

import tt_descriptor_gather


def cases():
    for element in ("i8", "f16", "f32"):
        yield tt_descriptor_gather.case(element, element, op="tt.experimental_descriptor_gather")
