"""tt.experimental_descriptor_load: what Triton 3.3 calls tt.descriptor_load."""

import tt_descriptor_load
from support import blocks


def cases():
    for element in ("i8", "f16", "f32"):
        for layout in blocks.LAYOUTS:
            yield tt_descriptor_load.case(
                f"{element} rank {len(layout[0])}", element, layout, op="tt.experimental_descriptor_load", gpu="Triton 3.6 does not know the name"
            )
