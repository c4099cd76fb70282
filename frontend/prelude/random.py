# Random numbers: the counter-based generator Philox 4x32-10 (and its 64-bit form), uniform and normal numbers from its bits.
# Names, parameters and the order of operations are those of Triton 3.6; the constants are those of Salmon et al., "Parallel
# random numbers: as easy as 1, 2, 3" (SC 2011).
import triton.language as tl
from triton import jit

N_ROUNDS_DEFAULT = tl.constexpr(10)


@jit
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    if c0.dtype == tl.uint32:
        raise_0: tl.constexpr = 0x9E3779B9
        raise_1: tl.constexpr = 0xBB67AE85
        round_0: tl.constexpr = 0xD2511F53
        round_1: tl.constexpr = 0xCD9E8D57
    else:
        tl.static_assert(c0.dtype == tl.uint64, "philox_impl takes uint32 or uint64")
        raise_0: tl.constexpr = 0x9E3779B97F4A7C15
        raise_1: tl.constexpr = 0xBB67AE8584CAA73B
        round_0: tl.constexpr = 0xD2E7470EE14C6C93
        round_1: tl.constexpr = 0xCA5A826395121157

    for _ in tl.static_range(n_rounds):
        multiplier_0 = round_0
        multiplier_1 = round_1
        left, right = c0, c2
        c0 = tl.umulhi(multiplier_1, right) ^ c1 ^ k0
        c2 = tl.umulhi(multiplier_0, left) ^ c3 ^ k1
        c1 = tl.mul(multiplier_1, right, sanitize_overflow=False)
        c3 = tl.mul(multiplier_0, left, sanitize_overflow=False)
        k0 = tl.add(k0, raise_0, sanitize_overflow=False)
        k1 = tl.add(k1, raise_1, sanitize_overflow=False)
    return c0, c1, c2, c3


@jit
def philox(seed, c0, c1, c2, c3, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    seed = tl.to_tensor(seed)
    tl.static_assert(seed.dtype.is_int())
    seed = seed.to(tl.uint64)
    c0 = tl.to_tensor(c0)
    c1 = tl.to_tensor(c1)
    c2 = tl.to_tensor(c2)
    c3 = tl.to_tensor(c3)

    if c0.dtype.primitive_bitwidth == 32:
        counter = tl.uint32
        high = ((seed >> 32) & 0xffffffff).to(tl.uint32)
        low = (seed & 0xffffffff).to(tl.uint32)
    else:
        tl.static_assert(c0.dtype.primitive_bitwidth == 64, "philox takes counters of 32 or 64 bits")
        counter = tl.uint64
        high = tl.full((1, ), 0, dtype=counter)
        low = seed

    c0 = c0.to(counter, bitcast=True)
    c1 = c1.to(counter, bitcast=True)
    c2 = c2.to(counter, bitcast=True)
    c3 = c3.to(counter, bitcast=True)
    return philox_impl(c0, c1, c2, c3, low, high, n_rounds)


@jit
def randint4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    low = offset.to(tl.uint32)
    zero = low * 0
    if offset.dtype.primitive_bitwidth > 32:
        high = (offset >> 32).to(tl.uint32)
    else:
        high = zero
    return philox(seed, low, high, zero, zero, n_rounds)


@jit
def randint(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    first, second, third, fourth = randint4x(seed, offset, n_rounds)
    return first


# ---- Uniform in [0, 1): the bits as a signed number, folded to non-negative, scaled so that the largest stays below 1 ----

@jit
def uint_to_uniform_float(x):
    if x.dtype == tl.int32 or x.dtype == tl.uint32:
        bits = x.to(tl.int32, bitcast=True)
        step = 4.6566127342e-10
    else:
        tl.static_assert(x.dtype == tl.int64 or x.dtype == tl.uint64, "bits of 32 or 64")
        bits = x.to(tl.int64, bitcast=True)
        step = 1.0842020432385337e-19
    folded = tl.where(bits < 0, -bits - 1, bits)
    return folded * step


@jit
def rand(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    bits = randint(seed, offset, n_rounds)
    return uint_to_uniform_float(bits)


@jit
def rand4x(seed, offsets, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    word_a, word_b, word_c, word_d = randint4x(seed, offsets, n_rounds)
    a = uint_to_uniform_float(word_a)
    b = uint_to_uniform_float(word_b)
    c = uint_to_uniform_float(word_c)
    d = uint_to_uniform_float(word_d)
    return a, b, c, d


# ---- Normal: Box and Muller. The radius comes from the first number, kept away from log(0), the angle from the second ----

@jit
def pair_uniform_to_normal(u1, u2):
    positive = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = tl.sqrt(-2.0 * tl.log(positive))
    return radius * tl.cos(angle), radius * tl.sin(angle)


@jit
def randn(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    word_a, word_b, word_c, word_d = randint4x(seed, offset, n_rounds)
    a = uint_to_uniform_float(word_a)
    b = uint_to_uniform_float(word_b)
    normal, unused = pair_uniform_to_normal(a, b)
    return normal


@jit
def randn4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    a, b, c, d = rand4x(seed, offset, n_rounds)
    first, second = pair_uniform_to_normal(a, b)
    third, fourth = pair_uniform_to_normal(c, d)
    return first, second, third, fourth
