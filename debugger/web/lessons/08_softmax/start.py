import triton
import triton.language as tl


@triton.jit
def softmax(x, out, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row * columns + column, mask=inside, other=float("-inf"))
    power = tl.exp(value)
    tl.store(out + row * columns + column, power / tl.sum(power, axis=0), mask=inside)
