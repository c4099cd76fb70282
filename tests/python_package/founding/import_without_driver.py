"""Report 1: modules with @triton.autotune are imported and their kernels launched where there is no driver.

Imports every module of fla and liger_kernel that can be imported here, counts the autotuned kernels, and launches one
with several configurations."""

import importlib
import pkgutil
import sys
import warnings

import torch
from triton.runtime.autotuner import Autotuner

warnings.simplefilter("ignore")
# Not Triton, or another vendor's: their packages are not here. The last one imports a name that fla 0.5.2 lost.
NOT_OURS = (*(f"liger_kernel.ops.{name}" for name in ("backends", "cute", "cutile")), "fla.ops.delta_rule.parallel")
MISSING = ("transformers", "tilelang", "flash_attn", "causal_conv1d", "magi_attention", "fla.layers")


def import_all(package: str) -> int:
    """Number of modules imported. A missing third-party package is allowed, nothing else."""
    count = 0
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        if module.name.startswith(NOT_OURS):
            continue
        try:
            importlib.import_module(module.name)
            count += 1
        except ImportError as error:
            assert any(name in str(error) for name in MISSING), (module.name, error)
    return count


def autotuned(package: str) -> list[Autotuner]:
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(package) and module is not None:
            for value in vars(module).values():
                while hasattr(value, "fn"):
                    if isinstance(value, Autotuner):
                        found[id(value)] = value
                    value = value.fn
    return list(found.values())


print(import_all(sys.argv[1]), "modules")
kernels = autotuned(sys.argv[1])
print(len(kernels), "autotuned,", sum(len(kernel.configs) > 1 for kernel in kernels), "with several configurations")
if sys.argv[1] == "fla.ops":
    from fla.ops.utils import chunk_local_cumsum
    from fla.ops.utils.cumsum import chunk_local_cumsum_scalar_kernel as kernel

    assert len(kernel.fn.configs if hasattr(kernel.fn, "configs") else kernel.configs) > 1
    g = torch.randn(1, 128, 2, device="cuda")
    total = chunk_local_cumsum(g, chunk_size=64)
    expected = g.double().view(1, 2, 64, 2).cumsum(2).view_as(g)
    assert (total - expected).abs().max() < 1e-5
    print("launched")
