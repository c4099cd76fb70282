import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, out, length, DEPTH: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr):
    query = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    depth = tl.arange(0, DEPTH)
    left = tl.load(q + query[:, None] * DEPTH + depth[None, :])
    largest = tl.full([QUERIES], float("-inf"), tl.float32)
    weights = tl.zeros([QUERIES], tl.float32)
    total = tl.zeros([QUERIES, DEPTH], tl.float32)
    for first in range(0, length, KEYS):
        key = first + tl.arange(0, KEYS)
        right = tl.load(k + key[None, :] * DEPTH + depth[:, None])
        score = tl.dot(left, right, input_precision="ieee")
        new_largest = tl.maximum(largest, tl.max(score, axis=1))
        power = tl.exp(score - new_largest[:, None])
        shrink = tl.exp(largest - new_largest)
        weights = weights * shrink + tl.sum(power, axis=1)
        values = tl.load(v + key[:, None] * DEPTH + depth[None, :])
        total = tl.dot(power, values, total * shrink[:, None], input_precision="ieee")
        largest = new_largest
    tl.store(out + query[:, None] * DEPTH + depth[None, :], total / weights[:, None])
