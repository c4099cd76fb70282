"""Adds two vectors with a Triton kernel, compares with torch and times both.

    python -m lockstep examples/python/vector_add.py
"""

import importlib.util

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def add_kernel(left, right, out, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    tl.store(out + index, tl.load(left + index, mask=inside) + tl.load(right + index, mask=inside), mask=inside)


def add(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(left)
    assert left.is_cuda and right.is_cuda and out.is_cuda
    add_kernel[lambda meta: (triton.cdiv(out.numel(), meta["BLOCK"]),)](left, right, out, out.numel(), BLOCK=1024)
    return out


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["size"],
        x_vals=[2**power for power in range(12, 17, 2)],
        line_arg="provider",
        line_vals=["triton", "torch"],
        line_names=["Triton", "Torch"],
        ylabel="GB/s",
        plot_name="vector-add",
        args={},
    )
)
def bandwidth(size, provider):
    left, right = (torch.rand(size, device=DEVICE, dtype=torch.float32) for _ in range(2))
    work = (lambda: add(left, right)) if provider == "triton" else (lambda: left + right)
    median, low, high = triton.testing.do_bench(work, quantiles=[0.5, 0.2, 0.8], warmup=1, rep=5)
    return tuple(12 * size * 1e-6 / milliseconds for milliseconds in (median, high, low))


if __name__ == "__main__":
    torch.manual_seed(0)
    first, second = torch.rand(98432, device="cuda"), torch.rand(98432, device="cuda")
    difference = (add(first, second) - (first + second)).abs().max().item()
    print(f"largest difference from torch: {difference}")
    assert difference == 0
    if importlib.util.find_spec("matplotlib") and importlib.util.find_spec("pandas"):  # perf_report needs both
        bandwidth.run(print_data=True)
