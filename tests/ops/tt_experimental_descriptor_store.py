"""tt.experimental_descriptor_store: what Triton 3.3 calls tt.descriptor_store."""

import tt_descriptor_store
from support import blocks
from support.case import Case


def cases():
    for element in ("i8", "f16", "f32"):
        for layout in blocks.LAYOUTS:
            text, arguments, reference = tt_descriptor_store.stores(element, layout, op="tt.experimental_descriptor_store")
            yield Case(f"{element} rank {len(layout[0])}", text, arguments, reference=reference, gpu="Triton 3.6 does not know the name")
