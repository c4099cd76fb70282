"""Functions made by functions: a jit function sees the constexprs and functions around it."""
# spec: o=*i32 n=i32
import triton
import triton.language as tl


def scaled_by(factor):
    FACTOR = tl.constexpr(factor)

    @triton.constexpr_function
    def doubled(x):
        return 2 * x

    @triton.jit
    def scale(x):
        return x * FACTOR + doubled(FACTOR)

    return scale


def applied_to(function, count):
    COUNT = tl.constexpr(count)

    @triton.jit
    def apply(x):
        for _ in tl.static_range(COUNT):
            x = function(x)
        return x

    return apply


by_three = scaled_by(3)
twice = applied_to(by_three, 2)


@triton.jit
def kernel(o, n):
    tl.store(o, by_three(n))
    tl.store(o + 1, twice(n))
