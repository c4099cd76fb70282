"""Tasks as benchmarks of kernels have them (single operators, and short chains of a layer and what follows it), at small sizes. A row
is a name, what __init__ makes, what forward(x, ...) returns, and the inputs, by the sizes `b, m, n, k`. They are in our own words."""

from __future__ import annotations

import re

_X = "torch.randn(m, n)"
_POSITIVE = "torch.rand(m, n) + 0.1"
_IMAGE = "torch.randn(b, 6, 12, 10)"
_SIGNAL = "torch.randn(b, 6, 30)"
_VOLUME = "torch.randn(b, 4, 6, 8, 6)"
_PAIR = "torch.randn(m, k), torch.randn(k, n)"

# : Name, what forward returns, inputs.
FUNCTIONS = [
    ("matmul", "x @ y", _PAIR), ("matmul_transposed_left", "x.T @ y", "torch.randn(k, m), torch.randn(k, n)"),
    ("matmul_transposed_right", "x @ y.T", "torch.randn(m, k), torch.randn(n, k)"), ("batched_matmul", "torch.bmm(x, y)", "torch.randn(b, m, k), torch.randn(b, k, n)"),
    ("matrix_vector", "x @ y", "torch.randn(m, n), torch.randn(n)"), ("outer", "x[:, None] * y[None, :]", "torch.randn(m), torch.randn(n)"),
    ("diagonal_matmul", "torch.diag(x) @ y", "torch.randn(m), torch.randn(m, n)"), ("triangular_matmul", "torch.tril(x @ y)", "torch.randn(n, n), torch.randn(n, n)"),
    ("scalar_matrix", "x * 3.14", _X), ("einsum_4d", "torch.einsum('bijl,lk->bijk', x, y)", "torch.randn(b, 3, 5, n), torch.randn(n, k)"),
    ("softmax_columns", "torch.softmax(x, 0)", _X), ("log_softmax_3d", "torch.log_softmax(x, 1)", "torch.randn(b, m, n)"), ("logsumexp_3d", "torch.logsumexp(x, 1)", "torch.randn(b, m, n)"),
    ("selu", "F.selu(x)", _X), ("celu", "F.celu(x, 1.3)", _X), ("prelu", "F.prelu(x, y)", "torch.randn(m, n), torch.rand(n)"), ("tanhshrink", "F.tanhshrink(x)", _X),
    ("softshrink", "F.softshrink(x, 0.4)", _X), ("hardshrink", "F.hardshrink(x, 0.4)", _X), ("threshold", "F.threshold(x, 0.1, 20.0)", _X), ("glu", "F.glu(x, -1)", "torch.randn(m, 2 * n)"),
    ("new_gelu", "0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))", _X), ("quick_gelu", "x * torch.sigmoid(1.702 * x)", _X),
    ("rms_norm_channels", "x / torch.sqrt((x * x).mean(1, keepdim=True) + 1e-5)", _IMAGE), ("frobenius", "x / torch.linalg.vector_norm(x)", _X), ("l1_norm", "x / x.abs().sum(1, keepdim=True)", _POSITIVE),
    ("l2_norm", "x / torch.linalg.vector_norm(x, dim=1, keepdim=True)", _POSITIVE), ("instance_norm", "F.instance_norm(x)", _IMAGE), ("cosine", "F.cosine_similarity(x, y, dim=1)", "torch.randn(m, n), torch.randn(m, n)"),
    ("max_pool_1d", "F.max_pool1d(x, 3, 2, 1)", _SIGNAL), ("max_pool_2d", "F.max_pool2d(x, 3, 2, 1)", _IMAGE), ("max_pool_dilated", "F.max_pool2d(x, 2, 1, 0, 3)", _IMAGE), ("avg_pool_1d", "F.avg_pool1d(x, 4, 2, 1)", _SIGNAL),
    ("avg_pool_2d", "F.avg_pool2d(x, 3)", _IMAGE), ("avg_pool_3d", "F.avg_pool3d(x, 2)", _VOLUME), ("adaptive_avg", "F.adaptive_avg_pool2d(x, 1)", _IMAGE), ("adaptive_avg_3", "F.adaptive_avg_pool2d(x, (3, 5))", _IMAGE),
    ("sum_middle", "x.sum(1)", "torch.randn(b, m, n)"), ("sum_keep", "x.sum(1, keepdim=True)", "torch.randn(b, m, n)"), ("mean_first", "x.mean(0)", "torch.randn(b, m, n)"), ("max_middle", "x.amax(1)", "torch.randn(b, m, n)"),
    ("min_last", "x.amin(-1)", "torch.randn(b, m, n)"), ("argmax_1", "torch.argmax(x, 1)", "torch.randn(b, m, n)"), ("argmin_last", "torch.argmin(x, -1)", "torch.randn(b, m, n)"), ("any_positive", "(x > 1.5).any(-1)", _X),
    ("count", "(x > 0).sum(-1)", _X), ("variance", "x.var(-1)", _X), ("deviation", "x.std(0)", _X), ("norm_all", "torch.linalg.vector_norm(x)", _X), ("mean_all", "x.mean()", _X),
    ("cumsum_last", "torch.cumsum(x, 1)", _X), ("cumsum_reverse", "torch.flip(torch.cumsum(torch.flip(x, [1]), 1), [1])", _X), ("cumprod", "torch.cumprod(x, 1)", "torch.rand(m, n) * 0.2 + 0.9"),
    ("masked_cumsum", "torch.cumsum(x * y, 1)", "torch.randn(m, n), torch.randint(0, 2, (m, n)).bool()"),
    ("mse_loss", "F.mse_loss(x, y)", "torch.randn(m, n), torch.randn(m, n)"), ("huber", "F.smooth_l1_loss(x, y)", "torch.randn(m, n), torch.randn(m, n)"), ("hinge", "torch.mean(torch.clamp(1 - x * y, min=0))", "torch.randn(m, n), torch.randint(0, 2, (n,)).float() * 2 - 1"),
    ("cross_entropy_mean", "F.cross_entropy(x, y)", "torch.randn(m, n), torch.randint(0, n, (m,))"), ("cross_entropy_smooth", "F.cross_entropy(x, y, label_smoothing=0.1)", "torch.randn(m, n), torch.randint(0, n, (m,))"),
    ("nll", "F.nll_loss(torch.log_softmax(x, 1), y, reduction='none')", "torch.randn(m, n), torch.randint(0, n, (m,))"), ("bce_logits", "F.binary_cross_entropy_with_logits(x, y)", "torch.randn(m, n), torch.rand(m, n)"),
    ("kl", "F.kl_div(torch.log_softmax(x, 1), torch.softmax(y, 1), reduction='batchmean')", "torch.randn(m, n), torch.randn(m, n)"), ("triplet", "F.triplet_margin_loss(x, y, z)", "torch.randn(m, n), torch.randn(m, n), torch.randn(m, n)"),
    ("cosine_loss", "(1 - F.cosine_similarity(x, y, dim=1)).mean()", "torch.randn(m, n), torch.randn(m, n)"), ("embedding", "F.embedding(y, x)", "torch.randn(m, n), torch.randint(0, m, (k,))"), ("gather", "torch.gather(x, 1, y)", "torch.randn(m, n), torch.randint(0, n, (m, k))"),
    ("index_add", "torch.zeros_like(x).index_add(0, y, x)", "torch.randn(m, n), torch.randint(0, m, (m,))"), ("where", "torch.where(x > y, x, y * 2)", "torch.randn(m, n), torch.randn(n)"), ("transpose_copy", "x.permute(2, 0, 1).contiguous()", "torch.randn(b, m, n)"),
    ("roll", "torch.roll(x, 3, 1)", _X), ("flip", "torch.flip(x, [0, 1])", _X), ("pad_reflect", "F.pad(x, (3, 2), mode='reflect')", _SIGNAL), ("concatenate", "torch.cat([x, y * 2], 1)", "torch.randn(m, n), torch.randn(m, k)"), ("repeat", "x.repeat(2, 3)", _X),
    ("upsample", "F.interpolate(x, scale_factor=2, mode='nearest')", _IMAGE), ("bilinear", "F.interpolate(x, scale_factor=2, mode='bilinear')", _IMAGE), ("pixel_shuffle", "F.pixel_shuffle(x, 2)", "torch.randn(b, 8, 5, 6)"),
    ("rotary", "torch.cat([x[..., :8] * y.cos() - x[..., 8:] * y.sin(), x[..., 8:] * y.cos() + x[..., :8] * y.sin()], -1)", "torch.randn(b, m, 16), torch.randn(m, 8)"),
    ("attention_causal", "torch.softmax((x @ y.transpose(1, 2) / 4).masked_fill(torch.ones(m, m, device=x.device).triu(1).bool(), -1e9), -1) @ z", "torch.randn(b, m, 16), torch.randn(b, m, 16), torch.randn(b, m, 16)"),
    ("decayed_scan", "torch.stack([x[:, : i + 1].flip(1).mul(0.5 ** torch.arange(i + 1.0, device=x.device)).sum(1) for i in range(5)], 1)", _X),
]
# : Name, what __init__ makes, what forward returns, inputs.
LAYERS = [
    ("linear_relu_divide", "self.a = nn.Linear(n, k)", "torch.relu(self.a(x)) / 2.0", _X), ("linear_swish_scale", "self.a = nn.Linear(n, k)", "F.silu(self.a(x)) * 2.0", _X), ("linear_gelu_softmax", "self.a = nn.Linear(n, k)", "torch.softmax(F.gelu(self.a(x)), 1)", _X),
    ("linear_sigmoid_sum", "self.a = nn.Linear(n, k)", "torch.sigmoid(self.a(x)).sum(1, keepdim=True)", _X), ("linear_subtract_multiply_relu", "self.a = nn.Linear(n, k)", "torch.relu((self.a(x) - 2.0) * 1.5)", _X),
    ("linear_scale_residual", "self.a = nn.Linear(n, n)", "self.a(x) * 0.5 + x", _X), ("linear_max_mean_gelu", "self.a = nn.Linear(n, k)", "F.gelu(self.a(x).amax(1, keepdim=True) - self.a(x).mean(1, keepdim=True))", _X),
    ("linear_batch_norm_gelu_relu", "self.a = nn.Linear(n, k)\n        self.b = nn.BatchNorm1d(k)", "torch.relu(F.gelu(self.b(self.a(x))))", _X), ("linear_group_norm_hardtanh", "self.a = nn.Linear(n, 12)\n        self.b = nn.GroupNorm(3, 12)", "F.hardtanh(self.b(self.a(x)))", _X),
    ("linear_min_subtract", "self.a = nn.Linear(n, k)", "torch.minimum(self.a(x), torch.full((k,), 0.3, device=x.device)) - 0.3", _X), ("linear_logsumexp_leaky", "self.a = nn.Linear(n, k)", "F.gelu(F.leaky_relu(torch.logsumexp(self.a(x), 1, keepdim=True)))", _X),
    ("linear_mish_mish", "self.a = nn.Linear(n, k)", "F.mish(F.mish(self.a(x)))", _X), ("linear_add_swish_tanh", "self.a = nn.Linear(n, k)\n        self.w = nn.Parameter(torch.randn(k))", "F.hardtanh(F.gelu(torch.tanh(F.silu(self.a(x) + self.w))))", _X),
    ("batch_norm", "self.a = nn.BatchNorm2d(6)", "self.a(x)", _IMAGE), ("group_norm", "self.a = nn.GroupNorm(2, 6)", "self.a(x)", _IMAGE), ("instance_norm_affine", "self.a = nn.InstanceNorm2d(6, affine=True)", "self.a(x)", _IMAGE), ("layer_norm_image", "self.a = nn.LayerNorm((6, 12, 10))", "self.a(x)", _IMAGE),
    ("group_norm_silu", "self.a = nn.GroupNorm(3, 6)", "F.silu(self.a(x))", _IMAGE), ("batch_norm_relu_pool", "self.a = nn.BatchNorm2d(6)", "F.max_pool2d(torch.relu(self.a(x)), 2)", _IMAGE), ("norm_scale_residual", "self.a = nn.LayerNorm(n)", "x + 0.5 * self.a(x)", _X),
    ("gated", "self.w = nn.Parameter(torch.randn(n))\n        self.v = nn.Parameter(torch.randn(n))", "F.silu(x * self.w) * (x + self.v)", _X), ("bias_dropout_eval", "self.w = nn.Parameter(torch.randn(n))\n        self.d = nn.Dropout(0.3)", "self.d(x + self.w)", _X),
    ("layer_scale", "self.w = nn.Parameter(1e-2 * torch.ones(n))", "x + self.w * torch.tanh(x)", _X), ("positions", "self.w = nn.Parameter(torch.randn(m, n))", "x + self.w[: x.shape[0]]", _X), ("embedding_norm", "self.a = nn.Embedding(17, 12)\n        self.b = nn.LayerNorm(12)", "self.b(self.a(x))", "torch.randint(0, 17, (b, m))"),
    ("convolution_1d", "self.a = nn.Conv1d(6, 8, 3, padding=1)", "self.a(x)", _SIGNAL), ("convolution_2d_relu_bias", "self.a = nn.Conv2d(6, 8, 3)\n        self.w = nn.Parameter(torch.randn(8, 1, 1))", "torch.relu(self.a(x)) + self.w", _IMAGE),
    ("depthwise", "self.a = nn.Conv2d(6, 6, 3, groups=6)", "self.a(x)", _IMAGE), ("pointwise", "self.a = nn.Conv2d(6, 8, 1)", "self.a(x)", _IMAGE),
]
# : In these types, too.
NARROW = ("softmax_columns", "glu", "new_gelu", "l2_norm", "instance_norm", "avg_pool_2d", "max_pool_2d", "sum_middle", "mean_first", "variance", "mse_loss", "where", "bilinear", "batch_norm", "group_norm", "gated", "norm_scale_residual", "rotary")

_REFERENCE = """
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

b, m, n, k = 2, 9, 34, 20


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, {names}):
        return {returned}


def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
"""


def references() -> list[tuple[str, str]]:
    """(name, text of the reference)."""
    rows = [(name, "pass", returned, inputs, "float32") for name, returned, inputs in FUNCTIONS]
    rows += [(*row, "float32") for row in LAYERS]
    rows += [(*row[:4], dtype) for row in rows for dtype in ("float16", "bfloat16") if row[0] in NARROW]
    return [
        (name if dtype == "float32" else f"{name}-{dtype}", _text(made, returned, inputs, dtype))
        for name, made, returned, inputs, dtype in rows]


def _text(made: str, returned: str, inputs: str, dtype: str) -> str:
    names = ", ".join("xyz"[: len(re.findall(r"torch\.rand|torch\.randn|torch\.randint", inputs))])
    if dtype != "float32":
        made += f"\n        self.to(torch.{dtype})"
        inputs = f"one.to(torch.{dtype}) if one.is_floating_point() else one for one in ({inputs},)"
    return _REFERENCE.format(made=made, names=names, returned=returned, inputs=inputs)
