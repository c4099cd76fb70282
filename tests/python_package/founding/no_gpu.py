"""Report 4: a build that knows the CUDA toolkit runs where there is neither GPU nor driver. LD_DEBUG=libs watches it."""

import lockstep
import torch
from fault_kernels import add_one

x, out = torch.arange(8.0), torch.zeros(8)
add_one[(1,)](x, out, 8, BLOCK=8)
assert torch.equal(out, x + 1)
assert lockstep.is_active()
print("ran")
