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


def test_rows_by_their_numbers(kernels):
    """Numbers outside of the tensor: zeros come, and what goes there is dropped."""
    x, out = torch.randn(100, 128, dtype=torch.float16), torch.zeros(40, 128, dtype=torch.float16)
    boxes = described(x, [1, 64]), described(out, [1, 64])
    source = torch.tensor([3, 99, 100, -1, *range(4, 32)], dtype=torch.int32)
    target = torch.tensor([0, 1, 2, 3, *range(12, 40)], dtype=torch.int32)
    target[20] = 40
    with lockstep.active(as_="sm_100"):
        kernels.picked[(1,)](*boxes, source, target, 64, ROWS=32, COLUMNS=64, BYTES=32 * 64 * 2)
        wanted = torch.zeros(40, 128, dtype=torch.float16)
        for row, into in zip(source.tolist(), target.tolist(), strict=True):
            if 0 <= row < 100 and into < 40:
                wanted[into, 64:] = x[row, 64:] * 2.0
        torch.testing.assert_close(out, wanted, rtol=0, atol=0)
        with finds("LS901"):
            kernels.picked[(1,)](*boxes, source, target, 64, ROWS=32, COLUMNS=64, BYTES=32 * 64 * 4)


E2M1 = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])


@pytest.mark.parametrize("kind", ["e5m2", "e4m3", "e2m1"])
def test_products_with_scales(kernels, kind):
    """Elements of 8 bits, or two of 4 bits a byte; each 32 along K have an exponent."""
    torch.manual_seed(3)
    a, b = (torch.randint(0, 256, (128, 64), dtype=torch.uint8) for _ in range(2))
    if kind == "e2m1":
        values = [torch.stack([t & 15, t >> 4], dim=2).reshape(128, 128).long() for t in (a, b)]
        values = [E2M1[t & 7] * (1 - 2 * (t >> 3)) for t in values]
    else:
        a, b = (torch.randn(128, 64).to(getattr(torch, "float8_" + {"e5m2": "e5m2", "e4m3": "e4m3fn"}[kind])) for _ in range(2))
        values = [a.float(), b.float()]
    groups = values[0].shape[1] // 32
    scales = [torch.randint(120, 132, (128, groups)).to(torch.uint8).view(torch.int8) for _ in range(2)]
    left, right = (
        (v.double() * torch.ldexp(torch.ones(128, groups), s.view(torch.uint8).int() - 127).repeat_interleave(32, 1))
        for v, s in zip(values, scales, strict=True)
    )
    out = torch.empty(128, 128)
    sizes = {"SIZE": 128, "BYTES": 64, "GROUPS": groups, "KIND": kind}
    with lockstep.active(as_="sm_100"):
        kernels.scaled[(1,)](a, b, *scales, out, **sizes, WAITS=True)
        torch.testing.assert_close(out.double(), left @ right.T, rtol=1e-5, atol=1e-3)
        with finds("LS410"):
            kernels.scaled[(1,)](a, b, *scales, out, **sizes, WAITS=False)


def test_attention(kernels):
    q, k, v = (torch.randn(2 * 192, 64, dtype=torch.float16) for _ in range(3))
    out = torch.empty_like(q)
    kernels.attention[(3, 2)](described(q, [64, 64]), described(k, [64, 64]), described(v, [64, 64]), out, 192, 0.125, SIZE=64)
    heads = [one.float().view(1, 2, 192, 64) for one in (q, k, v)]
    expected = torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=True, scale=0.125)
    torch.testing.assert_close(out.float(), expected.view(-1, 64), rtol=1e-2, atol=1e-2)
