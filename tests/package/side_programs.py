"""Programs that test_backend_sides.py starts in processes of their own: `python side_programs.py NAME`.

Each prints one JSON line with what it saw."""

import json
import os
import sys


def choice():
    """Which driver is the default, and what else happens when there is no torch or GPU to ask."""
    import triton

    try:
        driver = type(triton.runtime.driver.active).__name__
    except RuntimeError as error:
        driver = str(error)
    return {"driver": driver, "backends": sorted(triton.backends.backends)}


def with_gpu():
    """The default beside a GPU."""
    import fake_gpu
    import triton

    fake_gpu.install()
    return {"driver": type(triton.runtime.driver.active).__name__}


def both_sides():
    """One kernel, launched on the GPU and here in turns."""
    import gc

    import fake_gpu
    import torch
    import triton

    fake_gpu.install()
    import backend_kernels as kernels
    import lockstep

    driver = triton.runtime.driver
    seen = {"before": type(driver.active).__name__, "is_active": lockstep.is_active()}
    counter = torch.zeros(1, dtype=torch.int32)
    tuned = triton.autotune([triton.Config({}, num_warps=w) for w in (2, 4)], key=[])(kernels.count)
    supports = vars(triton.backends.backends["nvidia"].compiler)["supports_target"]
    on_gpu = kernels.count[(5,)](counter)
    with lockstep.active():
        seen["inside"] = [type(driver.active).__name__, lockstep.is_active(), driver.active.get_current_target().arch]
        here = kernels.count[(5,)](counter)
        tuned[(1,)](counter)
        seen["chosen"] = tuned.best_config.num_warps
        with lockstep.active(as_="sm_80"):
            kernels.count[(5,)](counter)
        seen["reset"] = (driver.reset_active(), type(driver.active).__name__)[1]
        try:
            on_gpu._run = on_gpu.module = None
            on_gpu[(1, 1, 1)](counter)
        except lockstep.LaunchError as error:
            seen["gpu_kernel_here"] = str(error)[:40]
        on_gpu.module = 99
        kernels.count.device_caches.pop(0)
        del on_gpu
        gc.collect()
    seen["counter"] = counter.item()
    seen["target_of_ours"] = here.metadata.target.backend
    seen["launched"] = list(fake_gpu.launched)
    seen["unloaded"] = list(fake_gpu.unloaded)
    seen["after"] = type(driver.active).__name__
    seen["gpu_choices"] = list(tuned.cache)
    seen["supports_target_restored"] = vars(triton.backends.backends["nvidia"].compiler)["supports_target"] is supports
    kernels.count[(2,)](counter)
    seen["launched_after"] = fake_gpu.launched[-1]
    try:
        here[(1, 1, 1)](counter)
    except lockstep.LaunchError as error:
        seen["our_kernel_there"] = str(error)[:60]
    return seen


def in_tree_only():
    """TRITON_BACKENDS_IN_TREE=1: Triton looks for no entry points, so we enter ourselves when asked."""
    import lockstep
    import torch
    import triton

    seen = {"backends": sorted(triton.backends.backends)}
    import backend_kernels as kernels

    counter = torch.zeros(1, dtype=torch.int32)
    with lockstep.active():
        kernels.count[(3,)](counter)
    return {**seen, "counter": counter.item(), "after": sorted(triton.backends.backends)}


def cached():
    """Compiles one kernel and says whether Triton found it in its cache."""
    import torch
    import triton

    if len(sys.argv) > 2:
        from lockstep import _native

        _native.__version__ = sys.argv[2]
    hits = []
    triton.knobs.compilation.listener = lambda **event: hits.append(event["cache_hit"])
    import backend_kernels as kernels

    counter = torch.zeros(1, dtype=torch.int32)
    kernel = kernels.count[(3,)](counter)
    n_regs = kernel.n_regs if os.environ.get("ASK_REGISTERS") else None
    return {"hits": hits, "counter": counter.item(), "target": repr(kernel.metadata.target), "n_regs": n_regs}


def interpreted():
    import backend_kernels as kernels
    import lockstep
    import torch

    counter = torch.zeros(1, dtype=torch.int32)
    kernels.count[(3,)](counter)
    return {"counter": counter.item(), "is_active": lockstep.is_active(), "kernel": type(kernels.count).__name__}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
