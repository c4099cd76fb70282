"""pretend_cuda: where tensors say they are, how they move, default devices, factories; and that nothing of it stays."""

import copy
import io
import threading

import lockstep
import pytest
import torch
from torch import nn


@pytest.fixture
def pretence():
    with lockstep.pretend_cuda() as pretence:
        yield pretence


def places(*tensors):
    return [str(tensor.device) for tensor in tensors]


FACTORIES = {
    "empty": lambda **d: torch.empty(3, **d),
    "zeros": lambda **d: torch.zeros((2, 3), **d),
    "ones": lambda **d: torch.ones(2, 3, **d),
    "full": lambda **d: torch.full((2,), 7.0, **d),
    "arange": lambda **d: torch.arange(5, **d),
    "linspace": lambda **d: torch.linspace(0, 1, 5, **d),
    "logspace": lambda **d: torch.logspace(0, 1, 5, **d),
    "eye": lambda **d: torch.eye(3, **d),
    "rand": lambda **d: torch.rand(3, **d),
    "randn": lambda **d: torch.randn(3, **d),
    "randint": lambda **d: torch.randint(0, 9, (3,), **d),
    "randperm": lambda **d: torch.randperm(5, **d),
    "normal": lambda **d: torch.normal(0.0, 1.0, (3,), **d),
    "tensor": lambda **d: torch.tensor([1, 2], **d),
    "as_tensor": lambda **d: torch.as_tensor([1, 2], **d),
    "asarray": lambda **d: torch.asarray([1, 2], **d),
    "empty_strided": lambda **d: torch.empty_strided((2, 3), (1, 2), **d),
    "tril_indices": lambda **d: torch.tril_indices(3, 3, **d),
    "hann_window": lambda **d: torch.hann_window(4, **d),
    "fftfreq": lambda **d: torch.fft.fftfreq(4, **d),
    "scalar_tensor": lambda **d: torch.scalar_tensor(3.0, **d),
    "sparse_coo_tensor": lambda **d: torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (2,), **d),
    "operator": lambda **d: torch.ops.aten.full.default([2], 1.0, device=torch.device(d.get("device", "cpu"))),
    "make_tensor": lambda **d: torch.testing.make_tensor(3, dtype=torch.float32, device=d.get("device", "cpu")),
}  # fmt: skip


@pytest.mark.parametrize("name", FACTORIES)
def test_factories(pretence, name):
    make = FACTORIES[name]
    assert places(make(device="cuda"), make(device="cuda:0")) == ["cuda:0", "cuda:0"]
    assert str(make(device=torch.device("cuda", 0)).device) == "cuda:0"
    if name != "make_tensor":
        assert str(make().device) == "cpu"


def test_devices_compare_as_on_a_gpu(pretence):
    x, host = torch.ones(3, device="cuda"), torch.ones(3)
    assert x.is_cuda and not x.is_cpu and host.is_cpu and not host.is_cuda
    assert (x.get_device(), host.get_device()) == (0, -1)
    assert type(x.device) is torch.device and x.device == torch.device("cuda", 0) != torch.device("cuda")
    assert x.device == torch.ones(2, device=0).device and x.device.index == torch.cuda.current_device()
    assert (x.type(), host.type()) == ("torch.cuda.FloatTensor", "torch.FloatTensor")
    assert "device='cuda:0'" in repr(x) and "device" not in repr(host)
    assert isinstance(x, torch.cuda.FloatTensor) and not isinstance(host, torch.cuda.FloatTensor)
    assert x.untyped_storage().device == x.device and str(torch.ones(1, device="meta").device) == "meta"


def test_operations_stay_where_their_operands_are(pretence):
    x, host = torch.ones(4, device="cuda"), torch.ones(4)
    assert places(x + x, x * 2, x[1:], x[None].mT, x.data, x.detach(), x.sum(), x + host.sum()) == ["cuda:0"] * 8
    assert places(host + host, host[1:], host.view(2, 2), host.sum(), *host.split(2)) == ["cpu"] * 6
    assert places(*torch.max(host.view(2, 2), 0), torch.stack([host, host]), torch.zeros_like(host)) == ["cpu"] * 4
    assert places(torch.zeros_like(x), torch.empty_like(host, device="cuda"), x.new_zeros(2), host.new_ones(2)) == [
        "cuda:0", "cuda:0", "cuda:0", "cpu"]  # fmt: skip
    assert places(x.new_tensor([1]), x.new_full((2,), 3, device="cpu"), copy.deepcopy(host)) == ["cuda:0", "cpu", "cpu"]


def test_moves_copy_where_a_gpu_copies(pretence):
    host = torch.zeros(3)
    for move in (lambda t: t.cuda(), lambda t: t.to("cuda"), lambda t: t.to(device=0), lambda t: t.cuda(0),
                 lambda t: t.to(torch.ones(1, device="cuda")), lambda t: t.type_as(torch.ones(1, device="cuda")), lambda t: t.to("cuda", torch.float32),
                 lambda t: t.to("cuda:0", non_blocking=True), lambda t: t.type(torch.cuda.FloatTensor)):  # fmt: skip
        there = move(host)
        there.add_(1)
        assert str(there.device) == "cuda:0" and host.sum() == 0
        back = there.cpu()
        there.add_(1)
        assert str(back.device) == "cpu" and back.sum() == 3


def test_moves_to_where_a_tensor_is_return_it(pretence):
    x, host = torch.ones(3, device="cuda"), torch.ones(3)
    assert x.cuda() is x and x.to("cuda") is x and x.to("cuda:0") is x and x.to(torch.float32) is x and x.to(x) is x and x.type_as(x) is x
    assert host.cpu() is host and host.to("cpu") is host
    assert x.to("cuda", copy=True) is not x and x.to("cuda", torch.float16).dtype == torch.float16
    leaf = torch.ones(2, requires_grad=True)
    leaf.cuda().sum().backward()
    assert leaf.grad.tolist() == [1, 1]


def test_only_one_gpu(pretence):
    for make in (
        lambda: torch.ones(1, device="cuda:1"),
        lambda: torch.ones(1).cuda(3),
        lambda: torch.cuda.set_device(1),
    ):
        with pytest.raises(RuntimeError, match="invalid device ordinal"):
            make()


def test_modules(pretence):
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    assert {str(p.device) for p in model.parameters()} == {"cpu"}
    assert {str(t.device) for t in [*model.cuda().parameters(), *model.buffers()]} == {"cuda:0"}
    assert str(nn.Linear(2, 2, device="cuda").weight.device) == "cuda:0"
    model(torch.randn(5, 3, device="cuda")).sum().backward()
    assert str(model[0].weight.grad.device) == "cuda:0"
    assert {str(p.device) for p in model.to("cpu").parameters()} == {"cpu"}
    nn.init.xavier_uniform_(model.cuda()[0].weight)
    assert str(torch.einsum("ij,kj->ik", model[0].weight, model[0].weight).device) == "cuda:0"


def test_default_device(pretence):
    torch.set_default_device("cuda")
    assert places(torch.ones(2), torch.tensor([1]), nn.Linear(2, 2).weight) == ["cuda:0"] * 3
    assert str(torch.get_default_device()) == "cuda:0"
    torch.set_default_device(None)
    with torch.device("cuda"):
        assert places(torch.ones(2), torch.arange(3), nn.Linear(2, 2).bias) == ["cuda:0"] * 3
        with torch.device("cpu"):
            assert str(torch.ones(2).device) == "cpu"
        with torch.device("meta"):
            assert str(torch.ones(2).device) == "meta"
    assert str(torch.ones(2).device) == "cpu"


@pytest.mark.filterwarnings("ignore:torch.set_default_tensor_type")
def test_default_tensor_type(pretence):
    torch.set_default_tensor_type(torch.cuda.HalfTensor)
    try:
        assert (torch.ones(2).dtype, str(torch.ones(2).device)) == (torch.float16, "cuda:0")
    finally:
        torch.set_default_tensor_type("torch.FloatTensor")
    assert (torch.ones(2).dtype, str(torch.ones(2).device)) == (torch.float32, "cpu")


def test_it_holds_in_other_threads_and_in_backward(pretence):
    seen = []

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            seen.extend(places(gradient, torch.ones(1, device="cuda"), torch.zeros_like(gradient)))
            return gradient * 2

    x = torch.ones(2, device="cuda", requires_grad=True)
    Function.apply(x).sum().backward()
    thread = threading.Thread(target=lambda: seen.extend(places(torch.ones(1, device="cuda"), torch.ones(1) + 1)))
    thread.start()
    thread.join()
    assert seen == ["cuda:0", "cuda:0", "cuda:0", "cuda:0", "cpu"]
    assert x.grad.tolist() == [2, 2]


def test_pinned_memory(pretence):
    host = torch.ones(3)
    pinned = host.pin_memory()
    assert pinned.is_pinned() and not host.is_pinned() and torch.empty(2, pin_memory=True).is_pinned()
    assert str(pinned.to("cuda", non_blocking=True).device) == "cuda:0"
    with pytest.raises(RuntimeError, match="cannot pin"):
        host.cuda().pin_memory()


def test_numpy_and_dlpack_see_the_memory(pretence):
    numpy = pytest.importorskip("numpy")
    x = torch.arange(4.0, device="cuda")
    assert numpy.from_dlpack(x).tolist() == [0, 1, 2, 3] and x.cpu().numpy().tolist() == [0, 1, 2, 3]
    assert str(torch.from_numpy(numpy.ones(2)).device) == "cpu"
    assert not hasattr(x, "__cuda_array_interface__")


def test_files_keep_places(pretence):
    device = torch.arange(3.0, device="cuda")
    file = io.BytesIO()
    torch.save({"device": device, "view": device[1:], "host": torch.ones(2)}, file)

    def load(**options):
        file.seek(0)
        return torch.load(file, **options)

    whole = load()
    assert places(*whole.values()) == ["cuda:0", "cuda:0", "cpu"]
    whole["device"][1] = 9
    assert whole["view"][0] == 9
    assert places(*load(map_location="cpu").values()) == ["cpu"] * 3
    assert places(*load(map_location="cuda").values()) == ["cuda:0"] * 3
    assert places(*load(map_location={"cuda:0": "cpu"}).values()) == ["cpu"] * 3
    assert places(*load(map_location=lambda storage, place: storage).values()) == ["cpu"] * 3


def test_numbers_are_the_cpus():
    torch.manual_seed(0)
    plain = torch.randn(64, 64) @ torch.randn(64, 64)
    with lockstep.pretend_cuda():
        torch.manual_seed(0)
        pretended = torch.randn(64, 64, device="cuda") @ torch.randn(64, 64, device="cuda")
    assert torch.equal(plain, pretended)


def attributes(*owners):
    return {(owner, name): value for owner in owners for name, value in vars(owner).items()
            if not name.startswith("__")}  # fmt: skip


def test_nothing_stays():
    lockstep.pretend_cuda().undo()  # what is imported on the first use stays imported
    owners = (torch, torch._C, torch.cuda, torch.Tensor, torch.UntypedStorage, torch.fft, torch.cuda.random,
              torch.version, torch.accelerator, threading.Thread, torch.serialization, torch.cuda.graph)  # fmt: skip
    before = attributes(*owners)
    with lockstep.pretend_cuda(), pytest.raises(ZeroDivisionError):
        torch.set_default_device("cuda")
        x = torch.ones(3, device="cuda")
        with torch.autocast("cuda"):
            _ = x @ x
        raise ZeroDivisionError
    after = attributes(*owners)
    assert before.keys() == after.keys()
    assert [key[1] for key in before if before[key] is not after[key]] == []
    assert torch.overrides._len_torch_function_stack() == 0
    assert str(x.device) == "cpu" and not torch.cuda.is_available() and str(torch.ones(1).device) == "cpu"
    with pytest.raises((RuntimeError, AssertionError, NotImplementedError)):
        torch.ones(1, device="cuda")


def test_nested_and_as_a_function():
    outer = lockstep.pretend_cuda()
    with lockstep.pretend_cuda(as_="sm_80"):
        assert torch.cuda.get_device_capability() == (8, 0) and "A100" in torch.cuda.get_device_name()
    assert torch.cuda.get_device_capability() == (9, 0) and str(torch.ones(1, device="cuda").device) == "cuda:0"
    outer.undo()
    outer.undo()
    assert not torch.cuda.is_available()
    with pytest.raises(lockstep.LockstepError, match="has ended"), outer:
        pass


def test_a_machine_with_gpus_means_the_cpu_inside(monkeypatch):
    def real(*arguments):
        raise AssertionError("the real GPU was asked")

    monkeypatch.setattr(torch._C, "_cuda_getDeviceCount", lambda: 4, raising=False)
    monkeypatch.setattr(torch.cuda, "_initialized", True)
    monkeypatch.setattr(torch.cuda, "_cached_device_count", 4)
    for name in (
        "_cuda_getDevice",
        "_cuda_synchronize",
        "_cuda_emptyCache",
        "_cuda_setDevice",
        "_cuda_getCurrentStream",
    ):
        monkeypatch.setattr(torch._C, name, real, raising=False)
    assert torch.cuda.is_available() and torch.cuda.device_count() == 4
    with lockstep.pretend_cuda():
        assert torch.cuda.device_count() == 1 and torch.cuda.current_device() == 0
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        x = torch.ones(3, device="cuda")
        assert str(x.device) == "cuda:0"
    assert torch.cuda.device_count() == 4 and str(x.device) == "cpu"


def test_data_of_the_program_is_copied_to_the_device(pretence):
    numpy = pytest.importorskip("numpy")
    data = numpy.zeros(3, dtype=numpy.float32)
    host = torch.from_numpy(data)
    for there in (torch.as_tensor(data, device="cuda"), torch.asarray(data, device="cuda"), host.to("cuda"),
                  torch.as_tensor(host, device="cuda"), host.cuda()):  # fmt: skip
        there += 1
        assert there.is_cuda and data.sum() == 0
    shared = torch.as_tensor(data)
    shared += 1
    assert data.sum() == 3 and shared.device.type == "cpu"
    device = torch.ones(2, device="cuda")
    assert torch.as_tensor(device) is device and torch.as_tensor(device, device="cpu").data_ptr() != device.data_ptr()
