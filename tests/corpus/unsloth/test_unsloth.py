"""unsloth's gated activations against float64. Only the kernel files are imported: unsloth's package and its
kernels.utils ask for model hubs, unsloth_zoo and compiled libraries, so the three names that these files take from
utils are stood in for."""

from __future__ import annotations

import contextlib
import importlib

import pytest
import torch
from support.autograd import Accuracy, agree, all_dtypes, randn
from support.bare import bare_package, triton_stub


def kernels(name: str):
    from triton.language.extra import libdevice

    bare_package("unsloth.kernels")
    triton_stub(
        "unsloth.kernels.utils",
        calculate_settings=None,
        triton_tanh=libdevice.tanh,
        torch_gpu_device=lambda device: contextlib.nullcontext(),
    )
    return importlib.import_module(f"unsloth.kernels.{name}")


ACTIVATIONS = {
    "swiglu": ("swiglu", "swiglu_fg_kernel", "swiglu_DWf_DW_dfg_kernel", torch.nn.functional.silu),
    "geglu-exact": ("geglu", "geglu_exact_forward_kernel", "geglu_exact_backward_kernel", torch.nn.functional.gelu),
    "geglu-approx": (
        "geglu",
        "geglu_approx_forward_kernel",
        "geglu_approx_backward_kernel",
        lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    ),
}


@all_dtypes
@pytest.mark.parametrize("names", ACTIVATIONS.values(), ids=ACTIVATIONS.keys())
def test_gated_activation(corpus, dtype, names):
    module, forward, backward, activation = kernels(names[0]), names[1], names[2], names[3]
    gate, up, upstream = (randn(2, 3, 500, dtype=dtype, seed=seed) for seed in range(3))
    wide_gate = gate.double().requires_grad_(True)
    active = activation(wide_gate)
    # The activation is rounded to the type, then multiplied: two roundings of values no larger than the factors.
    accuracy = Accuracy(3, 4)
    agree(corpus, "forward", getattr(module, forward)(gate, up), active.detach() * up.double(), accuracy)
    grads = [t.clone().view(6, 500) for t in (upstream, gate, up)]
    with corpus.backward():
        getattr(module, backward)(*grads)
    (slope,) = torch.autograd.grad(active, wide_gate, (upstream.double() * up.double()))
    agree(corpus, "the product again", grads[0].view_as(gate), active.detach() * up.double(), accuracy)
    agree(corpus, "gradient of up", grads[1].view_as(gate), upstream.double() * active.detach(), accuracy)
    agree(corpus, "gradient of gate", grads[2].view_as(gate), slope, accuracy)
