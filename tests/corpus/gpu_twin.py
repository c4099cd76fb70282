"""On a machine with a GPU, every launch of the corpus tests is made again by the GPU, on copies, and compared.

    PYTHONPATH=build/python:tests/corpus pytest -p gpu_twin tests/corpus        # LOCKSTEP_TWIN_OUT=FILE for the results

Each launch first runs on Lockstep; then Triton's own NVIDIA backend launches the same kernel with the same configuration
on copies of the arguments as they were before. One JSON line per launch says how many elements of the tensors that
changed have the same bits, and the largest difference in units of the tensor's largest value. A GPU that faulted is not
asked again by this process. Nothing here judges: `python gpu_twin.py FILE...` prints the table."""

from __future__ import annotations

import collections
import ctypes
import hashlib
import json
import os
import sys
import time
from typing import Any

import ml_dtypes
import numpy

OUT = os.environ.get("LOCKSTEP_TWIN_OUT", "")
POOL_BYTES = 1 << 30  # of GPU memory, for the arguments of one launch


class Driver:
    """GPU memory by the CUDA driver API: nothing here goes through torch, whose functions the pretence changes."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.context, self.base, self.used = ctypes.c_void_p(), ctypes.c_uint64(), 0
        self.check("cuCtxGetCurrent", ctypes.byref(self.context))
        self.check("cuMemAlloc_v2", ctypes.byref(self.base), ctypes.c_size_t(POOL_BYTES))

    def check(self, name: str, *args: Any) -> None:
        status = getattr(self.cuda, name)(*args)
        if status != 0:
            raise RuntimeError(f"CUDA: {name} says {status}")

    def begin(self) -> None:
        """A new launch: this thread uses the process's context, the pool is empty."""
        self.check("cuCtxSetCurrent", self.context)
        self.used = 0

    def upload(self, address: int, size: int) -> int:
        place = self.base.value + self.used
        self.used += (size + 511) // 256 * 256
        if self.used > POOL_BYTES:
            raise MemoryError("too large for the pool")
        self.check("cuMemcpyHtoD_v2", ctypes.c_uint64(place), ctypes.c_void_p(address), ctypes.c_size_t(size))
        return place

    def download(self, place: int, size: int) -> numpy.ndarray:
        self.check("cuCtxSynchronize")
        found = numpy.empty(size, numpy.uint8)
        self.check("cuMemcpyDtoH_v2", ctypes.c_void_p(found.ctypes.data), ctypes.c_uint64(place), ctypes.c_size_t(size))
        return found


class Array:
    """What Triton's launcher needs of a tensor."""

    def __init__(self, dtype: Any, place: int, tensor: Any) -> None:
        self.dtype, self.place, self.shape, self.strides = dtype, place, tuple(tensor.shape), tuple(tensor.stride())

    def data_ptr(self) -> int:
        return self.place

    def stride(self, dim: int | None = None) -> Any:
        return self.strides if dim is None else self.strides[dim]


class Storage:
    """Host memory behind arguments: where it is, where its copy is, and its bytes before the launch."""

    def __init__(self, address: int, size: int, dtype: str, driver: Driver) -> None:
        self.address, self.size, self.dtype = address, size, dtype
        self.before = self.now()
        self.place = driver.upload(address, size)

    def now(self) -> numpy.ndarray:
        return numpy.frombuffer(ctypes.string_at(self.address, self.size), numpy.uint8)


class Twin:
    """The GPU's side. Made before the pretence begins, so that Triton's driver holds torch's own functions."""

    def __init__(self) -> None:
        import torch
        from triton.backends.nvidia.driver import CudaDriver
        from triton.runtime.driver import driver
        from triton.runtime.jit import JITFunction

        torch.zeros(1, device="cuda")
        self.tensor_type, self.config, self.triton_driver = torch.Tensor, driver, CudaDriver()
        self.memory, self.run, self.is_dead = Driver(), JITFunction.run, False
        JITFunction.run = lambda jit, *args, **kwargs: self.launch(jit, args, kwargs)

    def launch(self, jit: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.is_dead or kwargs.get("warmup") or not getattr(self.config.active, "is_lockstep", False):
            return self.run(jit, *args, **kwargs)
        line = {"kernel": f"{jit.fn.__module__}.{jit.fn.__qualname__}", "target": self.config.active.get_current_target().arch}
        storages: dict[int, Storage] = {}
        copies: tuple[Any, ...] | None = None
        try:
            self.memory.begin()
            copies = tuple(self.copy(a, storages) for a in args)
            named = {k: self.copy(v, storages) for k, v in kwargs.items()}
        except Exception as error:  # noqa: BLE001  (nothing to compare with)
            line["error"] = f"no copy: {type(error).__name__}: {error}"[:200]
            copies = None
        result = self.run(jit, *args, **kwargs)
        if copies is not None:
            line |= self.answer(jit, copies, named, storages)
        if OUT:
            with open(f"{OUT}.{os.getpid()}", "a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")
        return result

    def answer(self, jit: Any, args: tuple[Any, ...], kwargs: dict[str, Any], storages: dict[int, Storage]) -> dict[str, Any]:
        active, started = self.config._active, time.perf_counter()
        self.config._active = self.triton_driver
        try:
            self.run(jit, *args, **kwargs)
            found = compare(list(storages.values()), self.memory)
            return found | {"seconds": round(time.perf_counter() - started, 3)}
        except Exception as error:  # noqa: BLE001  (whatever the GPU's side does must not change the test)
            text = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]
            self.is_dead = "CUDA" in text
            return {"error": text}
        finally:
            self.config._active = active

    def copy(self, value: Any, storages: dict[int, Storage]) -> Any:
        """The argument on the GPU: storages are copied whole, so that overlap and strides are kept."""
        if isinstance(value, self.tensor_type) or (hasattr(value, "data_ptr") and hasattr(value, "untyped_storage")):
            held = value.untyped_storage()
            address, size = held.data_ptr(), held.nbytes()
            if size == 0:
                return Array(value.dtype, self.memory.base.value, value)
            if address not in storages:
                storages[address] = Storage(address, size, str(value.dtype).removeprefix("torch."), self.memory)
            return Array(value.dtype, storages[address].place + value.data_ptr() - address, value)
        if isinstance(value, (tuple, list)):
            items = [self.copy(item, storages) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
        if type(value).__name__ == "TensorDescriptor":
            return type(value)(self.copy(value.base, storages), value.shape, value.strides, value.block_shape, value.padding)
        return value


def compare(storages: list[Storage], memory: Driver) -> dict[str, Any]:
    """Element by element, over the storages that either side changed."""
    totals: dict[str, Any] = {"outputs": 0, "elements": 0, "same": 0, "worst": 0.0, "nans": 0}
    dtypes = set()
    for storage in storages:
        ours, theirs = storage.now(), memory.download(storage.place, storage.size)
        touched = (ours != storage.before) | (theirs != storage.before)
        if not touched.any():
            continue
        dtypes.add(storage.dtype)
        kind = numpy.dtype(getattr(ml_dtypes, storage.dtype, None) or storage.dtype)
        count = storage.size // kind.itemsize
        a, b = (bytes_[: count * kind.itemsize].view(kind) for bytes_ in (ours, theirs))
        with numpy.errstate(all="ignore"):
            x, y = a.astype(numpy.float64), b.astype(numpy.float64)
            same_bits = (a.view(numpy.uint8).reshape(count, -1) == b.view(numpy.uint8).reshape(count, -1)).all(1)
            finite = numpy.isfinite(x) & numpy.isfinite(y)
            scale = float(numpy.abs(y[finite]).max(initial=0))
            difference = float(numpy.abs((x - y)[finite]).max(initial=0))
        totals["outputs"] += 1
        totals["elements"] += count
        totals["same"] += int((same_bits | (numpy.isnan(x) & numpy.isnan(y))).sum())
        totals["nans"] += int((numpy.isnan(x) != numpy.isnan(y)).sum())
        totals["worst"] = max(totals["worst"], difference / scale if scale else difference)
    return totals | {"dtypes": sorted(dtypes)}


def pytest_configure(config: Any) -> None:
    config._gpu_twin = Twin()


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """In an order that mixes the packages: a run that is cut short has seen some of each."""
    items.sort(key=lambda item: hashlib.sha256(item.nodeid.encode()).digest())


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed and OUT:
        with open(f"{OUT}.{os.getpid()}.failed", "a", encoding="utf-8") as out:
            out.write(f"{report.nodeid}\n{report.longreprtext[-1500:]}\n\n")


def main(paths: list[str]) -> None:
    kernels: dict[str, list[dict[str, Any]]] = collections.defaultdict(list)
    for path in paths:
        with open(path, encoding="utf-8") as text:
            for line in map(json.loads, text):
                kernels[line["kernel"]].append(line)
    asked = [line for lines in kernels.values() for line in lines if "same" in line]
    exact = [line for line in asked if line["same"] == line["elements"]]
    print(f"{len(asked)} launches of {len(kernels)} kernels; {len(exact)} with the same bits in every output element")
    for name in sorted(kernels, key=lambda one: -max((line.get("worst", 0) for line in kernels[one]), default=0)):
        lines = kernels[name]
        worst = max((line.get("worst", 0.0) for line in lines), default=0.0)
        nans = sum(line.get("nans", 0) for line in lines)
        errors = {line["error"] for line in lines if "error" in line}
        equal = sum(line.get("same", 0) for line in lines) / max(sum(line.get("elements", 0) for line in lines), 1)
        if worst or errors:
            print(f"{worst:9.2e} {equal:7.2%} {nans:4d} {name} {'; '.join(sorted(errors))}")


if __name__ == "__main__":
    main(sys.argv[1:])
