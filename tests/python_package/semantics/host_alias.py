"""Arguments that share memory, kinds of arguments, orders that races show. Kernels are those of tests/h200_answers."""

import torch
import triton
import triton.language as tl
from answers import check
from l02_alias import addone, dupstore, loadafterstore, order, shift, strided


@check("alias.two views of one storage")
def _():
    b = torch.arange(16, dtype=torch.float32)
    addone[(1,)](b[0:8], b[8:16], 8, B=8)
    return b


@check("alias.overlapping in/out, 2 programs (racy)")
def _():
    b = torch.arange(12, dtype=torch.float32)
    addone[2,](b[0:8], b[4:12], 8, B=4)
    return b


@check("alias.in place")
def _():
    b = torch.arange(8, dtype=torch.float32)
    addone[2,](b, b, 8, B=4)
    return b


@check("alias.transposed")
def _():
    x = torch.arange(8, dtype=torch.float32).reshape(2, 4).t()
    o = torch.zeros(4, 2)
    strided[(1,)](x, o, *x.stride(), M=4, N=2)
    return o


@check("alias.expanded stride0")
def _():
    x = torch.arange(4, dtype=torch.float32)[None, :].expand(2, 4)
    o = torch.zeros(2, 4)
    strided[(1,)](x, o, *x.stride(), M=2, N=4)
    return o


@check("alias.store into stride0 output")
def _():
    x = torch.arange(4, dtype=torch.float32)
    y = torch.zeros(2, 4)[0:1].expand(2, 4)
    strided[(1,)](x, y, 0, 1, M=2, N=4)
    return y


@check("alias.triton.reinterpret wrapper")
def _():
    x = torch.arange(8, dtype=torch.float32)
    o = torch.zeros(8, dtype=torch.int32)
    addone[(1,)](triton.reinterpret(x.view(torch.int32), tl.float32), triton.reinterpret(o, tl.float32), 8, B=8)
    return o.view(torch.float32)


@check("alias.bool tensors")
def _():
    x = torch.arange(8) % 2 == 0
    o = torch.zeros(8, dtype=torch.bool)
    addone[(1,)](x, o, 8, B=8)
    return o


@check("alias.empty tensor")
def _():
    x = torch.zeros(0)
    o = torch.zeros(0)
    addone[(1,)](x, o, 0, B=8)
    return "ok"


@check("arg numpy array")
def _():
    import numpy as np

    o = torch.zeros(8)
    addone[(1,)](np.arange(8, dtype=np.float32), o, 8, B=8)
    return o


@check("alias.requires_grad input")
def _():
    x = torch.arange(8, dtype=torch.float32).requires_grad_()
    o = torch.zeros(8)
    addone[(1,)](x, o, 8, B=8)
    return o


@check("alias.Parameter output")
def _():
    x = torch.arange(8, dtype=torch.float32)
    p = torch.nn.Parameter(torch.zeros(8))
    addone[(1,)](x, p, 8, B=8)
    return p


class PtrOnly:
    def __init__(self, t):
        self.t = t
        self.dtype = t.dtype

    def data_ptr(self):
        return self.t.data_ptr()


@check("arg object with only data_ptr/dtype")
def _():
    x = torch.arange(8, dtype=torch.float32)
    o = torch.zeros(8)
    addone[(1,)](PtrOnly(x), o, 8, B=8)
    return o


@check("race.serial chain x[p+1]=x[p]+1")
def _():
    x = torch.zeros(9, dtype=torch.int32)
    shift[8,](x, 8)
    return x


@check("program order (x-major numbering)")
def _():
    c = torch.zeros(1, dtype=torch.int32)
    o = torch.zeros(12, dtype=torch.int32)
    order[2, 3, 2](c, o)
    return o


@check("duplicate addresses in one store")
def _():
    o = torch.zeros(4, dtype=torch.int32)
    dupstore[(1,)](o, B=16)
    return o


@check("race.cross-thread RAW through global without barrier: correct?")
def _():
    x = torch.zeros(256, dtype=torch.int32)
    o = torch.zeros(256, dtype=torch.int32)
    loadafterstore[(1,)](x, o, B=256)
    return bool((o.cpu() == torch.arange(255, -1, -1) * 10).all())
