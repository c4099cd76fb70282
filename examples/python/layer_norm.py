"""Layer norm, forward and backward, as an autograd function; weight gradients are summed under locks.

    python -m lockstep examples/python/layer_norm.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def forward_kernel(x, out, weight, bias, means, scales, width, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < width
    values = tl.load(x + row * width + column, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(values, axis=0) / width
    centred = tl.where(inside, values - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, axis=0) / width + epsilon)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)
    w, b = tl.load(weight + column, mask=inside), tl.load(bias + column, mask=inside)
    tl.store(out + row * width + column, centred * scale * w + b, mask=inside)


@triton.jit
def backward_kernel(dx, dout, dweight, dbias, x, weight, means, scales, locks, width, GROUPS: tl.constexpr,
                    BLOCK: tl.constexpr):  # fmt: skip
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < width
    values = tl.load(x + row * width + column, mask=inside, other=0.0).to(tl.float32)
    gradient = tl.load(dout + row * width + column, mask=inside, other=0.0).to(tl.float32)
    w = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    scale = tl.load(scales + row)
    normal = tl.where(inside, (values - tl.load(means + row)) * scale, 0.0)
    weighted = tl.where(inside, w * gradient, 0.0)
    c1, c2 = tl.sum(normal * weighted, axis=0) / width, tl.sum(weighted, axis=0) / width
    tl.store(dx + row * width + column, (weighted - (normal * c1 + c2)) * scale, mask=inside)
    group = row % GROUPS
    lock, started = locks + group, locks + GROUPS + group
    dw, db = dweight + group * width + column, dbias + group * width + column
    part_w, part_b = gradient * normal, gradient
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(started) == 0:
        tl.atomic_xchg(started, 1)
    else:
        part_w += tl.load(dw, mask=inside)
        part_b += tl.load(db, mask=inside)
    tl.store(dw, part_w, mask=inside)
    tl.store(db, part_b, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, epsilon):
        rows, width = x.shape
        out = torch.empty_like(x)
        means, scales = (torch.empty(rows, dtype=torch.float32, device="cuda") for _ in range(2))
        block = triton.next_power_of_2(width)
        forward_kernel[(rows,)](x, out, weight, bias, means, scales, width, epsilon, BLOCK=block)
        ctx.save_for_backward(x, weight, means, scales)
        ctx.block = block
        return out

    @staticmethod
    def backward(ctx, dout):
        x, weight, means, scales = ctx.saved_tensors
        rows, width = x.shape
        groups = 16
        dx = torch.empty_like(dout)
        dweight, dbias = (torch.zeros((groups, width), device=x.device) for _ in range(2))
        locks = torch.zeros(2 * groups, dtype=torch.int32, device="cuda")
        backward_kernel[(rows,)](dx, dout, dweight, dbias, x, weight, means, scales, locks, width, GROUPS=groups,
                                 BLOCK=ctx.block)  # fmt: skip
        return dx, dweight.sum(0), dbias.sum(0), None


if __name__ == "__main__":
    torch.manual_seed(0)
    features = 200
    x = (torch.randn(37, features, device="cuda") * 0.5 - 2.3).requires_grad_()
    weight, bias = (torch.rand(features, device="cuda", requires_grad=True) for _ in range(2))
    upstream = 0.1 * torch.randn_like(x)
    results = []
    for norm in (LayerNorm.apply, lambda x, w, b, e: torch.nn.functional.layer_norm(x, (features,), w, b, e)):
        out = norm(x, weight, bias, 1e-5)
        results.append((out.detach(), *torch.autograd.grad(out, (x, weight, bias), upstream)))
    for ours, torchs in zip(*results, strict=True):
        torch.testing.assert_close(ours, torchs, atol=1e-4, rtol=1e-4)
    milliseconds = triton.testing.do_bench(lambda: LayerNorm.apply(x, weight, bias, 1e-5), warmup=1, rep=5)
    print(f"layer norm and its three gradients agree with torch; forward {milliseconds:.2f} ms")
