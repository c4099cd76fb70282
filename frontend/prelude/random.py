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
        factor_0 = round_0
        factor_1 = round_1
        old_0, old_2 = c0, c2
        c0 = tl.umulhi(factor_1, old_2) ^ c1 ^ k0
        c2 = tl.umulhi(factor_0, old_0) ^ c3 ^ k1
        c1 = tl.mul(factor_1, old_2, sanitize_overflow=False)
        c3 = tl.mul(factor_0, old_0, sanitize_overflow=False)
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
    if x.dtype == tl.uint32 or x.dtype == tl.int32:
        x = x.to(tl.int32, bitcast=True)
        scale = 4.6566127342e-10
    else:
        tl.static_assert(x.dtype == tl.uint64 or x.dtype == tl.int64)
        x = x.to(tl.int64, bitcast=True)
        scale = 1.0842020432385337e-19
    x = tl.where(x < 0, -x - 1, x)
    return x * scale


@jit
def rand(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    bits = randint(seed, offset, n_rounds)
    return uint_to_uniform_float(bits)


@jit
def rand4x(seed, offsets, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    i1, i2, i3, i4 = randint4x(seed, offsets, n_rounds)
    u1 = uint_to_uniform_float(i1)
    u2 = uint_to_uniform_float(i2)
    u3 = uint_to_uniform_float(i3)
    u4 = uint_to_uniform_float(i4)
    return u1, u2, u3, u4


# ---- Normal: Box and Muller ----

@jit
def pair_uniform_to_normal(u1, u2):
    u1 = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = tl.sqrt(-2.0 * tl.log(u1))
    return radius * tl.cos(angle), radius * tl.sin(angle)


@jit
def randn(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    i1, i2, i3, i4 = randint4x(seed, offset, n_rounds)
    u1 = uint_to_uniform_float(i1)
    u2 = uint_to_uniform_float(i2)
    n1, n2 = pair_uniform_to_normal(u1, u2)
    return n1


@jit
def randn4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    u1, u2, u3, u4 = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(u1, u2)
    n3, n4 = pair_uniform_to_normal(u3, u4)
    return n1, n2, n3, n4
