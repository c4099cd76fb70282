"""What a pretending program sees is what it would see on a GPU: versions, devices of tensors, processes, hooks, asm."""

import os
import subprocess
import sys
import textwrap
import threading

import lockstep
import pytest
import torch
import triton
import triton.language as tl
from lockstep.triton_backend import resources
from triton import knobs
from triton.runtime.errors import OutOfResources

PROGRAM = """
    import torch, triton, triton.language as tl

    @triton.jit
    def show(x, N: tl.constexpr):
        i = tl.arange(0, N)
        tl.static_print("width", N)
        tl.device_print("x: ", tl.load(x + i))
        tl.device_print("at", tl.program_id(0))
        print("no value")

    print("before")
    show[(1,)](torch.arange(4, dtype=torch.int32, device="cuda"), N=4, num_warps=2)
    torch.cuda.synchronize()
    print("after", torch.zeros(1, device="cuda").device, torch.cuda.get_device_capability())
"""
PRINTED = ["before", "width 4", *(f"pid (0, 0, 0) idx ({i}) x: {i}" for i in range(4)), *["pid (0, 0, 0) idx () at: 0"] * 64,
           *["pid (0, 0, 0) no value"] * 64, "after cuda:0 (8, 0)"]  # fmt: skip


@pytest.fixture
def pretence():
    with lockstep.pretend_cuda() as pretence:
        yield pretence


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM))
    return path


def started_by(words, tmp_path, **variables):
    """A process that knows Lockstep's package, and nothing of this one's options."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(lockstep.__file__)))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP")}
    clean |= {"PYTHONPATH": package, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
              "TRITON_CACHE_DIR": str(tmp_path / "cache"), **variables}
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=tmp_path, env=clean, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if line.strip()]


# ---- versions ----

VERSION = """
    import torch
    torch.version.cuda = {before!r}
    if {compiled!r}:
        torch._C._cuda_getCompiledVersion = lambda: {compiled!r}
    import lockstep
    with lockstep.pretend_cuda():
        print(torch.version.cuda, torch._C._cuda_getCompiledVersion(), torch.backends.cuda.is_built())
    print(torch.version.cuda)
"""


@pytest.mark.parametrize(("before", "compiled", "inside"), [
    ("13.0", 13000, "13.0 13000 True"), ("13.0", 0, "13.0 13000 True"), (None, 0, "12.8 12080 True")])  # fmt: skip
def test_torch_keeps_its_cuda_version(before, compiled, inside, tmp_path):
    """torchvision compares it with its own and refuses to be imported next to another one."""
    if torch.version.cuda is not None and compiled == 0:
        pytest.skip("this torch has CUDA, and says so")
    code = textwrap.dedent(VERSION.format(before=before, compiled=compiled))
    assert started_by([sys.executable, "-c", code], tmp_path) == [inside, str(before)]


# ---- devices ----

class Doubled(torch.autograd.Function):
    seen: list = []

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        Doubled.seen += [gradient, ctx.saved_tensors[0], gradient * 2]
        return gradient * 2


def in_a_thread_of_its_own(work):
    class Own(threading.Thread):
        def run(self):
            self.made = work()

    thread = Own()
    thread.start()
    thread.join()
    return thread.made


def in_backward(x):
    Doubled.seen.clear()
    leaf = x.clone().requires_grad_()
    made = Doubled.apply(leaf) * 3
    made.register_hook(lambda gradient: Doubled.seen.append(gradient + 1))
    made.sum().backward()
    return [*Doubled.seen, leaf.grad]


@torch.jit.script
def scripted(x):
    return x * 2 + 1


MADE = {
    "an operator": lambda x: x + 1,
    "a view": lambda x: x[1:].T,
    "clone, detach": lambda x: x.clone().detach(),
    "Parameter": lambda x: torch.nn.Parameter(x),
    "backward": in_backward,
    "autograd.grad": lambda x: torch.autograd.grad((x * (y := x.clone().requires_grad_())).sum(), y),
    "a thread with its own run": lambda x: in_a_thread_of_its_own(lambda: x * 2),
    "vmap": lambda x: torch.vmap(lambda row: row * 2)(x),
    "func.grad": lambda x: torch.func.grad(lambda a: (a * a).sum())(x),
    "func.jvp": lambda x: torch.func.jvp(lambda a: a * a, (x,), (x,)),
    "TorchScript": scripted,
    "nested": lambda x: torch.nested.nested_tensor([x, x]).to_padded_tensor(0.0),
    "DLPack": lambda x: torch.from_dlpack(x),
    "inference mode": lambda x: torch.inference_mode()(lambda: x * 2)(),
    "a module": lambda x: torch.nn.Linear(4, 4).to(x.device)(x),
    "checkpoint": lambda x: torch.utils.checkpoint.checkpoint(lambda a: a * 2, x, use_reentrant=False),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("how", MADE)
@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_results_say_where_their_operands_are(pretence, how, device):
    result = MADE[how](torch.rand(4, 4, device=device))
    for one in result if isinstance(result, (list, tuple)) else [result]:
        assert str(one.device) == device, how
        assert ("device='cuda:0'" in repr(one)) == (device == "cuda:0") == one.is_cuda
        torch.testing.assert_close(one, torch.tensor(one.tolist(), device=device, dtype=one.dtype), equal_nan=True)
        torch.testing.assert_close(one.cpu(), torch.tensor(one.tolist(), dtype=one.dtype))
        with pytest.raises(AssertionError, match=r"'device' do not match"):
            torch.testing.assert_close(one, one.detach().to("cuda" if device == "cpu" else "cpu"))


def test_classes_make_host_tensors(pretence):
    made = [torch.Tensor([1.0, 2.0]), torch.Tensor(3), torch.FloatTensor([1.0]), torch.LongTensor([1]),
            torch.ops.aten.ones.default([2]), torch.from_dlpack(torch.ones(2).numpy())]  # fmt: skip
    assert {str(one.device) for one in made} == {"cpu"}
    x = torch.ones(2, device="cuda")
    assert isinstance(x, torch.cuda.FloatTensor) and not isinstance(x, torch.FloatTensor)
    assert isinstance(x.cpu(), torch.FloatTensor) and x.type() == "torch.cuda.FloatTensor"
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    try:
        assert torch.Tensor([1.0]).is_cuda
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
    assert torch.Tensor([1.0]).is_cpu


def test_nothing_of_it_stays():
    before = [torch.FloatTensor, threading.Thread._bootstrap_inner, torch.autograd.Function.__dict__["apply"]]
    variables = dict(os.environ)
    with lockstep.pretend_cuda(as_="sm_80"):
        assert os.environ["LOCKSTEP_AS"] == "sm_80" and os.environ["LOCKSTEP_PRETEND"] == "1"
    assert dict(os.environ) == variables and "__init__" not in vars(torch.Tensor)
    assert before == [torch.FloatTensor, threading.Thread._bootstrap_inner, torch.autograd.Function.__dict__["apply"]]


# ---- processes ----

def test_children_of_a_pretending_session_print_from_kernels(program, tmp_path):
    """As Triton's own test_subprocess.py: a test starts a program and reads what its kernels print."""
    (tmp_path / "test_child.py").write_text(textwrap.dedent(f"""
        import subprocess, sys
        def test_child():
            done = subprocess.run([sys.executable, {str(program)!r}], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert [line for line in done.stdout.splitlines() if line.strip()] == {PRINTED!r}
    """))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "lockstep.pytest_plugin", "--lockstep",
             "--lockstep-as", "sm_80", "test_child.py"]  # fmt: skip
    assert "1 passed" in started_by(words, tmp_path)[-1]


SPAWNS = """
    import multiprocessing, subprocess, sys
    import lockstep, torch

    def ask(queue):
        queue.put((str(torch.ones(1, device="cuda").device), torch.cuda.get_device_capability()))

    if __name__ == "__main__":
        with lockstep.pretend_cuda(as_="sm_80"):
            for kind in ("spawn", "fork", "forkserver"):
                context = multiprocessing.get_context(kind)
                queue = context.Queue()
                process = context.Process(target=ask, args=(queue,))
                process.start()
                print(kind, *queue.get())
                process.join()
            sys.stdout.flush()
            subprocess.run([sys.executable, {program!r}], check=True)
        print(subprocess.run([sys.executable, "-c", "import torch; print(torch.cuda.is_available())"],
                             capture_output=True, text=True).stdout.strip())
"""


def test_children_of_pretend_cuda_pretend_until_it_ends(program, tmp_path):
    path = tmp_path / "spawns.py"
    path.write_text(textwrap.dedent(SPAWNS.format(program=str(program))))
    kinds = [f"{kind} cuda:0 (8, 0)" for kind in ("spawn", "fork", "forkserver")]
    assert started_by([sys.executable, path], tmp_path) == [*kinds, *PRINTED, str(_has_gpu())]


def _has_gpu():
    return torch.cuda.is_available()


# ---- hooks, caches, asm ----

@triton.jit
def count_up(x, N, BLOCK: tl.constexpr, STAGES: tl.constexpr = 1):
    i = tl.arange(0, BLOCK)
    for _ in tl.range(tl.cdiv(N, BLOCK), num_stages=STAGES):
        tl.store(x + i, tl.load(x + i, i < N) + 1, i < N)
        i += BLOCK


def own_benchmark(call, quantiles):
    call()
    return [1.0] * 3


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """Nothing compiled before, no hooks after."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(knobs.runtime, "jit_cache_hook", None)
    return triton.jit(count_up.fn)


@pytest.mark.parametrize("benchmark", [None, own_benchmark])
def test_what_a_gpu_has_no_room_for_is_dropped_and_hooks_hear_of_it(pretence, fresh, benchmark):
    open_calls, heard = [], []

    def after(arguments, exception):
        open_calls.pop()
        heard.append(exception)

    configs = [triton.Config({"BLOCK": 4096, "STAGES": 100}), triton.Config({"BLOCK": 128}, num_warps=64),
               triton.Config({"BLOCK": 128})]  # fmt: skip
    tuned = triton.autotune(configs, key=["N"], do_bench=benchmark, pre_hook=lambda *a, **k: open_calls.append(k),
                            post_hook=after)(fresh)  # fmt: skip
    x = torch.zeros(4096, device="cuda")
    tuned[(1,)](x, 4096)
    assert [type(one) for one in heard] == [OutOfResources, OutOfResources, type(None)]
    assert ("shared memory" in str(heard[0])) and ("threads, Required: 2048" in str(heard[1]))
    assert tuned.best_config is configs[2] and open_calls == [{"reset_only": True}]
    assert (x == (2 if benchmark else 1)).all()


def test_jit_hooks_hear_of_launches_not_of_warm_ups_while_a_tuner_chooses(pretence, fresh, monkeypatch):
    heard = []
    monkeypatch.setattr(knobs.runtime, "jit_cache_hook", lambda **told: heard.append(told))
    seen = []
    configs = [triton.Config({"BLOCK": block}, pre_hook=lambda named: seen.append(named["warmup"])) for block in (64, 128)]
    triton.autotune(configs, key=["N"])(fresh)[(1,)](torch.zeros(256, device="cuda"), 256)
    assert [(told["is_manual_warmup"], told["compile"]["is_warmup"]) for told in heard] == [(False, False)]
    assert seen == [False, False]
    fresh.warmup(torch.float64, 16, BLOCK=32, grid=(1,))
    assert heard[-1]["is_manual_warmup"] is True


def test_kernels_are_found_by_the_devices_number(pretence, fresh, monkeypatch):
    keys = []
    monkeypatch.setattr(knobs.runtime, "jit_cache_hook", lambda **told: keys.append(told["compile"]["key"]))
    fresh[(1,)](torch.zeros(256, device="cuda"), 256, BLOCK=64)
    assert keys[0] in fresh.device_caches[torch.cuda.current_device()][0]
    assert len(fresh.device_caches[0][0]) == 1
    with lockstep.active(as_="sm_80"):
        assert len(fresh.device_caches[0][0]) == 0
    assert all(type(key) is not int for key in fresh.device_caches)


def test_asm_has_the_keys_and_the_ttir_of_a_gpus_kernel(pretence, fresh):
    from lockstep.triton_backend import routing
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    source = ASTSource(fn=fresh, signature={"x": "*fp32", "N": "i32", "BLOCK": "constexpr", "STAGES": "constexpr"},
                       constexprs={(2,): 64, (3,): 1})  # fmt: skip
    ours = triton.compile(source)
    with routing.to_nvidia():
        gpus = triton.compile(source, target=GPUTarget("cuda", 90, 32))
    assert set(ours.asm) == set(ours.asm.keys()) == set(gpus.asm) and len(ours.asm) == len(gpus.asm)
    assert "ptx" in ours.asm and "sass" not in ours.asm and dict(ours.asm)["ptx"] == ours.asm["ptx"]
    assert type(ours.asm["ttir"]) is str and ours.asm["ttir"] == gpus.asm["ttir"]
    assert f'loc("{__file__}":' in ours.asm["ttir"]


def test_tiles_of_loops_count_by_their_stages():
    loop = "scf.for %i = %a to %b step %c { %x = tt.load %p, %m : tensor<128x64x!tt.ptr<f16>> } {tt.num_stages = 5 : i32}"
    assert resources.staged_bytes(loop, 3) == 5 * 128 * 64 * 2
    assert resources.staged_bytes(loop.replace("scf.for", "scf.if"), 3) == 0
    assert resources.staged_bytes("scf.for\n tt.descriptor_load %d[%i] : !tt.x -> tensor<64x32xf8E5M2>", 2) == 2 * 64 * 32
