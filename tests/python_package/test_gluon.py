"""Gluon kernels from Python: values, and findings where a kernel waits for less than it has to."""

import lockstep
import pytest
import torch
import triton
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)

VERSION = tuple(int(number) for number in triton.__version__.split(".")[:2])
pytestmark = pytest.mark.skipif(VERSION != (3, 6), reason=f"the kernels have the names of Triton 3.6, not of {triton.__version__}")


@pytest.fixture
def kernels():
    return pytest.importorskip("gluon_kernels")


def described(tensor, block):
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    element = {torch.float16: gl.float16, torch.float32: gl.float32}[tensor.dtype]
    return TensorDescriptor.from_tensor(tensor, block, gl.NVMMASharedLayout.get_default_for(block, element))


def finds(code):
    return pytest.raises(lockstep.KernelError, match=code)


def test_lanes_of_a_layout(kernels):
    x, y, out = torch.randn(1000), torch.randn(1000), torch.empty(1000)
    kernels.axpy[(2,)](x, y, out, 1000, 1.5, BLOCK=512)
    torch.testing.assert_close(out, x * 1.5 + y)


def test_a_ring_of_copies(kernels):
    x, out = torch.randn(7, 512), torch.empty(512)
    kernels.sums[(1,)](x, out, 7, BLOCK=512, STAGES=3, LEFT=1)
    torch.testing.assert_close(out, x.sum(0))
    with finds("LS410"):
        kernels.sums[(1,)](x, out, 7, BLOCK=512, STAGES=3, LEFT=2)


def test_boxes_in_and_out(kernels):
    x, out = torch.randn(128, 64, dtype=torch.float16), torch.zeros(128, 64, dtype=torch.float16)
    boxes = described(x, [64, 64]), described(out, [64, 64])
    kernels.doubled[(2,)](*boxes, ROWS=64, COLUMNS=64, BYTES=64 * 64 * 2)
    torch.testing.assert_close(out, x + x)
    with finds("LS901"):
        kernels.doubled[(2,)](*boxes, ROWS=64, COLUMNS=64, BYTES=64 * 64 * 4)


def test_groups_of_warps(kernels):
    a, b = torch.randn(128, 192, dtype=torch.float16), torch.randn(192, 64, dtype=torch.float16)
    out = torch.empty(128, 64)
    arguments = described(a, [64, 64]), described(b, [64, 64]), out, 3, 64
    kernels.matmul[(2, 1)](*arguments, TILE=64, TILE_K=64, STAGES=2, LEFT=0)
    torch.testing.assert_close(out, a.float() @ b.float(), rtol=1e-3, atol=1e-2)
    with finds("LS411"):  # the buffer is given back while the product still reads it
        kernels.matmul[(2, 1)](*arguments, TILE=64, TILE_K=64, STAGES=2, LEFT=1)
