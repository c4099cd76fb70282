"""Kernels of the user's own in compiled models: their launches name the kernel's source and the model's line. So do FLA's and Liger's."""

import subprocess
import sys
from pathlib import Path

import lockstep
import pytest
import torch
import triton
import triton.language as tl
from lockstep.models import judge, places
from torch import nn
from torch.library import triton_op, wrap_triton


@pytest.fixture(autouse=True)
def pretence(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
    torch._dynamo.reset()
    with lockstep.pretend_cuda() as pretence:
        yield pretence


def place_of(text):
    """FILE:LINE of the line of this file that has the text."""
    lines = Path(__file__).read_text().splitlines()
    return f"{__file__}:{next(number for number, line in enumerate(lines, 1) if text in line and 'place_of(' not in line)}"


@triton.jit
def double(x):
    return x + x


@triton.jit
def double_kernel(x_ptr, out_ptr, limit, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < limit)
    tl.store(out_ptr + offsets, double(x), mask=offsets < limit)


@triton.jit
def negate_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(x_ptr + offsets, -tl.load(x_ptr + offsets, mask=mask), mask=mask)


@triton_op("lockstep_tests::doubled", mutates_args={})
def doubled(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    wrap_triton(double_kernel)[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), 64)
    return out


doubled.register_autograd(lambda ctx, grad: doubled(grad.contiguous()))


class Net(nn.Module):
    """An operator with a kernel, and a kernel that changes its argument in place."""

    def __init__(self, beyond=0):
        super().__init__()
        self.beyond = beyond

    def forward(self, x):
        y = doubled(torch.tanh(x))
        z = torch.sin(y) * 3
        if self.beyond:
            more = torch.empty_like(z)
            double_kernel[(2,)](z, more, z.numel() + self.beyond, 64)
            z = z + more
        negated = z.clone()
        negate_kernel[(2,)](negated, negated.numel(), 64)
        return torch.softmax(negated, -1)


def judged(model, *arguments, grad=False):
    with lockstep.options(findings="ignore"), judge.judging() as made, lockstep.reports() as seen:
        out = torch.compile(model.cuda())(*arguments)
        if grad:
            out.square().sum().backward()
    return out, made.launches, [one for report in seen for one in report.findings if one.tier == "error"]


def notes(finding):
    return [(message.partition(": ")[0], f"{file}:{line}") for message, file, line in finding.notes]


def test_user_kernels_are_named_and_the_others_judged():
    x = torch.randn(3, 24, device="cuda", requires_grad=True)
    out, launches, findings = judged(Net(), x, grad=True)
    torch.testing.assert_close(out, torch.softmax(-(torch.sin(2 * torch.tanh(x)) * 3), -1))
    assert findings == []
    own = [(one.kernel, one.places) for one in launches if not one.kernel.startswith("triton_")]
    doubling, negating = place_of("y = doubled(torch.tanh(x))"), place_of("negate_kernel[(2,)](negated")
    assert own == [("double_kernel", [doubling]), ("negate_kernel", [negating]), ("double_kernel", [doubling])], "the gradient has the forward's line"
    outputs = [one for launch in launches for one in launch.outputs]
    assert [one for one in outputs if one.outside or one.cannot] == []
    assert sum(launch.parts for launch in launches) == 0
    assert {one.code for one in outputs} >= {"y = doubled(torch.tanh(x))", "z = torch.sin(y) * 3", "return torch.softmax(negated, -1)"}
    assert all(one.node != "triton_kernel_wrapper_mutation" for one in outputs)


def test_a_finding_in_a_user_kernel_names_its_source_and_the_models_line(capsys):
    x = torch.randn(3, 24, device="cuda")
    _, _, findings = judged(Net(beyond=5), x)
    load, store = (one for one in findings if one.code == "LS101")
    model = ("of the model", place_of("double_kernel[(2,)](z"))
    assert notes(load) == [("of the kernel's source", place_of("x = tl.load(x_ptr + offsets, mask=offsets < limit)")), model]
    assert notes(store) == [("of the kernel's source", place_of("tl.store(out_ptr + offsets, double(x)")), model]
    assert "(triton.double_kernel)" in load.notes[1][0]
    with lockstep.debug("double_kernel", commands=["where", "continue"], batch=True):
        torch.compile(Net().cuda())(x)
    assert f"its source: {place_of('def double_kernel(')}" in capsys.readouterr().out


def test_lines_of_the_kernels_package_are_not_the_models():
    folder = places.package_folder(torch.__file__)
    assert folder.endswith("/torch/")
    assert places.package_folder(__file__) == ""
    frame = '  File "{}", line {}, in f\n    y = f(x)\n'
    trace = frame.format("/x/site-packages/hf/model.py", 7) + frame.format("/x/site-packages/kernels/ops.py", 9)
    assert places.place_of_trace(trace).line == 9
    assert places.place_of_trace(trace, places.package_folder("/x/site-packages/kernels/deep/one.py")).line == 7
    assert places.place_of_trace(trace, "/x/site-packages/").line == 9, "a launch that only the package makes"


DEVICE = """
import torch, torch._dynamo.variables.ctx_manager
import lockstep
def f(x):
    with torch.cuda.device(x.device.index):
        return torch.sin(x) + 1
with lockstep.pretend_cuda():
    x = torch.ones(4, device="cuda")
    print(torch.equal(torch.compile(f, fullgraph=True)(x), f(x)))
"""


def test_device_contexts_of_a_compiler_that_was_imported_before(tmp_path):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", DEVICE], capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr


def causal(b, h, q, k):
    return q >= k


class Flex(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.bias = nn.Linear(32, 96), nn.Parameter(torch.randn(2, 128))

    def forward(self, x):
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        bias = self.bias

        def soft_cap(score, b, h, q, k):
            return 20 * torch.tanh(score / 20) + bias[h, (q - k).abs()]

        q, k, v = (one.view(*x.shape[:2], 2, 16).transpose(1, 2) for one in self.qkv(x).chunk(3, -1))
        mask = create_block_mask(causal, None, None, x.shape[1], x.shape[1], device="cuda")
        return flex_attention(q, k, v, score_mod=soft_cap, block_mask=mask)


@pytest.mark.campaign
def test_flex_attention_with_a_score_mod_and_a_block_mask():
    torch.manual_seed(2)
    model, x = Flex(), torch.randn(1, 128, 32, device="cuda")
    out, launches, findings = judged(model, x, grad=True)
    assert findings == []
    q, k, v = (one.view(1, 128, 2, 16).transpose(1, 2) for one in model.qkv(x).chunk(3, -1))
    scores = 20 * torch.tanh(q @ k.transpose(-1, -2) / 4 / 20)
    scores = scores + model.bias[:, (torch.arange(128)[:, None] - torch.arange(128)).abs()]
    scores = scores.masked_fill(~torch.ones(128, 128, device="cuda").tril().bool(), -torch.inf)
    torch.testing.assert_close(out, torch.softmax(scores, -1) @ v, rtol=1e-4, atol=1e-5)
    templates = [one for one in launches if one.kernel.startswith("triton_tem")]
    assert len(templates) == 2, "forward and backward"
    assert all(place_of("return flex_attention(q, k, v") in one.places for one in templates)
    assert [one for launch in launches for one in launch.outputs if one.outside] == []
    assert [one.cannot for one in templates[0].outputs] == ["", ""], "the forward's result and its sums have bounds"
    assert [one.cannot for one in templates[1].outputs] == ["", "", "", ""], "so have the gradients of query, key, value and bias"


@pytest.mark.campaign
def test_a_module_with_ligers_kernels():
    from liger_kernel.transformers import LigerRMSNorm, LigerSwiGLUMLP

    class Config:
        hidden_size, intermediate_size, hidden_act = 32, 64, "silu"

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.mlp = LigerRMSNorm(32), LigerSwiGLUMLP(Config())

        def forward(self, x):
            return x + self.mlp(self.norm(x))

    _, launches, findings = judged(Layer(), torch.randn(2, 8, 32, device="cuda"), grad=True)
    assert findings == []
    places = {one.kernel: one.places for one in launches}
    assert {"_rms_norm_forward_kernel", "_swiglu_forward_kernel", "_swiglu_backward_kernel"} <= set(places)
    assert places["_swiglu_forward_kernel"] == [place_of("return x + self.mlp(self.norm(x))")]
    outputs = [one for launch in launches for one in launch.outputs]
    assert {one.op for one in outputs if not one.cannot} == {"aten.add"}
    assert [one for one in outputs if one.outside or one.cannot] == []


@pytest.mark.campaign
def test_a_layer_with_flas_kernels():
    from fla.modules import RMSNorm

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.down = RMSNorm(32), nn.Linear(32, 32)

        def forward(self, x):
            return x + torch.tanh(self.down(self.norm(x)))

    model, x = Layer(), torch.randn(2, 8, 32, device="cuda")
    with lockstep.reports() as seen:
        out, launches, findings = judged(model, x, grad=True)
    assert findings == []
    normed = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + model.norm.eps) * model.norm.weight
    torch.testing.assert_close(out, x + torch.tanh(model.down(normed)))
    outputs = [one for launch in launches for one in launch.outputs]
    assert outputs
    assert [one for one in outputs if one.outside or one.cannot] == []
    assert any("norm" in report.kernel for report in seen), "FLA launches it outside of the graph; it is checked, not judged"
