"""What the reference's inputs may be: mined from several draws, and the structured values that are tried within that.

*Mined*: what all draws share is kept (ranges, signs, order, constants); what is kept is named in Verdict.assumed. Invariant: the
same seed gives the same inputs on every machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lockstep.judging.tensors import Bits

Array = np.ndarray[Any, Any]


@dataclass
class Domain:
    """Of one tensor."""

    draws: list[Bits]
    is_constant: bool = False
    is_sorted: bool = False
    is_permutation: bool = False
    sums_to_one: bool = False
    structure: list[str] = field(default_factory=list)  # names of _STRUCTURES
    low: float = 0.0
    high: float = 0.0
    assumed: list[str] = field(default_factory=list)
    soft: list[str] = field(default_factory=list)  # of a constant tensor: what can be dropped


def mine(draws: list[Bits]) -> Domain:
    """What the draws have in common."""
    made = Domain(draws)
    numbers = [one.numbers() for one in draws]
    first = draws[0]
    if any(one.shape != first.shape or one.dtype != first.dtype for one in draws) or numbers[0].size == 0:
        made.is_constant = True
        return made
    made.is_constant = all(one.data == first.data for one in draws)
    made.low, made.high = min(float(one.min()) for one in numbers), max(float(one.max()) for one in numbers)
    if made.is_constant:
        made.assumed.append("the same in every draw")
        made.soft = _structure(first)
        made.assumed += made.soft
    elif not first.is_float:
        made.is_sorted = first.numbers().ndim == 1 and all(bool((np.diff(one.astype("i8")) >= 0).all()) for one in numbers)
        made.is_permutation = all(len(np.unique(one)) == one.size for one in numbers) and numbers[0].size > 2
        made.assumed.append(f"{made.low:g} to {made.high:g}")
        made.assumed += ["sorted"] * made.is_sorted + ["no number twice"] * made.is_permutation
    else:
        sums = [one.sum(-1) for one in numbers if one.ndim]
        made.sums_to_one = bool(sums) and made.low >= 0 and all(bool(np.allclose(one, 1, atol=1e-3)) for one in sums)
        made.assumed += ["rows sum to 1"] * made.sums_to_one
        if made.low >= 0:
            made.assumed.append("0 to 1" if made.high <= 1 else "not negative")
        made.structure = [] if made.sums_to_one else [
            name for name, (fits, keep) in _STRUCTURES.items() if fits(first.shape) and all(np.array_equal(keep(one), one) for one in numbers)]
        made.assumed += made.structure
    return made


def _is_square(shape: tuple[int, ...]) -> bool:
    return len(shape) >= 2 and shape[-1] == shape[-2] and shape[-1] > 2


def _mirrored(numbers: Array) -> Array:
    return np.triu(numbers) + np.swapaxes(np.triu(numbers, 1), -1, -2)


def _repeated(numbers: Array) -> Array:
    return np.concatenate([numbers[..., : numbers.shape[-1] // 2]] * 2, -1)


# : What the task itself gives, and a program may use: which shapes may have it, and what gives it to other numbers.
_STRUCTURES: dict[str, tuple[Callable[[tuple[int, ...]], bool], Callable[[Array], Array]]] = {
    "upper triangular": (_is_square, np.triu), "lower triangular": (_is_square, np.tril), "symmetric": (_is_square, _mirrored),
    "the second half repeats the first": (lambda shape: bool(shape) and shape[-1] % 2 == 0 and shape[-1] > 2, _repeated),
}


def _structured(domain: Domain, numbers: Array) -> Array:
    for name in domain.structure:
        numbers = _STRUCTURES[name][1](numbers)
    return numbers


def _structure(bits: Bits) -> list[str]:
    """What a tensor that is the same in every draw looks like, where the task may not mean it."""
    numbers = bits.numbers()
    if numbers.size < 2 or (bits.is_float and not np.isfinite(numbers).all()):
        return []
    flat = numbers.reshape(-1)
    if bits.dtype == "bool":
        return ["all true"] if flat.all() else ["the same mask"] if flat.any() else []
    steps = np.diff(numbers.astype("f8"), axis=-1) if numbers.ndim else np.zeros(0)
    if (flat == flat[0]).all():
        return ["all equal"]
    if steps.size and (steps == steps.reshape(-1)[0]).all() and steps.reshape(-1)[0] != 0:
        return ["evenly spaced"]
    return [] if bits.is_float else ["the same numbers"]


def without(domain: Domain, rng: np.random.Generator) -> list[tuple[str, Bits]]:
    """(what is dropped, a tensor that lacks it), for each soft invariant. Integers keep their range, the first and the last of sorted
    ones, and their order where they are not positions from 0."""
    base = domain.draws[0]
    numbers = base.numbers()
    made: list[tuple[str, Bits]] = []
    for what in domain.soft:
        if base.dtype == "bool":
            made.append((what, base.with_numbers(rng.random(numbers.shape) < 0.6)))
        elif base.is_float:
            size = float(np.abs(numbers).max()) or 1.0
            made.append((what, base.with_numbers(np.abs(rng.standard_normal(numbers.shape)) * size + 0.25 * size)))
        elif what == "evenly spaced" and numbers.ndim == 1 and not (int(numbers[0]) == 0 and int(numbers[-1]) == numbers.size - 1):
            inner = np.sort(rng.integers(int(numbers[0]), int(numbers[-1]) + 1, numbers.size - 2))
            inner[:1], inner[1:2] = numbers[0], min(int(numbers[0]) + 1, int(numbers[-1]))  # an empty segment, and one of one element
            made.append((what, base.with_numbers(np.concatenate([numbers[:1], np.sort(inner), numbers[-1:]]))))
        elif what == "all equal":
            continue  # its range is one number
        else:
            low, high = int(numbers.min()), int(numbers.max())
            made.append((what, base.with_numbers(rng.integers(low, high + 1, numbers.shape))))
    if domain.is_permutation and not domain.is_constant and not domain.is_sorted:
        made.append(("no number twice", base.with_numbers(rng.integers(int(domain.low), int(domain.high) + 1, numbers.shape))))
    if domain.sums_to_one:
        hot = np.zeros(numbers.shape)
        rows = hot.reshape(-1, numbers.shape[-1])
        rows[np.arange(len(rows)), rng.integers(0, rows.shape[1], len(rows))] = 1.0
        made.append(("without zeros", base.with_numbers(hot)))
    return made


def _spread(base: Array, rng: np.random.Generator) -> Array:
    return np.asarray(rng.standard_normal(base.shape))


def _hot(base: Array, rng: np.random.Generator) -> Array:
    """One non-zero in each row, elsewhere than the row before."""
    made = np.zeros(base.shape)
    rows = made.reshape(-1, base.shape[-1]) if base.ndim else made.reshape(1, 1)
    rows[np.arange(len(rows)), rng.integers(0, rows.shape[1], len(rows))] = 3.0
    return made


def _heavy(base: Array, rng: np.random.Generator) -> Array:
    """Few large numbers, late in their rows."""
    made = _spread(base, rng)
    if base.ndim and base.shape[-1] > 1:
        made[..., -1 - base.shape[-1] // 8] *= 40
    return made


def _clusters(base: Array, rng: np.random.Generator) -> Array:
    """Many small numbers and a block of large ones."""
    made = _spread(base, rng) * 0.02
    if base.ndim:
        start = int(rng.integers(0, max(base.shape[-1] - 16, 1)))
        made[..., start : start + 16] += 4
    return made


def _alternating(base: Array, rng: np.random.Generator) -> Array:
    size = np.abs(rng.standard_normal(base.shape)) + 1
    return size * np.where(np.arange(base.size).reshape(base.shape) % 2 == 0, 1.0, -1.0)


def _outlier_last(base: Array, rng: np.random.Generator) -> Array:
    made = _spread(base, rng)
    made.reshape(-1)[-1:] = 50.0
    return made


def _outlier_first(base: Array, rng: np.random.Generator) -> Array:
    made = _spread(base, rng)
    made.reshape(-1)[:1] = -50.0
    return made


# : Values of float tensors, by name.
CLASSES: dict[str, Any] = {
    "normal": _spread,
    "mean 5, spread 10": lambda base, rng: 5 + 10 * rng.standard_normal(base.shape),
    "times 30": lambda base, rng: 30 * rng.standard_normal(base.shape),
    "times 200": lambda base, rng: 200 * rng.standard_normal(base.shape),
    "times 1e-3": lambda base, rng: 1e-3 * rng.standard_normal(base.shape),
    "all negative": lambda base, rng: -np.abs(rng.standard_normal(base.shape)) - 0.5,
    "clusters": _clusters,
    "heavy tails": _heavy,
    "one in each row": _hot,
    "ties": lambda base, rng: np.round(rng.standard_normal(base.shape) * 2) / 2,
    "alternating signs": _alternating,
    "sorted": lambda base, rng: np.sort(rng.standard_normal(base.shape), -1) if base.ndim else rng.standard_normal(base.shape),
    "all equal": lambda base, rng: np.full(base.shape, 1.5),
    "zeros": lambda base, rng: np.zeros(base.shape),
    "saturated": lambda base, rng: np.where(rng.random(base.shape) < 0.5, 1.0, 0.0) * (1 - 1e-3 * (rng.random(base.shape) < 0.5)),
    "zeros sprinkled": lambda base, rng: rng.standard_normal(base.shape) * (rng.random(base.shape) < 0.6),
    "outlier last": _outlier_last,
    "outlier first": _outlier_first,
}


def drawn(domain: Domain, name: str, rng: np.random.Generator) -> Bits:
    """A tensor of this class within its domain."""
    base = domain.draws[0]
    numbers = base.numbers()
    if domain.is_constant or base.dtype == "bool":
        return base
    if not base.is_float:
        return base.with_numbers(_integers(domain, name, numbers, rng))
    if domain.sums_to_one:
        return domain.draws[int(rng.integers(0, len(domain.draws)))]
    made = CLASSES[name](numbers, rng)
    if domain.low >= 0:
        made = np.abs(made)
        made = made / max(float(made.max(initial=0.0)), 1.0) if domain.high <= 1 else made
    return base.with_numbers(_structured(domain, made))


def _integers(domain: Domain, name: str, numbers: Array, rng: np.random.Generator) -> Array:
    if domain.is_permutation:
        return rng.permutation(numbers.reshape(-1)).reshape(numbers.shape) if not domain.is_sorted else numbers
    low, high = int(domain.low), int(domain.high)
    made = np.asarray(rng.integers(low, high + 1, numbers.shape))
    if name == "all equal":
        made[...] = high
    elif name == "zeros":
        made[...] = low
    return np.sort(made, -1) if domain.is_sorted else made


def new_state(name: str, old: Bits, rng: np.random.Generator) -> Bits:
    """Another value of a parameter or buffer: its own spread, and none that is the same everywhere."""
    if not old.is_float or not old.numbers().size:
        return old
    numbers = old.numbers()
    spread = float(numbers.std())
    if spread == 0:  # ones, zeros: as norms begin
        made = numbers + 0.5 * rng.standard_normal(numbers.shape)
    else:
        made = float(numbers.mean()) + 1.5 * spread * rng.standard_normal(numbers.shape)
    is_positive = "var" in name or (float(numbers.min()) >= 0 and spread > 0)
    return old.with_numbers(np.abs(made) + 0.1 if is_positive else made)


def with_one_changed(base: Bits, domain: Domain) -> Bits:
    """Another number in the middle; the corners stay."""
    numbers = base.numbers().copy()
    if domain.is_constant or domain.is_permutation or domain.is_sorted or domain.sums_to_one or numbers.size < 3:
        return base
    flat = numbers.reshape(-1)
    at = flat.size // 2 + flat.size // 7
    if base.is_float:
        flat[at] = 0.5 if domain.low >= 0 and domain.high <= 1 else flat[at] + 3.0
    elif base.dtype != "bool":
        flat[at] = domain.low if flat[at] != domain.low else domain.high
    return base.with_numbers(_structured(domain, numbers))
