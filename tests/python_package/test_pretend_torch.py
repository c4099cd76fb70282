"""pretend_cuda: parts of torch with ways of their own to devices: they run, and give device tensors."""

import pickle

import lockstep
import pytest
import torch
import torch.nn.functional as F
from torch import nn


@pytest.fixture(autouse=True)
def pretence():
    with lockstep.pretend_cuda() as pretence:
        yield pretence


def square():
    return torch.randn(4, 4, device="cuda")


def scripted():
    @torch.jit.script
    def function(x: torch.Tensor):
        return x + torch.zeros(4, device=x.device) + torch.ones_like(x)

    return function(square())


def encoder():
    layer = nn.TransformerEncoderLayer(4, 2, batch_first=True)
    return nn.TransformerEncoder(layer, 1).cuda().eval()(square()[None])


def hooked():
    x = square().requires_grad_()
    x.register_hook(lambda gradient: gradient * 2)
    (x * 1).sum().backward()
    return x.grad


def attention():
    heads = nn.MultiheadAttention(4, 2, batch_first=True).cuda()
    return heads(square()[None], square()[None], square()[None])[0]


def packed():
    sequences = nn.utils.rnn.pack_padded_sequence(torch.randn(3, 5, 4, device="cuda"), torch.tensor([5, 3, 2]), True)
    assert sequences.batch_sizes.is_cpu
    return nn.utils.rnn.pad_packed_sequence(nn.LSTM(4, 4).cuda()(sequences)[0])[0]


def adam():
    model = nn.Linear(2, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2, device="cuda")).sum().backward()
    optimizer.step()
    state = optimizer.state[model.weight]
    assert state["step"].is_cpu and not torch.ones(2, requires_grad=True).sum().is_cuda
    return state["exp_avg"]


USES = {
    "jit.script": scripted,
    "jit.trace": lambda: torch.jit.trace(lambda x: x + torch.ones(4, device="cuda"), (square(),))(square()),
    "vmap": lambda: torch.vmap(lambda x: x.sum() + torch.zeros((), device="cuda"))(square()),
    "func.grad": lambda: torch.func.grad(lambda x: (x * 2).sum())(square()),
    "func.jvp": lambda: torch.func.jvp(lambda x: x * 2, (square(),), (square(),))[1],
    "fx": lambda: torch.fx.symbolic_trace(nn.Linear(4, 4).cuda())(square()),
    "attention": attention,
    "encoder": encoder,
    "packed": packed,
    "adam": adam,
    "lstm": lambda: nn.LSTM(4, 4).cuda()(square()[None])[0],
    "conv": lambda: nn.Conv2d(3, 4, 3).cuda()(torch.randn(1, 3, 8, 8, device="cuda")),
    "embedding": lambda: nn.Embedding(4, 4).cuda()(torch.tensor([1], device="cuda")),
    "sdpa": lambda: F.scaled_dot_product_attention(*(torch.randn(1, 2, 8, 16, device="cuda") for _ in range(3))),
    "sparse": lambda: torch.sparse.mm(square().to_sparse(), square()),
    "csr": lambda: square().to_sparse_csr(),
    "jagged": lambda: torch.nested.nested_tensor([square(), square()[:2]], device="cuda", layout=torch.jagged),
    "quantized": lambda: torch.quantize_per_tensor(square(), 0.1, 0, torch.qint8),
    "svd": lambda: torch.linalg.svd(square())[0],
    "hook": hooked,
    "inference_mode": lambda: torch.inference_mode()(lambda: square() * 2)(),
    "to_empty": lambda: nn.Linear(3, 3, device="meta").to_empty(device="cuda").weight,
    "like of meta": lambda: torch.empty_like(torch.empty(3, device="meta"), device="cuda"),
    "data parallel": lambda: nn.DataParallel(nn.Linear(4, 4).cuda())(square()),
    "buffers": lambda: nn.BatchNorm1d(3).cuda().running_mean,
    "multinomial": lambda: torch.multinomial(square().abs(), 2, generator=torch.Generator("cuda")),
    "default generator": lambda: torch.randperm(4, device="cuda", generator=torch.cuda.default_generators[0]),
    "averaged model": lambda: torch.optim.swa_utils.AveragedModel(nn.Linear(2, 2).cuda()).module.weight,
    "foreach": lambda: torch._foreach_add([square()], [square()])[0],
    "dlpack": lambda: torch.from_dlpack(square()),
    "pickle": lambda: pickle.loads(pickle.dumps(square())),
    "scalar operand": lambda: square() + torch.tensor(1.0),
    "typed storage": lambda: torch.FloatStorage(3).cuda(),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("use", USES)
def test_use(use):
    assert str(USES[use]().device) == "cuda:0"


def test_profiler_sees_the_cpu():
    both = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=both) as profile:
        _ = square() @ square()
    assert any("mm" in event.key for event in profile.key_averages())
    with torch.autograd.profiler.emit_nvtx():
        _ = square() + 1


def test_streams_and_events_of_torch():
    stream, event = torch.Stream(device="cuda"), torch.Event(device="cuda", enable_timing=True)
    assert type(stream) is torch.cuda.Stream and type(event) is torch.cuda.Event and stream.device.type == "cuda"
    assert torch.accelerator.current_stream() == torch.cuda.current_stream()
    event.record(stream)
    torch.accelerator.synchronize()
