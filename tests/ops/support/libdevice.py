"""References and inputs of libdevice's functions, by symbol: exact ones in Python, the others by MPFR."""

from __future__ import annotations

import struct
from fractions import Fraction

import numpy as np
from support import elements, math_inputs, rounding, values

INTEGER_BITS = {"int": (32, True), "uint": (32, False), "ll": (64, True), "ull": (64, False)}
REAL = {"f32": np.float32, "f64": np.float64}


def low24(x: int, signed: bool) -> int:
    x &= 0xFFFFFF
    return x - (1 << 24) if signed and x >> 23 else x


def byte_perm(a: int, b: int, s: int) -> int:
    data = struct.pack("<II", a, b)
    return int.from_bytes(bytes(data[s >> (4 * i) & 7] for i in range(4)), "little")


def reverse(x: int, bits: int) -> int:
    return int(f"{x:0{bits}b}"[::-1], 2)


#: symbol -> (operands are signed, function of Python integers)
INTEGER = {
    "abs": (True, abs), "llabs": (True, abs),
    "clz": (False, lambda x: 32 - x.bit_length()), "clzll": (False, lambda x: 64 - x.bit_length()),
    "popc": (False, lambda x: bin(x).count("1")), "popcll": (False, lambda x: bin(x).count("1")),
    "ffs": (False, lambda x: (x & -x).bit_length()), "ffsll": (False, lambda x: (x & -x).bit_length()),
    "brev": (False, lambda x: reverse(x, 32)), "brevll": (False, lambda x: reverse(x, 64)),
    "mulhi": (True, lambda a, b: a * b >> 32), "umulhi": (False, lambda a, b: a * b >> 32),
    "mul64hi": (True, lambda a, b: a * b >> 64), "umul64hi": (False, lambda a, b: a * b >> 64),
    "mul24": (True, lambda a, b: low24(a, True) * low24(b, True)),
    "umul24": (False, lambda a, b: low24(a, False) * low24(b, False)),
    "sad": (True, lambda a, b, c: abs(a - b) + c), "usad": (False, lambda a, b, c: abs(a - b) + c),
    "hadd": (True, lambda a, b: (a + b) >> 1), "uhadd": (False, lambda a, b: (a + b) >> 1),
    "rhadd": (True, lambda a, b: (a + b + 1) >> 1), "urhadd": (False, lambda a, b: (a + b + 1) >> 1),
    "byte_perm": (False, byte_perm),
    "max": (True, max), "min": (True, min), "umax": (False, max), "umin": (False, min),
    "llmax": (True, max), "llmin": (True, min), "ullmax": (False, max), "ullmin": (False, min),
}  # fmt: skip

BITS = {"float_as_int", "float_as_uint", "int_as_float", "uint_as_float", "double_as_longlong", "longlong_as_double"}


def exponent(a: np.ndarray) -> np.ndarray:
    wide = np.abs(a.astype(np.longdouble))
    with np.errstate(all="ignore"):
        found = np.frexp(np.where(np.isfinite(wide) & (wide > 0), wide, 1))[1].astype(np.int64) - 1
    found = np.where(np.isinf(wide), 2**31 - 1, found)
    return np.where(np.isnan(wide) | (wide == 0), -(2**31), found).astype(np.int32)


def logb(a: np.ndarray) -> np.ndarray:
    found = exponent(a).astype(a.dtype)
    return np.select([np.isnan(a), np.isinf(a), a == 0], [a, np.abs(a), np.full_like(a, -np.inf)], found)


def half_away(a: np.ndarray) -> np.ndarray:
    whole = np.trunc(a)
    return np.where(np.abs(a - whole) >= 0.5, whole + np.copysign(a.dtype.type(1), a), whole)


def number_wins(pick, a, b):
    """-0 is less than +0, and a NaN loses."""
    chosen = pick(a, b)
    lower = pick is np.fmin
    both_zero = (a == 0) & (b == 0)
    zeros = np.where((np.signbit(a) | np.signbit(b)) if lower else (np.signbit(a) & np.signbit(b)), -0.0, 0.0)
    return np.where(both_zero, zeros.astype(a.dtype), chosen)


def remainder(x, y):
    """IEEE's remainder by fractions."""
    out = np.full_like(x, np.nan)
    for i, (a, b) in enumerate(zip(x.tolist(), y.tolist())):
        if not np.isfinite(a) or np.isnan(b) or b == 0:
            continue
        if np.isinf(b):
            out[i] = a
            continue
        value = Fraction(a) - Fraction(b) * round(Fraction(a) / Fraction(b))
        out[i] = np.copysign(0.0, a) if value == 0 else float(value)
    return out


def ldexp(a, n):
    """By fractions, so that a subnormal result is rounded once."""
    element = elements.name_of(a.dtype)
    out = a.copy()
    for i, (x, k) in enumerate(zip(a.tolist(), n.tolist())):
        if np.isfinite(x) and x != 0:
            k = max(min(k, 5000), -5000)
            out[i] = rounding.to_float(Fraction(x) * Fraction(2) ** k, element, "nearest")
    return out


def rcp64h(a):
    top = (a.view(np.uint64) & np.uint64(0xFFFFFFFF00000000)).view(np.float64)
    tiny = np.finfo(np.float64).tiny
    with np.errstate(all="ignore"):
        inverse = 1 / np.where(np.abs(top) < tiny, np.copysign(0.0, top), top)
    inverse = np.where(np.abs(inverse) < tiny, np.copysign(0.0, inverse), inverse)
    cut = ((inverse.view(np.uint64) + np.uint64(0x80000000)) & np.uint64(0xFFFFFFFF00000000)).view(np.float64)
    return np.where(np.isnan(a), np.nan, np.where(np.isfinite(inverse), cut, inverse))


def to_i64(a):
    element = elements.name_of(a.dtype)
    return np.array([rounding.saturated(float(x), element, 64, True, "nearest") for x in a], np.int64)


#: symbol without the f of f32 -> NumPy
EXACT = {
    "fabs": lambda a: elements.from_bits(elements.bits(a) & elements.bits(a).dtype.type((1 << (8 * a.itemsize - 1)) - 1), elements.name_of(a.dtype)),
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "nearbyint": np.rint, "round": half_away,
    "sqrt": np.sqrt, "logb": logb, "ilogb": exponent,
    "copysign": np.copysign, "nextafter": np.nextafter, "fmod": np.fmod, "remainder": remainder,
    "fdim": lambda a, b: np.where(np.isnan(a) | np.isnan(b), np.nan, np.where(a > b, a - b, 0)).astype(a.dtype),
    "fmax": lambda a, b: number_wins(np.fmax, a, b), "fmin": lambda a, b: number_wins(np.fmin, a, b),
    "ldexp": ldexp, "scalbn": ldexp, "llrint": to_i64, "llround": lambda a: to_i64(half_away(a)),
    "isnan": lambda a: np.isnan(a).astype(np.int32), "isinf": lambda a: np.isinf(a).astype(np.int32),
    "finite": lambda a: np.isfinite(a).astype(np.int32), "signbit": lambda a: np.signbit(a).astype(np.int32),
    "saturate": lambda a: np.where(np.isnan(a), 0, np.clip(a + 0.0, 0, 1)).astype(a.dtype), "rcp64h": rcp64h,
    "hiloint2double": lambda a, b: (a.astype(np.int64) << 32 | b.view(np.uint32)).view(np.float64),
    "double2hiint": lambda a: (a.view(np.int64) >> 32).astype(np.int32),
    "double2loint": lambda a: a.view(np.int64).astype(np.int32),
}  # fmt: skip
NAMES = {"isnand": "isnan", "isinfd": "isinf", "isfinited": "finite", "signbitd": "signbit"}


def plain_name(symbol: str) -> str:
    """The symbol without the f that says f32."""
    if symbol in NAMES:
        return NAMES[symbol]
    if symbol in EXACT or symbol in ("erf", "normcdf") or not symbol.endswith("f"):
        return symbol
    return symbol[:-1]


def directed(symbol: str):
    """The reference of fadd_rd and its like; None for other symbols."""
    stem, _, mode = symbol.rpartition("_")
    if mode not in rounding.MODES or stem.startswith("frsqrt"):
        return None
    way = rounding.MODES[mode]
    if stem in ("fmaf", "fma"):
        return real_operation("fma", "f32" if stem == "fmaf" else "f64", way)
    if "2" in stem:
        return conversion(*stem.split("2"), way)
    return real_operation(stem[1:], "f32" if stem[0] == "f" else "f64", way)


def real_operation(name: str, element: str, way: str):
    def reference(*arrays):
        lists = [a.astype(np.float64).tolist() for a in arrays]
        return np.array([rounding.apply(name, list(x), element, way) for x in zip(*lists)]).astype(REAL[element])

    return reference


def conversion(source: str, target: str, way: str):
    kinds = {"float": "f32", "double": "f64"}

    def reference(a):
        if source in kinds and target in kinds:
            return np.array([convert_real(x, kinds[target], way) for x in a.tolist()]).astype(REAL[kinds[target]])
        if source in kinds:
            bits, signed = INTEGER_BITS[target]
            numbers = [rounding.saturated(x, kinds[source], bits, signed, way) for x in a.astype(np.float64).tolist()]
            return np.array([n & ((1 << bits) - 1) for n in numbers], dtype=f"u{bits // 8}").view(f"i{bits // 8}")
        signed = INTEGER_BITS[source][1]
        numbers = a.tolist() if signed else a.view(f"u{a.itemsize}").tolist()
        made = [0.0 if n == 0 else rounding.to_float(Fraction(n), kinds[target], way) for n in numbers]
        return np.array(made).astype(REAL[kinds[target]])

    return reference


def convert_real(x: float, element: str, way: str) -> float:
    return x if not np.isfinite(x) or x == 0 else rounding.to_float(Fraction(x), element, way)


def exact_reference(symbol: str, result: str):
    """The reference of a function without error; None if MPFR must judge."""
    if symbol in INTEGER:
        signed, function = INTEGER[symbol]

        def on_integers(*arrays):
            read = [a.tolist() if signed else a.view(f"u{a.itemsize}").tolist() for a in arrays]
            size = elements.width(result)
            raw = [int(function(*x)) & ((1 << size) - 1) for x in zip(*read)]
            return np.array(raw, dtype=f"u{size // 8}").view(f"i{size // 8}")

        return on_integers
    if symbol in BITS:
        return lambda a: a.view(elements.DTYPE[result])
    return directed(symbol) or EXACT.get(plain_name(symbol))


def judged_name(symbol: str) -> str:
    """MPFR's name of a function with an error."""
    special = {"fast_fdividef": "div", "frsqrt_rn": "rsqrt"}
    return special.get(symbol) or plain_name(symbol.removeprefix("fast_"))


ORDERS = np.array([0, 1, 2, 3, 5, 8, 17, 128, -1], np.int32)
EXPONENTS = np.array([0, 1, -1, 2, 3, -3, 10, 33, -47, 100, 1000, -(2**31), 2**31 - 1], np.int32)


def operands(symbol: str, kinds: list[str], size: int, is_judged: bool) -> list[np.ndarray]:
    """About `size` operands, specials among them."""
    if is_judged and kinds[0] == "i32":  # Bessel functions of an order
        x = math_inputs.unary(REAL[kinds[1]], size)
        x = x[np.abs(x) < 3e3]
        return [np.resize(ORDERS, x.size), x]
    if "f" in kinds[0][0] and kinds[1:] == ["i32"]:
        x = math_inputs.several(REAL[kinds[0]], 2, size)[0]
        return [x, np.resize(EXPONENTS, x.size)]
    if all(kind in REAL for kind in kinds):
        dtype = REAL[kinds[0]]
        return [math_inputs.unary(dtype, size)] if len(kinds) == 1 else math_inputs.several(dtype, len(kinds), size)
    return [np.roll(values.integers(kind, min(size, 2048), 3 + i), 5 * i) for i, kind in enumerate(kinds)]
