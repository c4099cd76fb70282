"""Bounds of ops that compute each element from elements at the same place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from lockstep.models.bounds.interval import FLOATS, Cannot, Interval, Maybe, Value, as_interval, converted, hull, rounded, stored, unit

#: Errors of the GPU's functions in units of the last place, as CUDA documents them, doubled where Triton has a short form.
ULPS = {"exp": 4.0, "exp2": 4.0, "expm1": 4.0, "log": 4.0, "log2": 4.0, "log1p": 4.0, "log10": 4.0, "sqrt": 2.0, "rsqrt": 4.0,
        "tanh": 6.0, "sigmoid": 8.0, "erf": 4.0, "erfc": 10.0, "sin": 4.0, "cos": 4.0, "pow": 16.0, "div": 2.5, "atan": 4.0,
        "sinh": 6.0, "cosh": 6.0, "tan": 8.0, "asin": 6.0, "acos": 6.0, "lgamma": 16.0}  # fmt: skip
_FTZ = 1.2e-38
_EXACT = 2**40  # integers that ranges may reach


def _product(a: Interval, b: Interval) -> tuple[torch.Tensor, torch.Tensor]:
    ends = [a.low * b.low] if a.low is a.high and b.low is b.high else [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low = high = ends[0]
    for one in ends[1:]:
        low, high = torch.minimum(low, one), torch.maximum(high, one)
    return low, high


def _quotient(a: Interval, b: Interval) -> tuple[torch.Tensor, torch.Tensor]:
    crosses = (b.low <= 0) & (b.high >= 0) & (b.low != b.high)
    ends = [x / y for x in (a.low, a.high) for y in (b.low, b.high)]
    low = high = ends[0]
    for one in ends[1:]:
        low, high = torch.minimum(low, one), torch.maximum(high, one)
    return torch.where(crosses, -torch.inf, low), torch.where(crosses, torch.inf, high)


def add(dtype: str, a: Value, b: Value, alpha: float = 1, sign: int = 1) -> Interval:
    x, y = as_interval(a, dtype), as_interval(b, dtype)
    scale = as_interval(sign * alpha, dtype)
    if sign * alpha != 1:
        y = rounded(*_product(y, scale), dtype) if alpha != 1 else Interval(-y.high, -y.low, dtype)
    return rounded(x.low + y.low, x.high + y.high, dtype)


def mul(dtype: str, a: Value, b: Value) -> Interval:
    if a is b and isinstance(a, Interval):
        return square(dtype, a)
    return rounded(*_product(as_interval(a, dtype), as_interval(b, dtype)), dtype)


def square(dtype: str, a: Value) -> Interval:
    x = as_interval(a, dtype)
    ends = x.low * x.low, x.high * x.high
    low = torch.where((x.low <= 0) & (x.high >= 0), 0.0, torch.minimum(*ends))
    return rounded(low, torch.maximum(*ends), dtype)


def div(dtype: str, a: Value, b: Value, rounding_mode: str | None = None) -> Interval:
    made = rounded(*_quotient(as_interval(a, dtype), as_interval(b, dtype)), dtype, ULPS["div"])
    if rounding_mode is None:
        return made
    return made.map(torch.floor if rounding_mode == "floor" else torch.trunc)


def rising(name: str, function: Callable[[torch.Tensor], torch.Tensor], minimum: float | None = None) -> Callable[..., Interval]:
    """The rule of a function that never falls."""

    def rule(dtype: str, a: Value) -> Interval:
        x = as_interval(a, dtype)
        low, high = x.low, x.high
        if minimum is not None:  # below it the function is not defined: an interval that begins there begins at its end
            low = torch.where((low < minimum) & (high >= minimum), minimum, low)
        return rounded(function(low), function(high), dtype, ULPS[name])

    return rule


def exp(dtype: str, a: Value, function: Callable[[torch.Tensor], torch.Tensor] = torch.exp) -> Interval:
    """Short forms multiply by log2(e) first: an error that grows with the argument."""
    x = as_interval(a, dtype)
    low, high = function(x.low), function(x.high)
    more = 4 * unit(dtype) * torch.clamp(x.magnitude(), max=200.0)
    return rounded(low * (1 - more) - _FTZ, high * (1 + more) + _FTZ, dtype, ULPS["exp"])


def falling(name: str, function: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Interval]:
    def rule(dtype: str, a: Value) -> Interval:
        x = as_interval(a, dtype)
        return rounded(function(x.high), function(x.low), dtype, ULPS[name])

    return rule


def rsqrt(dtype: str, a: Value) -> Interval:
    x = as_interval(a, dtype)
    low = torch.where((x.low < 0) & (x.high >= 0), 0.0, x.low)
    return rounded(torch.rsqrt(x.high), torch.rsqrt(low), dtype, ULPS["rsqrt"])


def wave(name: str, function: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Interval]:
    """sin and cos: their slope is at most 1."""

    def rule(dtype: str, a: Value) -> Interval:
        x = as_interval(a, dtype)
        middle, radius = (x.low + x.high) / 2, (x.high - x.low) / 2
        value = function(middle)
        error = radius + 2 * ULPS[name] * unit(dtype)
        return Interval(torch.clamp(value - error, min=-1.0), torch.clamp(value + error, max=1.0), dtype)

    return rule


def neg(dtype: str, a: Value) -> Interval:
    x = as_interval(a, dtype)
    return Interval(-x.high, -x.low, dtype)


def absolute(dtype: str, a: Value) -> Interval:
    x = as_interval(a, dtype)
    low = torch.where((x.low <= 0) & (x.high >= 0), 0.0, torch.minimum(x.low.abs(), x.high.abs()))
    return Interval(low, x.magnitude(), dtype)


def stepped(function: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Interval]:
    """floor, ceil, sign, relu: they never fall and are exact."""
    return lambda dtype, a: Interval(function((x := as_interval(a, dtype)).low), function(x.high), dtype)


def extreme(function: Callable[..., torch.Tensor]) -> Callable[..., Interval]:
    def rule(dtype: str, a: Value, b: Value) -> Interval:
        x, y = as_interval(a, dtype), as_interval(b, dtype)
        return Interval(function(x.low, y.low), function(x.high, y.high), dtype)

    return rule


def clamp(dtype: str, a: Value, least: Value = None, most: Value = None, **named: Value) -> Interval:
    x = as_interval(a, dtype)
    least, most = named.get("min", least), named.get("max", most)
    if least is not None:
        x = extreme(torch.maximum)(dtype, x, least)
    return x if most is None else extreme(torch.minimum)(dtype, x, most)


def power(dtype: str, a: Value, b: Value) -> Interval:
    if isinstance(b, (int, float)) and float(b).is_integer() and 0 < abs(b) <= 16:
        made = x = as_interval(a, dtype)
        if b % 2 == 0 and abs(b) > 1:
            x = absolute(dtype, x)
        low, high = x.low ** abs(int(b)), x.high ** abs(int(b))
        made = rounded(low, high, dtype, 0.5 * abs(int(b)) if abs(b) <= 3 else ULPS["pow"])
        return made if b > 0 else div(dtype, 1.0, made)
    if b == 0.5:
        return rising("sqrt", torch.sqrt, 0.0)(dtype, a)
    x, y = as_interval(a, dtype), as_interval(b, dtype)
    if bool((x.low <= 0).any()):
        if x.is_exact and y.is_exact:
            value = torch.pow(x.low, y.low)
            return rounded(value, value, dtype, ULPS["pow"])
        raise Cannot("a power of numbers that may be negative")
    ends = [torch.pow(p, q) for p in (x.low, x.high) for q in (y.low, y.high)]
    made = hull(*[Interval(one, one, dtype) for one in ends])
    more = 4 * unit(dtype) * (y.magnitude() * torch.log(x.low).abs().maximum(torch.log(x.high).abs())).clamp(max=200.0)
    return rounded(made.low * (1 - more), made.high * (1 + more), dtype, ULPS["pow"])


def fma(dtype: str, a: Value, b: Value, c: Value) -> Interval:
    return add(dtype, mul(dtype, a, b), c)


def addc(dtype: str, a: Value, b: Value, c: Value, value: float = 1, divides: bool = False) -> Interval:
    inner = div(dtype, b, c) if divides else mul(dtype, b, c)
    return add(dtype, a, inner if value == 1 else mul(dtype, inner, value))


def where(dtype: str, condition: Value, a: Value, b: Value) -> Value:
    if dtype not in FLOATS:
        if isinstance(condition, Maybe):
            if dtype != "bool":
                raise Cannot("a choice between integers by numbers that are too close")
            x, y = truth(a), truth(b)
            certain = torch.where(condition.certain, x.certain, torch.where(condition.possible, x.certain & y.certain, y.certain))
            possible = torch.where(condition.certain, x.possible, torch.where(condition.possible, x.possible | y.possible, y.possible))
            return Maybe(certain, possible)
        if not isinstance(a, Interval) and not isinstance(b, Interval):
            return torch.where(_tensor(condition), _tensor(a), _tensor(b))
    x, y = as_interval(a, dtype), as_interval(b, dtype)
    if not isinstance(condition, Maybe):
        chosen = _tensor(condition).bool()
        ends = torch.where(chosen, x.low, y.low), torch.where(chosen, x.high, y.high)
        return Interval(*ends, dtype) if dtype in FLOATS else integers(*ends, dtype)
    low, high = torch.minimum(x.low, y.low), torch.maximum(x.high, y.high)
    low = torch.where(condition.certain, x.low, torch.where(condition.possible, low, y.low))
    high = torch.where(condition.certain, x.high, torch.where(condition.possible, high, y.high))
    return Interval(low, high, dtype)


def _tensor(value: Value) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        return value
    if isinstance(value, (bool, int, float)):
        return torch.tensor(value)
    raise Cannot("an integer op on numbers that are not known exactly")


def truth(value: Value) -> Maybe:
    if isinstance(value, Maybe):
        return value
    if isinstance(value, Interval):
        zero = (value.low <= 0) & (value.high >= 0)
        return Maybe(~zero, ~((value.low == 0) & (value.high == 0)))
    made = _tensor(value).bool()
    return Maybe(made, made)


def settled(value: Maybe) -> Value:
    """Plain booleans where every element is known."""
    return value.certain if torch.equal(value.certain, value.possible) else value


def compare(kind: str) -> Callable[..., Value]:
    def rule(dtype: str, a: Value, b: Value) -> Value:
        own = next((one.dtype for one in (a, b) if isinstance(one, Interval)), "float32")
        x, y = as_interval(a, own), as_interval(b, own)
        certain, possible = _COMPARED[kind](x, y)
        unknown = x.low.isnan() | y.low.isnan() | x.high.isnan() | y.high.isnan()
        never = torch.full_like(certain, kind == "ne")
        return settled(Maybe(torch.where(unknown, never, certain), torch.where(unknown, never, possible)))

    return rule


_COMPARED: dict[str, Callable[[Interval, Interval], tuple[torch.Tensor, torch.Tensor]]] = {
    "lt": lambda x, y: (x.high < y.low, x.low < y.high),
    "le": lambda x, y: (x.high <= y.low, x.low <= y.high),
    "gt": lambda x, y: (x.low > y.high, x.high > y.low),
    "ge": lambda x, y: (x.low >= y.high, x.high >= y.low),
    "eq": lambda x, y: ((x.low == x.high) & (y.low == y.high) & (x.low == y.low), (x.low <= y.high) & (y.low <= x.high)),
    "ne": lambda x, y: ((x.high < y.low) | (y.high < x.low), ~((x.low == x.high) & (y.low == y.high) & (x.low == y.low))),
}


def logical(name: str) -> Callable[..., Value]:
    """and, or, not, xor of booleans."""

    def rule(dtype: str, *given: Value) -> Value:
        parts = [truth(one) for one in given]
        if name == "not":
            return settled(Maybe(~parts[0].possible, ~parts[0].certain))
        a, b = parts
        if name == "xor":
            known = (a.certain == a.possible) & (b.certain == b.possible)
            value = a.certain ^ b.certain
            return settled(Maybe(value & known, value | ~known))
        join = torch.logical_and if name == "and" else torch.logical_or
        return settled(Maybe(join(a.certain, b.certain), join(a.possible, b.possible)))

    return rule


def integers(low: torch.Tensor, high: torch.Tensor, dtype: str, *, converts: bool = False) -> Value:
    """Integers as they are, where all are known; else ranges, as an interval of an integer type, without an end beyond what f64 and the type
    have. `converts`: from floats; one that is too large may become any integer."""
    limits = torch.iinfo(getattr(torch, dtype))
    if torch.equal(low, high) and bool(low.isfinite().all()):
        return low.to(getattr(torch, dtype))
    has_low, has_high = low >= max(limits.min, -_EXACT), high <= min(limits.max, _EXACT)
    if converts:
        has_low = has_high = has_low & has_high
    return Interval(torch.where(has_low, low, -torch.inf), torch.where(has_high, high, torch.inf), dtype)


def of_ranges(name: str) -> Callable[..., Value]:
    """An op of OF_RANGES on integers of which some are ranges."""

    def rule(dtype: str, *args: Any, **named: Any) -> Value:
        made = RULES[name]("float64", *args, **named)  # exact, but for a slack far below 1
        return integers(made.low.round(), made.high.round(), dtype)

    return rule


def convert(dtype: str, a: Value) -> Value:
    """Between types. Floats that may become either of two integers are a range of integers."""
    if dtype in FLOATS:
        if isinstance(a, Interval) and a.dtype in FLOATS:
            return converted(a, dtype)
        if isinstance(a, Interval):
            return stored(rounded(a.low, a.high, dtype), dtype)
        made = as_interval(a, dtype)
        return rounded(made.low, made.high, dtype) if not isinstance(a, (Maybe, bool)) and dtype == "float32" else stored(made, dtype)
    if dtype == "bool":
        return settled(truth(a))
    if isinstance(a, Maybe):
        raise Cannot("an integer from numbers that are too close")
    if isinstance(a, Interval):
        return integers(a.low.trunc(), a.high.trunc(), dtype, converts=a.dtype in FLOATS)
    return _tensor(a).to(getattr(torch, dtype))


def gelu(dtype: str, a: Value, approximate: str = "none") -> Interval:
    x = as_interval(a, dtype)
    if not x.is_exact:
        raise Cannot("gelu of numbers that are not known exactly")
    value = torch.nn.functional.gelu(x.low, approximate=approximate)
    error = x.magnitude() * 32 * unit(dtype)
    return rounded(value - error, value + error, dtype, 4)


def fmod(dtype: str, a: Value, b: Value) -> Interval:
    x, y = as_interval(a, dtype), as_interval(b, dtype)
    if not (x.is_exact and y.is_exact):
        raise Cannot("a remainder of numbers that are not known exactly")
    value = torch.fmod(x.low, y.low)
    return rounded(value, value, dtype, 1)


def copied(dtype: str, a: Value, b: Value, *_: Any) -> Value:
    """b in the type and shape of a."""
    made, shape = convert(dtype, b), getattr(a, "shape", None)
    if shape is None or getattr(made, "shape", None) == shape:
        return made
    return made.map(lambda one: one.expand(shape)) if isinstance(made, (Interval, Maybe)) else _tensor(made).expand(shape)


Rule = Callable[..., Any]
RULES: dict[str, Rule] = {
    "add": add, "sub": lambda d, a, b, alpha=1: add(d, a, b, alpha, -1), "rsub": lambda d, a, b, alpha=1: add(d, b, a, alpha, -1),
    "mul": mul, "square": square, "div": div, "true_divide": div, "neg": neg, "abs": absolute, "reciprocal": lambda d, a: div(d, 1.0, a),
    "exp": exp, "exp2": lambda d, a: exp(d, a, torch.exp2), "expm1": rising("expm1", torch.expm1), "log": rising("log", torch.log, 0.0),
    "log2": rising("log2", torch.log2, 0.0), "log10": rising("log10", torch.log10, 0.0), "log1p": rising("log1p", torch.log1p, -1.0),
    "sqrt": rising("sqrt", torch.sqrt, 0.0), "rsqrt": rsqrt, "tanh": rising("tanh", torch.tanh), "sigmoid": rising("sigmoid", torch.sigmoid),
    "erf": rising("erf", torch.erf), "erfc": falling("erfc", torch.erfc), "atan": rising("atan", torch.atan), "sinh": rising("sinh", torch.sinh),
    "sin": wave("sin", torch.sin), "cos": wave("cos", torch.cos), "floor": stepped(torch.floor), "ceil": stepped(torch.ceil),
    "trunc": stepped(torch.trunc), "round": stepped(torch.round), "sign": stepped(torch.sign), "relu": stepped(torch.relu),
    "maximum": extreme(torch.maximum), "minimum": extreme(torch.minimum), "clamp": clamp, "clamp_min": clamp, "pow": power, "fma": fma,
    "clamp_max": lambda d, a, most: clamp(d, a, None, most), "addcmul": addc, "gelu": gelu, "fmod": fmod,
    "addcdiv": lambda d, a, b, c, value=1: addc(d, a, b, c, value, divides=True), "where": where,
    "masked_fill": lambda d, a, mask, value: where(d, mask, value, a), "silu": lambda d, a: mul(d, a, RULES["sigmoid"](d, a)),
    "lerp": lambda d, a, b, w: add(d, a, mul(d, w, add(d, b, a, 1, -1))), "convert_element_type": lambda d, a, _: convert(d, a),
    "_to_copy": lambda d, a, **_: convert(d, a), "device_put": lambda d, a, *_: a, "copy_": copied, "copy": copied,
    "isnan": lambda d, a: as_interval(a).low.isnan(), "isinf": lambda d, a: as_interval(a).low.isinf(),
    **{name: compare(name) for name in _COMPARED},
    **{f"logical_{name}": logical(name) for name in ("and", "or", "not", "xor")},
    "hypot": lambda d, a, b: rising("sqrt", torch.sqrt, 0.0)(d, add(d, square(d, a), square(d, b))),
    "logaddexp": lambda d, a, b: add(d, RULES["maximum"](d, a, b), RULES["log1p"](d, exp(d, neg(d, absolute(d, add(d, a, b, 1, -1)))))),
}  # fmt: skip
#: Bitwise ops of booleans are these; of integers they are torch's own.
OF_BOOLEANS = {"bitwise_and": "logical_and", "bitwise_or": "logical_or", "bitwise_not": "logical_not", "bitwise_xor": "logical_xor",
               "__and__": "logical_and", "__or__": "logical_or"}  # fmt: skip
#: Ops of integers that have a meaning on ranges of them.
OF_RANGES = ("add", "sub", "rsub", "mul", "neg", "maximum", "minimum", "clamp", "clamp_min", "clamp_max")
