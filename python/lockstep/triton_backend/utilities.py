"""What Triton's runtime keeps under driver.utils and driver.launcher_cls: device facts, loading, launching.

Kernels that Triton compiles under Lockstep load and launch themselves (kernel.py); these two serve programs that call
the driver's parts directly, and refuse what was compiled for a GPU. Invariant: nothing here runs a kernel of the other
side."""

from __future__ import annotations

from typing import Any

from lockstep import errors

_MAX_THREADS = 1024  # per block, every NVIDIA GPU
_CPP_TYPES = {
    "i1": "int8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t", "u1": "uint8_t",
    "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t", "fp16": "double", "bf16": "double",
    "fp32": "double", "f32": "double", "fp64": "double", "nvTmaDesc": "CUtensorMap",
}  # fmt: skip


def cpp_type(ty: str) -> str:
    """The C++ type of a Triton type string, as a launcher of Triton's NVIDIA backend would declare it."""
    if ty[0] == "*":
        return "CUdeviceptr"
    return "CUtensorMap" if ty.startswith("tensordesc") else _CPP_TYPES[ty]


def device_properties(target: str) -> dict[str, int]:
    """The answers of Triton's get_device_properties for the modelled GPU. Bytes, kHz, bits."""
    from lockstep.triton_backend.profiles import facts_of

    facts = facts_of(target)
    return {
        "max_shared_mem": facts.shared_memory_per_block,
        "max_num_regs": facts.registers,
        "multiprocessor_count": facts.multiprocessors,
        "warpSize": facts.warp_size,
        "sm_clock_rate": facts.core_clock,
        "mem_clock_rate": facts.memory_clock,
        "mem_bus_width": facts.memory_bus_bits,
    }


class Utilities:
    """driver.utils."""

    def get_device_properties(self, device: int = 0) -> dict[str, int]:
        from lockstep import settings

        return device_properties(getattr(device, "profile", None) or settings.current().target)

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> tuple[Any, Any, int, int, int]:
        """(module, function, registers, spills, threads per block) of the last stage's bytes."""
        from lockstep.triton_backend import kernel as kernels
        from lockstep.triton_backend import resources

        module, function = kernels.load(kernel, name)
        used = resources.of_ttir(bytes(kernel), getattr(device, "profile", None))
        return module, function, used.registers, used.spills, _MAX_THREADS

    def unload_module(self, module: Any) -> None:
        """Modules of Lockstep go with their last reference; a GPU's goes to the driver that loaded it."""
        if isinstance(module, int):
            from lockstep import activation

            activation.unload_on_gpu(module)

    def get_current_device(self) -> int:
        from triton.runtime.driver import driver

        return driver.active.get_current_device()

    def set_current_device(self, device: int) -> None:
        """There is one device."""

    def get_default_stream(self, device: int = 0) -> int:
        return 0

    def is_stream_capturing(self, stream: int = 0) -> bool:
        return False

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        from triton.runtime.driver import driver

        return driver.active.get_device_capability(device)

    def set_printf_fifo_size(self, size: int) -> None:
        """device_print has no buffer that could overflow."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"Lockstep's driver has no {name!r}: it belongs to CUDA, and kernels run on the CPU here")


class Launcher:
    """driver.launcher_cls(src, metadata): launches with `function` as load_binary returned it."""

    def __init__(self, src: Any, metadata: Any) -> None:
        from lockstep.triton_backend import target

        if not target.is_marked(metadata.target):
            raise errors.LaunchError(
                f"kernel {metadata.name} was compiled for a GPU ({metadata.target}) and Lockstep is active: "
                "launch it outside of lockstep.active(), or compile it again here"
            )
        self._src = src
        self._launchers: dict[int, Any] = {}

    def __call__(self, grid_x: int, grid_y: int, grid_z: int, stream: int, function: Any, *args: Any) -> None:
        from lockstep.triton_backend import kernel as kernels

        launcher = self._launchers.get(id(function))
        if launcher is None:
            launcher = self._launchers[id(function)] = kernels.launcher_for(function, self._src)
        launcher(grid_x, grid_y, grid_z, stream, function, *args)
