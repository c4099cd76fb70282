"""Straight-line PTX, run by all threads of a block in lockstep, one statement after the other.

What the texts of prelude/dot.cuh compile to: integer arithmetic, loads from shared memory, ldmatrix and mma.sync, stores
of results. Invariant: an instruction that is not known, and an address outside of the memory given, end the run with
PtxError; nothing is guessed. Not here: jumps, predicates, global loads, the tensor core's rounding (products are f64).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

MASK = 0xFFFFFFFF
LANES = 32


class PtxError(Exception):
    """The program cannot be run, or reads outside of its memory."""


def signed(value: np.ndarray, bits: int = 32) -> np.ndarray:
    half = 1 << (bits - 1)
    return ((value & (2 * half - 1)) ^ half) - half


def f32_of(bits: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):  # signalling NaNs
        return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def e4m3_of(bits: np.ndarray) -> np.ndarray:
    exponent, fraction = (bits >> 3) & 15, bits & 7
    size = np.where(exponent == 0, fraction / 8 * 2.0**-6, (1 + fraction / 8) * 2.0 ** (exponent - 7.0))
    return np.where(bits & 128, -size, size)


#: Numbers of operands' bits, by the type's name in mma.sync; the bytes of one.
FORMATS: dict[str, tuple[int, Callable[[np.ndarray], np.ndarray]]] = {
    "bf16": (2, lambda bits: f32_of(bits << 16)),
    "f16": (2, lambda bits: bits.astype(np.uint16).view(np.float16).astype(np.float64)),
    "tf32": (4, f32_of),
    "s8": (1, lambda bits: signed(bits, 8).astype(np.float64)),
    "e4m3": (1, e4m3_of),
}

BINARY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "add": np.add,
    "sub": np.subtract,
    "mul.lo": np.multiply,
    "shl": np.left_shift,
    "shr": np.right_shift,
}


@dataclass
class PtxMachine:
    """`memory`: the block's shared memory, where every symbol begins at 0. `stored`: what each thread stored, by offset."""

    threads: int
    memory: np.ndarray
    registers: dict[str, np.ndarray] = field(default_factory=dict)
    stored: dict[int, np.ndarray] = field(default_factory=dict)

    def run(self, ptx: str, kernel: str) -> None:
        body = ptx[ptx.index(f".entry {kernel}(") :]
        for line in body[body.index("{") + 1 : body.index("\n}")].splitlines():
            text = line.split("//")[0].strip().rstrip(";")
            if text and not text.startswith((".", "ld.param", "cvta", "ret")):
                name, _, words = text.partition(" ")
                self._execute(name, re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^\s,\[{]+", words))

    def _value(self, word: str) -> np.ndarray:
        if word == "%tid.x":
            return np.arange(self.threads, dtype=np.int64)
        if word.startswith("%"):
            return self.registers[word]
        if word.startswith("0f"):  # the bits of an f32
            return np.full(self.threads, int("0x" + word[2:], 0), dtype=np.int64)
        is_number = re.fullmatch(r"-?\d+", word) is not None
        return np.full(self.threads, int(word) if is_number else 0, dtype=np.int64)

    def _execute(self, name: str, words: list[str]) -> None:
        base, _, kind = name.rpartition(".")
        if name.startswith("mul.wide") and "32" in name or kind in ("u64", "s64", "b64"):
            return  # addresses of results, which are told apart by their offsets
        if base == "mov":
            self._move(words)
        elif base == "mul.wide" or (base in BINARY and kind[1:] in ("16", "32")):
            self._binary(base, kind, words)
        elif name == "mad.lo.s32":
            self.registers[words[0]] = self._value(words[1]) * self._value(words[2]) + self._value(words[3]) & MASK
        elif name == "bfi.b32":
            mask = ((1 << int(words[4])) - 1) << int(words[3])
            field_bits = (self._value(words[1]) << int(words[3])) & mask
            self.registers[words[0]] = self._value(words[2]) & ~mask | field_bits
        elif name.startswith("cvt.") and name.count(".") == 2:
            narrowest = min(int(part[1:]) for part in name.split(".")[1:])
            self.registers[words[0]] = self._value(words[1]) & ((1 << narrowest) - 1)
        elif base.startswith("ld.shared"):
            self._load(kind, words)
        elif name.startswith("ldmatrix"):
            self._load_matrices(words, ".trans." in name)
        elif name.startswith("mma.sync"):
            self._multiply(name.split(".")[-2], words)
        elif base.startswith("st.global"):
            self.stored[int(words[0].strip("[]").partition("+")[2] or 0)] = self._value(words[1])
        else:
            raise PtxError(f"{name} is not known")

    def _move(self, words: list[str]) -> None:
        parts = words[0].strip("{}").split(",")
        sources = [self._value(word.strip()) for word in words[1].strip("{}").split(",")]
        width = 32 // max(len(parts), len(sources))
        whole = sum(value << (width * i) for i, value in enumerate(sources)) if len(sources) > 1 else sources[0]
        for i, part in enumerate(parts):
            self.registers[part.strip()] = whole >> (width * i) & ((1 << width) - 1) if len(parts) > 1 else whole & MASK

    def _binary(self, base: str, kind: str, words: list[str]) -> None:
        a, b = self._value(words[1]), self._value(words[2])
        if base == "shr" and kind[0] == "s":
            a = signed(a, int(kind[1:]))
        result = BINARY["mul.lo" if base == "mul.wide" else base](a, b)
        self.registers[words[0]] = result & (0xFFFF if kind.endswith("16") and base != "mul.wide" else MASK)

    def _bytes(self, address: np.ndarray, count: int) -> np.ndarray:
        """The little-endian numbers at each address."""
        if (address < 0).any() or (address + count > len(self.memory)).any():
            raise PtxError(f"a thread reads at {int(address.max())} of {len(self.memory)} bytes")
        return sum(self.memory[address + i].astype(np.int64) << (8 * i) for i in range(count))

    def _load(self, kind: str, words: list[str]) -> None:
        place, _, offset = words[1].strip("[]").partition("+")
        size = int(kind[1:]) // 8
        for i, name in enumerate(words[0].strip("{}").split(",")):
            value = self._bytes(self._value(place) + int(offset or 0) + i * size, size)
            self.registers[name.strip()] = signed(value, 8) & 0xFFFF if kind == "s8" else value

    def _load_matrices(self, words: list[str], is_transposed: bool) -> None:
        rows = self._value(words[1].strip("[]")).reshape(-1, LANES)
        lane = np.arange(LANES)
        for i, name in enumerate(words[0].strip("{}").split(",")):
            halves = []
            for half in range(2):
                row, column = lane // 4, lane % 4 * 2 + half
                row, column = (column, row) if is_transposed else (row, column)
                halves.append(self._bytes(rows[:, 8 * i + row] + 2 * column, 2))
            self.registers[name.strip()] = (halves[0] | halves[1] << 16).reshape(-1)

    def _elements(self, names: list[str], kind: str) -> np.ndarray:
        """Operands as [warp, lane, register, element]."""
        size, number = FORMATS[kind]
        mask = (1 << (8 * size)) - 1
        words = np.stack([self._value(name) for name in names], axis=1)
        split = np.stack([words >> (8 * size * e) & mask for e in range(4 // size)], axis=2)
        return number(split).reshape(-1, LANES, len(names), 4 // size)

    def _multiply(self, kind: str, words: list[str]) -> None:
        groups = [[name.strip() for name in word.strip("{}").split(",")] for word in words]
        a, b = self._elements(groups[1], kind), self._elements(groups[2], kind)
        width = a.shape[3]
        rows, columns = np.zeros((a.shape[0], 16, 8 * width)), np.zeros((b.shape[0], 8 * width, 8))
        for lane in range(LANES):
            group, at = lane // 4, lane % 4
            for i in range(4):
                first = (at + i // 2 * 4) * width
                rows[:, group + i % 2 * 8, first : first + width] = a[:, lane, i]
            for i in range(2):
                first = (at + i * 4) * width
                columns[:, first : first + width, group] = b[:, lane, i]
        product = rows @ columns
        lanes = np.arange(LANES)
        for i, (name, before) in enumerate(zip(groups[0], groups[3], strict=True)):
            added = product[:, lanes // 4 + i // 2 * 8, lanes % 4 * 2 + i % 2].reshape(-1)
            old = self._value(before)
            if kind == "s8":
                self.registers[name] = (signed(old) + added.astype(np.int64)) & MASK
            else:
                self.registers[name] = (f32_of(old) + added).astype(np.float32).view(np.uint32).astype(np.int64)
