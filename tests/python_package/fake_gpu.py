"""Makes Triton believe in a GPU: the tests' stand-in for a machine with CUDA. Import it before Triton.

Triton's NVIDIA driver is its own class with its C parts replaced: what would be launched on the GPU is noted in
`launched`, nothing is executed. Kernels are really compiled to cubins."""

import torch

launched = []
unloaded = []


def _patch_torch():
    torch.cuda.is_available = lambda: True
    torch.cuda.current_device = lambda: 0
    torch.cuda.set_device = lambda device: None
    torch.cuda.get_device_capability = lambda device=None: (9, 0)
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    torch.cuda.synchronize = lambda device=None: None


class Utilities:
    """In place of CudaUtils."""

    def load_binary(self, name, kernel, shared, device):
        assert kernel[:4] == b"\x7fELF", "the GPU was given something that is no cubin"
        return 4711, 4712, 32, 0, 1024

    def unload_module(self, module):
        unloaded.append(module)

    def get_device_properties(self, device):
        return {"max_shared_mem": 101376, "max_num_regs": 65536, "multiprocessor_count": 46, "warpSize": 32}


class Launcher:
    """In place of CudaLauncher."""

    def __init__(self, src, metadata):
        self.name = metadata.name

    def __call__(self, *arguments):
        launched.append((self.name, arguments[:3]))


def install():
    """Call after importing torch and before the first use of triton.runtime.driver.active."""
    import triton.backends.nvidia.driver as nvidia

    nvidia.CudaUtils = Utilities
    nvidia.CudaLauncher = Launcher


_patch_torch()
