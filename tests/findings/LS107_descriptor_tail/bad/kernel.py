# args: run {file}::fill_left --grid 2 --fail-on warning --check all out=ones:u8[32,480] rows=32 columns=466 width=480
"""466 columns of bytes end within a unit of 16: the hardware may write columns 466 to 479 of each row, too."""

import triton
import triton.language as tl


@triton.jit
def fill_left(out, rows, columns, width):
    i = tl.program_id(0) * 16 + tl.arange(0, 16)[:, None]
    j = columns + tl.arange(0, 16)[None, :]
    tl.store(out + i * width + j, 9, mask=j < width)
    target = tl.make_tensor_descriptor(out, [rows, columns], [width, 1], [16, 64])
    for c in range(0, columns, 64):
        target.store([tl.program_id(0) * 16, c], tl.full([16, 64], 7, tl.uint8))
