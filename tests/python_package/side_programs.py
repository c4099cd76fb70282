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


def _patched():
    """(owner, attribute) -> what is there now, of everything that patches.TABLE replaces."""
    from lockstep.triton_backend import patches

    return {
        (str(owner), patch.attribute): vars(owner).get(patch.attribute)
        for patch in patches.TABLE for owner in patch.owners()
    }  # fmt: skip


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
    before = _patched()
    on_gpu = kernels.count[(5,)](counter)
    with lockstep.active():
        seen["device"] = str(driver.active.get_active_torch_device())
        seen["interface"] = driver.active.get_device_interface().__name__
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
    seen["patches"] = len(before)
    seen["restored"] = all(before[place] is found for place, found in _patched().items())
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


def _counted(**variables):
    """Launches count in three programs, after forgetting that this process ever compiled it: (cache hits, counter)."""
    import backend_kernels as kernels
    import torch
    import triton

    os.environ.update(variables)
    hits = []
    triton.knobs.compilation.listener = lambda **event: hits.append(event["cache_hit"])
    kernels.count.device_caches.clear()
    counter = torch.zeros(1, dtype=torch.int32)
    kernel = kernels.count[(3,)](counter)
    triton.knobs.compilation.listener = None
    for name in variables:
        del os.environ[name]
    return kernel, hits, counter.item()


def cached_first():
    """Fills Triton's cache, also with what the GPU's compiler makes."""
    kernel, hits, counter = _counted()
    return {"hits": hits, "counter": counter, "n_regs": kernel.n_regs}


def cached_again():
    """What a second process finds in the cache, and what must not be found."""
    import lockstep
    from lockstep import _native

    kernel, *again = _counted()
    seen = {"again": again, "target": repr(kernel.metadata.target)}
    with lockstep.active(as_="sm_80"):
        seen["other_profile"] = _counted()[1:]
    seen["always"] = _counted(TRITON_ALWAYS_COMPILE="1")[1:]
    seen["binary_only"] = _counted(TRITON_STORE_BINARY_ONLY="1")[1:]
    seen["binary_only_again"] = _counted(TRITON_STORE_BINARY_ONLY="1")[1:]
    _native.__version__ = "99.0"
    seen["other_version"] = _counted()[1:]
    return seen


def dumped():
    """TRITON_KERNEL_DUMP, then an edit of what it wrote, then TRITON_KERNEL_OVERRIDE."""
    import pathlib

    import triton

    folder = pathlib.Path(os.environ["TRITON_CACHE_DIR"])
    triton.knobs.cache.dump_dir, triton.knobs.cache.override_dir = str(folder / "dump"), str(folder / "override")
    _counted(TRITON_KERNEL_DUMP="1", TRITON_ALWAYS_COMPILE="1")
    files = sorted(path.name for path in (folder / "dump").rglob("count.*"))
    (folder / "dump").rename(folder / "override")
    ttir = next((folder / "override").rglob("count.ttir"))
    text = ttir.read_text()
    assert text.count("arith.constant 1 :") == 1, text
    ttir.write_text(text.replace("arith.constant 1 :", "arith.constant 7 :"))
    return {"files": files, "counter": _counted(TRITON_KERNEL_OVERRIDE="1", TRITON_ALWAYS_COMPILE="1")[2]}


def tuned_first():
    """An autotuned kernel as the very first thing that asks for a driver."""
    import test_autotune

    kernel = test_autotune.tuned()
    first = test_autotune.launch(kernel)
    return {"first": first, "second": test_autotune.launch(kernel), "compiled": test_autotune.compiled(kernel)}


def plain_torch():
    """torch.cuda's queries in plain Python, before and after we are the default, under a pretence, and undone."""
    import lockstep
    import torch
    import triton
    from lockstep.triton_backend import torch_queries

    before = {name: getattr(torch.cuda, name) for name in torch_queries.ANSWERS}
    seen = {"target": triton.runtime.driver.active.get_current_target().backend}
    ours = {name: getattr(torch.cuda, name) for name in torch_queries.ANSWERS}
    seen["available"] = [torch.cuda.is_available(), torch.cuda.device_count()]
    seen["name"] = [torch.cuda.get_device_name(), torch.cuda.get_device_name(0), torch.cuda.get_device_name("cuda:0")]
    seen["capability"] = torch.cuda.get_device_capability()
    seen["multiprocessors"] = torch.cuda.get_device_properties(0).multi_processor_count
    torch.cuda.synchronize()
    with torch.cuda.device(0):
        seen["device"] = [torch.cuda.current_device(), torch.cuda.current_stream().cuda_stream]
    seen["refused"] = []
    for device in (1, "cpu"):
        try:
            torch.cuda.get_device_name(device)
        except (AssertionError, ValueError) as error:
            seen["refused"].append(str(error)[:17])
    with lockstep.pretend_cuda(as_="sm_80"):
        seen["pretended"] = [torch.cuda.is_available(), torch.cuda.get_device_name(), str(torch.zeros(1).cuda().device)]
    seen["after_pretence"] = all(getattr(torch.cuda, name) is value for name, value in ours.items())
    torch_queries.undo()
    seen["undone"] = all(getattr(torch.cuda, name) is value for name, value in before.items())
    return seen


def plain_fla():
    """A package that follows Triton's target to torch.cuda at import; one of its operators on CPU tensors."""
    import torch
    from fla.ops.utils.cumsum import chunk_local_cumsum

    x = torch.randn(1, 64, 2)
    return {"agrees": torch.allclose(chunk_local_cumsum(x, 64), x.cumsum(1), atol=1e-4)}


class _Missing:
    """An import hook: the package is not installed."""

    def __init__(self, package):
        self.package = package

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == self.package:
            raise ModuleNotFoundError(name)


def without_triton():
    """active() where there is no Triton, and where the stand-in takes its place."""
    import lockstep

    missing = _Missing("triton")
    sys.meta_path.insert(0, missing)
    try:
        lockstep.active().__enter__()
    except lockstep.LaunchError as error:
        seen = {"said": str(error)}
    sys.meta_path.remove(missing)
    folders = [folder for folder in sys.path if not os.path.exists(os.path.join(folder, "triton", "runtime"))]
    sys.path[:] = folders
    for name in [name for name in sys.modules if name.split(".")[0] == "triton"]:
        del sys.modules[name]
    from lockstep import triton_stub

    seen["installed"] = triton_stub.install()
    with lockstep.active(as_="sm_80"):
        seen["inside"] = [lockstep.is_active(), lockstep.get_options().target]
    return seen


def without_torch():
    """NumPy is enough; and what is said when the engine itself is missing."""
    sys.meta_path.insert(0, _Missing("torch"))
    import backend_kernels as kernels
    import lockstep
    import numpy as np
    import triton
    from lockstep import _native
    from lockstep.triton_backend.driver import LockstepDriver

    counter = np.zeros(1, np.int32)
    milliseconds = triton.testing.do_bench(lambda: kernels.count[(3,)](counter), warmup=1, rep=1)
    counted = counter.item() % 3
    del lockstep._native
    sys.modules["lockstep._native"] = None
    try:
        LockstepDriver(keeps_patches=False)
    except lockstep.LaunchError as error:
        said = str(error)
    sys.modules["lockstep._native"] = _native
    return {"rest": counted, "ran": counter.item() > 0, "time": milliseconds, "said": said}


def interpreted():
    import backend_kernels as kernels
    import lockstep
    import torch

    counter = torch.zeros(1, dtype=torch.int32)
    kernels.count[(3,)](counter)
    return {"counter": counter.item(), "is_active": lockstep.is_active(), "kernel": type(kernels.count).__name__}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
