"""Kernels of one tt.elementwise_inline_asm, and what PTX instructions give by Python's integers and NumPy's floats."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support import elements, kernels, references
from support.case import Case


def quoted(text: str) -> str:
    return text.replace("\\", "\\5C").replace('"', "\\22").replace("\n", "\\0A")


def op(text: str, constraints: str, operands: list[tuple[str, str]], results: list[str], pack: int = 1, pure: bool = True) -> str:
    """The op's text after its results; `operands`: names and element types."""
    attributes = f'{{constraints = "{constraints}", packed_element = {pack} : i32, pure = {str(pure).lower()}}}'
    names = " ".join(["", ", ".join(name for name, _ in operands)]) if operands else ""
    types = f" : {', '.join(f'TILE({element})' for _, element in operands)}" if operands else ""
    return f'tt.elementwise_inline_asm "{quoted(text)}" {attributes}{names}{types} -> {", ".join(f"TILE({r})" for r in results)}'


def case(
    name: str,
    text: str,
    constraints: str,
    inputs: list[np.ndarray],
    results: str | list[str],
    reference: Callable | None,
    pack: int = 1,
    pure: bool = True,
    shape: tuple[int, ...] | None = None,
    **options,
) -> Case:
    """`reference(*arrays)` gives the result array(s)."""
    results = [results] if isinstance(results, str) else results
    arrays = {f"in{i}": array for i, array in enumerate(inputs)}
    operands = [(f"%in{i}", elements.name_of(array.dtype)) for i, array in enumerate(inputs)]
    outputs = {f"out{i}": result for i, result in enumerate(results)}
    made = f"%made{f':{len(results)}' if len(results) > 1 else ''} = " + op(text, constraints, operands, results, pack, pure)
    lines = [made]
    for i, result in enumerate(results):
        source = f"%made#{i}" if len(results) > 1 else "%made"
        lines.append(f"%out{i} = tt.bitcast {source} : TILE({result}) -> TILE({result})")
    return kernels.elementwise(name, lines, arrays, outputs, reference, shape, **options)


def on_bits(function: Callable[..., int], element: str) -> Callable:
    """`function` of the operands' bits as Python integers; its result is cut to the element's width."""

    def call(*arrays: np.ndarray) -> np.ndarray:
        rows = zip(*(references.unsigned(array) for array in arrays), strict=True)
        return references.wrapped([int(function(*row)) for row in rows], element)

    return call


def signed(value: int, width: int = 32) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def shifted_left(width: int) -> Callable:
    return lambda a, b: 0 if b >= width else a << b


def shifted_right(width: int, is_signed: bool) -> Callable:
    if is_signed:
        return lambda a, b: signed(a, width) >> min(b, width)
    return lambda a, b: 0 if b >= width else a >> b


def permuted(a: int, b: int, selector: int) -> int:
    both, result = b << 32 | a, 0
    for i in range(4):
        pick = selector >> 4 * i & 15
        byte = both >> 8 * (pick & 7) & 255
        result |= ((255 if byte >> 7 else 0) if pick & 8 else byte) << 8 * i
    return result


def lop3(table: int) -> Callable:
    def call(a: int, b: int, c: int) -> int:
        return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))

    return call


def field(width: int, is_signed: bool) -> Callable:
    """bfe, after the pseudo code of the PTX ISA."""

    def call(a: int, b: int, c: int) -> int:
        position, length = b & 255, c & 255
        sign_at = min(position + length - 1, width - 1)
        sign = 0 if not is_signed or length == 0 else a >> sign_at & 1
        result = 0
        for i in range(width):
            inside = i < length and position + i < width
            result |= (a >> (position + i) & 1 if inside else sign) << i
        return result

    return call


def inserted(width: int) -> Callable:
    """bfi, after the pseudo code of the PTX ISA."""

    def call(a: int, b: int, c: int, d: int) -> int:
        position, length = c & 255, d & 255
        for i in range(width):
            if i < length and position + i < width:
                b = b & ~(1 << (position + i)) | (a >> i & 1) << (position + i)
        return b

    return call


def funnel(is_left: bool, wraps: bool) -> Callable:
    def call(a: int, b: int, c: int) -> int:
        n = c & 31 if wraps else min(c, 32)
        both = b << 32 | a
        return both << n >> 32 if is_left else both >> n

    return call


def extreme(is_max: bool, keeps_nan: bool = False) -> Callable:
    """min and max of float arrays: -0 below +0, one NaN loses unless kept."""

    def call(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        x, y = a.astype(np.float64), b.astype(np.float64)
        first = np.where(x == y, np.signbit(x) != is_max, (x < y) != is_max)
        picked = np.where(first, x, y)
        picked = np.where(np.isnan(x), y, np.where(np.isnan(y), x, picked))
        if keeps_nan:
            picked = np.where(np.isnan(x) | np.isnan(y), np.nan, picked)
        return picked.astype(a.dtype)

    return call


def pairs16(function: Callable, element: str) -> Callable:
    """`function` on both halves of i32 arrays as the 16-bit element; the halves of its result joined."""

    def call(*arrays: np.ndarray) -> np.ndarray:
        parts = [np.ascontiguousarray(array).view(elements.DTYPE[element]) for array in arrays]
        with np.errstate(all="ignore"):
            return np.ascontiguousarray(function(*parts).astype(elements.DTYPE[element])).view(np.int32)

    return call


def near(relative: float, absolute: float = 0.0) -> Callable:
    """A checker for approximate functions: the same specials, else an error of at most relative * |expected| + absolute."""

    def check(outputs: list, expected: list, _inputs: list) -> str | None:
        for made, wanted in zip(outputs, expected, strict=True):
            x, y = made.astype(np.float64).ravel(), wanted.astype(np.float64).ravel()
            with np.errstate(all="ignore"):
                good = (np.abs(x - y) <= relative * np.abs(y) + absolute) | (x == y) | (np.isnan(x) & np.isnan(y))
            if not good.all():
                at = int(np.argmin(good))
                return f"element {at}: {x[at]!r}, expected {y[at]!r}; {int((~good).sum())} wrong"
        return None

    return check


def same_pairs(element: str) -> Callable:
    """A checker for i32 tensors that hold two small floats: the same bits, any NaN for a NaN."""

    def check(outputs: list, expected: list, _inputs: list) -> str | None:
        for made, wanted in zip(outputs, expected, strict=True):
            x, y = (np.ascontiguousarray(v).view(elements.DTYPE[element]).ravel() for v in (made, wanted))
            good = (elements.bits(x) == elements.bits(y)) | (elements.is_nan(x) & elements.is_nan(y))
            if not good.all():
                at = int(np.argmin(good))
                return f"half {at}: {x[at]!r}, expected {y[at]!r}; {int((~good).sum())} wrong"
        return None

    return check


THREADS = 128


def by_thread(reference: Callable) -> Callable:
    """A `gpu_bound` for packs: the H200 took the elements that one thread holds, here every 128th, for neighbours. `reference` is
    the case's own (on one block); Lockstep's answer is checked by the case."""

    def check(_outputs: list, recorded: list, inputs: list) -> str | None:
        def in_threads(array: np.ndarray) -> np.ndarray:
            return np.ascontiguousarray(array.reshape(-1, THREADS).T).reshape(-1)

        def in_memory(array: np.ndarray) -> np.ndarray:
            return np.ascontiguousarray(array.reshape(THREADS, -1).T).reshape(-1)

        made = reference(*(in_threads(array) for array in inputs))
        for number, (got, wanted) in enumerate(zip(recorded, made if isinstance(made, list) else [made], strict=True)):
            if not np.array_equal(elements.bits(got.ravel()), elements.bits(in_memory(np.asarray(wanted, got.dtype)))):
                return f"the H200's output {number} is not what packs by thread give"
        return None

    return check
