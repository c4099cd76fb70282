"""Report 3: a GatedDeltaNet layer, forward and backward, against a recurrence in float64.

The layer is built here from fla's parts: three short convolutions, the chunked gated delta rule with normalised queries
and keys, a gated RMS norm, an output projection. fla-core has the parts and not the layer."""

import sys

import torch
from torch.nn import functional

DTYPE = getattr(torch, sys.argv[1])
BATCH, TIME, HEADS, KEYS, VALUES, WIDTH = 1, 130, 2, 32, 64, 48


def parameters() -> dict[str, torch.Tensor]:
    torch.manual_seed(0)
    widths = {
        "q": HEADS * KEYS,
        "k": HEADS * KEYS,
        "v": HEADS * VALUES,
        "gate": HEADS * VALUES,
        "beta": HEADS,
        "a": HEADS,
    }
    made = {f"{name}_projection": torch.randn(width, WIDTH) / WIDTH**0.5 for name, width in widths.items()}
    made |= {f"{name}_filter": torch.randn(widths[name], 1, 4) / 2 for name in "qkv"}
    made |= {"a_log": torch.rand(HEADS), "dt_bias": torch.randn(HEADS), "norm": torch.rand(VALUES) + 0.5}
    made["output"] = torch.randn(WIDTH, HEADS * VALUES) / (HEADS * VALUES) ** 0.5
    return made


def heads(x: torch.Tensor) -> torch.Tensor:
    return x.unflatten(-1, (HEADS, -1))


def gates(x: torch.Tensor, p: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    log_decay = -p["a_log"].exp() * functional.softplus(
        functional.linear(x, p["a_projection"]).to(p["a_log"]) + p["dt_bias"]
    )
    return functional.linear(x, p["beta_projection"]).sigmoid(), log_decay


def layer(x: torch.Tensor, p: dict[str, torch.Tensor]) -> torch.Tensor:
    from fla.modules import FusedRMSNormGated, ShortConvolution
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule

    mixed = {}
    for name in "qkv":
        convolution = ShortConvolution(
            p[f"{name}_filter"].shape[0], 4, activation="silu", device=x.device, dtype=x.dtype
        )
        projected = functional.linear(x, p[f"{name}_projection"])
        taps = {"weight": p[f"{name}_filter"]}
        mixed[name] = heads(torch.func.functional_call(convolution, taps, (projected,))[0])
    beta, g = gates(x, p)
    o, _ = chunk_gated_delta_rule(mixed["q"], mixed["k"], mixed["v"], g=g, beta=beta, use_qk_l2norm_in_kernel=True)
    norm = FusedRMSNormGated(VALUES, device=x.device, dtype=x.dtype)
    gate = heads(functional.linear(x, p["gate_projection"]))
    o = torch.func.functional_call(norm, {"weight": p["norm"]}, (o, gate))
    return functional.linear(o.flatten(-2), p["output"])


def short_convolution(x: torch.Tensor, taps: torch.Tensor) -> torch.Tensor:
    padded = functional.pad(x.transpose(1, 2), (taps.shape[-1] - 1, 0))
    return functional.silu(functional.conv1d(padded, taps, groups=taps.shape[0])).transpose(1, 2)


def reference(x: torch.Tensor, p: dict[str, torch.Tensor]) -> torch.Tensor:
    q, k, v = (heads(short_convolution(functional.linear(x, p[f"{n}_projection"]), p[f"{n}_filter"])) for n in "qkv")
    q, k = (y / (y.square().sum(-1, keepdim=True) + 1e-6).sqrt() for y in (q, k))
    beta, g = gates(x, p)
    state = x.new_zeros(BATCH, HEADS, KEYS, VALUES)
    rows = []
    for t in range(TIME):
        state = state * g[:, t, :, None, None].exp()
        seen = torch.einsum("bhk,bhkv->bhv", k[:, t], state)
        state = state + torch.einsum("bhk,bhv->bhkv", k[:, t], beta[:, t, :, None] * (v[:, t] - seen))
        rows.append(torch.einsum("bhk,bhkv->bhv", q[:, t] * KEYS**-0.5, state))
    o = torch.stack(rows, 1)
    o = o / (o.square().mean(-1, keepdim=True) + 1e-5).sqrt() * p["norm"]
    return functional.linear(
        (o * functional.silu(heads(functional.linear(x, p["gate_projection"])))).flatten(-2), p["output"]
    )


# One number per head, float32 in fla; the gradient is a sum over time of terms of both signs.
SUMMED = ("a_log", "dt_bias")


def run(function, x, p, dy, dtype, steps=1):
    """Output and gradients. With `steps` the summed parameters are repeated: their gradients are the sum's terms."""
    leaves = {}
    for name, tensor in {"x": x, **p}.items():
        kept = torch.promote_types(dtype, torch.float32) if name in SUMMED else dtype
        tensor = tensor.detach().to(kept).clone()
        leaves[name] = (tensor.repeat(steps, 1) if name in SUMMED and steps > 1 else tensor).requires_grad_()
    y = function(leaves["x"], {n: t for n, t in leaves.items() if n != "x"})
    y.backward(dy.to(dtype))
    return {"y": y.detach()} | {"d" + name: leaf.grad for name, leaf in leaves.items()}


def error_of(name, got, wanted):
    """Relative to the root of the mean square; for a sum, to the sum of its terms' magnitudes."""
    if name[1:] in SUMMED:
        return ((got.double() - wanted.sum(0)).abs() / wanted.abs().sum(0)).max().item()
    return ((got.double() - wanted).square().mean().sqrt() / wanted.square().mean().sqrt()).item()


p = {name: tensor.to(DTYPE).float().cuda() for name, tensor in parameters().items()}
x = torch.randn(BATCH, TIME, WIDTH).to(DTYPE).float().cuda()
dy = torch.randn(BATCH, TIME, WIDTH).to(DTYPE).float().cuda()
got, wanted = run(layer, x, p, dy, DTYPE), run(reference, x, p, dy, torch.float64, TIME)
# tf32 (10 bits) in the dots of float32, so that it is no better than float16 there; 20 roundings in a row
bound = 20 * {torch.float32: 2**-11, torch.float16: 2**-11, torch.bfloat16: 2**-8}[DTYPE]
for name, value in wanted.items():
    error = error_of(name, got[name], value)
    print(f"{name:16s} {error:.1e} of {bound:.1e}")
    assert error < bound, name
