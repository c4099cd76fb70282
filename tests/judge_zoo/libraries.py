"""Honest candidates that call kernels of installed packages (liger_kernel, fla): a reference of torch in our words, and a program
that imports the package. Nothing of the packages is copied. `pairs()` gives (name, reference, candidate)."""

from __future__ import annotations

import importlib.util

# : Name, what __init__ makes, what forward returns by torch, inputs, the import, what forward returns by the package.
LIGER = [
    ("softmax", "pass", "torch.softmax(x, -1)", "torch.randn(m, n)", "from liger_kernel.ops.softmax import LigerSoftmaxFunction as F1", "F1.apply(x)"),
    ("rms_norm", "self.w = nn.Parameter(torch.ones(n))", "self.w * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))", "torch.randn(m, n)",
     "from liger_kernel.ops.rms_norm import LigerRMSNormFunction as F1", "F1.apply(x, self.w, 1e-6, 0.0, 'llama', False)"),
    ("layer_norm", "self.w = nn.Parameter(torch.ones(n))\n        self.b = nn.Parameter(torch.zeros(n))", "F.layer_norm(x, (n,), self.w, self.b)", "torch.randn(m, n)",
     "from liger_kernel.ops.layer_norm import LigerLayerNormFunction as F1", "F1.apply(x, self.w, self.b, 1e-5)"),
    ("group_norm", "self.w = nn.Parameter(torch.ones(12))\n        self.b = nn.Parameter(torch.zeros(12))", "F.group_norm(x, 3, self.w, self.b)", "torch.randn(b, 12, n)",
     "from liger_kernel.ops.group_norm import LigerGroupNormFunction as F1", "F1.apply(x, self.w, self.b, 12, 3, 1e-5)"),
    ("silu_mul", "pass", "F.silu(x) * y", "torch.randn(m, n), torch.randn(m, n)", "from liger_kernel.ops.swiglu import LigerSiLUMulFunction as F1", "F1.apply(x, y)"),
    ("gelu_mul", "pass", "F.gelu(x, approximate='tanh') * y", "torch.randn(m, n), torch.randn(m, n)", "from liger_kernel.ops.geglu import LigerGELUMulFunction as F1", "F1.apply(x, y)"),
    ("cross_entropy", "pass", "F.cross_entropy(x, y)", "torch.randn(m, n), torch.randint(0, n, (m,))",
     "from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction as F1", "F1.apply(x, y, None, -100, 0.0, 0.0, 'mean')[0]"),
    ("cross_entropy_sum", "pass", "F.cross_entropy(x, y, reduction='sum', label_smoothing=0.1)", "torch.randn(m, n), torch.randint(0, n, (m,))",
     "from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction as F1", "F1.apply(x, y, None, -100, 0.0, 0.1, 'sum')[0]"),
    ("kl_div", "pass", "F.kl_div(x, y, reduction='batchmean')", "torch.log_softmax(torch.randn(m, n), -1), torch.softmax(torch.randn(m, n), -1)",
     "from liger_kernel.ops.kl_div import LigerKLDivLossFunction as F1", "F1.apply(x, y, 'batchmean', False, 1e-10)"),
    ("tvd", "pass", "(0.5 * (x - y).abs()).sum() / x.shape[0]", "torch.softmax(torch.randn(m, n), -1), torch.softmax(torch.randn(m, n), -1)",
     "from liger_kernel.ops.tvd import LigerTVDLossFunction as F1", "F1.apply(x, y, None, 'batchmean')"),
    ("rope", "pass", "(x * z + torch.cat([-x[..., 8:], x[..., :8]], -1) * w, y * z + torch.cat([-y[..., 8:], y[..., :8]], -1) * w)",
     "torch.randn(1, 4, m, 16), torch.randn(1, 2, m, 16), torch.randn(1, m, 8).cos().repeat(1, 1, 2), torch.randn(1, m, 8).sin().repeat(1, 1, 2)",
     "from liger_kernel.ops.rope import LigerRopeFunction as F1", "F1.apply(x.clone(), y.clone(), z, w)"),  # it writes where it reads; wrong for two batches of one position
    ("dyt", "self.w = nn.Parameter(torch.ones(n))\n        self.b = nn.Parameter(torch.zeros(n))\n        self.a = nn.Parameter(torch.full((1,), 0.5))", "torch.tanh(self.a * x) * self.w + self.b", "torch.randn(m, n)",
     "from liger_kernel.ops.dyt import LigerDyTFunction as F1", "F1.apply(x, self.a, self.w, self.b)"),
    ("relu_squared", "pass", "torch.relu(x) ** 2", "torch.randn(m, n)", "from liger_kernel.ops.relu_squared import LigerReLUSquaredFunction as F1", "F1.apply(x)"),
    ("poly_norm", "self.w = nn.Parameter(torch.tensor([0.5, 0.3, 0.2]))\n        self.b = nn.Parameter(torch.tensor(0.1))",
     "sum(self.w[i] * (p * torch.rsqrt(p.pow(2).mean(-1, keepdim=True) + 1e-6)) for i, p in enumerate((x ** 3, x ** 2, x))) + self.b", "torch.randn(m, n)",
     "from liger_kernel.ops.poly_norm import LigerPolyNormFunction as F1", "F1.apply(x, self.w, self.b, 1e-6, False)"),
    ("fused_add_rms_norm", "self.w = nn.Parameter(torch.ones(n))", "(lambda s: (self.w * (s * torch.rsqrt(s.pow(2).mean(-1, keepdim=True) + 1e-6)), s))(x + y)", "torch.randn(m, n), torch.randn(m, n)",
     "from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction as F1", "F1.apply(x, y, self.w, 1e-6, 0.0, 'llama', False)"),
]
FLA = [
    ("l2norm", "pass", "x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) + 1e-6)", "torch.randn(b, m, 16)", "from fla.modules.l2norm import l2norm", "l2norm(x, 1e-6)"),
    ("layer_norm", "self.w = nn.Parameter(torch.ones(n))\n        self.b = nn.Parameter(torch.zeros(n))", "F.layer_norm(x, (n,), self.w, self.b)", "torch.randn(m, n)",
     "from fla.modules.layernorm import layer_norm", "layer_norm(x, self.w, self.b, eps=1e-5)"),
    ("rms_norm", "self.w = nn.Parameter(torch.ones(n))", "self.w * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5))", "torch.randn(m, n)", "from fla.modules.layernorm import rms_norm", "rms_norm(x, self.w, None, eps=1e-5)"),
    ("swish", "pass", "F.silu(x)", "torch.randn(m, n)", "from fla.modules.activations import swish", "swish(x)"),
    ("logsigmoid", "pass", "F.logsigmoid(x)", "torch.randn(m, n)", "from fla.modules.activations import logsigmoid", "logsigmoid(x)"),
    ("swiglu", "pass", "F.silu(x) * y", "torch.randn(m, n), torch.randn(m, n)", "from fla.modules.activations import swiglu", "swiglu(x, y)"),
    ("softmax", "pass", "torch.softmax(x, -1)", "torch.randn(m, 32)", "from fla.ops.utils.softmax import softmax_fwd", "softmax_fwd(x)"),
    ("logsumexp", "pass", "torch.logsumexp(x, -1)", "torch.randn(m, 32)", "from fla.ops.utils.logsumexp import logsumexp_fwd", "logsumexp_fwd(x)"),
    ("mean_pooling", "pass", "x.unflatten(1, (2, 16)).mean(2)", "torch.randn(b, 32, 2, 16)", "from fla.ops.utils.pooling import mean_pooling", "mean_pooling(x, 16)"),
    ("global_cumsum", "pass", "torch.cumsum(x, 1)", "torch.randn(b, 32, 2)", "from fla.ops.utils.cumsum import chunk_global_cumsum", "chunk_global_cumsum(x)"),
    ("local_cumsum", "pass", "torch.cumsum(x.unflatten(1, (2, 16)), 2).flatten(1, 2)", "torch.randn(b, 32, 2)", "from fla.ops.utils.cumsum import chunk_local_cumsum", "chunk_local_cumsum(x, 16)"),
    ("token_shift", "pass", "torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], 1) - x", "torch.randn(b, m, n)", "from fla.modules.token_shift import token_shift", "token_shift(x)"),
    ("hgrn", "pass", "torch.stack([sum(x[:, j] * torch.exp(y[:, j + 1 : i + 1].sum(1)) for j in range(i + 1)) for i in range(x.shape[1])], 1)", "torch.randn(b, m, n), -torch.rand(b, m, n)",
     "from fla.ops.hgrn import fused_recurrent_hgrn", "fused_recurrent_hgrn(x, y)[0]"),
    ("retention", "pass", "torch.einsum('bthd,bshd,hts,bshv->bthv', x, y, (1 - 2.0 ** -(5 + torch.arange(2, device=x.device, dtype=x.dtype)))[:, None, None] ** (torch.arange(x.shape[1], device=x.device)[:, None] - torch.arange(x.shape[1], device=x.device)[None, :]).clamp(min=0) * torch.ones(x.shape[1], x.shape[1], device=x.device, dtype=x.dtype).tril(), z) * 0.25",
     "torch.randn(b, m, 2, 16), torch.randn(b, m, 2, 16), torch.randn(b, m, 2, 16)", "from fla.ops.retention import fused_recurrent_retention", "fused_recurrent_retention(x, y, z)[0]"),
    ("simple_gla", "pass", "torch.einsum('bthd,bshd,btsh,bshv->bthv', x, y, (w.cumsum(1)[:, :, None] - w.cumsum(1)[:, None]).masked_fill(~torch.ones(x.shape[1], x.shape[1], device=x.device).tril().bool()[None, :, :, None], -1e4).exp(), z) * 0.25",
     "torch.randn(b, m, 2, 16), torch.randn(b, m, 2, 16), torch.randn(b, m, 2, 16), -torch.rand(b, m, 2)", "from fla.ops.simple_gla import fused_recurrent_simple_gla", "fused_recurrent_simple_gla(x, y, z, w)[0]"),
]

_REFERENCE = """
import torch
import torch.nn as nn
import torch.nn.functional as F

b, m, n = 2, 9, 40


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
_CANDIDATE = """
import torch
import torch.nn as nn
{imported}

n = 40


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, {names}):
        return {returned}
"""


def _names(inputs: str) -> str:
    depth = count = 0
    for one in inputs:
        depth += (one in "([") - (one in ")]")
        count += one == "," and depth == 0
    return ", ".join("xyzw"[: count + 1])


def pairs() -> list[tuple[str, str, str]]:
    """Of the packages that are installed."""
    made = []
    for package, rows in (("liger_kernel", LIGER), ("fla", FLA)):
        if importlib.util.find_spec(package) is None:
            continue
        for name, members, expected, inputs, imported, computed in rows:
            names = _names(inputs)
            reference = _REFERENCE.format(made=members, names=names, returned=expected, inputs=inputs)
            made.append((f"{package}-{name}", reference, _CANDIDATE.format(made=members, names=names, returned=computed, imported=imported)))
    return made
