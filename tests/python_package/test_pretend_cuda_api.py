"""pretend_cuda: torch.cuda itself, streams, events, generators, CUDA graphs, autocast, optimizers, checkpointing."""

import inspect
import platform
import resource

import lockstep
import pytest
import torch
import torch.nn.functional as F
import triton
import triton.language as tl
from lockstep import pretend


@pytest.fixture(autouse=True)
def pretence():
    with lockstep.pretend_cuda() as pretence:
        yield pretence


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index, index < n) + 1, index < n)


def test_a_kernel_runs_on_cuda_tensors():
    x = torch.arange(100.0, device="cuda")
    out = torch.empty_like(x)
    with torch.cuda.device(x.device.index):
        add_one[(4,)](x, out, 100, BLOCK=32)
    assert out.is_cuda and torch.equal(out, x + 1)
    assert lockstep.is_active()
    assert triton.runtime.driver.active.get_active_torch_device() == x.device


def test_what_torch_cuda_says():
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1 and torch.cuda.is_initialized()
    assert torch.cuda.get_device_capability("cuda") == torch.cuda.get_device_capability(0) == (9, 0)
    facts = torch.cuda.get_device_properties(torch.device("cuda"))
    assert (facts.name, facts.major, facts.multi_processor_count) == (torch.cuda.get_device_name(), 9, 132)
    assert torch.cuda.is_bf16_supported() and torch.cuda.get_arch_list() == ["sm_90"] and torch.version.cuda
    assert torch.backends.cuda.is_built() and torch.cuda._is_compiled() and not torch.backends.cudnn.is_available()
    assert str(torch.accelerator.current_accelerator()) == "cuda" and torch.accelerator.is_available()
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total == facts.total_memory
    with torch.cuda.device(0), torch.cuda.device_of(torch.ones(1, device="cuda")):
        torch.cuda.set_device("cuda:0")
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
    with torch.cuda.nvtx.range("x"):
        torch.cuda.nvtx.mark("y")
    torch.cuda.cudart().cudaProfilerStart()


ROOMS = [torch.cuda, torch.accelerator, *(getattr(torch.accelerator, name) for name in ("memory", "random") if hasattr(torch.accelerator, name))]
ALIASES = ("memory_cached", "max_memory_cached", "reset_max_memory_cached", "reset_max_memory_allocated")  # deprecated
QUERIES = [(room, name) for room in ROOMS for name in room.__all__ if name not in ("init", "CUDAGraph", *ALIASES)]


def test_every_query_answers_or_is_refused_by_name():
    """Each function of torch.cuda and torch.accelerator that needs no arguments, whichever the release has."""
    answered, refused = set(), set()
    for room, name in QUERIES:
        function = getattr(room, name)
        if isinstance(function, type) or not callable(function):
            continue
        try:
            inspect.signature(function).bind()
        except TypeError:
            continue
        try:
            function()
            answered.add(name)
        except RuntimeError as error:
            assert name in str(error) and "not supported under lockstep.pretend_cuda()" in str(error)
            refused.add(name)
    refusals = {"current_blas_handle", "current_solver_handle", "memory_snapshot", "temperature", "power_draw", "get_device_capability"}
    assert refused <= refusals and len(answered) > 40
    assert {"memory_stats", "mem_get_info", "get_device_capability", "clock_rate", "device_memory_used"} <= answered


def test_memory_statistics_count_device_tensors():
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    held = torch.empty(1 << 20, dtype=torch.uint8, device="cuda")
    assert torch.cuda.memory_allocated() - before >= held.nbytes and torch.cuda.max_memory_allocated() >= held.nbytes
    assert "PyTorch CUDA memory summary" in torch.cuda.memory_summary()
    if hasattr(torch.accelerator, "memory_allocated"):  # from torch 2.9
        assert torch.accelerator.memory_allocated() - before >= held.nbytes


def test_streams_and_events():
    stream = torch.cuda.Stream(priority=-1)
    assert torch.cuda.current_stream() == torch.cuda.default_stream() != stream
    assert torch.cuda.current_stream().cuda_stream == 0
    with torch.cuda.stream(stream):
        assert torch.cuda.current_stream() == stream and torch._C._cuda_getCurrentRawStream(0) == stream.cuda_stream
        event = stream.record_event()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.current_stream().wait_event(event)
    assert torch.cuda.current_stream() != stream and event.query() and stream.query()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    _ = torch.randn(300, 300, device="cuda") @ torch.randn(300, 300, device="cuda")
    end.record()
    torch.cuda.synchronize()
    assert 0 < start.elapsed_time(end) < 60_000
    with pytest.raises(ValueError, match="enable_timing"):
        event.elapsed_time(end)
    torch.ones(1, device="cuda").record_stream(stream)


def test_generators():
    generator = torch.Generator(device="cuda")
    assert str(generator.device) == "cuda:0" and isinstance(generator, torch.Generator)
    assert isinstance(torch.default_generator, torch.Generator) and str(torch.Generator().device) == "cpu"
    first = torch.randn(3, device="cuda", generator=generator.manual_seed(5))
    assert torch.equal(first, torch.randn(3, device="cuda", generator=generator.manual_seed(5)))
    state = generator.get_state()
    drawn = torch.empty(3, device="cuda").normal_(generator=generator)
    generator.set_state(state)
    assert torch.equal(drawn, torch.empty(3, device="cuda").normal_(generator=generator))


def test_the_default_generator_has_a_gpus_state():
    torch.cuda.manual_seed(42)
    seed, offset = torch.cuda.get_rng_state().view(torch.int64).tolist()
    assert (seed, offset) == (42, 0)
    drawn = torch.rand(3, device="cuda")
    later = torch.cuda.get_rng_state()
    assert later.view(torch.int64)[1] > 0
    after = torch.rand(3, device="cuda")
    torch.cuda.set_rng_state(later)
    assert torch.equal(after, torch.rand(3, device="cuda"))
    torch.cuda.manual_seed_all(42)
    assert torch.equal(drawn, torch.rand(3, device="cuda"))
    moved = torch.tensor([42, 400], dtype=torch.int64).view(torch.uint8)
    torch.cuda.set_rng_state(moved)
    one = torch.rand(3, device="cuda")
    torch.cuda.set_rng_state(moved)
    assert torch.equal(one, torch.rand(3, device="cuda")) and torch.cuda.initial_seed() == 42
    with torch.random.fork_rng(devices=[0]):
        forked = torch.rand(2, device="cuda")
    assert torch.equal(forked, torch.rand(2, device="cuda"))


def test_a_graph_replays_operators_and_kernels():
    x, out = torch.ones(64, device="cuda"), torch.empty(64, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        assert torch.cuda.is_current_stream_capturing()
        doubled = x * 2
        doubled[:32] += 10
        add_one[(2,)](doubled, out, 64, BLOCK=32)
        total = out.sum()
    assert not torch.cuda.is_current_stream_capturing() and total.item() == 64 * 3 + 320
    address = total.data_ptr()
    x.fill_(5)
    graph.replay()
    assert out[0] == 21 and out[-1] == 11 and total.item() == 64 * 11 + 320 and total.data_ptr() == address
    with (
        pytest.raises(RuntimeError, match="not permitted when stream is capturing"),
        torch.cuda.graph(torch.cuda.CUDAGraph()),
    ):
        x.sum().item()
    assert not torch.cuda.is_current_stream_capturing()


def test_a_whole_training_step_replays():
    torch.manual_seed(0)
    weight = torch.ones(4, 4, device="cuda", requires_grad=True)
    x = torch.ones(2, 4, device="cuda")
    weight.grad = torch.zeros_like(weight)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        weight.grad.zero_()
        (x @ weight).square().sum().backward()
        with torch.no_grad():
            weight.sub_(weight.grad * 0.01)
    x.copy_(torch.randn(2, 4))
    expected = weight.detach() - 0.01 * 2 * x.T @ (x @ weight.detach())
    graph.replay()
    torch.testing.assert_close(weight.detach(), expected)


def test_a_launch_that_cannot_replay_is_refused():
    x, out = torch.ones(32, device="cuda"), torch.empty(32, device="cuda")
    add_one[(1,)](x, out, 32, BLOCK=32)
    kernel = add_one.warmup(x, out, 32, BLOCK=32, grid=(1,))
    launch = kernel.run
    graph = torch.cuda.CUDAGraph()
    with (
        pytest.raises(RuntimeError, match="1 kernel launches of this capture cannot be replayed"),
        torch.cuda.graph(graph),
    ):
        launch(1, 1, 1, 0, kernel.function, kernel.packed_metadata, None, None, None, x, out, 32, 32)
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        graph.replay()


# As CUDA's autocast gives them (torch's documentation of its op lists).
AUTOCAST = {
    "mm": (lambda y, w: y @ w, "low"), "linear": (lambda y, w: F.linear(y, w), "low"),
    "mv": (lambda y, w: torch.mv(w, w[0]), "low"), "bmm": (lambda y, w: torch.bmm(y[None], w[None]), "low"),
    "conv1d": (lambda y, w: F.conv1d(y[None], w[:, :4, None]), "low"), "gelu": (lambda y, w: F.gelu(y), "low"),
    "add": (lambda y, w: y + y, "low"), "softmax": (lambda y, w: F.softmax(y, -1), "float32"),
    "log_softmax": (lambda y, w: F.log_softmax(y, -1), "float32"), "sum": (lambda y, w: y.sum(), "float32"),
    "layer_norm": (lambda y, w: F.layer_norm(y, (8,)), "float32"), "exp": (lambda y, w: y.exp(), "float32"),
    "pow": (lambda y, w: y**2, "float32"), "norm": (lambda y, w: y.norm(), "float32"),
    "cumsum": (lambda y, w: y.cumsum(0), "float32"), "prod": (lambda y, w: y.prod(), "float32"),
    "mse_loss": (lambda y, w: F.mse_loss(y, y), "float32"), "rsqrt": (lambda y, w: y.abs().rsqrt(), "float32"),
    "cross_entropy": (lambda y, w: F.cross_entropy(y, y.argmax(-1)), "float32"),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", AUTOCAST)
def test_autocast_gives_cudas_types(name, dtype):
    call, kind = AUTOCAST[name]
    weight = torch.randn(8, 8, device="cuda")
    low = torch.randn(4, 8, device="cuda", dtype=dtype)
    with torch.autocast("cuda", dtype=dtype):
        assert torch.is_autocast_enabled() and torch.get_autocast_dtype("cuda") == dtype
        assert call(low, weight.to(dtype)).dtype == (dtype if kind == "low" else torch.float32)
        with torch.autocast("cuda", enabled=False):
            assert (weight @ weight).dtype == torch.float32 and F.softmax(low, -1).dtype == dtype
    assert (weight @ weight).dtype == torch.float32 and F.softmax(low, -1).dtype == dtype


def test_mixed_precision_training():
    model = torch.nn.Linear(8, 8).cuda()
    scaler = torch.amp.GradScaler("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    before = model.weight.detach().clone()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(torch.randn(4, 8, device="cuda")).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    assert scaler.is_enabled() and not torch.equal(model.weight, before) and model.weight.grad.dtype == torch.float32
    for options in ({"foreach": True}, {"capturable": True}, {}):
        optimizer = torch.optim.AdamW(model.parameters(), **options)
        model(torch.randn(4, 8, device="cuda")).sum().backward()
        optimizer.step()


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoint_repeats_dropout(reentrant):
    x = torch.randn(100, device="cuda", requires_grad=True)
    out = torch.utils.checkpoint.checkpoint(lambda t: F.dropout(t, 0.5) * 2, x, use_reentrant=reentrant)
    out.sum().backward()
    assert torch.equal(x.grad != 0, out != 0) and 0 < (out == 0).sum() < 100


def test_widening_matrix_products():
    left, right = (torch.randn(4, 4, device="cuda", dtype=torch.float16) for _ in range(2))
    expected = left.float() @ right.float()
    assert torch.equal(torch.mm(left, right, out_dtype=torch.float32), expected)
    assert torch.equal(torch.bmm(left[None], right[None], out_dtype=torch.float32)[0], expected)


def test_histograms_of_integers():
    """torch's CPU kernel has floats alone; a mixture of experts counts its tokens so."""
    ids = torch.tensor([[3, 0, 1], [1, 9, 1]], device="cuda")
    for dtype in (torch.int32, torch.int64, torch.uint8):
        counts = torch.histc(ids.to(dtype), bins=4, min=0, max=3)
        assert (counts.tolist(), counts.dtype, counts.device.type) == ([1, 3, 0, 1], dtype, "cuda")
    assert torch.histc(ids, bins=3).tolist() == [4, 1, 1], "from the least to the largest, each bin without its end but the last"
    assert torch.histc(torch.full((5,), 7, device="cuda"), bins=2).tolist() == [0, 5]
    assert torch.equal(torch.histc(ids.float(), bins=4, min=0, max=3), torch.tensor([1.0, 3, 0, 1], device="cuda"))
    for bins, least, most, why in ((0, 0, 3, "bins must be"), (4, 3, 0, "max must be larger than min")):
        with pytest.raises(RuntimeError, match=why):
            torch.histc(ids, bins, least, most)
    counts = torch.compile(lambda x: torch.cumsum(torch.histc(x.int(), bins=4, min=0, max=3), 0, dtype=torch.int32))(ids)
    assert counts.tolist() == [1, 4, 4, 5]


@pytest.mark.parametrize("call", [
    lambda: torch.cuda.Event(interprocess=True),
    lambda: torch.cuda.current_blas_handle(),
    lambda: torch.cuda.cudart().cudaMalloc(8),
    lambda: torch.cuda.memory_snapshot(),
    lambda: torch.cuda.caching_allocator_alloc(8),
])  # fmt: skip
def test_what_needs_a_gpu_is_refused_by_name(call):
    with pytest.raises(RuntimeError, match=r"pretend_cuda\(\)"):
        call()


def test_comparing_notices_devices():
    x = torch.ones(2, device="cuda")
    torch.testing.assert_close(x, x.clone())
    with pytest.raises(AssertionError, match="device"):
        torch.testing.assert_close(x, x.cpu())
    torch.testing.assert_close(x, x.cpu(), check_device=False)


def _define(space, name):
    library = torch.library.Library(space, "DEF")
    library.define(f"{name}(Tensor x) -> Tensor")
    return library


def test_operators_that_a_package_registers_for_cuda_alone(pretence):
    during = _define("lockstep_during", "twice")
    during.impl("twice", lambda x: x * 2, "CUDA")
    x = torch.ones(2, device="cuda")
    assert torch.ops.lockstep_during.twice(x).tolist() == [2, 2]

    @torch.library.custom_op("lockstep_during::thrice", mutates_args=(), device_types="cuda")
    def thrice(x: torch.Tensor) -> torch.Tensor:
        return x * 3

    assert thrice(x).tolist() == [3, 3]
    pretence.undo()
    before = _define("lockstep_before", "twice")
    before.impl("twice", lambda x: x * 2, "CUDA")
    with lockstep.pretend_cuda():
        assert torch.ops.lockstep_before.twice(torch.ones(2, device="cuda")).tolist() == [2, 2]
    with pytest.raises(NotImplementedError, match="CPU"):
        torch.ops.lockstep_before.twice(torch.ones(2))
    for library in (during, before):
        library._destroy()  # torch.compile of 2.8 fails beside operators whose library was collected


def test_memory_that_cannot_be_had():
    with lockstep.pretend_cuda(), pytest.raises(torch.cuda.OutOfMemoryError):
        torch.empty(10**13, device="cuda")
    with lockstep.pretend_cuda(), pytest.raises(RuntimeError) as caught:
        torch.empty(10**13)
    assert not isinstance(caught.value, torch.cuda.OutOfMemoryError)


def test_it_is_no_decorator():
    before = pretend._depth
    with pytest.raises(lockstep.LockstepError, match="not a decorator"):
        lockstep.pretend_cuda()(print)
    assert pretend._depth == before


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep their ways")
def test_memory_of_freed_tensors_serves_the_next_ones():
    """A new page is a fault; 8 MiB are 2,048 of them, ten times."""

    def faults():
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(10):
            torch.empty(1 << 21, device="cuda").fill_(1)
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    faults()
    assert faults() < 1024
    torch.cuda.empty_cache()
