"""tt.elementwise_inline_asm: PTX instructions by family, packing of elements into registers, what real packages write."""

import math

import ml_dtypes
import numpy as np
from support import asm, elements, kernels, references, values
from support.asm import on_bits, signed
from support.case import Exact

COUNT = 512


def words(seed: int, element: str = "i32") -> np.ndarray:
    return values.integers(element, COUNT, seed)


def integer_rows():
    """Instruction, letters of its registers (result first), element types (result first), meaning on bits."""
    i32, i64, i16 = "i32", "i64", "i16"
    two, one, three = [i32] * 3, [i32] * 2, [i32] * 4
    yield "add.s32", "rrr", two, lambda a, b: a + b
    yield "add.sat.s32", "rrr", two, lambda a, b: max(-(2**31), min(2**31 - 1, signed(a) + signed(b)))
    yield "sub.u16", "hhh", [i16] * 3, lambda a, b: a - b
    yield "mul.lo.s64", "lll", [i64] * 3, lambda a, b: a * b
    yield "mul.hi.u32", "rrr", two, lambda a, b: a * b >> 32
    yield "mul.hi.s32", "rrr", two, lambda a, b: signed(a) * signed(b) >> 32
    yield "mul.hi.s64", "lll", [i64] * 3, lambda a, b: signed(a, 64) * signed(b, 64) >> 64
    yield "mul.wide.s32", "lrr", [i64, i32, i32], lambda a, b: signed(a) * signed(b)
    yield "mul.wide.u16", "rhh", [i32, i16, i16], lambda a, b: a * b
    yield "mad.lo.u32", "rrrr", three, lambda a, b, c: a * b + c
    yield "mad.wide.u32", "lrrl", [i64, i32, i32, i64], lambda a, b, c: a * b + c
    yield "mad.hi.s32", "rrrr", three, lambda a, b, c: (signed(a) * signed(b) >> 32) + c
    yield "neg.s32", "rr", one, lambda a: -a
    yield "abs.s64", "ll", [i64] * 2, lambda a: abs(signed(a, 64))
    yield "min.s32", "rrr", two, lambda a, b: min(signed(a), signed(b))
    yield "max.u64", "lll", [i64] * 3, max
    yield "min.s16", "hhh", [i16] * 3, lambda a, b: min(signed(a, 16), signed(b, 16))
    yield "sad.u32", "rrrr", three, lambda a, b, c: c + abs(a - b)
    yield "sad.s32", "rrrr", three, lambda a, b, c: c + abs(signed(a) - signed(b))
    yield "mul24.lo.u32", "rrr", two, lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF)
    yield "mul24.hi.s32", "rrr", two, lambda a, b: signed(a, 24) * signed(b, 24) >> 16
    yield "dp4a.s32.u32", "rrrr", three, lambda a, b, c: c + sum(signed(a >> 8 * i, 8) * (b >> 8 * i & 255) for i in range(4))
    yield "dp2a.hi.u32.s32", "rrrr", three, lambda a, b, c: c + sum((a >> 16 * i & 65535) * signed(b >> 8 * (i + 2), 8) for i in range(2))
    yield "and.b32", "rrr", two, lambda a, b: a & b
    yield "or.b64", "lll", [i64] * 3, lambda a, b: a | b
    yield "xor.b16", "hhh", [i16] * 3, lambda a, b: a ^ b
    yield "not.b32", "rr", one, lambda a: ~a
    yield "cnot.b32", "rr", one, lambda a: int(a == 0)
    yield "lop3.b32", "rrrr", three, asm.lop3(0xEA), "0xea"
    yield "lop3.b32", "rrrr", three, asm.lop3(0x17), "0x17"
    yield "prmt.b32", "rrrr", three, asm.permuted
    yield "bfe.u32", "rrrr", three, asm.field(32, False)
    yield "bfe.s32", "rrrr", three, asm.field(32, True)
    yield "bfe.s64", "llrr", [i64, i64, i32, i32], asm.field(64, True)
    yield "bfi.b32", "rrrrr", [i32] * 5, asm.inserted(32)
    yield "bfind.u32", "rr", one, lambda a: a.bit_length() - 1
    yield "bfind.shiftamt.s32", "rr", one, lambda a: -1 if a in (0, 2**32 - 1) else 32 - max(a if a < 2**31 else a ^ (2**32 - 1), 0).bit_length()
    yield "brev.b32", "rr", one, lambda a: int(f"{a:032b}"[::-1], 2)
    yield "brev.b64", "ll", [i64] * 2, lambda a: int(f"{a:064b}"[::-1], 2)
    yield "clz.b32", "rr", one, lambda a: 32 - a.bit_length()
    yield "clz.b64", "rl", [i32, i64], lambda a: 64 - a.bit_length()
    yield "popc.b64", "rl", [i32, i64], int.bit_count
    yield "szext.wrap.s32", "rrr", two, lambda a, b: signed(a, b & 31) if b & 31 else 0
    yield "bmsk.clamp.b32", "rrr", two, lambda a, b: ((1 << min(b, 32)) - 1) << min(a, 32)
    yield "vabsdiff4.u32.u32.u32.add", "rrrr", three, lambda a, b, c: c + sum(abs((a >> 8 * i & 255) - (b >> 8 * i & 255)) for i in range(4))
    yield "cvt.s32.s8", "rr", one, lambda a: signed(a, 8)
    yield "cvt.sat.u8.s32", "rr", one, lambda a: max(0, min(255, signed(a)))
    yield "cvt.u64.u32", "lr", [i64, i32], lambda a: a
    yield "cvt.s64.s32", "lr", [i64, i32], signed


def amounts(seed: int) -> np.ndarray:
    """Shift amounts: mostly below 70, some enormous."""
    raw = (values.random_bits(COUNT, seed) % np.uint64(70)).astype(np.int32)
    raw[::17] = -1
    return raw


def integer_cases():
    for name, letters, types, function, *extra in integer_rows():
        inputs = [words(3 * i + 1, element) for i, element in enumerate(types[1:])]
        if name.startswith(("bfe.", "bfi.", "bmsk.", "szext.")):
            inputs[-1] = amounts(50) % 40
            inputs[-2] = inputs[-2] if name.startswith("szext") else amounts(51) % 48
        operands = ", ".join([f"${i}" for i in range(len(letters))] + extra)
        constraints = ",".join([f"={letters[0]}", *letters[1:]])
        yield asm.case(" ".join([name, *extra]), f"{name} {operands};", constraints, inputs, types[0], on_bits(function, types[0]))
    for name, letter, element, function in [
        ("shl.b32", "r", "i32", asm.shifted_left(32)),
        ("shr.u32", "r", "i32", asm.shifted_right(32, False)),
        ("shr.s32", "r", "i32", asm.shifted_right(32, True)),
        ("shr.s64", "l", "i64", asm.shifted_right(64, True)),
        ("shl.b64", "l", "i64", asm.shifted_left(64)),
        ("shr.s16", "h", "i16", asm.shifted_right(16, True)),
    ]:
        text, constraints = f"{name} $0, $1, $2;", f"={letter},{letter},r"
        yield asm.case(name, text, constraints, [words(1, element), amounts(2)], element, on_bits(function, element))
    for name, function in [
        ("shf.l.wrap.b32", asm.funnel(True, True)),
        ("shf.r.wrap.b32", asm.funnel(False, True)),
        ("shf.l.clamp.b32", asm.funnel(True, False)),
        ("shf.r.clamp.b32", asm.funnel(False, False)),
    ]:
        inputs = [words(1), words(2), amounts(3)]
        yield asm.case(name, f"{name} $0, $1, $2, $3;", "=r,r,r,r", inputs, "i32", on_bits(function, "i32"))
    carry = "add.cc.u32 $0, $2, $4; addc.u32 $1, $3, $5;"

    def sum64(a, b, c, d):
        total = [(x | y << 32) + (z | w << 32) for x, y, z, w in zip(*map(references.unsigned, (a, b, c, d)), strict=True)]
        return [references.wrapped(total, "i32"), references.wrapped([t >> 32 for t in total], "i32")]

    yield asm.case("add.cc addc", carry, "=r,=r,r,r,r,r", [words(i) for i in range(1, 5)], ["i32", "i32"], sum64)


def float_cases():
    a, b = values.pairs("f32", 1024)
    c = values.floats("f32", 1024, 9)[::-1].copy()
    once = references.once_rounded
    for name, function in [("add", np.add), ("sub", np.subtract), ("mul", np.multiply)]:
        yield asm.case(f"{name}.f32", f"{name}.rn.f32 $0, $1, $2;", "=f,f,f", [a, b], "f32", once(function, "f32"))
        d, e = values.pairs("f64", 512)
        yield asm.case(f"{name}.f64", f"{name}.rn.f64 $0, $1, $2;", "=d,d,d", [d, e], "f64", quiet(function))
    yield asm.case("div.rn.f32", "div.rn.f32 $0, $1, $2;", "=f,f,f", [a, b], "f32", once(np.divide, "f32"))
    yield asm.case("sqrt.rn.f32", "sqrt.rn.f32 $0, $1;", "=f,f", [a], "f32", once(np.sqrt, "f32"))
    yield asm.case("rcp.rn.f32", "rcp.rn.f32 $0, $1;", "=f,f", [a], "f32", once(np.reciprocal, "f32"))
    for mode, pick in (("rz", toward_zero), ("rm", downward), ("rp", upward)):
        small_a, small_b = (np.float32(1) + np.abs(x) % np.float32(7) for x in (moderate(1), moderate(2)))
        text = f"add.{mode}.f32 $0, $1, $2;"
        yield asm.case(f"add.{mode}.f32", text, "=f,f,f", [small_a, -small_b], "f32", directed(np.add, pick))
        text = f"mul.{mode}.f32 $0, $1, $2;"
        yield asm.case(f"mul.{mode}.f32", text, "=f,f,f", [small_a, -small_b], "f32", directed(np.multiply, pick))
        yield asm.case(f"cvt.{mode}.f32.f64", f"cvt.{mode}.f32.f64 $0, $1;", "=f,d", [moderate(3).astype(np.float64) / 3], "f32", pick)
    fused = fma_of(a, b, c)
    yield asm.case("fma.rn.f32", "fma.rn.f32 $0, $1, $2, $3;", "=f,f,f,f", [a, b, c], "f32", lambda *_: fused)
    for name, function in [
        ("min.f32", asm.extreme(False)),
        ("max.f32", asm.extreme(True)),
        ("min.NaN.f32", asm.extreme(False, True)),
        ("max.NaN.f32", asm.extreme(True, True)),
    ]:
        yield asm.case(name, f"{name} $0, $1, $2;", "=f,f,f", [a, b], "f32", function)
    yield asm.case("add.ftz.f32", "add.ftz.f32 $0, $1, $2;", "=f,f,f", [a, b], "f32", flushed(np.add))
    yield asm.case("mul.ftz.f32", "mul.ftz.f32 $0, $1, $2;", "=f,f,f", [a, b], "f32", flushed(np.multiply))
    yield asm.case("add.sat.f32", "add.sat.f32 $0, $1, $2;", "=f,f,f", [a, b], "f32", saturated)
    yield asm.case("copysign.f32", "copysign.f32 $0, $1, $2;", "=f,f,f", [a, b], "f32", lambda x, y: np.copysign(y, x))
    yield asm.case("abs.f32", "abs.f32 $0, $1;", "=f,f", [a], "f32", np.abs)
    yield asm.case("neg.f32", "neg.f32 $0, $1;", "=f,f", [a], "f32", np.negative)


def moderate(seed: int) -> np.ndarray:
    return values.moderate_floats("f32", COUNT, seed)


def quiet(function):
    def call(*arrays):
        with np.errstate(all="ignore"):
            return function(*arrays)

    return call


def toward_zero(wide: np.ndarray) -> np.ndarray:
    near = wide.astype(np.float32)
    return np.where(np.abs(near.astype(np.float64)) > np.abs(wide), np.nextafter(near, np.float32(0)), near)


def downward(wide: np.ndarray) -> np.ndarray:
    near = wide.astype(np.float32)
    return np.where(near.astype(np.float64) > wide, np.nextafter(near, np.float32(-np.inf)), near)


def upward(wide: np.ndarray) -> np.ndarray:
    near = wide.astype(np.float32)
    return np.where(near.astype(np.float64) < wide, np.nextafter(near, np.float32(np.inf)), near)


def directed(function, pick):
    """The operands are such that f64 holds the exact result."""
    return lambda a, b: pick(function(a.astype(np.float64), b.astype(np.float64)))


def without_subnormals(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < np.float32(2.0**-126), np.copysign(np.float32(0), x), x)


def flushed(function):
    """What 24 bits of a larger exponent range hold below the smallest normal number is flushed (measured)."""

    def call(a, b):
        x, y = without_subnormals(a), without_subnormals(b)
        wide = function(x.astype(np.float64), y.astype(np.float64))
        is_tiny = np.abs(wide) < 2.0**-126 - 2.0**-151
        return np.where(is_tiny, np.copysign(np.float32(0), wide.astype(np.float32)), without_subnormals(function(x, y)))

    return quiet(call)


def saturated(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        total = a + b
        return np.where(total > 0, np.minimum(total, np.float32(1)), np.float32(0))


def fma_of(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Exact sums as fractions, rounded once."""
    from fractions import Fraction

    result = np.empty(a.shape, np.float32)
    for i, (x, y, z) in enumerate(zip(a.tolist(), b.tolist(), c.tolist(), strict=True)):
        if not all(map(math.isfinite, (x, y, z))) or x == 0 or y == 0:
            with np.errstate(all="ignore"):
                result[i] = np.float64(x) * np.float64(y) + np.float64(z)
            continue
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        result[i] = nearest_f32(exact) if exact else np.float32(0.0)
    return result


def nearest_f32(exact) -> np.float32:
    magnitude, exponent = abs(exact), 0
    while magnitude >= 2:
        magnitude, exponent = magnitude / 2, exponent + 1
    while magnitude < 1:
        magnitude, exponent = magnitude * 2, exponent - 1
    unit = max(exponent, -126) - 23
    scaled = abs(exact) / 2 ** unit if unit >= 0 else abs(exact) * 2**-unit
    floor = scaled.numerator // scaled.denominator
    rest = scaled - floor
    floor += rest > 1 / 2 or (rest == 1 / 2 and floor & 1)
    with np.errstate(all="ignore"):
        value = np.float32(math.ldexp(floor, unit)) if floor * 2.0**unit < 2.0**128 else np.float32(np.inf)
    return value if exact > 0 else -value


def small_float_cases():
    for element in ("f16", "bf16"):
        packed = [elements.bits(values.some(element, 2 * COUNT, seed)).view(np.int32) for seed in (1, 2, 3)]
        rounded = {"add": np.add, "mul": np.multiply} if element == "f16" else {}
        for name, function in rounded.items():
            reference = asm.pairs16(references.once_rounded(function, element), element)
            yield asm.case(f"{name}.{element}x2", f"{name}.{element}x2 $0, $1, $2;", "=r,r,r", packed[:2], "i32", reference, bound=asm.same_pairs(element))
        for name, function in (("min", asm.extreme(False)), ("max", asm.extreme(True))):
            text = f"{name}.{element}x2 $0, $1, $2;"
            yield asm.case(f"{name}.{element}x2", text, "=r,r,r", packed[:2], "i32", asm.pairs16(function, element), bound=asm.same_pairs(element))
        text = f"fma.rn.{element}x2 $0, $1, $2, $3;"
        moderate_parts = [elements.bits(values.moderate_floats(element, 2 * COUNT, seed)).view(np.int32) for seed in (1, 2, 3)]
        reference = asm.pairs16(lambda a, b, c, e=element: small_fma(a, b, c, e), element)
        yield asm.case(f"fma.{element}x2", text, "=r,r,r,r", moderate_parts, "i32", reference, bound=asm.same_pairs(element))
        text = f"neg.{element}x2 $0, $1;"
        yield asm.case(f"neg.{element}x2", text, "=r,r", packed[:1], "i32", lambda a: a ^ np.int32(-0x7FFF8000), bound=asm.same_pairs(element))
    a, b = values.pairs("f16", 1024)
    yield asm.case("add.f16 in 16-bit registers", "add.f16 $0, $1, $2;", "=h,h,h", [a, b], "f16", references.once_rounded(np.add, "f16"))


def small_fma(a, b, c, element):
    """The operands' products and sums are exact in f64."""
    return references.rounded(a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64), element)


def approximate_cases():
    x = np.concatenate([moderate(4), np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 2.0, -1.0] * 8, np.float32)])
    for name, function, relative, absolute in [
        ("ex2.approx.f32", np.exp2, 2.0**-21, 0),
        ("ex2.approx.ftz.f32", np.exp2, 2.0**-21, 2.0**-126),
        ("lg2.approx.f32", np.log2, 2.0**-21, 2.0**-21),
        ("rcp.approx.f32", np.reciprocal, 2.0**-22, 0),
        ("rcp.approx.ftz.f32", np.reciprocal, 2.0**-22, 2.0**-126),
        ("rsqrt.approx.f32", lambda v: 1 / np.sqrt(v), 2.0**-21, 0),
        ("sqrt.approx.f32", np.sqrt, 2.0**-21, 0),
        ("tanh.approx.f32", np.tanh, 2.0**-10, 0),
    ]:
        wide = quiet(lambda v, f=function: f(v.astype(np.float64)))
        bound = asm.near(relative, absolute)
        yield asm.case(name, f"{name} $0, $1;", "=f,f", [x], "f32", wide, bound=bound)
    angles = np.mod(moderate(5), np.float32(3))
    for name, function in (("sin", np.sin), ("cos", np.cos)):
        wide = quiet(lambda v, f=function: f(v.astype(np.float64)))
        yield asm.case(f"{name}.approx.f32", f"{name}.approx.f32 $0, $1;", "=f,f", [angles], "f32", wide, bound=asm.near(0, 2.0**-19))
    for mode in ("approx", "full"):
        a, b = moderate(6), moderate(7)
        text = f"div.{mode}.f32 $0, $1, $2;"
        yield asm.case(f"div.{mode}.f32", text, "=f,f,f", [a, b], "f32", lambda p, q: p.astype(np.float64) / q, bound=asm.near(2.0**-21))


def truncated(low: int, high: int, nan: int, element: str, rounder=np.trunc):
    """Float to integer: clamps."""

    def call(x):
        whole = [nan if math.isnan(v) else high if v == math.inf else low if v == -math.inf else int(rounder(v)) for v in x.astype(np.float64).tolist()]
        return references.wrapped([max(low, min(high, v)) if not math.isnan(f) else nan for v, f in zip(whole, x.astype(np.float64).tolist(), strict=True)], element)

    return call


def conversion_cases():
    x = np.concatenate([values.floats("f32", COUNT), np.float32([2.5, 3.5, -0.5, 2147483648.0, 4294967296.0, 1e19, -1e19])])
    for name, letter, element, call in [
        ("cvt.rzi.s32.f32", "r", "i32", truncated(-(2**31), 2**31 - 1, 0, "i32")),
        ("cvt.rni.s32.f32", "r", "i32", truncated(-(2**31), 2**31 - 1, 0, "i32", np.rint)),
        ("cvt.rmi.s32.f32", "r", "i32", truncated(-(2**31), 2**31 - 1, 0, "i32", np.floor)),
        ("cvt.rpi.u32.f32", "r", "i32", truncated(0, 2**32 - 1, 0, "i32", np.ceil)),
        ("cvt.rzi.s64.f32", "l", "i64", truncated(-(2**63), 2**63 - 1, 2**63, "i64")),
        ("cvt.rzi.u64.f32", "l", "i64", truncated(0, 2**64 - 1, 2**63, "i64")),
        ("cvt.rzi.s16.f32", "h", "i16", truncated(-(2**15), 2**15 - 1, 0, "i16")),
    ]:
        yield asm.case(name, f"{name} $0, $1;", f"={letter},f", [x], element, call)
    yield asm.case("cvt.rn.f16.f32", "cvt.rn.f16.f32 $0, $1;", "=h,f", [x], "f16", references.once_rounded(np.positive, "f16"))
    yield asm.case("cvt.rn.bf16.f32", "cvt.rn.bf16.f32 $0, $1;", "=h,f", [x], "bf16", references.once_rounded(np.positive, "bf16"))
    yield asm.case("cvt.rz.bf16.f32", "cvt.rz.bf16.f32 $0, $1;", "=h,f", [x], "bf16", lambda v: references.toward_zero(v, "bf16"))
    halves = values.all_bits("f16")[::16]
    yield asm.case("cvt.f32.f16", "cvt.f32.f16 $0, $1;", "=f,h", [halves], "f32", lambda v: v.astype(np.float32))
    yield asm.case("cvt.rna.tf32.f32", "cvt.rna.tf32.f32 $0, $1;", "=r,r", [moderate(8)], "i32", tf32_away)
    yield asm.case("cvt.rn.f32.s64", "cvt.rn.f32.s64 $0, $1;", "=f,l", [words(3, "i64")], "f32", lambda v: v.astype(np.float32))
    y = x[::-1].copy()
    pair = lambda a, b: np.stack([b, a], 1).reshape(-1)  # noqa: E731  the second source is the low half
    for element in ("f16", "bf16"):
        reference = lambda a, b, e=element: elements.bits(references.rounded(pair(a, b).astype(np.float64), e)).view(np.int32)  # noqa: E731
        text = f"cvt.rn.{element}x2.f32 $0, $1, $2;"
        yield asm.case(f"cvt.rn.{element}x2.f32", text, "=r,f,f", [x, y], "i32", reference, bound=asm.same_pairs(element))
    for name, element, dtype in (("e4m3", "f8E4M3FN", ml_dtypes.float8_e4m3fn), ("e5m2", "f8E5M2", ml_dtypes.float8_e5m2)):
        reference = lambda a, b, e=element: canonical8(references.rounded(pair(a, b).astype(np.float64), e, "saturate")).view(np.int16)  # noqa: E731
        text = f"cvt.rn.satfinite.{name}x2.f32 $0, $1, $2;"
        yield asm.case(f"cvt.rn.satfinite.{name}x2.f32", text, "=h,f,f", [x, y], "i16", reference)
        codes = np.arange(65536, dtype=np.uint16)[::37].view(np.int16)
        wide = lambda v, d=dtype: np.ascontiguousarray(np.ascontiguousarray(v).view(d).astype(np.float16)).view(np.int32)  # noqa: E731
        text = f"cvt.rn.f16x2.{name}x2 $0, $1;"
        yield asm.case(f"cvt.rn.f16x2.{name}x2", text, "=r,h", [codes], "i32", wide, bound=asm.same_pairs("f16"))


def canonical8(x: np.ndarray) -> np.ndarray:
    """PTX's NaN of 8 bits is 0x7f."""
    return np.where(elements.is_nan(x), np.uint8(0x7F), elements.bits(x))


def tf32_away(x: np.ndarray) -> np.ndarray:
    bits = x.view(np.uint32)
    return ((bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.int32)


def predicate_cases():
    a, b = values.pairs("f32", 1024)
    for name, function in [
        ("lt", lambda x, y: x < y),
        ("ne", lambda x, y: (x < y) | (x > y)),
        ("neu", lambda x, y: x != y),
        ("geu", lambda x, y: ~(x < y)),
        ("num", lambda x, y: (x == x) & (y == y)),
        ("nan", lambda x, y: (x != x) | (y != y)),
    ]:
        text = f"{{ .reg .pred p; setp.{name}.f32 p, $1, $2; selp.b32 $0, 1, 0, p; }}"
        yield asm.case(f"setp.{name}.f32", text, "=r,f,f", [a, b], "i32", lambda x, y, f=function: f(x, y).astype(np.int32))
        yield asm.case(f"set.{name}.u32.f32", f"set.{name}.u32.f32 $0, $1, $2;", "=r,f,f", [a, b], "i32", lambda x, y, f=function: -f(x, y).astype(np.int32))
    text = "{ .reg .pred p, q; setp.gt.s32 p|q, $1, $2; @p mov.b32 $0, $1; @q mov.b32 $0, $2; @!q add.s32 $0, $0, 7; }"
    yield asm.case("guards", text, "=r,r,r", [words(1), words(2)], "i32", lambda x, y: np.where(x > y, x + np.int32(7), y))
    text = "{ .reg .pred p, q; setp.lt.s32 q, $2, 0; setp.hi.xor.u32 p, $1, 1000, !q; selp.s32 $0, $1, $2, p; }"
    reference = on_bits(lambda x, y: x if (x > 1000) != (signed(y) >= 0) else y, "i32")
    yield asm.case("setp.hi.xor", text, "=r,r,r", [words(1), words(2)], "i32", reference)
    reference = on_bits(lambda x, y, z: x if signed(z) >= 0 else y, "i32")
    yield asm.case("slct", "slct.b32.s32 $0, $1, $2, $3;", "=r,r,r,r", [words(1), words(2), words(3)], "i32", reference)


def packing_cases():
    bytes_, halves = values.integers("i8", 1024), values.integers("i16", 1024)
    for pack in (1, 2, 4):
        letter = "h" if pack == 2 else "r"
        kind = "b16" if pack == 2 else "b32"
        text = f"mov.{kind} $0, $1;"
        yield asm.case(f"i8 x{pack}", text, f"={letter},{letter}", [bytes_], "i8", lambda x: x, pack)
    yield asm.case("i8 widened", "mov.b32 $0, $1;", "=r,r", [bytes_], "i32", lambda x: x.view(np.uint8).astype(np.int32))
    yield asm.case("i8 x4 sum of bytes", "add.u32 $0, $1, 0x01010101;", "=r,r", [bytes_ & np.int8(0x7E)], "i8", lambda x: x + np.int8(1), 4)
    text = "xor.b32 $0, $2, 0x00010000; xor.b32 $1, $3, 0x00010000;"
    odd = np.arange(1024) % 2 == 1
    reference = lambda x: np.where(odd, x ^ np.int16(1), x)  # noqa: E731
    yield asm.case("i16 x4", text, "=r,=r,r,r", [halves], "i16", reference, 4, gpu_bound=asm.by_thread(reference))
    text = "prmt.b32 $0, $2, 0, 0x4140; prmt.b32 $1, $2, 0, 0x4342;"
    yield asm.case("i8 x4 to i16", text, "=r,=r,r", [bytes_], "i16", lambda x: x.view(np.uint8).astype(np.int16), 4)
    few = np.arange(2, dtype=np.int8)
    yield asm.case("fewer elements than a pack", "xor.b32 $0, $1, 0x03030303;", "=r,r", [few], "i8", lambda x: x ^ np.int8(3), 4, gpu="its padding is undefined")
    yield asm.case("a scalar in a pack", "xor.b32 $0, $1, 0x03030303;", "=r,r", [few], "i8", lambda x: x ^ np.int8(3), 4, shape=(), gpu="its padding is undefined")
    numbers = words(5)
    text = "add.s32 $0, $4, 1; sub.s32 $1, $5, 1; not.b32 $2, $4; not.b32 $3, $5;"

    def two_results(x):
        even = np.arange(x.size) % 2 == 0
        return [np.where(even, x + np.int32(1), x - np.int32(1)), ~x]

    yield asm.case("two results x2", text, "=r,=r,=r,=r,r,r", [numbers], ["i32", "i32"], two_results, 2, gpu_bound=asm.by_thread(two_results))
    yield asm.case("tied", "add.s32 $0, $0, 5;", "=r,0", [numbers], "i32", lambda x: x + np.int32(5))
    yield asm.case("2d", "add.s32 $0, $1, 5;", "=r,r", [numbers], "i32", lambda x: x + np.int32(5), shape=(16, 32))
    yield asm.case("scalar", "add.s32 $0, $1, 5;", "=r,r", [numbers[:64]], "i32", lambda x: x + np.int32(5), shape=())
    yield asm.case("not pure", "shf.l.wrap.b32 $0, $1, $2, 3;", "=r,r,r", [numbers, words(6)], "i32", on_bits(lambda a, b: (b << 3 | a >> 29), "i32"), pure=False)
    yield asm.case("unpack and pack", "mov.b64 {$0, $1}, $2;", "=r,=r,l", [words(7, "i64")], ["i32", "i32"], lambda x: [x.astype(np.int32), (x >> 32).astype(np.int32)])
    yield asm.case("pack", "mov.b64 $0, {$1, $2};", "=l,r,r", [words(1), words(2)], "i64", on_bits(lambda a, b: b << 32 | a, "i64"))


# Each byte moves to the upper half of 16 bits; below the sign everything goes one bit down.
E4B15_UP = """{
  .reg .b32 low, high, rest;
  prmt.b32 low, $2, 0, 0x1404;   prmt.b32 high, $2, 0, 0x3424;
  and.b32 rest, low, 0x7f007f00;   shr.u32 rest, rest, 1;   and.b32 low, low, 0x80008000;   or.b32 $0, low, rest;
  and.b32 rest, high, 0x7f007f00;  shr.u32 rest, rest, 1;   and.b32 high, high, 0x80008000; or.b32 $1, high, rest;
}"""
E4B15_DOWN = (
    "{ .reg .b16 h<4>; .reg .b32 left, right, signs; mov.b32 {h0, h1}, $1; mov.b32 {h2, h3}, $2;\n"
    + "".join(
        f"  and.b16 h{i}, h{i}, 0x7fff; min.u16 h{i}, h{i}, 0x3f00; shl.b16 h{i}, h{i}, 1; add.u16 h{i}, h{i}, 0x80; shr.u16 h{i}, h{i}, 8;\n"
        for i in range(4)
    )
    + "  mov.b32 left, {h0, h1}; mov.b32 right, {h2, h3}; prmt.b32 left, left, right, 0x6420;\n"
    "  prmt.b32 signs, $1, $2, 0x7531; and.b32 signs, signs, 0x80808080; or.b32 $0, left, signs; }"
)


def e4b15_value(code: int) -> float:
    exponent, fraction = code >> 3 & 15, code & 7
    magnitude = fraction / 8 * 2.0**-14 if exponent == 0 else (1 + fraction / 8) * 2.0 ** (exponent - 15)
    return -magnitude if code & 0x80 else magnitude


def e4b15_code(bits: int) -> int:
    """Rounded half up at the eighth of the kept bits, clamped at 1.75, sign kept; a NaN is clamped too."""
    magnitude = bits & 0x7FFF
    is_small = magnitude < 0x3F00
    rounded = ((magnitude if is_small else 0x3F00) * 2 + 0x80) & 0xFFFF
    return bits >> 15 << 7 | rounded >> 8


def package_cases():
    codes = np.tile(np.arange(256, dtype=np.uint8).view(np.int8), 4)
    reference = lambda x: np.array([e4b15_value(int(c) & 255) for c in x], np.float16)  # noqa: E731
    yield asm.case("e4b15 to f16", E4B15_UP, "=r,=r,r", [codes], "f16", reference, 4)
    every = values.all_bits("f16")
    reference = lambda x: np.array([e4b15_code(int(b)) for b in elements.bits(x)], np.uint8).view(np.int8)  # noqa: E731
    yield asm.case("f16 to e4b15", E4B15_DOWN, "=r,r,r", [every], "i8", reference, 4)
    minimum = "{ .reg .b32 m; mov.b32 m, 0x3F003F00; and.b32 $0, $1, 0x7fff7fff; min.f16x2 $0, $0, m; }"
    reference = lambda x: np.fmin(np.abs(x), np.float16(1.75))  # noqa: E731
    yield asm.case("clamp by min.f16x2", minimum, "=r,r", [every[::8]], "f16", reference, 2)
    softplus = (
        "{ .reg .pred is_large; .reg .f32 t; setp.ge.f32 is_large, $1, 20.0; mul.f32 t, $1, 0f3FB8AA3B; ex2.approx.ftz.f32 t, t;"
        " add.f32 t, t, 1.0; lg2.approx.ftz.f32 t, t; @!is_large mul.f32 $0, t, 0f3F317218; @is_large mov.f32 $0, $1; }"
    )
    x = moderate(9)
    wide = quiet(lambda v: np.where(v >= 20, v.astype(np.float64), np.log1p(np.exp(v.astype(np.float64)))))
    yield asm.case("softplus", softplus, "=r,r", [x], "f32", wide, bound=asm.near(2.0**-19, 2.0**-21))
    cosine = "{\n  .reg .f32 c;  // a comment, 'quoted'\n  cos.approx.f32 c, $1;\n  ex2.approx.f32 $0, c;\n}"
    wide = lambda v: np.exp2(np.cos(v.astype(np.float64)))  # noqa: E731
    yield asm.case("2 to the cosine", cosine, "=r, r", [np.mod(x, np.float32(3))], "f32", wide, bound=asm.near(2.0**-18))
    yield asm.case("safe dot's move", "mov.f32 $0, $1;", "=r,r", [x], "f32", lambda v: v)
    dequantise = "{ .reg .b32 t; lop3.b32 t, $1, 0x000f000f, 0x64006400, 0xea; .reg .b32 m; mov.b32 m, 0x64086408; sub.f16x2 $0, t, m; }"
    nibble = lambda v: np.ascontiguousarray(((np.ascontiguousarray(v).view(np.int16) & 15) - 8).astype(np.float16)).view(np.int32)  # noqa: E731
    yield asm.case("int4 to f16x2", dequantise, "=r,r", [words(8)], "i32", nibble)
    yield asm.case("dependent launch", "griddepcontrol.wait; mov.b32 $0, $1;", "=r,r", [words(9)], "i32", lambda v: v, pure=False)
    blackwell = "instructions of sm_100"
    f2 = [values.moderate_floats("f32", 2 * COUNT, seed).view(np.int64) for seed in (1, 2)]
    reference = lambda a, b: np.ascontiguousarray(a.view(np.float32) * b.view(np.float32)).view(np.int64)  # noqa: E731
    yield asm.case("mul.f32x2", "mul.f32x2 $0, $1, $2;", "=l,l,l", f2, "i64", reference, gpu=blackwell)
    positive = np.abs(moderate(10))
    reference = lambda v: (np.ceil(np.log2(v.astype(np.float64))) + 127).astype(np.int16)  # noqa: E731
    yield asm.case("ue8m0", "cvt.rp.satfinite.ue8m0x2.f32 $0, 0.0, $1;", "=h,r", [positive], "i16", reference, gpu=blackwell)


def refusal_cases():
    def says(*parts):
        return lambda printed: None if all(part in printed for part in parts) else f"does not say {parts}"

    no = "not run"
    for name, text, code, parts in [
        ("shuffle", "mov.b32 $0, $1; shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", 4, ["'shfl.sync.bfly.b32' (column 17 of", "not supported yet"]),
        ("memory of a block", "ld.shared.u32 $0, [$1];", 4, ["'ld.shared.u32' (column 1 of"]),
        ("an address of 32 bits", "ld.global.u32 $0, [$1];", 4, ["an address that is not a register of 64 bits (column 20 of"]),
        ("label", "L1: add.s32 $0, $1, 1;", 4, ["the label 'L1'"]),
        ("thread", "mov.u32 $0, %tid.x;", 4, ["the register '%tid.x'"]),
        ("another GPU's", "v_sin_f32 $0, $1", 4, ["'v_sin_f32'"]),
        ("no semicolon", "add.s32 $0, $1, 1", 2, ["expected ';'"]),
        ("no register", "add.s32 $0, $5, 1;", 2, ["'$5' is not an operand"]),
        ("second line", "add.s32 $0, $1, 1;\n  foo.s32 $0, $1;", 4, ["'foo.s32' (line 2, column 3 of"]),
    ]:
        yield asm.case(name, text, "=r,r", [words(1)], "i32", None, exit_code=code, output=says(*parts), gpu=no)
    yield asm.case("AMD constraint", "mov.b32 $0, $1;", "=v,v", [words(1)], "i32", None, exit_code=4, output=says("the constraint '=v'"), gpu=no)
    yield asm.case("narrow register", "mov.b16 $0, $1;", "=h,h", [words(1)], "i32", None, exit_code=2, output=says("bits"), gpu=no)
    yield asm.case("too few constraints", "mov.b32 $0, $1;", "=r,r", [values.integers("i8", 64)], "i8", None, 8, exit_code=2, output=says("fewer"), gpu=no)


def special_register_cases():
    own = "special registers answer differently on a GPU"
    programs = np.zeros(1024, np.int32)
    text = "{ .reg .b32 t; mov.u32 t, %ctaid.x; add.u32 $0, $1, t; mov.u32 t, %nctaid.x; mad.lo.u32 $0, t, 1000, $0; }"
    yield asm.case("%ctaid", text, "=r,r", [programs], "i32", lambda x: np.arange(1024, dtype=np.int32) // 64 + 16000, shape=(64,))
    yield asm.case("%smid", "{ .reg .b32 t; mov.u32 t, %smid; add.u32 $0, $1, t; }", "=r,r", [programs], "i32", lambda x: np.arange(1024, dtype=np.int32) // 64, shape=(64,), gpu=own)
    text = "{ .reg .b64 t; mov.u64 t, %globaltimer; add.u64 $0, $1, t; }"
    yield asm.case("%globaltimer", text, "=l,l", [np.zeros(64, np.int64)], "i64", lambda x: np.full(64, 1000), gpu=own, pure=False)


    # No operands: the same for a whole program, and never computed once for all programs.
    lines = ["%id = " + asm.op("mov.u32 $0, %smid;", "=r", [], ["i32"]).replace("TILE(i32)", "i32")]
    lines += ["%ids = tt.splat %id : i32 -> TILE(i32)", "%out0 = arith.addi %in0, %ids : TILE(i32)"]
    reference = lambda x: np.arange(1024, dtype=np.int32) // 64  # noqa: E731
    yield kernels.elementwise("no operand", lines, {"in0": programs}, {"out0": "i32"}, reference, (64,), gpu=own)
    lines = ["%a = " + asm.op("mov.u64 $0, %globaltimer;", "=l", [], ["i64"], pure=False).replace("TILE(i64)", "i64")]
    lines += ["%b = " + asm.op("mov.u64 $0, %globaltimer;", "=l", [], ["i64"], pure=False).replace("TILE(i64)", "i64")]
    lines += ["%d = arith.subi %b, %a : i64", "%ds = tt.splat %d : i64 -> TILE(i64)", "%out0 = arith.addi %in0, %ds : TILE(i64)"]
    reference = lambda x: np.full(64, 1000)  # noqa: E731
    yield kernels.elementwise("time passes", lines, {"in0": np.zeros(64, np.int64)}, {"out0": "i64"}, reference, gpu=own)


def cases():
    for family in (
        integer_cases,
        float_cases,
        small_float_cases,
        approximate_cases,
        conversion_cases,
        predicate_cases,
        packing_cases,
        package_cases,
        special_register_cases,
        refusal_cases,
    ):
        for case in family():
            if case.bound is None:
                case.bound = Exact()
            yield case
