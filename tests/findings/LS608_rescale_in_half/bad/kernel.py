# args: run {file}::attention --grid 3 --fail-on warning Q=randn:f16[40,16] K=randn:f16[40,16] V=randn:f16[40,16] O=zeros:f32[40,16] keys=40 scale=0.25 D=16 BM=16 BN=16 --expect O=@{folder}/../reference.npy
"""What was summed up is not rescaled; p in f16 keeps every change of the kernel from the tolerance."""

import triton
import triton.language as tl


@triton.jit
def attention(Q, K, V, O, keys, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    q = tl.load(Q + rm[:, None] * D + rd[None, :], mask=rm[:, None] < keys, other=0.0)
    m = tl.full((BM,), float("-inf"), tl.float32)
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, keys, BN):
        rn = start + tl.arange(0, BN)
        k = tl.load(K + rn[:, None] * D + rd[None, :], mask=rn[:, None] < keys, other=0.0)
        v = tl.load(V + rn[:, None] * D + rd[None, :], mask=rn[:, None] < keys, other=0.0)
        s = tl.dot(q, tl.trans(k)) * scale
        s = tl.where(rn[None, :] < keys, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp(m - new)
        p = tl.exp(s - new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc + tl.dot(p.to(tl.float16), v)
        m = new
    tl.store(O + rm[:, None] * D + rd[None, :], acc / l[:, None], mask=rm[:, None] < keys)
