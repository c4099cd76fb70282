"""Matrix products: text, inputs, the chain that Lockstep must give bit for bit, and how far a GPU may be from the exact sum."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import ml_dtypes
import numpy as np
from support import elements, kernels, values
from support.case import Case, Exact, In, Out

#: S-71: products that a tensor core adds at once, and the bits after the largest addend's leading one that each keeps.
BLOCK = {"f16": 16, "bf16": 16, "f32": 8, "f8": 32}
KEPT = {"f16": 25, "bf16": 25, "f32": 25, "f8": 13}
#: What the pieces of a split operand leave out, per unit of sum |a b|.
LEFT_OUT = {"tf32x3": 2.0**-19, "bf16x3": 2.0**-16, "bf16x6": 2.0**-24}


def matrix_lines(name: str, element: str, shape: tuple[int, ...], transposed: bool = False) -> list[str]:
    """%NAME loaded from %NAME_ptr; `transposed`: memory holds the last two dimensions the other way round."""
    stored = (*shape[:-2], shape[-1], shape[-2]) if transposed else shape
    count = int(np.prod(stored))
    flat, index = f"tensor<{count}xi32>", kernels.tile("i32", stored)
    pointer = kernels.tile(f"!tt.ptr<{element}>", stored)
    loaded = f"%{name}" if not transposed else f"%{name}_stored"
    lines = [
        f"%{name}_flat = tt.make_range {{end = {count} : i32, start = 0 : i32}} : {flat}",
        f"%{name}_index = tt.reshape %{name}_flat : {flat} -> {index}",
        f"%{name}_base = tt.splat %{name}_ptr : !tt.ptr<{element}> -> {pointer}",
        f"%{name}_at = tt.addptr %{name}_base, %{name}_index : {pointer}, {index}",
        f"{loaded} = tt.load %{name}_at : {pointer}",
    ]
    if transposed:
        order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
        lines.append(f"%{name} = tt.trans {loaded} {{order = array<i32: {', '.join(map(str, order))}>}} : {kernels.tile(element, stored)} -> {kernels.tile(element, shape)}")
    return lines


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c of f32, rounded once: the sum in f64 gets an odd last bit if it is inexact, so that f32 rounds it right."""
    with np.errstate(all="ignore"):
        product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
        total = product + addend
        back = total - product
        error = (product - (total - back)) + (addend - back)
        raw = total.view(np.int64)
        inexact = np.isfinite(error) & (error != 0) & (raw & 1 == 0)
        away = (error > 0) == (total > 0)
        raw = np.where(inexact, raw + np.where(away, 1, -1), raw)
        return raw.view(np.float64).astype(np.float32)


def chain(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """c + a[:, k] * b[k, :], one k after the other."""
    if c.dtype == np.float64:
        return chain_f64(a, b, c)
    for k in range(a.shape[1]):
        c = fused(np.broadcast_to(a[:, k, None], c.shape), np.broadcast_to(b[None, k, :], c.shape), c)
    return c


def chain_f64(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    out = c.copy()
    for i, j in np.ndindex(out.shape):
        for k in range(a.shape[1]):
            x, y, z = float(a[i, k]), float(b[k, j]), float(out[i, j])
            if all(map(np.isfinite, (x, y, z))):
                exact = Fraction(x) * Fraction(y) + Fraction(z)
                try:
                    out[i, j] = float(exact) if exact != 0 else x * y + z
                except OverflowError:
                    out[i, j] = np.inf if exact > 0 else -np.inf
            else:
                out[i, j] = z if np.isfinite(x) and np.isfinite(y) else x * y + z
    return out


def tensor_core(a, b, c, block: int, kept: int, final: int = 23) -> np.ndarray:
    """`block` products and the sum so far lose the bits `kept` places after the leading one of the largest (as the sum of
    its factors' exponents says), are added exactly, and the sum is cut to `final` bits after its leading one."""
    x, y, total = (v.astype(np.float64) for v in (a, b, c))
    left, right = np.frexp(x)[1] - 1, np.frexp(y)[1] - 1
    for k in range(0, x.shape[1], block):
        products = x[:, k : k + block, None] * y[None, k : k + block, :]
        exponents = left[:, k : k + block, None] + right[None, k : k + block, :]
        largest = np.where(products == 0, -10000, exponents).max(axis=1)
        largest = np.maximum(largest, np.where(total == 0, -10000, np.frexp(total)[1] - 1))
        unit = np.ldexp(1.0, np.where(largest < -9000, 0, largest) - kept)
        total = (np.trunc(products / unit[:, None, :]).sum(axis=1) + np.trunc(total / unit)) * unit
        significand, exponent = np.frexp(total)
        total = np.ldexp(np.trunc(np.ldexp(significand, final + 1)), exponent - final - 1)
    return total.astype(np.float32)


def imprecise_f8(a, b, c, group: int) -> np.ndarray:
    """f8 by wgmma: `group` elements of K are added in 13 bits, from zero, and each group's sum to an f32."""
    for k in range(0, a.shape[1], group):
        part = tensor_core(a[:, k : k + group], b[k : k + group], np.zeros_like(c), BLOCK["f8"], KEPT["f8"], 13)
        c = c + part
    return c


def raw_bits(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float32).view(np.uint32)


def cut_tf32(x: np.ndarray) -> np.ndarray:
    """The 13 low bits are not read, not even a NaN's."""
    return (raw_bits(x) & np.uint32(0xFFFFE000)).view(np.float32)


def nearest_tf32(x: np.ndarray) -> np.ndarray:
    """Ties away from zero."""
    return np.where(np.isnan(x), x, ((raw_bits(x).astype(np.uint64) + 0x1000) & 0xFFFFE000).astype(np.uint32).view(np.float32))


def nearest_bf16(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(np.float32)


def split(x: np.ndarray, precision: str) -> list[np.ndarray]:
    """The pieces, the largest first."""
    with np.errstate(all="ignore"):
        if precision == "tf32x3":
            large = nearest_tf32(x)
            return [large, cut_tf32(x - large)]
        pieces = []
        for _ in range(2 if precision == "bf16x3" else 3):
            pieces.append(nearest_bf16(x))
            x = x - pieces[-1]
        return pieces


#: Which pieces are multiplied, in order; the last product is the large one.
PRODUCTS = {
    "tf32x3": [(1, 0), (0, 1), (0, 0)],
    "bf16x3": [(1, 0), (0, 1), (0, 0)],
    "bf16x6": [(1, 1), (2, 0), (0, 2), (1, 0), (0, 1), (0, 0)],
}


@dataclass
class Problem:
    a: str
    b: str
    c: str
    m: int
    n: int
    k: int
    precision: str = "ieee"
    imprecise: int = 0
    batch: int = 0
    transposed: bool = False
    values: str = "moderate"

    def shapes(self) -> list[tuple[int, ...]]:
        lead = (self.batch,) if self.batch else ()
        return [(*lead, self.m, self.k), (*lead, self.k, self.n), (*lead, self.m, self.n)]

    def name(self) -> str:
        parts = [f"{self.a} {self.b} {self.c}", "x".join(map(str, ([self.batch] if self.batch else []) + [self.m, self.n, self.k]))]
        parts += [self.precision] if self.a == "f32" else []
        parts += [f"imprecise {self.imprecise}"] if self.imprecise else []
        parts += ["transposed"] if self.transposed else []
        return " ".join(parts + ([self.values] if self.values != "moderate" else []))

    def text(self) -> str:
        shapes, types = self.shapes(), (self.a, self.b, self.c)
        lines = [line for name, t, s in zip("abc", types, shapes) for line in matrix_lines(name, t, s, self.transposed and name != "c")]
        tiles = [kernels.tile(t, s) for t, s in zip(types, shapes)]
        precision = "" if self.precision == "ieee" else f", inputPrecision = {self.precision}"
        limit = f" {{maxNumImpreciseAcc = {self.imprecise} : i32}}" if self.imprecise else ""
        lines.append(f"%d = tt.dot %a, %b, %c{precision}{limit} : {tiles[0]} * {tiles[1]} -> {tiles[2]}")
        pointer = kernels.tile(f"!tt.ptr<{self.c}>", shapes[2])
        lines.append(f"%d_base = tt.splat %d_ptr : !tt.ptr<{self.c}> -> {pointer}")
        lines.append(f"%d_at = tt.addptr %d_base, %c_index : {pointer}, {kernels.tile('i32', shapes[2])}")
        lines.append(f"tt.store %d_at, %d : {pointer}")
        return kernels.module([f"%{name}_ptr: !tt.ptr<{t}>" for name, t in zip("abcd", (*types, self.c))], lines)

    def inputs(self) -> list[np.ndarray]:
        arrays = []
        for seed, (element, shape) in enumerate(zip((self.a, self.b, self.c), self.shapes())):
            count = int(np.prod(shape))
            if not elements.is_float(element):
                flat = values.integers(element, count, 40 + seed)
            elif self.values == "special" and seed < 2:
                flat = values.moderate_floats(element, count, 40 + seed)
                special = values.special_floats(element)
                places = values.random_bits(len(special), 60 + seed) % np.uint64(count)
                flat[places.astype(np.int64)] = special
            else:
                flat = values.moderate_floats(element, count, 40 + seed)
            arrays.append(flat.reshape(shape))
        return arrays

    def stored(self, array: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(np.swapaxes(array, -1, -2)) if self.transposed else array

    def matrices(self, arrays):
        """Each batch's a, b and c."""
        a, b, c = (x[None] if not self.batch else x for x in arrays)
        return zip(a, b, c)

    def product(self, a, b, c) -> np.ndarray:
        if self.c == "i32":
            wide = a.astype(np.int64) @ b.astype(np.int64) + c.astype(np.int64)
            return (wide & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
        if self.c == "f64":
            return chain(a, b, c)
        x, y, start = a.astype(np.float32), b.astype(np.float32), c.astype(np.float32)
        if self.a == "f32" and self.precision == "tf32":
            x, y = cut_tf32(x), cut_tf32(y)
        if self.a == "f32" and self.precision in PRODUCTS:
            return self.split_product(x, y, start)
        return chain(x, y, start).astype(elements.DTYPE[self.c])

    def split_product(self, x, y, start):
        left, right = split(x, self.precision), split(y, self.precision)
        total = np.zeros_like(start)
        for i, j in PRODUCTS[self.precision]:
            if (i, j) == (0, 0):
                total = np.where(np.isnan(total), np.float32(0), total)
            total = chain(left[i], right[j], total)
        with np.errstate(all="ignore"):
            return total + start

    def reference(self, arrays):
        with np.errstate(all="ignore"):
            return np.stack([self.product(*one) for one in self.matrices(arrays)]).reshape(self.shapes()[2])

    def near_exact(self, arrays):
        """A checker of what the H200 gave: `expected` is its answer."""

        def check(_, expected, __):
            for index, (a, b, c) in enumerate(self.matrices(arrays)):
                gpu = (expected[0] if not self.batch else expected[0][index]).reshape(c.shape)
                wrong = self.overflowing(gpu, a, b, c) if self.c == "i32" else self.beyond(gpu.astype(np.float64), a, b, c)
                wrong = wrong or self.unlike_the_model(gpu, a, b, c)
                if wrong is not None:
                    return f"batch {index}: {wrong}"
            return None

        return check

    def overflowing(self, gpu, a, b, c):
        """wgmma wraps, as Lockstep does; mma.sync saturates at every step, so only sums that stay inside are compared."""
        x, y, z = (v.astype(np.int64) for v in (a, b, c))
        stays = np.abs(x) @ np.abs(y) + np.abs(z) < 2**31
        wrong = stays & (gpu != x @ y + z)
        return f"{int(wrong.sum())} sums are wrong" if wrong.any() else None

    def beyond(self, gpu, a, b, c):
        with np.errstate(all="ignore"):
            if self.a == "f32" and self.precision == "tf32":
                a, b = cut_tf32(a), cut_tf32(b)
            x, y, z = (v.astype(np.float64) for v in (a, b, c))
            exact = x @ y + z
            weight = np.abs(x) @ np.abs(y) + np.abs(z)
            least = 2.0**-24 if self.c == "f16" else 2.0**-149
            limit = self.error_bound() * weight + least
            fits = weight * 1.01 < elements.FORMAT[self.c].largest  # else a sum on the way may overflow
            if self.precision in PRODUCTS:  # the largest numbers round to infinite pieces
                huge = 2.0**127 * 1.99
                fits &= ~((np.abs(x) >= huge).any(axis=1)[:, None] | (np.abs(y) >= huge).any(axis=0)[None, :])
            bad = fits & ~(np.abs(gpu - exact) <= limit)
            bad |= np.isnan(exact) & ~np.isnan(gpu)
            infinite = np.isinf(x).any(axis=1)[:, None] | np.isinf(y).any(axis=0)[None, :] | np.isinf(z)
            infinite &= self.precision not in PRODUCTS  # where a small number's pieces may be zeros
            bad |= infinite & np.isinf(exact) & (gpu != exact)
        if not bad.any():
            return None
        i, j = np.argwhere(bad)[0]
        return f"{int(bad.sum())} elements are beyond S-71's bound; [{i}, {j}] is {gpu[i, j]!r}, exactly {exact[i, j]!r}, allowed {limit[i, j]:g}"

    def error_bound(self) -> float:
        """f(K): allowed |gpu - exact| per unit of sum |a b| + |c| (S-71)."""
        k = max(self.k, 16)
        if elements.width(self.a) == 8 and (self.imprecise or self.c == "f16"):
            group = min(k, self.imprecise or k)
            rounding = k / 32 * 2.0**-11 if self.c == "f16" else k * 2.0**-24
            return group * 17 / 16 * 2.0**-13 + rounding
        half = k / 16 * 2.0**-11 if self.c == "f16" else 0.0
        passes = len(PRODUCTS.get(self.precision, [0]))
        return (k + passes) * 2.0**-24 * (1 if passes == 1 else 1.01) + LEFT_OUT.get(self.precision, 0.0) + half

    def unlike_the_model(self, gpu, a, b, c):
        """f16, bf16, tf32 and f8 by wgmma into f32: the H200's bits are those of blocks added as S-71 says."""
        is_f8 = elements.width(self.a) == 8 and self.imprecise > 0 and self.m >= 64
        is_modelled = self.c == "f32" and (self.a in ("f16", "bf16") or is_f8 or (self.a == "f32" and self.precision == "tf32"))
        if not is_modelled or self.values != "moderate":
            return None
        if is_f8:
            want = imprecise_f8(a, b, c, self.imprecise)
        else:
            want = tensor_core(*((cut_tf32(v) if self.a == "f32" else v) for v in (a, b)), c, BLOCK[self.a], KEPT[self.a])
        same = want == gpu
        return None if same.all() else f"{int((~same).sum())} elements are not what the model of S-71 gives"

    def case(self, name: str = "", gpu=True) -> Case:
        arrays = self.inputs()
        arguments = [In(self.stored(arrays[0])), In(self.stored(arrays[1])), In(arrays[2]), Out(arrays[2].shape, self.c)]
        is_chain = self.c == "f64" or (self.a == "f32" and self.precision == "ieee")
        near = Exact() if is_chain else self.near_exact(arrays)
        return Case(name or self.name(), self.text(), arguments, reference=lambda _: self.reference(arrays), bound=Exact(), gpu=gpu, gpu_bound=near)
