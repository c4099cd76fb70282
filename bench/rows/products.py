"""Rows of matrix products and attention."""

from __future__ import annotations

import kernels
import torch
import torch.nn.functional as F

from rows.work import Case, Launch, Row

LOG2_E = 1.4426950408889634


def matmul(
    device: str, n: int, tiles: tuple[int, int, int], dtype: torch.dtype, precision: str, tolerance: float
) -> Case:
    a, b = torch.randn(n, n).to(dtype), torch.randn(n, n).to(dtype)
    out, torch_out = torch.empty(n, n, dtype=dtype), torch.empty(n, n, dtype=dtype)
    arguments = {"a": a, "b": b, "out": out, "m": n, "n": n, "k": n}
    arguments |= {"TILE_M": tiles[0], "TILE_N": tiles[1], "TILE_K": tiles[2], "PRECISION": precision}
    grid = (-(-n // tiles[0]) * -(-n // tiles[1]),)
    launch = Launch(kernels.matmul, grid, arguments, [out])
    return Case(launch, lambda: [torch.mm(a, b, out=torch_out)], tolerance)


def attention(device: str, heads: int, length: int) -> Case:
    q, k, v = (torch.randn(heads, length, 64).half() for _ in range(3))
    out = torch.empty_like(q)
    arguments = {"q": q, "k": k, "v": v, "out": out, "length": length, "scale": 0.125 * LOG2_E}
    arguments |= {"TILE_M": 64, "TILE_N": 64, "DEPTH": 64}
    return Case(
        Launch(kernels.attention, (length // 64, heads), arguments, [out], part_axis=1),
        lambda: [F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0]],
        5e-3,
    )


def product(name: str, n: int, tiles: tuple[int, int, int], dtype: torch.dtype, precision: str, tolerance: float,
            in_mean: bool = True) -> Row:  # fmt: skip
    shared = {"tiles": tiles, "dtype": dtype, "precision": precision, "tolerance": tolerance}
    words = "x".join(map(str, tiles))
    return Row(f"matmul {name} {n}^3, tiles {words}", matmul, {"n": n} | shared, {"n": 150} | shared, "torch.mm(out=)",
               in_mean=in_mean, tags=["compute"])  # fmt: skip


SMALL, LARGE = (64, 64, 32), (128, 128, 32)
ROWS = [
    product("f16", 512, SMALL, torch.float16, "ieee", 1e-3),
    product("f32 ieee", 512, SMALL, torch.float32, "ieee", 1e-5),
    product("f16", 1024, LARGE, torch.float16, "ieee", 1e-3),
    product("f32 ieee", 1024, LARGE, torch.float32, "ieee", 1e-5),
    product("f32 tf32", 1024, LARGE, torch.float32, "tf32", 2e-3, in_mean=False),
    product("bf16", 1024, LARGE, torch.bfloat16, "ieee", 8e-3, in_mean=False),
    Row("attention f16, 2 heads, N=1024, D=64, causal", attention, {"heads": 2, "length": 1024},
        {"heads": 1, "length": 128}, "scaled_dot_product_attention"),
    Row("attention f16, 2 heads, N=4096, D=64, causal", attention, {"heads": 2, "length": 4096},
        {"heads": 2, "length": 64}, "scaled_dot_product_attention"),
]  # fmt: skip
