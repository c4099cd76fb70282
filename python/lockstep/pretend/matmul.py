"""torch.mm and similar functions with out_dtype=: overloads that torch has for CUDA only.

On a GPU they multiply half-precision operands and keep the float32 accumulator; here the operands are widened first,
which gives the same products. Registered for torch's CPU key, where torch has nothing, while the pretence holds."""

from __future__ import annotations

from typing import Any

import torch


def _mm(left: torch.Tensor, right: torch.Tensor, out_dtype: torch.dtype) -> torch.Tensor:
    return torch.mm(left.to(out_dtype), right.to(out_dtype))


def _bmm(left: torch.Tensor, right: torch.Tensor, out_dtype: torch.dtype) -> torch.Tensor:
    return torch.bmm(left.to(out_dtype), right.to(out_dtype))


def _addmm(bias: torch.Tensor, left: torch.Tensor, right: torch.Tensor, out_dtype: torch.dtype, *, beta: Any = 1,
           alpha: Any = 1) -> torch.Tensor:  # fmt: skip
    return torch.addmm(bias.to(out_dtype), left.to(out_dtype), right.to(out_dtype), beta=beta, alpha=alpha)


def _baddbmm(bias: torch.Tensor, left: torch.Tensor, right: torch.Tensor, out_dtype: torch.dtype, *, beta: Any = 1,
             alpha: Any = 1) -> torch.Tensor:  # fmt: skip
    return torch.baddbmm(bias.to(out_dtype), left.to(out_dtype), right.to(out_dtype), beta=beta, alpha=alpha)


_KERNELS = {"mm.dtype": _mm, "bmm.dtype": _bmm, "addmm.dtype": _addmm, "baddbmm.dtype": _baddbmm}


def register(library: Any) -> None:
    """Adds the overloads that this torch declares to an "aten" library."""
    for name, kernel in _KERNELS.items():
        operator, overload = name.split(".")
        has_cpu_kernel = torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", "CPU") if hasattr(
            getattr(torch.ops.aten, operator), overload) else True  # fmt: skip
        if not has_cpu_kernel:
            library.impl(name, kernel, "CPU")
