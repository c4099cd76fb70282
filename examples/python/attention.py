"""Fused causal attention, forward: one pass over the keys with a running maximum and a running sum.

    python -m lockstep examples/python/attention.py
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q, k, v, out, scale, length, HEAD: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr,
                     CAUSAL: tl.constexpr):  # fmt: skip
    start = tl.program_id(0) * ROWS
    base = tl.program_id(1).to(tl.int64) * length * HEAD
    queries = tl.make_block_ptr(q + base, (length, HEAD), (HEAD, 1), (start, 0), (ROWS, HEAD), (1, 0))
    keys = tl.make_block_ptr(k + base, (HEAD, length), (1, HEAD), (0, 0), (HEAD, KEYS), (0, 1))
    values = tl.make_block_ptr(v + base, (length, HEAD), (HEAD, 1), (0, 0), (KEYS, HEAD), (1, 0))
    query = tl.load(queries, boundary_check=(0,))
    row = start + tl.arange(0, ROWS)
    maximum = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    mixed = tl.zeros((ROWS, HEAD), tl.float32)
    end = tl.minimum(start + ROWS, length) if CAUSAL else length
    for first in range(0, end, KEYS):
        column = first + tl.arange(0, KEYS)
        scores = tl.dot(query, tl.load(keys, boundary_check=(1,))) * (scale * 1.4426950408889634)
        visible = column[None, :] < length
        if CAUSAL:
            visible = visible & (row[:, None] >= column[None, :])
        scores = tl.where(visible, scores, -1.0e30)
        higher = tl.maximum(maximum, tl.max(scores, 1))
        weights = tl.math.exp2(scores - higher[:, None])
        correction = tl.math.exp2(maximum - higher)
        total = total * correction + tl.sum(weights, 1)
        value = tl.load(values, boundary_check=(0,))
        mixed = tl.dot(weights.to(value.dtype), value, mixed * correction[:, None])
        maximum = higher
        keys = tl.advance(keys, (0, KEYS))
        values = tl.advance(values, (KEYS, 0))
    place = tl.make_block_ptr(out + base, (length, HEAD), (HEAD, 1), (start, 0), (ROWS, HEAD), (1, 0))
    tl.store(place, (mixed / total[:, None]).to(out.dtype.element_ty), boundary_check=(0,))


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool) -> torch.Tensor:
    batch, heads, length, head = q.shape
    out = torch.empty_like(q)
    tiles = {"ROWS": 64, "KEYS": 32} if torch.cuda.get_device_capability()[0] >= 9 else {"ROWS": 32, "KEYS": 32}
    attention_kernel[(triton.cdiv(length, tiles["ROWS"]), batch * heads)](
        q, k, v, out, head**-0.5, length, HEAD=head, CAUSAL=causal, num_warps=4, **tiles)  # fmt: skip
    return out


if __name__ == "__main__":
    torch.manual_seed(20)
    q, k, v = (torch.randn((1, 2, 150, 64), dtype=torch.float16, device="cuda") for _ in range(3))
    for causal in (True, False):
        reference = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        torch.testing.assert_close(attention(q, k, v, causal), reference, atol=1e-2, rtol=0)
    milliseconds = triton.testing.do_bench(lambda: attention(q, k, v, True), warmup=1, rep=5)
    print(f"attention agrees with torch; {milliseconds:.2f} ms")
