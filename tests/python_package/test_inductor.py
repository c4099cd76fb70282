"""torch.compile under pretend_cuda: Inductor writes Triton kernels for cuda:0 and Lockstep runs them."""

import lockstep
import pytest
import torch
import torch.nn.functional as F
import triton

from torch._inductor.utils import run_and_get_code

inductor = pytest.importorskip("torch._inductor.config")


@pytest.fixture(autouse=True)
def pretence(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
    torch._dynamo.reset()
    with lockstep.pretend_cuda() as pretence:
        yield pretence


@pytest.fixture
def launched():
    """Names of the kernels that are launched."""
    names = []
    triton.knobs.runtime.launch_enter_hook = lambda metadata: names.append(metadata.get()["name"])
    yield names
    triton.knobs.runtime.launch_enter_hook = None


def rand(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype)


CASES = {
    "poi": (lambda x: torch.relu(x) * x.sin() + 1, (33, 70)),
    "red": (lambda x: (x * 2).sum(-1), (4, 5000)),
    "per": (lambda x: torch.softmax(x, -1), (9, 200)),
}


@pytest.mark.parametrize("kind", CASES)
def test_kinds_of_kernels(launched, kind):
    function, shape = CASES[kind]
    x = rand(*shape)
    result = torch.compile(function)(x)
    assert [name.split("_")[1] for name in launched] == [kind]
    assert result.is_cuda
    torch.testing.assert_close(result, function(x), rtol=1e-5, atol=1e-4)  # 5,000 addends of size 1, in another order


def test_the_driver_stays_whichever_backend_triton_lists_first(monkeypatch):
    """Written modules ask for "the GPU's" driver; packages are listed in the order in which Python finds them."""
    from torch._inductor.runtime import triton_helpers

    backends = triton.backends.backends
    listed = dict(sorted(backends.items(), key=lambda entry: entry[0] == "lockstep"))
    assert next(iter(listed)) != "lockstep"
    monkeypatch.setattr(triton.backends, "backends", listed)
    triton_helpers.set_driver_to_gpu()
    assert isinstance(triton.runtime.driver.active, backends["lockstep"].driver)


def test_the_traced_program_is_on_cuda(launched):
    def function(x):
        if not x.is_cuda or x.device.index != 0:
            return x
        return (
            x
            + torch.arange(70, device="cuda")
            + torch.ones(70, device=x.device)
            + x.new_zeros(70)
            + x[:1].to(device=x.device).cuda()
        )

    x = rand(33, 70)
    torch.testing.assert_close(torch.compile(function, fullgraph=True)(x), function(x))
    assert launched


def test_conversions_to_another_tensors_type_stay_on_cuda(launched):
    x, y = rand(8), rand(8, dtype=torch.bfloat16)
    for convert in (lambda t, other: t.type_as(other), lambda t, other: t.to(other)):
        torch._dynamo.reset()
        result = torch.compile(lambda a, b, convert=convert: convert(a * 2, b) + 1)(x, y)
        assert (str(result.device), result.dtype) == ("cuda:0", torch.bfloat16)
    assert len(launched) == 2


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_conversions_inside_of_torch_stay_on_cuda(launched, name):
    """torch's C++ code converts "where this one is"."""
    x = rand(4, 16, dtype=torch.bfloat16).requires_grad_()
    result, (code, *_) = run_and_get_code(torch.compile(lambda a: getattr(F, name)(a, -1, dtype=torch.float32) * 2), x)
    assert "async_compile.cpp" not in code
    assert result.is_cuda
    assert len(launched) == 1
    result.sum().backward()
    assert x.grad.is_cuda


def test_training_step(launched):
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.LayerNorm(64), torch.nn.Linear(64, 8)
    ).cuda()
    x = rand(16, 32)

    def gradients(module):
        model.zero_grad()
        module(x).square().mean().backward()
        return [parameter.grad.clone() for parameter in model.parameters()]

    expected = gradients(model)
    assert not launched
    for ours, torchs in zip(gradients(torch.compile(model)), expected, strict=True):
        torch.testing.assert_close(ours, torchs)
    assert len(launched) >= 3


def test_matmul_template(launched):
    with inductor.patch(max_autotune=True, max_autotune_gemm_backends="TRITON"):
        left, right = rand(64, 64), rand(64, 64)
        result = torch.compile(lambda a, b: torch.relu(a @ b))(left, right)
    torch.testing.assert_close(result, torch.relu(left @ right), atol=1e-4, rtol=1e-4)
    assert any(name.startswith(("triton_tem_", "triton_mm")) for name in launched), launched


@pytest.mark.campaign
def test_half_precision_autocast_and_cuda_graph_mode(launched):
    def function(x, w):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return F.layer_norm(x @ w, (64,)).square().sum()

    x, w = rand(64, 64), rand(64, 64)
    result = torch.compile(function, mode="reduce-overhead")(x, w)
    assert result.dtype == torch.float32 and launched
    torch.testing.assert_close(result, function(x, w), atol=0, rtol=1e-3)


@pytest.mark.campaign
def test_a_users_kernel_inside_a_compiled_function(launched):
    import backend_kernels

    @torch.compile(fullgraph=True)
    def function(x, y):
        out = torch.empty_like(x)
        backend_kernels.add[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel(), BLOCK=128)
        return out * 2

    x, y = rand(300), rand(300)
    torch.testing.assert_close(function(x, y), (x + y) * 2)


def test_a_written_module_runs_again(launched):
    """The file that Inductor writes is a program: async_compile.triton, get_raw_stream, empty_strided_cuda."""
    from torch._inductor.codecache import PyCodeCache
    from torch._inductor.utils import run_and_get_code

    x = rand(40, 30)
    expected, (code,) = run_and_get_code(torch.compile(lambda t: (t.exp() + 1).sum(0)), x)
    for needed in (
        "async_compile.triton",
        "get_raw_stream",
        "empty_strided_cuda",
        "assert_size_stride",
        "_DeviceGuard",
    ):
        assert needed in code, needed
    launched.clear()
    module = PyCodeCache.load(code)
    (result,) = module.call([x])
    torch.testing.assert_close(result, expected)
    assert launched
