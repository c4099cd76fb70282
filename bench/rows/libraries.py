"""Rows of liger_kernel's own kernels: RMS norm, rotary embedding, cross entropy, launched as the library does."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from rows.work import Case, Launch, Row


def rms_norm(device: str, rows: int, columns: int) -> Case:
    from liger_kernel.ops import rms_norm as liger

    x, weight = torch.randn(rows, columns), torch.randn(columns)
    out, scale = torch.empty_like(x), torch.empty(rows)
    block, _ = liger.calculate_settings(columns)
    arguments = {"Y_ptr": out, "Y_row_stride": columns, "X_ptr": x, "X_row_stride": columns, "W_ptr": weight}
    arguments |= {"W_row_stride": 1, "RSTD_ptr": scale, "RSTD_row_stride": 1, "n_cols": columns, "eps": 1e-6}
    arguments |= {"offset": 0.0, "casting_mode": 0, "elementwise_affine": True, "BLOCK_SIZE": block}
    launch = Launch(liger._rms_norm_forward_kernel, (rows,), arguments, [out])
    torch_out, norm = torch.empty_like(x), torch.empty(rows, 1)

    def torch_side() -> list[torch.Tensor]:  # ten times faster than F.rms_norm, which torch puts together on the CPU
        torch.linalg.vector_norm(x, dim=1, keepdim=True, out=norm)
        torch.mul(x, norm.square_().div_(columns).add_(1e-6).rsqrt_(), out=torch_out)
        return [torch_out.mul_(weight)]

    return Case(launch, torch_side, 1e-5)


def rotary(device: str, tokens: int, heads: int, key_heads: int, width: int) -> Case:
    from liger_kernel.ops import rope as liger

    q, k = torch.randn(1, tokens, heads, width).half(), torch.randn(1, tokens, key_heads, width).half()
    angle = torch.outer(torch.arange(tokens), 1e4 ** -(torch.arange(0, width, 2) / width))
    cos, sin = (torch.cat((part, part), 1)[None].half().contiguous() for part in (angle.cos(), angle.sin()))
    torch_q, torch_k, half = q.clone(), k.clone(), width // 2
    factors = cos[0, :, None, :half], sin[0, :, None, :half]
    scratch = {part.shape: torch.empty_like(part[..., :half]) for part in (torch_q, torch_k)}

    def rotate(x: torch.Tensor) -> torch.Tensor:
        left, right, kept = x[..., :half], x[..., half:], scratch[x.shape]
        kept.copy_(left)
        left.mul_(factors[0]).addcmul_(right, factors[1], value=-1)
        right.mul_(factors[0]).addcmul_(kept, factors[1])
        return x

    arguments = {"q_ptr": q, "q_row_stride": heads * width, "k_ptr": k, "k_row_stride": key_heads * width, "cos": cos}
    arguments |= {"cos_row_stride": width, "sin": sin, "sin_row_stride": width, "sl": tokens, "bs": 1, "cos_bs": 1}
    arguments |= {"n_qh": heads, "n_kh": key_heads, "hd": width}
    arguments |= {"pad_n_qh": heads, "pad_n_kh": key_heads, "pad_hd": width}
    arguments |= {"pad_rd": width, "rd": width, "BLOCK_SIZE": max(heads, key_heads), "BACKWARD_PASS": False}
    launch = Launch(liger._triton_rope, (tokens,), arguments, [q, k])
    return Case(launch, lambda: [rotate(torch_q), rotate(torch_k)], 2e-3)


def cross_entropy(device: str, rows: int, words: int) -> Case:
    from liger_kernel.ops import cross_entropy as liger

    x, target, loss = torch.randn(rows, words), torch.randint(0, words, (rows,)), torch.zeros(rows)
    block = min(liger.MAX_FUSED_SIZE, 1 << (words - 1).bit_length())
    arguments = {"X_ptr": x, "X_stride": words, "Y_ptr": target, "Y_stride": 1, "weight_ptr": None, "loss_ptr": loss}
    arguments |= {"z_loss_ptr": None, "loss_stride": 1, "token_accuracy_ptr": None, "token_accuracy_stride": 0}
    arguments |= {"predicted_tokens_ptr": None, "predicted_tokens_stride": 0, "n_cols": words, "n_non_ignore": rows}
    arguments |= {"sum_non_ignore_weight": rows, "weight_sum": 0.0, "ignore_index": -100, "lse_square_scale": 0.0}
    arguments |= {"label_smoothing": 0.0, "reduction": "none", "softcap": None, "RETURN_Z_LOSS": False}
    arguments |= {"RETURN_TOKEN_ACCURACY": False, "RETURN_PREDICTED_TOKENS": False, "BLOCK_SIZE": block}
    arguments |= {"HAS_WEIGHT": False, "HAS_SOFTCAPPING": False, "HAS_GRADIENTS": False}
    launch = Launch(liger.liger_cross_entropy_kernel, (rows,), arguments, [loss])
    return Case(launch, lambda: [F.cross_entropy(x, target, reduction="none")], 1e-5)


ROWS = [
    Row("RMS norm f32 2048x4096 (liger)", rms_norm, {"rows": 2048, "columns": 4096}, {"rows": 3, "columns": 500},
        "linalg.vector_norm(out=), mul(out=), mul_"),
    Row("rotary f16, 2048 tokens, 32+8 heads of 128 (liger)", rotary,
        {"tokens": 2048, "heads": 32, "key_heads": 8, "width": 128},
        {"tokens": 5, "heads": 4, "key_heads": 2, "width": 32}, "mul_, addcmul_ in place", tags=["memory"]),
    Row("cross entropy f32 1024x32000 (liger)", cross_entropy, {"rows": 1024, "words": 32000},
        {"rows": 4, "words": 700}, "F.cross_entropy"),
]  # fmt: skip
