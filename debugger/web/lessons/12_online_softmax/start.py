import triton
import triton.language as tl


@triton.jit
def logsumexp(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = tl.full([], float("-inf"), tl.float32)
    d = tl.full([], 0.0, tl.float32)
    for start in range(0, columns, BLOCK):
        index = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + index, mask=index < columns, other=float("-inf"))
        m_new = tl.maximum(m, tl.max(value, axis=0))
        d = d + tl.sum(tl.exp(value - m_new), axis=0)
        m = m_new
    tl.store(out + row, m + tl.log(d))
