"""Rows of what serving and training launch: attention in variants, experts, small formats, and scans over programs."""

from __future__ import annotations

import kernels_users
import torch
import torch.nn.functional as F

from rows.work import Call, Case, Launch, Row

Tensor = torch.Tensor
LOG2_E = 1.4426950408889634


def flex_attention(device: str, heads: int, length: int, documents: int) -> Case:
    q, k, v = (torch.randn(heads, length, 64).half() for _ in range(3))
    out = torch.empty_like(q)
    document = torch.sort(torch.randint(0, documents, (length,), dtype=torch.int32))[0]
    arguments = {"q": q, "k": k, "v": v, "document": document, "out": out, "length": length, "scale": 0.125}
    arguments |= {"TILE_M": 64, "TILE_N": 64, "DEPTH": 64}
    at = torch.arange(length)
    seen = (at[:, None] >= at) & (document[:, None] == document)
    slopes = 2.0 ** -(torch.arange(heads) + 1.0)
    bias = slopes[:, None, None] * (at - at[:, None])
    bias = bias.masked_fill(~seen, float("-inf")).half()[None]
    return Case(
        Launch(kernels_users.flex_attention, (length // 64, heads), arguments, [out], part_axis=1),
        lambda: [F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=bias)[0]],
        5e-3,
    )


def paged_attention(device: str, sequences: int, length: int, key_heads: int, group: int) -> Case:
    page, depth = 16, 64
    pages = -(-length // page)
    q = torch.randn(sequences, key_heads, group, depth).half()
    keys, values = (torch.randn(sequences * pages, page, key_heads, depth).half() for _ in range(2))
    table = torch.randperm(sequences * pages).view(sequences, pages).int()
    lengths = torch.randint(length // 2, length + 1, (sequences,), dtype=torch.int32)
    out = torch.empty_like(q)
    arguments = {"q": q, "keys": keys, "values": values, "table": table, "lengths": lengths, "out": out}
    arguments |= {"pages": pages, "scale": depth**-0.5 * LOG2_E, "GROUP": group, "KEY_HEADS": key_heads}
    arguments |= {"PAGE": page, "DEPTH": depth}
    seen = (torch.arange(pages * page) < lengths[:, None])[:, None, None, :]

    def gathered(cache: Tensor) -> Tensor:
        return cache[table].flatten(1, 2).transpose(1, 2)

    return Case(
        Launch(kernels_users.paged_attention, (sequences, key_heads), arguments, [out]),
        lambda: [F.scaled_dot_product_attention(q, gathered(keys), gathered(values), attn_mask=seen)],
        5e-3,
    )


def order_by_expert(experts: Tensor, count: int, tile: int) -> tuple[Tensor, Tensor]:
    """Places of tokens and choices by expert, padded to whole tiles by their number; and the expert of each tile."""
    flat = experts.flatten()
    order, tiles, padded = torch.argsort(flat, stable=True), [], []
    for expert, part in enumerate(order.split(torch.bincount(flat, minlength=count).tolist())):
        whole = -(-len(part) // tile) * tile
        padded.append(F.pad(part, (0, whole - len(part)), value=len(flat)))
        tiles += [expert] * (whole // tile)
    return torch.cat(padded).int(), torch.tensor(tiles, dtype=torch.int32)


def experts(device: str, tokens: int, count: int, width: int, hidden: int) -> Case:
    x, logits = torch.randn(tokens, width).bfloat16(), torch.randn(tokens, count)
    weights = (torch.randn(count, width, hidden) / width**0.5).bfloat16()
    chosen, shares = torch.empty(tokens, 2, dtype=torch.int32), torch.empty(tokens, 2)
    out, block = torch.empty(tokens * 2, hidden, dtype=torch.bfloat16), min(64, tokens)
    torch_out = torch.empty_like(out)

    def ours() -> list[Tensor]:
        kernels_users.route[(tokens // block,)](logits, chosen, shares, EXPERTS=count, BLOCK=block)
        order, tiles = order_by_expert(chosen, count, 32)
        grid = (len(tiles), hidden // 64)
        sizes = {"N": hidden, "K": width, "TILE_M": 32, "TILE_N": 64, "TILE_K": 64}
        kernels_users.grouped_matmul[grid](x, weights, out, order, shares, tiles, 2 * tokens, **sizes)
        return [out]

    def theirs() -> list[Tensor]:
        best, choice = torch.topk(logits, 2)
        share = best.softmax(1).flatten()[:, None].bfloat16()
        flat = choice.flatten()
        order = torch.argsort(flat)
        for expert, part in enumerate(order.split(torch.bincount(flat, minlength=count).tolist())):
            torch_out[part] = x[part // 2] @ weights[expert]
        return [torch_out.mul_(share)]

    return Case(Call(ours), theirs, 1e-2)


def residual_rms_norm(device: str, rows: int, columns: int) -> Case:
    from liger_kernel.ops import fused_add_rms_norm as liger

    x, residual, weight = torch.randn(rows, columns), torch.randn(rows, columns), torch.randn(columns)
    out, total, scale = torch.empty_like(x), torch.empty_like(x), torch.empty(rows)
    block, _ = liger.calculate_settings(columns)
    arguments = {"Y_ptr": out, "Y_row_stride": columns, "S_ptr": total, "S_row_stride": columns}
    arguments |= {"X_ptr": x, "X_row_stride": columns, "R_ptr": residual, "R_row_stride": columns, "W_ptr": weight}
    arguments |= {"W_row_stride": 1, "RSTD_ptr": scale, "RSTD_row_stride": 1, "n_cols": columns, "eps": 1e-6}
    arguments |= {"offset": 0.0, "casting_mode": 0, "BLOCK_SIZE": block}
    launch = Launch(liger._fused_add_rms_norm_forward_kernel, (rows,), arguments, [out, total])
    torch_out, torch_total, norm = torch.empty_like(x), torch.empty_like(x), torch.empty(rows, 1)

    def torch_side() -> list[Tensor]:
        torch.add(x, residual, out=torch_total)
        torch.linalg.vector_norm(torch_total, dim=1, keepdim=True, out=norm)
        torch.mul(torch_total, norm.square_().div_(columns).add_(1e-6).rsqrt_(), out=torch_out)
        return [torch_out.mul_(weight), torch_total]

    return Case(launch, torch_side, 1e-5)


def swiglu(device: str, rows: int, columns: int) -> Case:
    from liger_kernel.ops import swiglu as liger

    a, b = torch.randn(rows, columns).bfloat16(), torch.randn(rows, columns).bfloat16()
    out, torch_out = torch.empty_like(a), torch.empty_like(a)
    block, _ = liger.calculate_settings(columns)
    arguments = {"a_ptr": a, "b_ptr": b, "c_ptr": out, "stride": columns, "gate_multiplier": 1.0, "n_cols": columns}
    launch = Launch(liger._swiglu_forward_kernel, (rows,), arguments | {"BLOCK_SIZE": block}, [out])
    return Case(launch, lambda: [torch.ops.aten.silu.out(a, out=torch_out).mul_(b)], 8e-3)


def top_k(device: str, rows: int, columns: int, count: int) -> Case:
    x = torch.randn(rows, columns)
    out, torch_out, places = torch.empty(rows, count), torch.empty(rows, count), torch.empty(rows, count).long()
    launch = Launch(kernels_users.top_k, (rows,), {"x": x, "out": out, "COUNT": count, "BLOCK": columns}, [out], part=8)
    return Case(launch, lambda: [torch.topk(x, count, out=(torch_out, places))[0]], 0)


def int4_matmul(device: str, m: int, n: int, k: int) -> Case:
    group = 64
    x, numbers = torch.randn(m, k).bfloat16(), torch.randint(0, 16, (n, k), dtype=torch.int32)
    scales, zeros = torch.rand(k // group, n).bfloat16(), torch.rand(k // group, n).bfloat16()
    out = torch.empty(m, n, dtype=torch.bfloat16)
    packed = (numbers[:, 0::2] | numbers[:, 1::2] << 4).to(torch.uint8).t().contiguous()
    arguments = {"x": x, "packed": packed, "scales": scales, "zeros": zeros, "out": out, "N": n, "K": k}
    arguments |= {"GROUP": group, "TILE_M": 32, "TILE_N": 64}
    torch_packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(numbers, 1)
    both = torch.stack((scales, zeros), 2).contiguous()
    return Case(
        Launch(kernels_users.int4_matmul, (m // 32, n // 64), arguments, [out]),
        lambda: [torch.ops.aten._weight_int4pack_mm_for_cpu(x, torch_packed, group, both)],
        1e-2,
    )


def f8_matmul(device: str, n: int) -> Case:
    a, b = (torch.randn(n, n).to(torch.float8_e4m3fn) for _ in range(2))
    a_scale, b_scale = torch.rand(n, 1), torch.rand(1, n)
    out = torch.empty(n, n, dtype=torch.bfloat16)
    arguments = {"a": a, "b": b, "a_scale": a_scale, "b_scale": b_scale, "out": out, "N": n, "K": n}
    arguments |= {"TILE_M": 64, "TILE_N": 64, "TILE_K": 64}
    scaled = {"scale_a": a_scale, "scale_b": b_scale, "out_dtype": torch.bfloat16}
    return Case(
        Launch(kernels_users.f8_matmul, (n // 64, n // 64), arguments, [out]),
        lambda: [torch._scaled_mm(a, b.t(), **scaled)],
        1e-2,
    )


def short_convolution(device: str, time: int, width: int, taps: int) -> Case:
    x, weight = torch.randn(1, time, width).bfloat16(), torch.randn(width, taps).bfloat16()
    there = [part.to(device) for part in (x, weight)]

    def library() -> list[Tensor]:
        from fla.modules.conv.causal_conv1d import causal_conv1d

        with torch.no_grad():
            return [causal_conv1d(there[0], there[1], activation="silu", backend="triton")[0]]

    def torch_side() -> list[Tensor]:
        padded = F.pad(x.transpose(1, 2), (taps - 1, 0))
        return [F.silu(F.conv1d(padded, weight[:, None], groups=width)).transpose(1, 2)]

    return Case(Call(library), torch_side, 2e-2)


def cumsum_look_back(device: str, n: int, block: int) -> Case:
    x, programs = torch.rand(n), -(-n // block)
    out, torch_out = torch.empty(n), torch.empty(n)
    sums, flags = torch.empty(programs), torch.zeros(programs, dtype=torch.int32)

    def ours() -> list[Tensor]:
        flags.zero_()
        kernels_users.cumsum_look_back[(programs,)](x, out, sums, flags, n, BLOCK=block)
        return [out]

    return Case(Call(ours), lambda: [torch.cumsum(x, 0, out=torch_out)], 1e-4)


ROWS = [
    Row("flex attention f16, 4 heads, N=1024, slopes and documents", flex_attention,
        {"heads": 4, "length": 1024, "documents": 4}, {"heads": 2, "length": 128, "documents": 2},
        "scaled_dot_product_attention(attn_mask=)"),
    Row("paged attention decode f16, 16 sequences to 2048, 8 heads of 4", paged_attention,
        {"sequences": 16, "length": 2048, "key_heads": 8, "group": 4},
        {"sequences": 2, "length": 40, "key_heads": 2, "group": 4}, "index, scaled_dot_product_attention"),
    Row("experts bf16: top 2 of 8, 1024 tokens of 512 to 1024", experts,
        {"tokens": 1024, "count": 8, "width": 512, "hidden": 1024},
        {"tokens": 16, "count": 4, "width": 64, "hidden": 64}, "topk, argsort, a mm an expert"),
    Row("residual and RMS norm f32 2048x4096 (liger)", residual_rms_norm, {"rows": 2048, "columns": 4096},
        {"rows": 3, "columns": 500}, "add(out=), linalg.vector_norm(out=), mul(out=), mul_"),
    Row("SwiGLU bf16 1024x8192 (liger)", swiglu, {"rows": 1024, "columns": 8192}, {"rows": 3, "columns": 500},
        "silu(out=), mul_"),
    Row("top-k f32 4096x1024, k=8", top_k, {"rows": 4096, "columns": 1024, "count": 8},
        {"rows": 3, "columns": 64, "count": 8}, "torch.topk(out=)"),
    Row("int4 weights, bf16 128x1024x1024, groups of 64", int4_matmul, {"m": 128, "n": 1024, "k": 1024},
        {"m": 32, "n": 64, "k": 128}, "_weight_int4pack_mm_for_cpu"),
    Row("matmul f8 (e4m3) with scales of rows 512^3", f8_matmul, {"n": 512}, {"n": 64}, "_scaled_mm"),
    Row("short convolution and SiLU bf16, T=2048, 1024 channels (fla)", short_convolution,
        {"time": 2048, "width": 1024, "taps": 4}, {"time": 64, "width": 32, "taps": 4}, "conv1d, silu", pretends=True),
    Row("cumsum f32 4 Mi with look-back, BLOCK 4096", cumsum_look_back, {"n": 1 << 22, "block": 4096},
        {"n": 3000, "block": 256}, "torch.cumsum(out=)"),
]  # fmt: skip
