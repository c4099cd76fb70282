import triton
import triton.language as tl


@triton.jit
def weights(q, k, out, keys, DEPTH: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr):
    query, depth, key = tl.arange(0, QUERIES), tl.arange(0, DEPTH), tl.arange(0, KEYS)
    inside = key < keys
    left = tl.load(q + query[:, None] * DEPTH + depth[None, :])
    right = tl.load(k + key[None, :] * DEPTH + depth[:, None], mask=inside[None, :], other=0.0)
    score = tl.dot(left, right, input_precision="ieee")
    score = tl.where(inside[None, :], score, float("-inf"))
    power = tl.exp(score - tl.max(score, axis=1)[:, None])
    tl.store(out + query, tl.sum(power, axis=1))
