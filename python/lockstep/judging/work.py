"""Who did the work: the aten ops of a call beside its launches. Invariant: glue is never a reason (allocation, views, casts, copies,
padding, reductions of partial results)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

# : Ops that are never glue where they touch data.
HEAVY = frozenset(
    """mm bmm addmm baddbmm matmul dot mv addmv linear einsum convolution convolution_overrideable _convolution conv2d cudnn_convolution
    _scaled_dot_product_flash_attention _scaled_dot_product_efficient_attention scaled_dot_product_attention
    _scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_attention_math _softmax _log_softmax softmax log_softmax
    native_layer_norm native_group_norm native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training
    _fused_rms_norm rms_norm layer_norm logsumexp nll_loss_forward mse_loss smooth_l1_loss cumsum cumprod logcumsumexp cummax sort
    topk argsort max_pool2d_with_indices avg_pool2d avg_pool1d avg_pool3d max_pool3d_with_indices _adaptive_avg_pool2d
    adaptive_max_pool2d gather scatter scatter_add index_select embedding _embedding_bag _fft_r2c _fft_c2r _fft_c2c linalg_inv_ex
    linalg_cholesky_ex linalg_solve_triangular triangular_solve linalg_qr gelu silu mish softplus hardtanh elu
    """.split())
# : Of these, ops that may join partial results.
REDUCING = frozenset(("logsumexp",))
# : Ops that move, make or convert.
GLUE = frozenset(
    """empty empty_like empty_strided new_empty new_empty_strided zeros zeros_like new_zeros ones ones_like new_ones full full_like
    new_full fill_ zero_ view _unsafe_view reshape expand permute transpose t slice select narrow unsqueeze squeeze split chunk unbind
    alias detach clone copy_ _to_copy to contiguous as_strided cat stack constant_pad_nd flatten unfold resize_ set_ lift_fresh
    _reshape_alias is_same_size arange scalar_tensor _local_scalar_dense item record_stream is_pinned pin_memory view_as_real
    view_as_complex view_as movedim swapaxes _reshape_copy squeeze_ unsqueeze_ transpose_ normal_ uniform_
    """.split())


# : A norm, a softmax or a loss in one op counts as so many elementwise ones.
_PASSES = 5
# : Ops that count as two flops for each product; the others count one for each element.
_PRODUCTS = frozenset("mm bmm addmm baddbmm mv addmv dot".split())


def _tensors(value: Any) -> list[Any]:
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [one for part in value for one in _tensors(part)] if isinstance(value, tuple | list) else []


def _flops(name: str, given: list[Any], made: list[Any]) -> int:
    elements = max([one.numel() for one in [*given, *made]], default=0)
    if name in _PRODUCTS and given and made:
        return 2 * made[0].numel() * given[-2 if len(given) > 1 else 0].shape[-1]
    if "convolution" in name and len(given) > 1 and made:
        return 2 * made[0].numel() * given[1].numel() // max(given[1].shape[0], 1)
    return elements * (_PASSES if name in HEAVY else 1)


class Recorder:
    """The aten ops of a call: [{"op", "elements", "flops", "line"}], at most 256."""

    def __init__(self, line: Callable[[], int]) -> None:
        self.ops: list[dict[str, Any]] = []
        self.count = 0  # of all
        self._line = line
        self.on_op: Callable[[str, list[Any], list[Any]], None] | None = None

    def add(self, name: str, arguments: Any, result: Any) -> None:
        given, made = _tensors(arguments), _tensors(result)
        self.count += 1
        if self.on_op is not None:
            self.on_op(name, given, made)
        if len(self.ops) < 256:
            elements = max([one.numel() for one in [*given, *made]], default=0)
            flops = 0 if name in GLUE else _flops(name, given, made)
            self.ops.append({"op": name, "elements": elements, "flops": flops, "line": self._line()})

    @contextlib.contextmanager
    def mode(self) -> Iterator[None]:
        from torch.utils._python_dispatch import TorchDispatchMode

        recorder = self

        class Mode(TorchDispatchMode):
            @classmethod
            def _should_skip_dynamo(cls) -> bool:  # or its first op imports torch.compile, for seconds
                return False

            def __torch_dispatch__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
                result = function(*args, **(kwargs or {}))
                recorder.add(function._overloadpacket.__name__, [args, kwargs or {}], result)
                return result

        with Mode():
            yield


def forbidden(
    ops: list[dict[str, Any]], reference_ops: list[dict[str, Any]], largest: int, is_own_size: bool
) -> list[dict[str, Any]]:
    """The ops of a call that are the kernels' work: heavy ones, and on more than a quarter of the largest tensor's elements what the
    reference itself computes with. is_own_size: at other sizes (a row of one element) partial results may be as many as inputs."""
    names = {one["op"] for one in reference_ops}
    found = []
    for one in ops:
        name = one["op"].removesuffix("_") if one["op"] not in GLUE else one["op"]
        if name in GLUE or one["op"] in GLUE:
            continue
        same = name in names or one["op"] in names
        is_large = is_own_size and one["elements"] * 4 > largest
        if one["elements"] >= 16 and (is_large if name in REDUCING or (same and name not in HEAVY) else name in HEAVY):
            found.append(one)
    return found


def table(ops: list[dict[str, Any]], reference_ops: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By op and line, for the report. "flops_share": of the reference's flops, as far as they are counted."""
    whole = max(sum(one["flops"] for one in reference_ops), 1)
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for one in ops:
        row = rows.setdefault(
            (one["op"], one["line"]), {"op": one["op"], "line": one["line"], "times": 0, "elements": 0, "flops_share": 0.0})
        row["times"] += 1
        row["elements"] = max(row["elements"], one["elements"])
        row["flops_share"] = round(row["flops_share"] + one["flops"] / whole, 4)
    return list(rows.values())
