"""A tiled matrix product with autotune, L2-friendly program order and a fused activation, in float16.

    python -m lockstep examples/python/matmul.py
"""

import torch
import triton
import triton.language as tl


def configurations():
    for rows, columns, depth, warps in ((128, 128, 32, 8), (64, 64, 32, 4), (64, 32, 64, 4)):
        tiles = {"TILE_M": rows, "TILE_N": columns, "TILE_K": depth, "GROUP": 8}
        yield triton.Config(tiles, num_stages=3, num_warps=warps)


@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.autotune(configs=list(configurations()), key=["M", "N", "K"])
@triton.jit
def matmul_kernel(a, b, c, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr,
                  ACTIVATION: tl.constexpr):  # fmt: skip
    tiles_m, tiles_n = tl.cdiv(M, TILE_M), tl.cdiv(N, TILE_N)
    program = tl.program_id(0)
    first = program // (GROUP * tiles_n) * GROUP
    height = min(tiles_m - first, GROUP)
    tile_m = first + program % (GROUP * tiles_n) % height
    tile_n = program % (GROUP * tiles_n) // height
    row = (tile_m * TILE_M + tl.arange(0, TILE_M)) % M
    column = (tile_n * TILE_N + tl.arange(0, TILE_N)) % N
    depth = tl.arange(0, TILE_K)
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for step in range(tl.cdiv(K, TILE_K)):
        left = K - step * TILE_K
        k = step * TILE_K + depth
        x = tl.load(a + row[:, None] * stride_am + k[None, :] * stride_ak, mask=depth[None, :] < left, other=0.0)
        y = tl.load(b + k[:, None] * stride_bk + column[None, :] * stride_bn, mask=depth[:, None] < left, other=0.0)
        total = tl.dot(x, y, total)
    if ACTIVATION == "leaky_relu":
        total = leaky_relu(total)
    row = tile_m * TILE_M + tl.arange(0, TILE_M)
    column = tile_n * TILE_N + tl.arange(0, TILE_N)
    place = c + row[:, None] * stride_cm + column[None, :] * stride_cn
    tl.store(place, total.to(tl.float16), mask=(row[:, None] < M) & (column[None, :] < N))


def matmul(a: torch.Tensor, b: torch.Tensor, activation: str = "") -> torch.Tensor:
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device, dtype=torch.float16)
    matmul_kernel[lambda meta: (triton.cdiv(m, meta["TILE_M"]) * triton.cdiv(n, meta["TILE_N"]),)](
        a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), ACTIVATION=activation)  # fmt: skip
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    left = torch.rand((200, 160), device="cuda", dtype=torch.float16) - 0.5
    right = torch.rand((160, 136), device="cuda", dtype=torch.float16) - 0.5
    torch.testing.assert_close(matmul(left, right), torch.matmul(left, right), atol=1e-2, rtol=0)
    expected = torch.nn.functional.leaky_relu(torch.matmul(left, right))
    torch.testing.assert_close(matmul(left, right, "leaky_relu"), expected, atol=1e-2, rtol=0)
    milliseconds = triton.testing.do_bench(lambda: matmul(left, right), warmup=1, rep=5)
    print(f"matmul agrees with torch; best configuration {matmul_kernel.best_config}; {milliseconds:.2f} ms")
