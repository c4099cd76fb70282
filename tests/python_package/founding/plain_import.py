"""Report 1, without `python -m lockstep`: packages that ask for the GPU when they are imported can be imported.

What they ask torch is answered as the modelled GPU would; torch itself still says that there is no CUDA."""

import sys

import torch
import triton

for package in sys.argv[1:]:
    __import__(package)
assert triton.runtime.driver.active.get_current_target().backend == "cuda"
assert not torch.cuda.is_available()
print("imported")
