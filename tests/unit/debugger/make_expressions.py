"""Writes expressions.txt beside it: random expressions and what Python and NumPy make of them, for expression_oracle_test.cpp.

Lines are `expression<TAB>class shape elements`: class b, i or f; floats as hexadecimal. Nothing here knows the evaluator;
what NumPy refuses or warns about (overflow, division by zero) is left out. Same seed, same file.
"""

import random
import warnings
from pathlib import Path

import numpy as np

SEED, COUNT = 20261122, 1500
ARITHMETIC = {"add", "subtract", "multiply", "power", "left_shift"}
SAFE = 2.0**62


class Strict(np.ndarray):
    """Refuses what NumPy does otherwise than Python without a word: overflow, negative shifts, arithmetic of bools."""

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        plain = [np.asarray(each) for each in inputs]
        if ufunc.__name__ in ("left_shift", "right_shift") and np.any(plain[1] < 0):
            raise ValueError("negative shift")
        is_logic = ufunc.__name__.startswith(("bitwise", "logical", "invert", "is", "less", "greater", "equal", "not_equal"))
        if not is_logic and all(each.dtype == bool for each in plain):
            raise TypeError("bools")
        if ufunc.__name__ in ARITHMETIC and all(each.dtype.kind in "bi" for each in plain):
            wide = [each.astype(np.float64) for each in plain]
            rough = wide[0] * 2.0 ** wide[1] if ufunc.__name__ == "left_shift" else getattr(ufunc, method)(*wide, **keywords)
            if np.any(np.abs(rough) > SAFE):
                raise OverflowError
        return strict(getattr(ufunc, method)(*plain, **keywords))

    def __getitem__(self, key):
        return strict(np.asarray(self)[key])


def strict(value):
    """Single numbers as Python's."""
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else np.asarray(value).view(Strict)


def checked(function):
    """No axis of a single number."""

    def run(*given, **keywords):
        if keywords and np.ndim(given[0]) == 0:
            raise ValueError("no axis")
        is_rounding = function in (np.abs, np.floor, np.ceil, np.round)
        if is_rounding and np.asarray(given[0]).dtype == bool:
            raise TypeError("bools")
        return strict(function(*[np.asarray(each) if isinstance(each, Strict) else each for each in given], **keywords))

    return run


def array(values) -> Strict:
    return np.array(values).view(Strict)


VALUES = {
    "n": 781,
    "h": 0.375,
    "a": array([[1, -2, 3], [40, 5, -6]]),
    "r": array([7, 0, -1]),
    "c": array([[2], [-9]]),
    "f": array([[1.5, -2.25, 0.1], [3e5, -0.0, 7.0]]),
    "m": array([[True, False, True], [False, False, True]]),
}
FUNCTIONS = {
    "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "isnan": np.isnan, "isfinite": np.isfinite, "sqrt": np.sqrt, "round": np.round,
}
REDUCTIONS = {
    "sum": np.sum, "min": np.min, "max": np.max, "any": np.any, "all": np.all, "argmax": np.argmax, "argmin": np.argmin,
    "count": np.count_nonzero, "mean": np.mean,
}
CALLS = {"where": np.where, "maximum": np.maximum, "minimum": np.minimum}
BINARY = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "**"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
INDICES = ["[0]", "[-1]", "[:, 1]", "[::-1]", "[0, 1:]", "[..., None]", "[:, ::2]", "[1, -1]", "[None, 0]", "[:1]", "[5:]"]


def atom(draw: random.Random) -> str:
    choice = draw.random()
    if choice < 0.25:
        return draw.choice(["0", "1", "2", "3", "-4", "17", "0.5", "2.0", "1e3", "True"])
    name = draw.choice(list(VALUES))
    if isinstance(VALUES[name], np.ndarray) and draw.random() < 0.3:
        return name + draw.choice(INDICES)
    return name


def expression(draw: random.Random, depth: int) -> str:
    """Without brackets more often than not, so that precedence is asked about."""
    if depth == 0:
        return atom(draw)
    def inner() -> str:
        return expression(draw, depth - 1 - draw.randrange(depth))

    kind = draw.random()
    if kind < 0.45:
        return f"{inner()} {draw.choice(BINARY)} {inner()}"
    if kind < 0.55:
        return f"{inner()} {draw.choice(COMPARISONS)} {inner()}"
    if kind < 0.62:
        return f"{draw.choice(['-', '+'])}{inner()}" if draw.random() < 0.7 else f"~{draw.choice('arcm')}"
    if kind < 0.72:
        return f"({inner()})" + draw.choice(["", "", "[0]", ".shape[0]"])
    if kind < 0.80:
        return f"{draw.choice(list(FUNCTIONS))}({inner()})"
    if kind < 0.90:
        return f"{draw.choice(list(REDUCTIONS))}({inner()}{draw.choice(['', '', ', axis=0', ', axis=-1'])})"
    if kind < 0.94:
        return f"where({inner()}, {inner()}, {inner()})"
    if kind < 0.96:
        return f"{inner()} if any({inner()}) else {inner()}"
    if kind < 0.98:
        return f"{draw.choice(['maximum', 'minimum'])}({inner()}, {inner()})"
    return f"not any({inner()}) or all({inner()}) and {inner()}"


def answer(text: str) -> str | None:
    """None where NumPy refuses, warns, or means something else than the debugger says it means."""
    names = VALUES | {name: checked(function) for name, function in (FUNCTIONS | REDUCTIONS | CALLS).items()}
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            value = eval(text, {"__builtins__": {}}, names)
    except (ArithmeticError, LookupError, TypeError, ValueError, SyntaxError, AttributeError, Warning):
        return None
    found = np.asarray(value)
    kind = found.dtype.kind
    if kind not in "bif" or found.size > 64:
        return None
    shape = ",".join(str(extent) for extent in found.shape)
    elements = [float(e).hex() if kind == "f" else str(int(e)) for e in found.ravel()]
    return f"{kind} [{shape}] {' '.join(elements)}".strip()


def main() -> None:
    draw = random.Random(SEED)
    lines: dict[str, str] = {}
    while len(lines) < COUNT:
        text = expression(draw, draw.choice([1, 2, 2, 3, 3, 4]))
        found = answer(text)
        if found is not None:
            lines[text] = found
    path = Path(__file__).with_name("expressions.txt")
    path.write_text("".join(f"{text}\t{found}\n" for text, found in lines.items()), encoding="utf-8")


if __name__ == "__main__":
    main()
