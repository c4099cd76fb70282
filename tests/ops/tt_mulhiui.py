"""tt.mulhiui: the high half of the product of unsigned numbers. Triton's lowering knows 32 and 64 bits; here also 8 and 16."""

from support import integer_binary


def high(a, b, width):
    return a * b >> width


def cases():
    yield from integer_binary.cases("tt.mulhiui", high, is_signed=False, with_width=True, only=["i8", "i16", "i32", "i64"])
