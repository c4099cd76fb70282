"""tt.dot_scaled: operands become f16 (if one is fp16) or bf16, are multiplied by their groups' scales in that type, and are
added as the tensor core of an H200 does it (S-71), K in the order in which Triton 3.6 hands it over (S-74). The interpreter and the H200
both have the bits of that."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import ml_dtypes
import numpy as np
from support import dots, elements, kernels, values
from support.case import Case, Exact, In, Out

TYPES = {"e2m1": "i8", "e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "bf16": "bf16", "fp16": "f16"}
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], dtype=np.float32)
#: Shapes and scales with every order of K: whole warp groups, transposed ones, warps with whole and with short runs.
ORDERS = (
    ((32, 64, 64), False, True),
    ((32, 64, 128), True, False),
    ((64, 8, 64), True, False),
    ((64, 16, 32), True, False),
    ((16, 32, 32), False, True),
    ((64, 64, 64), True, False),
    ((64, 64, 128), True, False),
    ((16, 64, 128), True, True),
    ((32, 32, 64), False, False),
)
MIXED = "Triton 3.6 does not compile fp4 packed along M or N for sm_90"


def narrowed(x: np.ndarray, kind: str) -> np.ndarray:
    """Rounded to f16 or bf16, as f32."""
    with np.errstate(all="ignore"):
        return x.astype(np.float16 if kind == "f16" else ml_dtypes.bfloat16).astype(np.float32)


def unpacked(raw: np.ndarray, axis: int) -> np.ndarray:
    """Low nibble first along the axis."""
    codes = np.stack([raw & 15, (raw.astype(np.uint8) >> 4)], axis=axis + 1)
    shape = list(raw.shape)
    shape[axis] *= 2
    codes = codes.reshape(shape).astype(np.int64) & 15
    return np.where(codes & 8, -E2M1[codes & 7], E2M1[codes & 7]).astype(np.float32)


def widened(raw: np.ndarray, form: str, kind: str, axis: int) -> np.ndarray:
    if form == "e2m1":
        return unpacked(raw.view(np.uint8), axis)
    if form == "e5m2" and kind == "bf16":  # infinity and NaN continue as numbers (S-75)
        bits = raw.view(np.uint8).astype(np.int64)
        exponent, fraction = (bits & 0x7C) >> 2, bits & 3
        magnitude = np.where(exponent == 0, fraction * 2.0**-16, (1 + fraction / 4) * 2.0 ** (exponent - 15.0))
        return np.where(bits & 0x80, -magnitude, magnitude).astype(np.float32)
    return raw.astype(np.float32)


def factors(scale: np.ndarray, kind: str, fast: bool) -> np.ndarray:
    """e8m0 bytes: the exponent field of a float; 255 is NaN unless fast. f8E4M3FN scales are numbers."""
    if scale.dtype == ml_dtypes.float8_e4m3fn:
        return scale.astype(np.float32)
    factor = narrowed((scale.view(np.uint8).astype(np.uint32) << 23).view(np.float32), kind)
    return factor if fast else np.where(scale.view(np.uint8) == 255, np.float32(np.nan), factor)


@dataclass
class Problem:
    left: str
    right: str
    m: int = 64
    n: int = 32
    k: int = 64
    left_scale: bool = True
    right_scale: bool = True
    fast: bool = False
    left_packs_k: bool = True
    right_packs_k: bool = True
    group: int = 32
    scale_type: str = "i8"
    special: bool = False

    @property
    def kind(self) -> str:
        return "f16" if "fp16" in (self.left, self.right) else "bf16"

    def name(self) -> str:
        scales = f"{'s' if self.left_scale else '-'}{'s' if self.right_scale else '-'}"
        packs = "" if self.left_packs_k and self.right_packs_k else f" packs {'k' if self.left_packs_k else 'm'}{'k' if self.right_packs_k else 'n'}"
        extra = (" fast" if self.fast else "") + (" special" if self.special else "")
        group = "" if self.group == 32 else f" group {self.group} {self.scale_type}"
        return f"{self.left} {self.right} {self.m}x{self.n}x{self.k} {scales}{packs}{extra}{group}"

    def shapes(self):
        a, b = [self.m, self.k], [self.k, self.n]
        if self.left == "e2m1":
            a[1 if self.left_packs_k else 0] //= 2
        if self.right == "e2m1":
            b[0 if self.right_packs_k else 1] //= 2
        groups = self.k // self.group
        return tuple(a), tuple(b), (self.m, self.n), (self.m, groups), (self.n, groups)

    def arrays(self):
        a, b, c, left_scale, right_scale = self.shapes()
        made = [self.operand(self.left, a, 70), self.operand(self.right, b, 71), values.moderate_floats("f32", int(np.prod(c)), 72).reshape(c)]
        return made + [self.scale(left_scale, 73) if self.left_scale else None, self.scale(right_scale, 74) if self.right_scale else None]

    def operand(self, form: str, shape, seed: int) -> np.ndarray:
        count = int(np.prod(shape))
        if form == "e2m1":
            return elements.from_bits(values.random_bits(count, seed) & np.uint64(255), "i8").reshape(shape)
        element = TYPES[form]
        if self.special and elements.width(element) == 8:
            return np.resize(values.all_bits(element), count).reshape(shape)
        return values.moderate_floats(element, count, seed).reshape(shape)

    def scale(self, shape, seed: int) -> np.ndarray:
        count = int(np.prod(shape))
        raw = values.random_bits(count, seed)
        if self.scale_type != "i8":
            return elements.from_bits(raw % np.uint64(0x78) + np.uint64(4), self.scale_type).reshape(shape)
        exponents = np.uint64(120) + raw % np.uint64(14)
        if self.special:
            exponents[:8] = [0, 1, 254, 255, 100, 142, 150, 103]
        return elements.from_bits(exponents, "i8").reshape(shape)

    def text(self) -> str:
        shapes = self.shapes()
        types = [TYPES[self.left], TYPES[self.right], "f32", self.scale_type, self.scale_type]
        names = ["a", "b", "c"] + (["e"] if self.left_scale else []) + (["f"] if self.right_scale else [])
        places = {"a": 0, "b": 1, "c": 2, "e": 3, "f": 4}
        lines, parameters = [], []
        for name in names:
            i = places[name]
            lines += dots.matrix_lines(name, types[i], shapes[i])
            parameters.append(f"%{name}_ptr: !tt.ptr<{types[i]}>")
        tiles = [kernels.tile(t, s) for t, s in zip(types, shapes)]
        left, right = (" scale %e", ", " + tiles[3]) if self.left_scale else ("", ""), (" scale %f", ", " + tiles[4]) if self.right_scale else ("", "")
        packs = ("" if self.left_packs_k else ", lhs_k_pack = false") + ("" if self.right_packs_k else ", rhs_k_pack = false")
        head = f"%d = tt.dot_scaled %a{left[0]}, %b{right[0]}, %c lhs = {self.left} rhs = {self.right}"
        fast = "true" if self.fast else "false"
        lines.append(f"{head} {{fastMath = {fast}{packs}}} : {tiles[0]}{left[1]} * {tiles[1]}{right[1]} -> {tiles[2]}")
        pointer, index = kernels.tile("!tt.ptr<f32>", shapes[2]), kernels.tile("i32", shapes[2])
        lines += [f"%d_base = tt.splat %d_ptr : !tt.ptr<f32> -> {pointer}", f"%d_at = tt.addptr %d_base, %c_index : {pointer}, {index}"]
        return kernels.module([*parameters, "%d_ptr: !tt.ptr<f32>"], [*lines, f"tt.store %d_at, %d : {pointer}"])

    def scaled(self, arrays):
        """The operands as f32 matrices of the compute type."""
        a, b, _, left, right = arrays
        x = widened(a, self.left, self.kind, 1 if self.left_packs_k else 0)
        y = widened(b, self.right, self.kind, 0 if self.right_packs_k else 1)
        with np.errstate(all="ignore"):
            if left is not None:
                x = narrowed(x * np.repeat(factors(left, self.kind, self.fast), self.group, axis=1), self.kind)
            if right is not None:
                y = narrowed(y * np.repeat(factors(right, self.kind, self.fast), self.group, axis=1).T, self.kind)
        return x, y

    def order(self) -> np.ndarray:
        """Positions of K as they come, sixteen at once: mma.sync takes, of the run of neighbours that each of four threads holds, two
        pairs at a time."""
        is_transposed = self.right_scale and not self.left_scale
        rows, columns = (self.n, self.m) if is_transposed else (self.m, self.n)
        if rows >= 64 and columns >= 16:
            return np.arange(self.k)
        wanted = 16 if "e2m1" in (self.left, self.right) else 8
        run = min(wanted, self.k // 4)
        instructions = range(run // 4)
        if run == wanted:
            taken = [[2 * i, 2 * i + 1, run // 2 + 2 * i, run // 2 + 2 * i + 1] for i in instructions]
        else:
            taken = [[4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3] for i in instructions]
        return np.array([base + thread * run + place for base in range(0, self.k, 4 * run) for places in taken for thread in range(4) for place in places])

    def reference(self, arrays) -> np.ndarray:
        x, y = self.scaled(arrays)
        order, c = self.order(), arrays[2]
        finite_x, finite_y = np.where(np.isfinite(x), x, 0), np.where(np.isfinite(y), y, 0)
        summed = dots.tensor_core(finite_x[:, order], finite_y[order], c, dots.BLOCK["bf16"], dots.KEPT["bf16"]) + np.float32(0)
        is_special = ~np.isfinite(x).all(axis=1)[:, None] | ~np.isfinite(y).all(axis=0)[None, :]
        with np.errstate(all="ignore"):
            exact = x.astype(np.float64) @ y.astype(np.float64) + c
        return np.where(is_special, exact.astype(np.float32), summed)

    def case(self, gpu=True) -> Case:
        arrays = self.arrays()
        arguments = [In(array) for array in arrays if array is not None] + [Out((self.m, self.n), "f32")]
        return Case(self.name(), self.text(), arguments, reference=lambda _: self.reference(arrays), bound=Exact(), gpu=gpu, gpu_bound=Exact())


def cases():
    for left, right in itertools.product(TYPES, repeat=2):
        if {left, right} == {"bf16", "fp16"}:
            continue
        yield Problem(left, right).case()
    for left, right in (("e4m3", "e5m2"), ("fp16", "e2m1"), ("e2m1", "e2m1"), ("fp16", "fp16")):
        for left_scale, right_scale in ((True, False), (False, True), (False, False)):
            yield Problem(left, right, left_scale=left_scale, right_scale=right_scale).case()
    for left, right in (("e4m3", "e4m3"), ("e5m2", "e5m2"), ("e5m2", "fp16"), ("e2m1", "bf16"), ("fp16", "fp16")):
        for fast in (False, True):
            yield Problem(left, right, fast=fast, special=True).case()
    for packs in ((False, True), (True, False), (False, False)):
        yield Problem("e2m1", "e2m1", left_packs_k=packs[0], right_packs_k=packs[1]).case(MIXED)
    for shape in ((16, 16, 32), (128, 64, 128), (32, 16, 256)):
        yield Problem("e4m3", "e5m2", *shape).case()
        yield Problem("e2m1", "e2m1", *shape).case()
    for left, right in (("e4m3", "e4m3"), ("e4m3", "fp16"), ("bf16", "e2m1"), ("e2m1", "e5m2")):
        for shape, left_scale, right_scale in ORDERS:
            yield Problem(left, right, *shape, left_scale=left_scale, right_scale=right_scale).case()
    for kind in ("i8", "f8E4M3FN"):
        yield Problem("e2m1", "e2m1", group=16, scale_type=kind).case("groups of 16 are for sm_100")
    for left, right, word in (("bf16", "fp16", "fp16 with bf16"),):
        refused = Problem(left, right).case("Triton 3.6 does not compile it")
        refused.exit_code, refused.reference = 4, None
        refused.output = lambda text, word=word: None if word in text else f"no word of {word}: {text}"
        yield refused
    refused = Problem("e4m3", "e5m2").case()
    refused.name, refused.target, refused.exit_code, refused.reference = "e4m3 on sm_80", "sm_80", 2, None
    refused.output = lambda text: None if "sm_80 has no arithmetic of f8E4M3FN" in text else f"no word of the type: {text}"
    yield refused


