"""Moving elements without computing: reshape, trans, permute, join, split, cat, interleave, broadcasts, sort, topk,
flip, gather, histogram.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, Result, load, simple, store, typed
from conversion import convert
from scalar_types import FLOATS, INTEGERS, NAMES

from families.reductions import extreme_type

TYPES_OF_ANY_WIDTH = ["i1", "i8", "u16", "i32", "u64", "fp8e5", "fp16", "bf16", "fp32", "fp64"]


def data_of(name: str, shape, key: str) -> Data:
    return Data(name, samples.values(name, shape, key))


def move(name: str, shape, text: str, result, function) -> Case:
    x = data_of(name, shape, text)
    return simple("shapes", f"{text} {name} {shape}", {"x": x}, text, name, tuple(result), lambda: function(x.values))


def reshapes() -> Iterator[Case]:
    pairs = [
        ((16,), (4, 4)),
        ((4, 8), (32,)),
        ((4, 8), (2, 2, 8)),
        ((2, 4, 4), (8, 4)),
        ((2, 2, 2, 4), (4, 8)),
        ((8,), (2, 2, 2)),
        ((1, 8), (8, 1)),
    ]
    for i, name in enumerate(TYPES_OF_ANY_WIDTH):
        for j, (shape, result) in enumerate(pairs):
            listed = ", ".join(map(str, result))
            text = [
                f"tl.reshape(x_, {listed})",
                f"x_.reshape({listed})",
                f"tl.reshape(x_, ({listed},))",
                f"tl.view(x_, [{listed}])",
            ][(i + j) % 4]
            yield move(name, shape, text, result, lambda v, r=result: v.reshape(r))
        yield move(name, (4, 8), ["tl.ravel(x_)", "x_.ravel()"][i % 2], (32,), np.ravel)
        yield move(name, (4, 8), ["x_.T", "tl.trans(x_)"][i % 2], (8, 4), np.transpose)
        yield move(name, (4, 1, 8), "x_[:, :, None, :]", (4, 1, 1, 8), lambda v: v[:, :, None, :])
        yield move(name, (8,), ["tl.expand_dims(x_, 1)", "x_.expand_dims(-1)"][i % 2], (8, 1), lambda v: v[:, None])
        yield move(name, (4, 1), "tl.broadcast_to(x_, 4, 8)", (4, 8), lambda v: np.broadcast_to(v, (4, 8)))
        yield move(name, (), "tl.broadcast_to(x_, (2, 4))", (2, 4), lambda v: np.broadcast_to(v, (2, 4)))
        yield move(name, (1, 1), "x_.item()", (), lambda v: v.reshape(()))


def permutations() -> Iterator[Case]:
    number = 0
    for shape in ((4, 8), (2, 4, 8), (2, 4, 1, 4), (2, 2, 2, 2, 2)):
        orders = list(itertools.permutations(range(len(shape))))
        for order in orders[:: max(len(orders) // 12, 1)]:
            name = NAMES[number % len(NAMES)]
            listed = ", ".join(map(str, order))
            text = [
                f"tl.permute(x_, {listed})",
                f"x_.permute({listed})",
                f"tl.trans(x_, {listed})",
                f"tl.permute(x_, ({listed}))",
            ][number % 4]
            number += 1
            yield move(name, shape, text, [shape[i] for i in order], lambda v, o=order: np.transpose(v, o))


def joins() -> Iterator[Case]:
    for i, name in enumerate(TYPES_OF_ANY_WIDTH):
        for shape in ((8,), (4, 4), (2, 2, 4)):
            x, y = data_of(name, shape, f"join {name} x"), data_of(name, shape, f"join {name} y")
            both = {"x": x, "y": y}
            stacked = lambda x=x, y=y: np.stack([x.values, y.values], -1)
            yield simple("shapes", f"join {name} {shape}", both, "tl.join(x_, y_)", name, (*shape, 2), stacked)
            flat = (*shape[:-1], shape[-1] * 2)
            yield simple(
                "shapes",
                f"interleave {name} {shape}",
                both,
                "tl.interleave(x_, y_)",
                name,
                flat,
                lambda f=stacked, s=flat: f().reshape(s),
            )
            if len(shape) == 1:
                yield simple(
                    "shapes",
                    f"cat {name}",
                    both,
                    "tl.cat(x_, y_, can_reorder=True)",
                    name,
                    (16,),
                    lambda x=x, y=y: np.concatenate([x.values, y.values]),
                )
            z = data_of(name, (*shape, 2), f"split {name}")
            body = [
                f"z_ = {load('z', (*shape, 2))}",
                ["a, b = tl.split(z_)", "a, b = z_.split()"][i % 2],
                typed("a", name),
                store("out", shape, "a"),
                store("other", shape, "b"),
            ]
            reference = lambda z=z: {"out": z.values[..., 0], "other": z.values[..., 1]}
            yield Case(
                "shapes",
                f"split {name} {shape}",
                body,
                {"z": z},
                {"out": Result(name, shape), "other": Result(name, shape)},
                reference,
            )
        x, y = data_of(name, (), f"scalar {name}"), data_of(name, (4, 8), f"block {name}")
        both = {"x": x, "y": y}
        yield simple(
            "shapes",
            f"join of scalars {name}",
            {"x": x, "y": x},
            "tl.join(x_, y_)",
            name,
            (2,),
            lambda x=x: np.stack([x.values, x.values], -1),
        )
        broadcast = "tl.broadcast(x_, y_)[0]" if i % 2 else "tl.broadcast(y_, x_)[1]"
        yield simple(
            "shapes", f"broadcast {name}", both, broadcast, name, (4, 8), lambda x=x: np.broadcast_to(x.values, (4, 8))
        )


def sorts() -> Iterator[Case]:
    for i, name in enumerate([*INTEGERS, *FLOATS]):
        for j, shape in enumerate(((16,), (4, 8), (2, 2, 4))):
            x = Data(name, samples.moderate(name, shape, f"sort {name}"))
            descending = (i + j) % 2 == 0
            text = [f"tl.sort(x_, descending={descending})", f"tl.sort(x_, {len(shape) - 1}, {descending})"][j % 2]
            direction = (lambda v: np.sort(v, -1)[..., ::-1]) if descending else (lambda v: np.sort(v, -1))
            yield simple(
                "sorts", f"{text} {name} {shape}", {"x": x}, text, name, shape, lambda x=x, d=direction: d(x.values)
            )
            k, kind = shape[-1] // 2, extreme_type(name)  # it takes maxima of halves
            largest = lambda x=x, k=k, n=name, w=kind: convert(np.sort(x.values, -1)[..., ::-1][..., :k], n, w)
            yield simple(
                "sorts", f"topk {name} {shape}", {"x": x}, f"tl.topk(x_, {k})", kind, (*shape[:-1], k), largest
            )
            axis = j if j < len(shape) else 0
            yield simple(
                "sorts",
                f"flip {name} {shape}",
                {"x": x},
                f"tl.flip(x_, {axis})",
                name,
                shape,
                lambda x=x, a=axis: np.flip(x.values, a),
            )


def gathers() -> Iterator[Case]:
    number = 0
    for name in TYPES_OF_ANY_WIDTH:
        for shape, axis, rows in (((16,), 0, 8), ((4, 8), 1, 4), ((4, 8), 0, 8), ((2, 4, 4), 2, 2), ((2, 4, 4), 1, 4)):
            number += 1
            index_type = ["i32", "i64", "i32", "i32"][number % 4]
            index_shape = tuple(rows if i == axis else n for i, n in enumerate(shape))
            x = data_of(name, shape, f"gather {name}")
            p = Data(index_type, samples.moderate(index_type, index_shape, f"places {number}", 0, shape[axis]))
            text = [f"tl.gather(x_, p_, {axis})", f"x_.gather(p_, axis={axis})"][number % 2]
            reference = lambda x=x, p=p, a=axis: np.take_along_axis(x.values, p.values.astype(np.int64), a)
            yield simple("shapes", f"{text} {name} {shape}", {"x": x, "p": p}, text, name, index_shape, reference)


def histograms() -> Iterator[Case]:
    for name in INTEGERS:
        for count, bins in ((16, 4), (64, 16), (32, 8)):
            x = Data(name, samples.moderate(name, (count,), f"histogram {name}", 0, bins))
            counted = lambda x=x, b=bins: np.bincount(x.values.astype(np.int64), minlength=b).astype(np.int32)
            yield simple(
                "shapes",
                f"histogram {name} {count} {bins}",
                {"x": x},
                f"tl.histogram(x_, {bins})",
                "i32",
                (bins,),
                counted,
            )
            m = Data("i1", samples.values("i1", (count,), f"mask {name}"))
            masked = lambda x=x, m=m, b=bins: np.bincount(x.values[m.values].astype(np.int64), minlength=b).astype(
                np.int32
            )
            yield simple(
                "shapes",
                f"histogram masked {name} {count}",
                {"x": x, "m": m},
                f"x_.histogram({bins}, mask=m_)",
                "i32",
                (bins,),
                masked,
            )


def cases() -> Iterator[Case]:
    for each in (reshapes, permutations, joins, sorts, gathers, histograms):
        yield from each()
