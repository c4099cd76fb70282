"""Arguments of launches: what the extension takes, zero-copy, as one storage where it overlaps, and what it refuses."""

from __future__ import annotations

import gc
import importlib.util
import weakref

import lockstep
import numpy as np
import pytest
from lockstep import _native
from native_kernels import COPY, DESCRIPTOR, SCALAR, STORE_THEN_LOAD, kernel

torch = pytest.importorskip("torch")
ml_dtypes = pytest.importorskip("ml_dtypes")

TORCH_TYPES = {
    torch.bool: "i1", torch.uint8: "i8", torch.int8: "i8", torch.int16: "i16", torch.uint16: "i16",
    torch.int32: "i32", torch.uint32: "i32", torch.int64: "i64", torch.uint64: "i64", torch.float16: "f16",
    torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2", torch.float8_e8m0fnu: "i8",
}  # fmt: skip
NUMPY_TYPES = {
    "bool": "i1", "int8": "i8", "uint8": "i8", "int16": "i16", "uint16": "i16", "int32": "i32", "uint32": "i32",
    "int64": "i64", "uint64": "i64", "float16": "f16", "float32": "f32", "float64": "f64",
    ml_dtypes.bfloat16: "bf16", ml_dtypes.float8_e4m3fn: "f8E4M3FN", ml_dtypes.float8_e5m2: "f8E5M2",
}  # fmt: skip


@pytest.fixture(autouse=True)
def default_options():
    _native.set_options()
    yield
    _native.set_options()


def run(k: _native.Kernel, *arguments: object, grid: tuple[int, ...] = (1,)) -> _native.LaunchReport:
    """A launch that must be clean."""
    report = k.launch(grid, arguments)
    loud = [one.text for one in report.findings if one.tier != "info"]
    assert report.outcome == "completed" and not loud, loud
    return report


def pattern(count: int) -> torch.Tensor:
    """Bytes 0 and 1: valid in every type, bool too."""
    return (torch.arange(count) % 2).to(torch.uint8)


@pytest.mark.parametrize("dtype", TORCH_TYPES, ids=str)
def test_torch_types(dtype: torch.dtype) -> None:
    x = pattern(64 * dtype.itemsize).view(dtype)
    out = torch.zeros(64 * dtype.itemsize, dtype=torch.uint8).view(dtype)
    report = run(kernel(COPY, TORCH_TYPES[dtype]), x, out, 64)
    assert torch.equal(x.view(torch.uint8), out.view(torch.uint8))
    assert report.bytes_written == 64 * dtype.itemsize


@pytest.mark.parametrize("dtype", NUMPY_TYPES, ids=lambda one: getattr(one, "__name__", one))
def test_numpy_types(dtype: object) -> None:
    size = np.dtype(dtype).itemsize
    x = pattern(64 * size).numpy().view(dtype)
    out = np.zeros(64 * size, np.uint8).view(dtype)
    run(kernel(COPY, NUMPY_TYPES[dtype]), x, out, 64)
    assert (x.view(np.uint8) == out.view(np.uint8)).all()


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_complex_is_refused_by_name(dtype: torch.dtype) -> None:
    x = torch.zeros(64, dtype=dtype)
    with pytest.raises(TypeError, match=r"argument 'x': its dtype (torch\.)?complex"):
        kernel(COPY, "f32").launch((1,), [x, torch.zeros(64), 1])
    with pytest.raises(TypeError, match="argument 'o': its dtype complex"):
        kernel(COPY, "f32").launch((1,), [torch.zeros(64), x.numpy(), 1])
    run(kernel(COPY, "f32"), torch.view_as_real(x).to(torch.float32), torch.zeros(64), 64)


def test_tensors_with_gradients_and_parameters() -> None:
    x = torch.randn(64, requires_grad=True)
    out = torch.nn.Parameter(torch.zeros(64))
    run(kernel(COPY, "f32"), x, out, 64)
    assert torch.equal(x.data, out.data)
    run(kernel(COPY, "f32"), x * 2, out, 64)  # not a leaf
    assert torch.equal(x.data * 2, out.data)


def test_tensor_subclasses() -> None:
    class Mine(torch.Tensor):
        pass

    x = torch.randn(64).as_subclass(Mine)
    out = torch.zeros(64)
    run(kernel(COPY, "f32"), x, out, 64)
    assert torch.equal(x.as_subclass(torch.Tensor), out)


def test_rank_zero_and_empty_tensors() -> None:
    out = torch.zeros(())
    run(kernel(COPY, "f32"), torch.tensor(3.5), out, 1)
    assert out.item() == 3.5
    run(kernel(COPY, "f32"), torch.zeros(0), torch.zeros(0, 5), 0)
    run(kernel(COPY, "f32"), np.zeros((0, 3), np.float32), np.zeros(0, np.float32), 0)
    report = kernel(COPY, "f32").launch((1,), [torch.zeros(0), out, 1])
    assert [f.code for f in report.findings] == ["LS101"]


@pytest.mark.parametrize("bounds", ["storage", "view"])
def test_empty_views_of_storages_that_are_not(bounds) -> None:
    _native.set_options(bounds=bounds)
    for base in (torch.ones(4, 4), np.ones((4, 4), np.float32)):
        for x in (base[:, 0:0], base[:, 2:2], base[4:], base[:, 4:]):
            out = torch.ones(64)
            run(kernel(COPY, "f32"), x, out, 0)
            assert torch.all(out == 1)
    out = torch.zeros(8)
    report = kernel(COPY, "f32").launch((1,), [torch.ones(4, 4)[:, 2:2], out, 4])
    assert [f.code for f in report.findings] == ["LS101"] and not out.any()


def test_a_pointer_reaches_its_whole_storage() -> None:
    base = torch.arange(128.0)
    out = torch.zeros(64)
    run(kernel(COPY, "f32"), base[32:40], out, 64)  # as on a GPU: the allocation is what counts
    assert torch.equal(out, base[32:96])
    report = kernel(COPY, "f32").launch((1,), [base[100:], out, 64])
    assert report.findings[0].code == "LS101" and report.findings[0].argument == "x"
    _native.set_options(bounds="view")
    report = kernel(COPY, "f32").launch((1,), [base[32:40], out, 64])
    assert [f.code for f in report.findings] == ["LS102"]


def test_numpy_views_reach_their_owner() -> None:
    base = np.arange(128, dtype=np.float32)
    out = np.zeros(64, np.float32)
    run(kernel(COPY, "f32"), base[10:74][20:30], out, 64)
    assert (out == base[30:94]).all()
    report = kernel(COPY, "f32").launch((1,), [base[100:], out, 64])
    assert [f.code for f in report.findings] == ["LS101"]
    over_bytes = np.frombuffer(bytearray(512), np.float32)[32:]
    run(kernel(COPY, "f32"), over_bytes, out, 64)
    of_torch = torch.arange(128.0).numpy()[64:]
    run(kernel(COPY, "f32"), of_torch, out, 64)
    assert (out == of_torch).all()


def test_strides_of_any_sign() -> None:
    out = np.zeros(64, np.float32)
    backwards = np.arange(64, dtype=np.float32)[::-1]
    report = kernel(COPY, "f32").launch((1,), [backwards, out, 64])  # its pointer is that of the last element
    assert [f.code for f in report.findings] == ["LS101"] and out[0] == 63
    run(kernel(COPY, "f32"), torch.ones(1).expand(64), out, 1)
    _native.set_options(bounds="view")
    run(kernel(COPY, "f32"), np.broadcast_to(np.float32(7), (64,)), out, 1)
    assert out[0] == 7
    gaps = np.arange(128, dtype=np.float32)[::2]
    report = kernel(COPY, "f32").launch((1,), [gaps, out, 2])
    assert report.findings[0].code in ("LS101", "LS102")


def test_unaligned_and_structured_arrays() -> None:
    raw = np.zeros(257, np.uint8)
    x = raw[1:].view(np.float32)  # not a multiple of 4
    x[:] = np.arange(64)
    out = np.zeros(64, np.float32)
    run(kernel(COPY, "f32"), x, out, 64)
    assert (out == x).all()
    fields = np.zeros(64, np.dtype([("a", np.float32), ("b", np.uint8)]))
    with pytest.raises(ValueError, match="strides are not multiples"):
        kernel(COPY, "f32").launch((1,), [fields["a"], out, 1])
    with pytest.raises(TypeError, match="other order"):
        kernel(COPY, "f32").launch((1,), [np.zeros(64, ">f4"), out, 1])


@pytest.mark.parametrize("make", [torch.zeros, lambda n: np.zeros(n, np.float32)], ids=["torch", "numpy"])
def test_overlapping_arguments_are_one_storage(make: object) -> None:
    x = make(8)
    run(kernel(STORE_THEN_LOAD), x, x)
    assert x[0] == 2 and x[1] == 2
    x = make(8)
    run(kernel(STORE_THEN_LOAD), x[3:], x[3:])
    assert x[3] == 2 and x[4] == 2 and x[0] == 0
    x = make(8)
    run(kernel(STORE_THEN_LOAD), x[1:], x[2:])
    assert x[2] == 2 and x[3] == 0


def test_torch_and_numpy_views_of_the_same_memory() -> None:
    x = torch.zeros(8)
    run(kernel(STORE_THEN_LOAD), x, x.numpy())
    assert x[1] == 2


class Dlpack:
    """Speaks DLPack and nothing else."""

    def __init__(self, array: object, device: tuple[int, int] | None = None) -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device or self.array.__dlpack_device__()


class Interface:
    """Speaks the array interface by dictionary and nothing else."""

    def __init__(self, array: np.ndarray, **changes: object) -> None:
        self.array, self.changes = array, changes

    @property
    def __array_interface__(self) -> dict[str, object]:
        return {**self.array.__array_interface__, **self.changes}


class Address:
    """Has data_ptr() and dtype only."""

    dtype = torch.float32

    def __init__(self, address: int) -> None:
        self.address = address

    def data_ptr(self) -> int:
        return self.address


def test_dlpack_objects() -> None:
    x, out = torch.randn(64), np.zeros(64, np.float32)
    run(kernel(COPY, "f32"), Dlpack(x), Dlpack(out), 64)
    assert (out == x.numpy()).all()
    with pytest.raises(ValueError, match="argument 'x': its memory is on a CUDA device"):
        kernel(COPY, "f32").launch((1,), [Dlpack(x, (2, 0)), out, 64])
    with pytest.raises(TypeError, match="__dlpack_device__"):
        kernel(COPY, "f32").launch((1,), [Dlpack(x, "cuda"), out, 64])


def test_array_interface_objects() -> None:
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    run(kernel(COPY, "f32"), Interface(x), Interface(out), 64)
    assert (out == x).all()
    with pytest.raises(ValueError, match="read-only"):
        read_only = Interface(out, data=(out.ctypes.data, True))
        kernel(COPY, "f32").launch((1,), [x, read_only, 64])
    for changes, message in [
        ({"typestr": "<c8"}, "not supported"), ({"typestr": ""}, "malformed"), ({"typestr": None}, "malformed"),
        ({"typestr": ">f4"}, "other order"), ({"shape": (-1,)}, "negative size"), ({"shape": 5}, "sequence"),
        ({"strides": (4, 4)}, "different lengths"), ({"strides": (3,)}, "not multiples"), ({"data": None}, "no memory"),
        ({"shape": (1,) * 40}, "at most 32"), ({"shape": (2**62,)}, "64-bit"), ({"data": (0, False)}, "no memory"),
        ({"typestr": "<f99999999999999999999"}, "malformed"),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=message):
            kernel(COPY, "f32").launch((1,), [Interface(x, **changes), out, 1])


def test_other_devices_are_refused_by_name() -> None:
    out = torch.zeros(64)
    with pytest.raises(ValueError, match="argument 'x': its memory is on device 'meta'"):
        kernel(COPY, "f32").launch((1,), [torch.zeros(64, device="meta"), out, 1])

    class OnGpu:
        __cuda_array_interface__ = property(lambda self: {"shape": (64,)})

    with pytest.raises(ValueError, match="CUDA device"):
        kernel(COPY, "f32").launch((1,), [OnGpu(), out, 1])


def test_objects_of_the_pretended_gpu() -> None:
    class Strided:
        """What flag_gems passes: a tensor's methods without being one."""

        def __init__(self, tensor: torch.Tensor) -> None:
            self.tensor, self.device, self.dtype, self.shape = (
                tensor,
                torch.device("cuda:0"),
                tensor.dtype,
                tensor.shape,
            )
            self.data_ptr, self.stride, self.untyped_storage = tensor.data_ptr, tensor.stride, tensor.untyped_storage

    x, out = torch.randn(64), torch.zeros(64)
    with pytest.raises(ValueError, match="device 'cuda'"):
        kernel(COPY, "f32").launch((1,), [Strided(x), out, 64])
    _native.set_pretended_cuda(True)
    try:
        run(kernel(COPY, "f32"), Strided(x), out, 64)
    finally:
        _native.set_pretended_cuda(False)
    assert torch.equal(x, out)


def test_objects_with_an_address_only() -> None:
    x, out = torch.randn(64), torch.zeros(64)
    report = kernel(COPY, "f32").launch((1,), [Address(x.data_ptr()), out, 64])
    assert [f.code for f in report.findings] == ["LS101"]  # nobody says how long it is
    run(kernel(STORE_THEN_LOAD), Address(out.data_ptr()), out)  # lies in another argument
    assert out[1] == 2
    _native.set_options(all_storages=lambda: [(x.data_ptr(), 256, "x")])
    run(kernel(COPY, "f32"), Address(x.data_ptr()), out, 64)
    assert torch.equal(x, out)


def test_an_address_with_dlpack_has_a_size() -> None:
    class Both(Dlpack):
        def data_ptr(self) -> int:
            return self.array.data_ptr()

    x, out = torch.randn(64), torch.zeros(64)
    _native.set_options(all_storages=lambda: pytest.fail("nobody is asked"))
    run(kernel(COPY, "f32"), Both(x), out, 64)
    assert torch.equal(x, out)


def test_wrapped_tensors() -> None:
    class Wrapper:
        def __init__(self, base: object, dtype: torch.dtype) -> None:
            self.base, self.dtype = base, dtype

        def data_ptr(self) -> int:
            return self.base.data_ptr()

    x, out = torch.arange(256, dtype=torch.uint8), torch.zeros(64)
    run(kernel(COPY, "f32"), Wrapper(Wrapper(x, torch.int8), torch.float32), out, 64)
    assert torch.equal(out.view(torch.uint8), x)
    loop = Wrapper(None, torch.float32)
    loop.base = Wrapper(loop, torch.float32)
    loop.data_ptr = loop.base.data_ptr = lambda: 4096
    with pytest.raises(ValueError, match="never ends"):
        kernel(COPY, "f32").launch((1,), [loop, out, 1])


def test_integers_and_none_as_pointers() -> None:
    x, out = torch.randn(64), torch.zeros(64)
    run(kernel(STORE_THEN_LOAD), out.data_ptr() + 4, out)
    for pointer in (None, 0, 16, 2**64 - 8):
        report = kernel(COPY, "f32").launch((1,), [pointer, out, 2])
        assert report.has_errors and report.outcome == "completed"
        run(kernel(COPY, "f32"), pointer, out, 0)  # never followed
    with pytest.raises(OverflowError, match="argument 'x'"):
        kernel(COPY, "f32").launch((1,), [-1, x, 1])
    with pytest.raises(OverflowError):
        kernel(COPY, "f32").launch((1,), [2**64, x, 1])


def test_read_only_arrays() -> None:
    x = np.arange(64, dtype=np.float32)
    x.flags.writeable = False
    out = np.zeros(64, np.float32)
    run(kernel(COPY, "f32"), x, out, 64)
    run(kernel(COPY, "f32"), np.frombuffer(bytes(256), np.float32), out, 64)
    with pytest.raises(ValueError, match="argument 'o': the array is read-only"):
        kernel(COPY, "f32").launch((1,), [out, x, 64])
    assert x[5] == 5


@pytest.mark.parametrize("bad", ["x", [1.0], {}, 1.5, object(), torch.float32, lambda: 0], ids=repr)
def test_what_is_no_pointer(bad: object) -> None:
    with pytest.raises(TypeError, match="argument 'x': a pointer argument must be"):
        kernel(COPY, "f32").launch((1,), [bad, torch.zeros(64), 1])


def test_names_of_arguments_are_in_messages() -> None:
    with pytest.raises(TypeError, match="argument 'weights'"):
        kernel(COPY, "f32").launch((1,), ["a", None, 1], ["weights", "out", "count"])
    report = kernel(COPY, "f32").launch((1,), [torch.zeros(1), torch.zeros(64), 64], ["weights", "out", "count"])
    assert report.findings[0].argument == "weights"


@pytest.mark.parametrize("arguments", [[], [None], [None, None, 1, 2], [None, None]], ids=len)
def test_wrong_counts(arguments: list[object]) -> None:
    with pytest.raises(ValueError, match="takes 3 arguments"):
        kernel(COPY, "f32").launch((1,), arguments)


@pytest.mark.parametrize(
    "grid", [(), (1, 1, 1, 1), (-1,), (2**31,), (2**31 - 1, 2**31 - 1, 2**31 - 1), (2**70,), ("a",), (1.5,)]
)
def test_wrong_grids(grid: tuple[object, ...]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError, RuntimeError)):  # a RuntimeError: as the GPU's driver says
        kernel(COPY, "f32").launch(grid, [None, None, 0])


def scalar(kind: str, value: object, dtype: torch.dtype) -> object:
    """What a kernel finds in a scalar parameter."""
    out = torch.zeros(1, dtype=dtype)
    run(kernel(SCALAR, kind), out, value)
    return out.item()


def test_scalars() -> None:
    assert scalar("i32", -(2**31), torch.int32) == -(2**31)
    assert scalar("i32", 2**32 - 1, torch.int32) == -1
    assert scalar("i64", 2**64 - 1, torch.int64) == -1
    assert scalar("i64", np.int64(-7), torch.int64) == -7
    assert scalar("i16", np.uint16(65535), torch.int16) == -1
    assert scalar("i1", True, torch.bool) is True
    assert scalar("i32", True, torch.int32) == 1
    assert scalar("f32", 3, torch.float32) == 3.0
    assert scalar("f32", np.float16(0.5), torch.float32) == 0.5
    assert scalar("f64", 0.1, torch.float64) == 0.1
    assert scalar("f32", 1e300, torch.float32) == float("inf")
    assert scalar("bf16", 1.0 + 255 / 2**15, torch.bfloat16) == 1.0  # cut, as Triton 3.6's launcher does
    assert scalar("f16", 65504.0, torch.float16) == 65504.0
    assert scalar("f16", float("-inf"), torch.float16) == float("-inf")
    assert np.isnan(scalar("f16", float("nan"), torch.float16))


@pytest.mark.parametrize(
    ("kind", "value", "error"),
    [
        ("i32", 2**32, OverflowError), ("i32", -(2**31) - 1, OverflowError), ("i8", 256, OverflowError),
        ("i64", 2**64, OverflowError), ("i64", -(2**63) - 1, OverflowError), ("f16", 70000.0, OverflowError),
        ("i32", 1.0, TypeError), ("i32", None, TypeError), ("i32", "1", TypeError), ("f32", None, TypeError),
        ("f32", "1", TypeError), ("f32", 10**400, OverflowError), ("i32", torch.zeros(2), TypeError),
    ],
)  # fmt: skip
def test_wrong_scalars(kind: str, value: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="argument 'value'" if error is not OverflowError or "f32" != kind else None):
        kernel(SCALAR, kind).launch((1,), [torch.zeros(1, dtype=torch.float64), value])


class Descriptor:
    """The attributes of triton.tools.tensor_descriptor.TensorDescriptor."""

    def __init__(
        self, base: object, shape: object, strides: object, block_shape: object, padding: str = "zero"
    ) -> None:
        self.base, self.shape, self.strides, self.block_shape, self.padding = base, shape, strides, block_shape, padding


def test_descriptors() -> None:
    x, out = torch.arange(64.0).view(8, 8), torch.zeros(32)
    run(kernel(DESCRIPTOR), Descriptor(x, [8, 8], [8, 1], [4, 8]), out)
    assert torch.equal(out, x[:4].flatten())
    run(kernel(DESCRIPTOR), x, out)  # an array describes itself
    run(kernel(DESCRIPTOR), x, 8, 8, 8, 1, out)  # one argument per parameter
    run(kernel(DESCRIPTOR), Descriptor(x, (3, 8), (8, 1), [4, 8], "nan"), out)
    assert torch.isnan(out[24:]).all() and torch.equal(out[:24], x[:3].flatten())
    for bad, message in [
        (Descriptor(x, [8], [8, 1], [4, 8]), "has 1 dimensions"), (Descriptor(x, None, [8, 1], [4, 8]), "sequence"),
        (Descriptor(x, ["a", 8], [8, 1], [4, 8]), "argument 'd'"),
        (Descriptor("x", [8, 8], [8, 1], [4, 8]), "argument 'd'"),
        (torch.zeros(8), "array of 2 dimensions"), (Descriptor(x, [800, 8], [8, 1], [4, 8]), "argument 'd'"),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=message):
            kernel(DESCRIPTOR).launch((1,), [bad, out])


def test_arguments_are_released() -> None:
    x, out = np.zeros(64, np.float32), np.zeros(64, np.float32)
    owner = Dlpack(x)
    run(kernel(COPY, "f32"), owner, (out, 64))
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_tuples_are_flattened() -> None:
    x, out = torch.randn(64), torch.zeros(64)
    run(kernel(COPY, "f32"), (x, (out,)), (64,))
    assert torch.equal(x, out)
    deep: object = x
    for _ in range(200):
        deep = (deep,)
    with pytest.raises(ValueError, match="nested too deeply"):
        kernel(COPY, "f32").launch((1,), [deep, out, 1])


class OnlyDlpack:
    """An array that says nothing but __dlpack__."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def test_dlpack_alone_with_strides_of_any_sign(tmp_path) -> None:
    source = tmp_path / "reverse.py"
    source.write_text(
        "import triton\nimport triton.language as tl\n@triton.jit\ndef fill(x, step, B: tl.constexpr):\n"
        "    i = tl.arange(0, B)\n    tl.store(x + i * step, i.to(x.dtype.element_ty))\n"
    )
    for dtype, name in ((np.float32, "float32"), (np.uint8, "uint8"), (np.int64, "int64")):
        data = np.zeros(16, dtype)
        backwards = OnlyDlpack(data[::-1])
        assert _native.describe_dlpack(backwards) == (name, data[15:].ctypes.data)
        lockstep.kernel(source, "fill")[(1,)](backwards, -1, B=16)
        assert data.tolist() == list(range(15, -1, -1))
        spec = importlib.util.spec_from_file_location("reverse", source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        data[:] = 0
        module.fill[(1,)](backwards, -1, B=16)
        assert data.tolist() == list(range(15, -1, -1))
    with pytest.raises(AttributeError):
        _native.describe_dlpack(3)
