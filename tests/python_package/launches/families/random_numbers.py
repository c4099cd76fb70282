"""rand, randn, randint and their 4x forms against Philox-4x32-10 written with Python's integers: seeds and offsets
of both widths, blocks of every rank.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from case import Case, Data, Result, load, store
from conversion import wrapped

MULTIPLIERS = {32: (0xD2511F53, 0xCD9E8D57), 64: (0xD2E7470EE14C6C93, 0xCA5A826395121157)}
KEYS = {32: (0x9E3779B9, 0xBB67AE85), 64: (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)}
SEEDS = [0, 1, 42, -1, 2**31 - 1, 2**40 + 3, -(2**35)]
OFFSETS = [("i32", 0), ("i32", 1000), ("i64", 2**40), ("i64", 5)]


def philox(seed: int, offset: int, bits: int = 32, rounds: int = 10) -> list[int]:
    """Four numbers of 32 bits: the counter is the offset, the key the seed."""
    seed %= 1 << 64
    counter = [offset & 0xFFFFFFFF, (offset >> 32) & 0xFFFFFFFF, 0, 0]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    mask = (1 << bits) - 1
    for _ in range(rounds):
        a, b = MULTIPLIERS[bits][0] * counter[0], MULTIPLIERS[bits][1] * counter[2]
        counter = [(b >> bits) ^ counter[1] ^ key[0], b & mask, (a >> bits) ^ counter[3] ^ key[1], a & mask]
        key = [(word + step) & mask for word, step in zip(key, KEYS[bits])]
    return counter


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def uniform(word: int) -> np.float32:
    """[0, 1): the top bit folds."""
    number = signed(word)
    number = -number - 1 if number < 0 else number
    return np.float32(np.float32(number) * np.float32(4.6566127342e-10))


def normal(first: int, second: int) -> tuple[float, float]:
    """Box and Muller, in float64 from the float32 inputs."""
    u = max(float(np.float32(1e-7)), float(uniform(first)))
    angle = float(np.float32(6.283185307179586) * uniform(second))
    radius = np.sqrt(-2.0 * np.log(u))
    return radius * np.cos(angle), radius * np.sin(angle)


def blocks() -> Iterator[Case]:
    number = 0
    for seed in SEEDS:
        for kind, first in OFFSETS:
            for function in ("rand", "randint", "randn", "randint4x", "rand4x", "randn4x"):
                number += 1
                if number % 2 and function.endswith("4x"):
                    continue
                yield block(function, seed, kind, first, number)


def block(function: str, seed: int, kind: str, first: int, number: int) -> Case:
    shape = [(16,), (4, 8), (2, 2, 4)][number % 3]
    p = np.arange(int(np.prod(shape))).reshape(shape) + first
    is_float = "randint" not in function
    result = "fp32" if is_float else "i32"
    names = ["out"] if not function.endswith("4x") else ["out", "second", "third", "fourth"]
    rounds = ", 7" if number % 5 == 0 else ""
    body = [f"p_ = {load('p', shape)}", f"{', '.join(n + '_' for n in names)} = tl.{function}(seed, p_{rounds})"]
    body += [store(name, shape, f"{name}_" if is_float else f"{name}_.to(tl.int32, bitcast=True)") for name in names]

    def reference():
        words = np.array([philox(seed, int(v), rounds=7 if rounds else 10) for v in p.ravel()], dtype=object)
        if not is_float:
            return {name: wrapped(words[:, i], "i32").reshape(shape) for i, name in enumerate(names)}
        if "randn" not in function:
            return {
                name: np.array([uniform(w) for w in words[:, i]], dtype=np.float32).reshape(shape)
                for i, name in enumerate(names)
            }
        pairs = np.array([[*normal(w[0], w[1]), *normal(w[2], w[3])] for w in words])
        return {name: (pairs[:, i].reshape(shape), 2e-6) for i, name in enumerate(names)}

    name = f"{function} {seed} {kind} {first} {shape}{rounds}"
    return Case(
        "random",
        name,
        body,
        {"seed": seed, "p": Data(kind, wrapped(p, kind))},
        {each: Result(result, shape) for each in names},
        reference,
    )


def cases() -> Iterator[Case]:
    yield from blocks()
