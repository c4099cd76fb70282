"""Gluon kernels from Python: values, and findings where a kernel waits for less than it has to."""

import lockstep
import pytest
import torch
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)
from gluon_names import VERSION
from gluon_names import kernels as kernels_by_name

pytestmark = pytest.mark.skipif(VERSION < (3, 6), reason="Gluon of Triton 3.5 has other names")


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return kernels_by_name(tmp_path_factory.mktemp("gluon"), "gluon_kernels")[0]


def described(tensor, block, blocks=None):
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    element = {torch.float16: gl.float16, torch.float32: gl.float32}[tensor.dtype]
    layout = gl.NVMMASharedLayout.get_default_for(block, element, cga_layout=blocks)
    return TensorDescriptor.from_tensor(tensor, block, layout)


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


def test_blocks_of_a_cluster(kernels):
    x, out = torch.randn(256, 64, dtype=torch.float16), torch.zeros(256, 64, dtype=torch.float16)
    boxes = described(x, [128, 64], [[1, 0]]), described(out, [128, 64], [[1, 0]])
    kernels.halves[(2,)](*boxes, ROWS=128, COLUMNS=64, BYTES=64 * 64 * 2, num_ctas=2)
    torch.testing.assert_close(out, x + x)
    with finds("LS901"):  # a block's barrier counts what that block holds
        kernels.halves[(2,)](*boxes, ROWS=128, COLUMNS=64, BYTES=128 * 64 * 2, num_ctas=2)


def test_shared_memory_of_a_cluster(kernels):
    x, out = torch.randn(64, 64), torch.empty(64, 64)
    kernels.across[(1,)](x, out, SIZE=64, num_ctas=2)
    torch.testing.assert_close(out, x + 1.0)


def test_copies_of_the_tensor_core(kernels):
    x, out = torch.randn(128, 32), torch.empty(128, 32)
    with lockstep.active(as_="sm_100"):
        kernels.into_tensor_memory[(1,)](x, out, SIZE=32, COMMITS=True)
        torch.testing.assert_close(out, x)
        with finds("LS410"):
            kernels.into_tensor_memory[(1,)](x, out, SIZE=32, COMMITS=False)


def test_attention(kernels):
    q, k, v = (torch.randn(2 * 192, 64, dtype=torch.float16) for _ in range(3))
    out = torch.empty_like(q)
    kernels.attention[(3, 2)](described(q, [64, 64]), described(k, [64, 64]), described(v, [64, 64]), out, 192, 0.125, SIZE=64)
    heads = [one.float().view(1, 2, 192, 64) for one in (q, k, v)]
    expected = torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=True, scale=0.125)
    torch.testing.assert_close(out.float(), expected.view(-1, 64), rtol=1e-2, atol=1e-2)
