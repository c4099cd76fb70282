"""Statements of random TTIR kernels, and the shape ops among them; tile_programs.py has the rest.

A program is a list of statements; a statement knows its text and how it changes an environment of NumPy arrays. Types: i1 (bool), i8..i64
(signed arrays), f16, f32, f8E5M2 (bits) and pointers (as `argument << 40 | element`). Arithmetic wraps as in two's complement and rounds once per
operation, which NumPy's own types do. The numbers share no code with Lockstep.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from tile_arithmetic import NUMPY

INTEGERS = ["i8", "i16", "i32", "i64"]
TABLE = 256  # elements of each input
LARGEST = 1024  # elements of a tile
POINTEE = "i32"
SHIFT = 40


@dataclass(frozen=True)
class Value:
    name: str
    kind: str
    shape: tuple | None  # None: a scalar
    is_bounded: bool = False  # pointers: every lane is inside its argument

    def type(self) -> str:
        return type_text(self.kind, self.shape)


def type_text(kind: str, shape: tuple | None) -> str:
    element = f"!tt.ptr<{POINTEE}>" if kind == "ptr" else kind
    return element if shape is None else f"tensor<{'x'.join(map(str, shape))}x{element}>"


def pointer_text(kind: str, shape: tuple | None) -> str:
    return type_text(f"!tt.ptr<{kind}>", shape)


def product(shape: tuple | None) -> int:
    return int(np.prod(shape or (), dtype=np.int64))


@dataclass
class Program:
    """Text, and the arrays its arguments hold before and after."""

    seed: int
    grid: int = 1
    inputs: dict[str, tuple[str, np.ndarray]] = field(default_factory=dict)
    outputs: dict[str, tuple[str, np.ndarray]] = field(default_factory=dict)
    text: str = ""


def inside(index: np.ndarray, extent: int) -> np.ndarray:
    """The index, or IndexError: NumPy would count from the end."""
    if np.min(index) < 0 or np.max(index) >= extent:
        raise IndexError
    return index.astype(np.int64)


def perform(lines: list, env: dict):
    for _, action in lines:
        action(env)


def render(lines: list, indent: str) -> list[str]:
    text = []
    for part, _ in lines:
        for piece in part if isinstance(part, list) else [part]:
            text += render(piece, indent + "  ") if isinstance(piece, list) else [indent + line for line in piece.split("\n")]
    return text


class Statements:
    """The program so far: statements, their values, and what memory holds. Statements are performed when they are added, so that the
    generator can look at values; finish() performs the whole program again."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.program = Program(seed)
        self.count = 0
        self.lines: list[tuple] = []  # (text, or texts and nested lists; action)
        self.functions: list[tuple] = []
        self.env: dict[str, np.ndarray] = {"%program": np.int32(0)}
        self.pool: list[Value] = []
        self.depth = 0
        for kind in [*INTEGERS, "f16", "f32", "f8E5M2"]:
            self.program.inputs[f"x_{kind}"] = (kind, self.table(kind))
        self.program.inputs["w"] = (POINTEE, np.arange(TABLE, dtype=np.int32) * 3 - 7)
        self.memory = {name: values.copy() for name, (_, values) in self.program.inputs.items()}
        self.numbers = {name: number for number, name in enumerate(self.program.inputs)}

    def table(self, kind: str) -> np.ndarray:
        if kind == "f8E5M2":
            return self.numpy.integers(0, 0x7B, TABLE).astype(np.uint8)
        if kind.startswith("f"):
            return (self.numpy.integers(-64, 65, TABLE) / 8).astype(NUMPY[kind])
        limits = np.iinfo(NUMPY[kind])
        small, any_value = self.numpy.integers(-9, 100, TABLE), self.numpy.integers(limits.min, limits.max, TABLE, dtype=np.int64)
        return np.where(self.numpy.random(TABLE) < 0.5, small, any_value).astype(NUMPY[kind])

    def new(self, kind, shape, is_bounded=False) -> Value:
        self.count += 1
        return Value(f"%v{self.count}", kind, shape, is_bounded)

    def emit(self, text, action=lambda env: None):
        self.lines.append((text, action))
        action(self.env)

    def define(self, kind, shape, text, compute, is_bounded=False) -> Value:
        value = self.new(kind, shape, is_bounded)

        def action(env):
            with np.errstate(all="ignore"):
                result = np.asarray(compute(env))
            assert result.shape == (shape or ()), (text, result.shape, shape)
            env[value.name] = result.astype(NUMPY[kind])

        self.emit(f"{value.name} = {text}", action)
        self.pool.append(value)
        return value

    def pick(self, test=lambda value: True) -> Value | None:
        known = [value for value in self.pool if test(value)]
        return self.random.choice(known[-14:]) if known else None

    def tile(self, test=lambda value: True) -> Value | None:
        return self.pick(lambda value: value.shape is not None and test(value))


class Shapes(Statements):
    """Sources and shape ops."""

    def constant(self, kind="i32", number=None) -> Value:
        if number is None:
            number = self.random.choice([0, 1, -1, 2, 3, 5, 7, 8, 16, 63, 100])
        if kind == "i1":
            number &= 1
        text = ["false", "true"][number] if kind == "i1" else f"{float(number):e}" if kind.startswith("f") else str(number)
        return self.define(kind, None, f"arith.constant {text}" + ("" if kind == "i1" else f" : {kind}"), lambda env: number)

    def dense_constant(self):
        kind, shape = self.random.choice([*INTEGERS, "i1", "f32"]), self.shape(64)
        values = self.numpy.integers(-5, 60, shape)
        values = values % 2 == 0 if kind == "i1" else values.astype(NUMPY[kind])

        def nested(array):
            if array.ndim:
                return "[" + ", ".join(nested(part) for part in array) + "]"
            return str(bool(array)).lower() if kind == "i1" else f"{float(array):e}" if kind == "f32" else str(int(array))

        is_splat = self.random.random() < 0.4 or values.size == 1
        if is_splat:
            values = np.full(shape, values.reshape(-1)[0])
        text = nested(values.reshape(-1)[0]) if is_splat else nested(values)
        self.define(kind, shape, f"arith.constant dense<{text}> : {type_text(kind, shape)}", lambda env: values)

    def shape(self, largest=LARGEST) -> tuple:
        shape, left = [], largest
        rank = self.random.choice([1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8])
        for _ in range(rank):
            extent = self.random.choice([e for e in ((1, 4, 16, 16, 32, 64) if rank < 3 else (1, 2, 2, 4, 4, 8, 16)) if e <= left])
            shape.append(extent)
            left //= extent
        return tuple(shape)

    def make_range(self, size=None, start=None) -> Value:
        size = size or self.random.choice([1, 2, 4, 8, 16, 32, 64, 128, 256])
        start = self.random.choice([0, 0, 0, 1, 5, 100]) if start is None else start
        text = f"tt.make_range {{end = {start + size} : i32, start = {start} : i32}} : tensor<{size}xi32>"
        return self.define("i32", (size,), text, lambda env: np.arange(start, start + size))

    def program_info(self):
        op, axis = self.random.choice([("get_program_id", "x"), ("get_program_id", "y"), ("get_num_programs", "x"), ("get_num_programs", "z")])

        def compute(env):
            if op == "get_program_id":
                return env["%program"] if axis == "x" else 0
            return self.program.grid if axis == "x" else 1

        self.define("i32", None, f"tt.{op} {axis} : i32", compute)

    def splat(self, value: Value | None = None, shape=None) -> Value:
        value = value or self.pick(lambda v: v.shape is None) or self.constant(self.random.choice(["i1", "i8", "i32", "i64", "f32"]))
        shape = shape or self.shape()
        return self.same(value, shape, f"tt.splat {value.name} : {value.type()} -> {type_text(value.kind, shape)}", lambda env: np.full(shape, env[value.name]))

    def same(self, value: Value, shape, text, compute) -> Value:
        return self.define(value.kind, shape, text, compute, value.is_bounded)

    def reshape(self, value: Value, shape) -> Value:
        if value.shape == shape:
            return value
        return self.same(value, shape, f"tt.reshape {value.name} : {value.type()} -> {type_text(value.kind, shape)}", lambda env: env[value.name].reshape(shape))

    def random_reshape(self):
        value = self.tile()
        if value is None:
            return
        left, shape = product(value.shape), []
        if self.random.random() < 0.5:
            shape = [extent for extent in value.shape if extent > 1 or self.random.random() < 0.5]
            if len(shape) < 7:
                shape.insert(self.random.randrange(len(shape) + 1), 1)
        else:
            while left > 1 and len(shape) < 7:
                extent = 2 ** self.random.randint(0, left.bit_length() - 1)
                shape.append(extent)
                left //= extent
            shape.append(left)
        self.reshape(value, tuple(shape))

    def expand_dims(self, value=None, axis=None):
        value = value or self.tile(lambda v: len(v.shape) < 8)
        if value is None:
            return None
        axis = self.random.randint(0, len(value.shape)) if axis is None else axis
        shape = (*value.shape[:axis], 1, *value.shape[axis:])
        text = f"tt.expand_dims {value.name} {{axis = {axis} : i32}} : {value.type()} -> {type_text(value.kind, shape)}"
        return self.same(value, shape, text, lambda env: np.expand_dims(env[value.name], axis))

    def broadcast(self, value=None, shape=None):
        value = value or self.tile(lambda v: 1 in v.shape)
        if value is None:
            return None
        if shape is None:
            left, grown = LARGEST // product(value.shape), []
            for extent in value.shape:
                factor = self.random.choice([e for e in (1, 2, 4, 8) if e <= left]) if extent == 1 else 1
                left //= factor
                grown.append(extent * factor)
            shape = tuple(grown)
        text = f"tt.broadcast {value.name} : {value.type()} -> {type_text(value.kind, shape)}"
        return self.same(value, shape, text, lambda env: np.broadcast_to(env[value.name], shape))

    def trans(self, value=None, order=None):
        value = value or self.tile(lambda v: len(v.shape) > 1)
        if value is None:
            return None
        if order is None:
            order = list(range(len(value.shape)))
            self.random.shuffle(order)
        shape = tuple(value.shape[d] for d in order)
        text = f"tt.trans {value.name} {{order = array<i32: {', '.join(map(str, order))}>}} : {value.type()} -> {type_text(value.kind, shape)}"
        return self.same(value, shape, text, lambda env: env[value.name].transpose(order))

    def along(self, shape: tuple, d: int, part: Value) -> Value:
        """A tile of rank 1 along dimension d of a shape, with extent 1 elsewhere."""
        for axis in range(len(shape)):
            if axis != d:
                part = self.expand_dims(part, axis if axis < d else len(part.shape))
        return part

    def wide(self, part: Value, shape: tuple) -> Value:
        return part if part.shape == shape else self.broadcast(part, shape)

    def join(self):
        a = self.tile(lambda v: product(v.shape) * 2 <= LARGEST and len(v.shape) < 8 and (v.kind != "ptr" or v.is_bounded))
        if a is None:
            return
        b, shape = self.like(a), (*a.shape, 2)
        text = f"tt.join {a.name}, {b.name} : {a.type()} -> {type_text(a.kind, shape)}"
        self.same(a, shape, text, lambda env: np.stack([env[a.name], env[b.name]], -1))

    def cat(self):
        a = self.tile(lambda v: product(v.shape) * 2 <= LARGEST and len(v.shape) == 1 and (v.kind != "ptr" or v.is_bounded))
        if a is None:
            return
        b, shape = self.like(a), (2 * a.shape[0],)
        self.same(a, shape, f"tt.cat {a.name}, {b.name} : {a.type()} -> {type_text(a.kind, shape)}", lambda env: np.concatenate([env[a.name], env[b.name]]))

    def split(self):
        value = self.tile(lambda v: v.shape[-1] == 2 and len(v.shape) > 1)
        if value is None:
            return
        left, right = (self.new(value.kind, value.shape[:-1], value.is_bounded) for _ in range(2))

        def action(env):
            env[left.name], env[right.name] = env[value.name][..., 0], env[value.name][..., 1]

        self.emit(f"{left.name}, {right.name} = tt.split {value.name} : {value.type()} -> {left.type()}", action)
        self.pool += [left, right]

    def unsplat(self):
        value = self.tile(lambda v: product(v.shape) == 1)
        if value is not None:
            self.same(value, None, f"tt.unsplat {value.name} : {value.type()}", lambda env: env[value.name].reshape(()))

    def gather(self):
        source = self.tile(lambda v: product(v.shape) <= 256)
        if source is None:
            return
        axis = self.random.randrange(len(source.shape))
        shape = tuple(self.random.choice([1, 2, 4, 8]) if d == axis else extent for d, extent in enumerate(source.shape))
        if product(shape) > LARGEST:
            return
        index = self.masked_index(self.of_shape(self.random.choice(["i32", "i32", "i64", "i8"]), shape), source.shape[axis])
        text = f"tt.gather {source.name}[{index.name}] {{axis = {axis} : i32}} : ({source.type()}, {index.type()}) -> {type_text(source.kind, shape)}"
        self.same(source, shape, text, lambda env: np.take_along_axis(env[source.name], inside(env[index.name], source.shape[axis]), axis))

    def histogram(self):
        value = self.tile(lambda v: v.kind == "i32" and len(v.shape) == 1)
        if value is None:
            return
        bins = self.random.choice([1, 2, 8, 16, 64])
        mask = self.of_shape("i1", value.shape) if self.random.random() < 0.5 else None
        text = f"tt.histogram {value.name}{', ' + mask.name if mask else ''} : {value.type()} -> tensor<{bins}xi32>"

        def compute(env):
            values = env[value.name] & (max(bins, 32) - 1)  # S-100
            return np.bincount(values[(values < bins) & (env[mask.name] if mask else True)], minlength=bins)

        self.define("i32", (bins,), text, compute)
