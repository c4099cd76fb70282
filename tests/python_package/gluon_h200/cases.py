"""The launches of kernels.py: inputs by seed, what torch makes of them, and how far a right result may lie from that."""

import dataclasses
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def normal(seed, *shape, dtype=torch.float32):
    """The same numbers on every machine."""
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape).astype(np.float32)).to(dtype)


def whole(seed, low, high, *shape, dtype=torch.int32):
    return torch.from_numpy(np.random.default_rng(seed).integers(low, high, shape)).to(dtype)


def box(tensor, *block):
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    element = {
        torch.float16: gl.float16,
        torch.bfloat16: gl.bfloat16,
        torch.float32: gl.float32,
        torch.int8: gl.int8,
        torch.float8_e4m3fn: gl.float8e4nv,
    }[tensor.dtype]
    return TensorDescriptor.from_tensor(tensor, list(block), gl.NVMMASharedLayout.get_default_for(list(block), element))


@dataclasses.dataclass
class Case:
    """`launch(kernels, inputs, outputs)` fills the outputs; `reference(inputs)` gives what they should be, in f32 or as integers."""

    name: str
    inputs: list[torch.Tensor]
    outputs: list[torch.Tensor]
    launch: Callable[[Any, list, list], Any]
    reference: Callable[[list], list]
    tolerance: float = 1e-5

    def on(self, device):
        return [t.to(device) for t in self.inputs], [t.to(device) for t in self.outputs]


def digest(tensor):
    return hashlib.sha256(tensor.cpu().contiguous().view(torch.uint8).numpy().tobytes()).hexdigest()[:16]


def f(t):
    return t.float()


def product_case(name, dtype, total, tolerance, deep, made):
    """64 x 64 x 128 by one instruction after the other."""
    from triton.experimental.gluon import language as gl

    element = gl.int32 if total == torch.int32 else gl.float32
    sizes = dict(M=64, N=64, K=128 if dtype.itemsize < 4 else 64, DEEP=deep)
    return Case(
        name,
        [made(11, 64, sizes["K"]).to(dtype), made(12, 64, sizes["K"]).to(dtype)],
        [torch.empty(64, 64, dtype=total)],
        lambda k, i, o: k.product_of_boxes[(1,)](box(i[0], 64, sizes["K"]), box(i[1], 64, sizes["K"]), o[0], element=element, **sizes),
        lambda i: [(f(i[0]).double() @ f(i[1]).double().T).to(total)],
        tolerance,
    )


def plain_cases():
    t = torch.empty
    yield Case("gelu", [normal(1, 1000), normal(2, 1000)], [t(1000)],
               lambda k, i, o: k.gelu[(2,)](*i, *o, 1000, BLOCK=512),
               lambda i: [torch.nn.functional.gelu(i[0] * 1.5 + i[1], approximate="tanh")])
    yield Case("softmax", [normal(3, 32, 256)], [t(32, 256)],
               lambda k, i, o: k.softmax[(2,)](*i, *o, M=16, N=256), lambda i: [i[0].softmax(1)])
    yield Case("layer_norm", [normal(4, 32, 128, dtype=torch.float16), normal(5, 128)], [t(32, 128, dtype=torch.float16)],
               lambda k, i, o: k.layer_norm[(2,)](*i, *o, M=16, N=128),
               lambda i: [torch.nn.functional.layer_norm(f(i[0]), (128,), i[1])], 4e-3)
    yield Case("sums_of_columns", [normal(6, 128, 64)], [t(64)],
               lambda k, i, o: k.sums_of_columns[(1,)](*i, *o, M=128, N=64), lambda i: [i[0].sum(0)], 1e-4)
    yield Case("transposed", [normal(7, 64, 32)], [t(32, 64)],
               lambda k, i, o: k.transposed[(1,)](*i, *o, M=64, N=32), lambda i: [i[0].T.contiguous()], 0)
    yield Case("cumulative", [normal(8, 32, 128)], [t(32, 128)],
               lambda k, i, o: k.cumulative[(1,)](*i, *o, M=32, N=128), lambda i: [i[0].cumsum(1)], 1e-4)
    yield Case("arg_max", [whole(9, 0, 50, 32, 128, dtype=torch.float32)], [t(32), t(32, dtype=torch.int32)],
               lambda k, i, o: k.arg_max[(1,)](*i, *o, M=32, N=128),
               lambda i: [i[0].max(1).values, (i[0] == i[0].max(1, keepdim=True).values).int().argmax(1)], 0)
    yield Case("counted", [whole(10, 0, 512, 2048)], [torch.zeros(512, dtype=torch.int32)],
               lambda k, i, o: k.counted[(4,)](*i, *o, BLOCK=512, BINS=512), lambda i: [torch.bincount(i[0], minlength=512)], 0)
    yield Case("pairs", [normal(13, 1024)], [t(512)],
               lambda k, i, o: k.pairs[(1,)](*i, *o, BLOCK=512),
               lambda i: [(lambda a, b: a * a + a - b * b - b)(i[0][:512] * 0.3, i[0][512:])], 2e-2)


def copy_cases():
    t = torch.empty
    yield Case("ring", [normal(14, 9, 512)], [t(512)],
               lambda k, i, o: k.ring[(1,)](*i, *o, 9, BLOCK=512, STAGES=4, LEFT=2), lambda i: [i[0].sum(0)])
    yield Case("boxes", [normal(15, 100, 80, dtype=torch.float16)], [t(100, 80, dtype=torch.float16)],
               lambda k, i, o: k.boxes[(2, 2)](box(i[0], 64, 64), box(o[0], 64, 64), M=64, N=64, WAITS=True),
               lambda i: [f(i[0]) * f(i[0]) + f(i[0])], 2e-2)
    yield Case("boxes_f32", [normal(16, 64, 100)], [t(64, 100)],
               lambda k, i, o: k.boxes[(2, 4)](box(i[0], 32, 32), box(o[0], 32, 32), M=32, N=32, WAITS=True),
               lambda i: [i[0] * i[0] + i[0]])
    yield Case("persistent", [normal(17, 320, 64, dtype=torch.float16)], [t(320, 64, dtype=torch.float16)],
               lambda k, i, o: k.persistent[(2,)](box(i[0], 32, 64), box(o[0], 32, 64), 10, M=32, N=64),
               lambda i: [f(i[0]) * 0.5 + 1.0], 2e-3)


def product_cases():
    t = torch.empty
    for name, dtype in (("old_product", torch.float16), ("old_product_bf16", torch.bfloat16)):
        yield Case(name, [normal(18, 64, 64, dtype=dtype), normal(19, 64, 32, dtype=dtype)], [t(64, 32)],
                   lambda k, i, o: k.old_product[(1,)](*i, *o, M=64, N=32, K=64), lambda i: [f(i[0]) @ f(i[1])], 1e-3)
    yield product_case("product_f16", torch.float16, torch.float32, 1e-3, 16, normal)
    yield product_case("product_bf16", torch.bfloat16, torch.float32, 1e-3, 16, normal)
    yield product_case("product_tf32", torch.float32, torch.float32, 0.2, 8, normal)
    yield product_case("product_f8", torch.float8_e4m3fn, torch.float32, 0.1, 32, normal)
    yield product_case("product_i8", torch.int8, torch.int32, 0, 32, lambda seed, *shape: whole(seed, -128, 128, *shape))
    yield Case("in_flight", [normal(20, 128, 320, dtype=torch.float16), normal(21, 320, 128, dtype=torch.float16)], [t(128, 128)],
               lambda k, i, o: k.in_flight[(2, 2)](
                   box(i[0], 64, 64), box(i[1], 64, 64), o[0], 5, 128, TILE=64, TILE_K=64, STAGES=4),
               lambda i: [f(i[0]) @ f(i[1])], 1e-2)
    yield Case("attention", [normal(s, n, 64, dtype=torch.float16) for s, n in ((22, 128), (23, 256), (24, 256))], [t(128, 64)],
               lambda k, i, o: k.attention[(2,)](
                   box(i[0], 64, 64), box(i[1], 64, 64), box(i[2], 64, 64), o[0], 0.125 * 1.44269504, 256, M=64, N=64, D=64),
               lambda i: [(f(i[0]) @ f(i[1]).T * 0.125).softmax(1) @ f(i[2])], 5e-3)


def fed(k, i, o, bytes_of_boxes=64 * 64 * 2 * 2, gives=True):
    k.fed_product[(2, 2)](
        box(i[0], 64, 64), box(i[1], 64, 64), o[0], 5, 128, TILE=64, TILE_K=64, STAGES=2, BYTES=bytes_of_boxes, GIVES=gives)


def group_cases():
    for name, dtype in (("fed_product", torch.float16), ("fed_product_bf16", torch.bfloat16)):
        yield Case(name, [normal(25, 128, 320, dtype=dtype), normal(26, 320, 128, dtype=dtype)], [torch.empty(128, 128)],
                   fed, lambda i: [f(i[0]) @ f(i[1])], 1e-2)
    yield Case("handed_over", [normal(27, 7, 512)], [torch.empty(7, 512)],
               lambda k, i, o: k.handed_over[(1,)](*i, *o, 7, BLOCK=512, LATE=0), lambda i: [i[0].exp()])


def good():
    """Cases whose bytes an H200 recorded."""
    yield from plain_cases()
    yield from copy_cases()
    yield from product_cases()
    yield from group_cases()


def by_name(name):
    return next(case for case in good() if case.name == name)


@dataclasses.dataclass
class Fault:
    """A launch that does what a GPU shows: `shows` is hang or other, the code is Lockstep's."""

    name: str
    case: str
    launch: Callable[[Any, list, list], Any]
    shows: str
    code: str


FAULTS = [
    Fault("expects_more_bytes", "fed_product", lambda k, i, o: fed(k, i, o, 64 * 64 * 2 * 2 + 16), "hang", "LS901"),
    Fault("gives_no_buffer_back", "fed_product", lambda k, i, o: fed(k, i, o, gives=False), "hang", "LS901"),
    Fault("waits_for_the_other_phase", "handed_over",
          lambda k, i, o: k.handed_over[(1,)](*i, *o, 7, BLOCK=512, LATE=1), "hang", "LS901"),
    Fault("reads_before_the_box", "boxes",
          lambda k, i, o: k.boxes[(2, 2)](box(i[0], 64, 64), box(o[0], 64, 64), M=64, N=64, WAITS=False), "other", "LS410"),
    Fault("waits_for_too_few_copies", "ring",
          lambda k, i, o: k.ring[(1,)](*i, *o, 9, BLOCK=512, STAGES=4, LEFT=3), "other", "LS410"),
]
