"""torch.autocast("cuda"): the CPU's autocast is switched with it, and given the lists of operators of CUDA's.

Tensors here are the CPU's, so torch's own rules for CUDA never see them. The CPU's rules cast fewer operators to
float32; those that only CUDA's list names are registered for the CPU's autocast key when CUDA's autocast is first
switched on, and act only while it is on. Differences that remain: promotion of mixed operands by CUDA's "widest type"
list (addcdiv, index_put, ...) is the CPU's."""

from __future__ import annotations

from typing import Any

import torch

from lockstep.pretend.patching import Patch

_FLOAT32 = [
    "acos", "asin", "cosh", "erfinv", "exp", "expm1", "log", "log10", "log1p", "log2", "reciprocal", "rsqrt",
    "sinh", "tan", "softplus", "layer_norm", "native_layer_norm", "group_norm", "cosine_similarity",
    "poisson_nll_loss", "cosine_embedding_loss", "nll_loss", "nll_loss2d", "hinge_embedding_loss", "kl_div",
    "l1_loss", "smooth_l1_loss", "huber_loss", "mse_loss", "margin_ranking_loss", "multilabel_margin_loss",
    "soft_margin_loss", "triplet_margin_loss", "multi_margin_loss", "binary_cross_entropy_with_logits", "dist",
    "pdist", "cdist", "renorm", "logsumexp", "pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar",
    "softmax.int", "log_softmax.int", "sum", "sum.dim_IntList", "prod", "prod.dim_int", "cumsum", "cumprod",
    "linalg_vector_norm", "linalg_matrix_norm", "norm.Scalar", "norm.ScalarOpt_dim", "frobenius_norm.dim",
    "nuclear_norm",
]  # fmt: skip
_LOW_PRECISION = ["addmv", "addr", "mv", "prelu", "chain_matmul"]
_KEY = "AutocastCPU"
_library: Any = None


def _is_castable(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64


def _cast(value: Any, dtype: torch.dtype) -> Any:
    if _is_castable(value):
        return value.to(dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(item, dtype) for item in value)
    return value


def _kernel(operator: Any, dtype: torch.dtype | None) -> Any:
    """The operator with its tensors cast: to dtype, or to autocast's own type where dtype is None."""
    below = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)

    def casting(*args: Any, **kwargs: Any) -> Any:
        with torch._C._ExcludeDispatchKeyGuard(below):
            if torch.is_autocast_enabled("cuda"):
                wanted = dtype or torch.get_autocast_dtype("cuda")
                args = _cast(args, wanted)
                kwargs = {name: _cast(value, wanted) for name, value in kwargs.items()}
            return operator(*args, **kwargs)

    return casting


def _register() -> None:
    global _library
    if _library is not None:
        return
    _library = torch.library.Library("aten", "IMPL")
    for names, dtype in ((_FLOAT32, torch.float32), (_LOW_PRECISION, None)):
        for name in names:
            base, _, overload = name.partition(".")
            operator = getattr(getattr(torch.ops.aten, base, None), overload or "default", None)
            if operator is not None and not torch._C._dispatch_has_kernel_for_dispatch_key(operator.name(), _KEY):
                _library.impl(name, _kernel(operator, dtype), _KEY)


_raw_set_enabled = torch.set_autocast_enabled
_raw_set_dtype = torch.set_autocast_dtype


def _set_enabled(*args: Any, **kwargs: Any) -> None:
    device = args[0] if len(args) == 2 else kwargs.get("device_type", "cuda")
    _raw_set_enabled(*args, **kwargs)
    if device == "cuda":
        enabled = torch.is_autocast_enabled("cuda")
        if enabled:
            _register()
            _raw_set_dtype("cpu", torch.get_autocast_dtype("cuda"))
        _raw_set_enabled("cpu", enabled)


def _set_dtype(device_type: str, dtype: torch.dtype) -> None:
    _raw_set_dtype(device_type, dtype)
    if device_type == "cuda" and torch.is_autocast_enabled("cuda"):
        _raw_set_dtype("cpu", dtype)


def patches() -> list[Patch]:
    """Rows for the switches of autocast, which torch.autocast and torch.cuda.amp use."""
    why = "CUDA's autocast switches the CPU's autocast, which these tensors use"
    return [Patch(torch, "set_autocast_enabled", _set_enabled, why),
            Patch(torch, "set_autocast_dtype", _set_dtype, why)]  # fmt: skip


class Lists:
    """The registered operators, removed when the pretence ends."""

    def supply(self) -> None:
        """Nothing yet: most programs never switch autocast on."""

    def remove(self) -> None:
        global _library
        if _library is not None:
            _library._destroy()
            _library = None
