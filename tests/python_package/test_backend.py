"""Triton's runtime on Lockstep: launches of every form, what programs ask of kernels and of the driver, hooks, errors."""

import json
import linecache
import threading
import traceback
from collections import namedtuple

import backend_kernels as kernels
import lockstep
import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)
from lockstep.triton_backend import profiles, resources
from triton.tools.tensor_descriptor import TensorDescriptor


VERSION = tuple(int(number) for number in triton.__version__.split(".")[:2])


def device_cache(kernel):
    return kernel.device_caches[triton.runtime.driver.active.get_current_device()][0]


def test_a_kernel_runs_without_a_gpu():
    x, y, out = torch.randn(1000), torch.randn(1000), torch.empty(1000)
    kernels.add[(triton.cdiv(1000, 256),)](x, y, out, 1000, BLOCK=256)
    assert torch.equal(out, x + y)
    assert lockstep.is_active()


# --- what a program asks of the target ------------------------------------------------------------------------------


def test_the_target_is_a_gpu_to_programs_and_ours_to_triton():
    target = triton.runtime.driver.active.get_current_target()
    assert (target.backend, target.arch, target.warp_size) == ("cuda", 90, 32)
    assert repr(target) == "GPUTarget(backend='cuda', arch=90, warp_size=32)"
    if VERSION >= (3, 5):  # Triton 3.4 has no target_info
        assert triton.language.target_info.current_target() is target
    backend = triton.compiler.make_backend(target)
    assert type(backend).__module__ == "lockstep.triton_backend.compiler"
    assert isinstance(backend, triton.backends.nvidia.compiler.CUDABackend)


def test_the_driver_answers_as_the_modelled_gpu():
    driver = triton.runtime.driver.active
    properties = driver.utils.get_device_properties(driver.get_current_device())
    assert properties["max_shared_mem"] == 232448
    assert properties["multiprocessor_count"] == 132
    assert properties["max_num_regs"] == 65536
    assert properties["warpSize"] == 32
    assert driver.get_current_device() == 0
    assert driver.get_current_stream(0) == 0
    assert driver.get_device_capability() == (9, 0)
    assert driver.get_active_torch_device() == torch.device("cpu")
    with pytest.raises(ValueError, match="no device 1"):
        driver.set_current_device(1)
    with pytest.raises(AttributeError, match="belongs to CUDA"):
        driver.utils.fill_tma_descriptor_of_another_kind  # noqa: B018


@pytest.mark.parametrize("target", ["sm_80", "sm_89", "sm_100"])
def test_another_profile_is_another_gpu(target):
    with lockstep.active(as_=target):
        active = triton.runtime.driver.active.get_current_target()
        facts = profiles.facts_of(target)
        assert active.arch == facts.capability
        properties = triton.runtime.driver.active.utils.get_device_properties(0)
        assert properties["max_shared_mem"] == facts.shared_memory_per_block
        if VERSION >= (3, 5):  # Triton 3.4 has no target_info
            out = torch.full((1,), -1, dtype=torch.int32)
            kernels.asks_target[(1,)](out)
            assert out.item() == (1 if facts.capability >= 90 else 0)
    assert triton.runtime.driver.active.get_current_target().arch == 90


def test_profiles_do_not_share_compiled_kernels():
    out = torch.zeros(1, dtype=torch.int32)
    here = kernels.unspecialised[(1,)](out, 5)
    with lockstep.active(as_="sm_80"):
        there = kernels.unspecialised[(1,)](out, 5)
        assert kernels.unspecialised[(1,)](out, 5) is there
    assert kernels.unspecialised[(1,)](out, 5) is here
    assert (here.metadata.target.arch, there.metadata.target.arch) == (90, 80)
    assert here is not there


def test_nested_activation_restores_in_reverse():
    driver = triton.runtime.driver

    def arch():
        return driver.active.get_current_target().arch

    context = lockstep.active(as_="sm_80")
    with context:
        assert arch() == 80
        with lockstep.active(as_="sm_89"), context:
            assert arch() == 80
        with lockstep.active():
            assert arch() == 80
        assert arch() == 80
    assert arch() == 90
    with pytest.raises(ValueError, match="sm_31"):
        lockstep.active(as_="sm_31")


# --- kernels as objects ---------------------------------------------------------------------------------------------


def test_a_kernel_knows_what_the_gpus_compiler_would_say():
    x, out = torch.randn(4, 100), torch.empty(4, 100)
    kernel = kernels.row_softmax.warmup(out, x, 100, BLOCK=128, num_warps=8, grid=(1,))
    kernel._init_handles()
    facts = triton.runtime.driver.active.utils.get_device_properties(0)
    occupancy = facts["max_num_regs"] // (kernel.n_regs * facts["warpSize"] * 8)
    occupancy = min(occupancy, facts["max_shared_mem"] // kernel.metadata.shared)
    assert 1 <= occupancy <= 64
    assert kernel.n_spills == 0
    assert kernel.metadata.num_warps == 8
    assert kernel.metadata.target.backend == "cuda"
    assert "tt.reduce" in kernel.asm["ttir"]
    assert ".visible .entry row_softmax" in kernel.asm["ptx"]
    assert "ttg.num-warps" in kernel.asm["ttgir"]
    assert kernel.asm["cubin"][:4] == b"\x7fELF"
    assert "Function:row_softmax" in kernel.asm["sass"]
    with pytest.raises(KeyError, match="hsaco"):
        kernel.asm["hsaco"]
    kernel[(4, 1, 1)](out, x, 100, 128)
    torch.testing.assert_close(out, torch.softmax(x, 1))


def test_warmup_takes_dtypes_and_launches_nothing():
    counter = torch.zeros(1, dtype=torch.int32)
    kernel = kernels.count.warmup(torch.int32, grid=(1,))
    assert kernels.count.warmup(counter, grid=(1,)) is kernel
    assert counter.item() == 0
    kernel[(3, 1, 1)](counter)
    assert counter.item() == 3


def test_registers_do_not_depend_on_assertions_being_checked():
    x = torch.zeros(1, dtype=torch.int32)
    kernel = kernels.asserts_small.warmup(x, 5, grid=(1,))
    assert "tt.assert" in kernel.asm["ttir"]
    assert "assertfail" not in kernel.asm["ptx"]
    assert kernel.metadata.debug is False
    checked = kernels.asserts_small.warmup(x, 5, grid=(1,), debug=True)
    assert "assertfail" in checked.asm["ptx"]


def test_a_libdevice_of_an_environment_that_has_gone_is_not_looked_for():
    kernel = kernels.row_softmax.warmup(torch.empty(4, 100), torch.randn(4, 100), 100, BLOCK=128, grid=(1,))
    kernel._init_handles()
    moved = kernel.metadata._replace(extern_libs=[["libdevice", "/gone/libdevice.10.bc"]])
    assert resources.Resources(kernel.src, moved, kernel.kernel).registers == kernel.n_regs


def test_a_file_of_ttir_and_an_ast_source_compile_and_launch(tmp_path):
    x, y, out = torch.randn(64), torch.randn(64), torch.zeros(64)
    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    source = triton.compiler.ASTSource(kernels.add, signature, {"BLOCK": 64})
    compiled = triton.compile(source)
    compiled[(1, 1, 1)](x, y, out, 64, 64)
    assert torch.equal(out, x + y)
    path = tmp_path / "sum.ttir"
    path.write_text(compiled.asm["ttir"])
    from_file = triton.compile(str(path))
    from_file[(1, 1, 1)](x, x, out, 64)
    assert torch.equal(out, x + x)
    assert from_file.n_regs > 0


def test_the_drivers_parts_work_on_their_own():
    x = torch.ones(8)
    kernel = kernels.scale.warmup(x, 2.0, 8, BLOCK=8, grid=(1,))
    driver = triton.runtime.driver.active
    launcher = driver.launcher_cls(kernel.src, kernel.metadata)
    module, function, registers, spills, threads = driver.utils.load_binary(kernel.name, kernel.kernel, 0, 0)
    launcher(1, 1, 1, 0, function, kernel.packed_metadata, None, None, None, x, 3.0, 8, 8)
    assert x.tolist() == [3.0] * 8
    assert registers > 0
    assert (spills, threads) == (0, 1024)
    driver.utils.unload_module(module)


# --- arguments and grids --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", [(6,), (6, 1), (3, 2), (1, 2, 3), [6], lambda meta: (6,)])
def test_grids_of_every_form(grid):
    out = torch.zeros(1, dtype=torch.int32)
    kernels.count[grid](out)
    assert out.item() == 6


@pytest.mark.parametrize("grid", [(0,), (0, 5), (3, 0, 2)])
def test_an_empty_grid_runs_nothing(grid):
    out = torch.zeros(1, dtype=torch.int32)
    kernels.count[grid](out)
    assert out.item() == 0


def test_program_ids_reach_three_dimensions():
    out = torch.zeros(1, dtype=torch.int32)
    kernels.programs[(2, 2, 2)](out)
    assert out.item() == sum(x + 10 * y + 100 * z + 1 for x in (0, 1) for y in (0, 1) for z in (0, 1))


def test_a_function_that_is_not_inlined():
    x = torch.tensor([7.0])
    kernel = kernels.calls[(1,)](x)
    assert x.item() == 21.0
    assert "noinline" in kernel.asm["ttir"] or "tt.call" in kernel.asm["ttir"]


def test_tuples_and_named_tuples():
    out, p = torch.zeros(1), torch.tensor([0.5])
    kernels.takes_tuple[(1,)](out, (1.5, 2), (p,))
    assert out.item() == 4.0
    pair = namedtuple("pair", ["first", "second"])
    kernels.takes_tuple[(1,)](out, pair(10.0, 1), (p,))
    assert out.item() == 11.5


def test_none_strings_types_and_functions_as_arguments():
    out = torch.zeros(1)
    kernels.takes_optional[(1,)](out, None, "plain", tl.float32, kernels.tripled)
    assert out.item() == 2.0
    kernels.takes_optional[(1,)](out, torch.tensor([5.0]), "tripled", tl.float32, kernels.tripled)
    assert out.item() == 21.0


def test_unspecialised_arguments_share_one_kernel():
    out = torch.zeros(1, dtype=torch.int32)
    found = {id(kernels.unspecialised[(1,)](out, n)) for n in (1, 16, 17)}
    assert len(found) == 1
    assert out.item() == 17


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_descriptors_from_the_host(arch):
    x, out = torch.randn(32, 16), torch.zeros(16, 16)
    source = TensorDescriptor(x, [32, 16], [16, 1], [16, 16])
    target = TensorDescriptor(out, [16, 16], [16, 1], [16, 16])
    with lockstep.active(as_=arch):
        kernels.copy_described[(1,)](source, target, 16, 16)
        assert torch.equal(out, x[16:] + 1)
        kernels.takes_descriptor_in_tuple[(1,)]((source, 3.0), out, 16)
        assert torch.equal(out, x[:16] + 3)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_descriptors_made_in_the_kernel(arch):
    x, out = torch.randn(16, 16), torch.zeros(16, 16)
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8))
    with lockstep.active(as_=arch):
        kernels.copy_made[(1,)](x, out, 16, 16, 16, 16)
    assert torch.equal(out, x * 2)


def test_options_of_a_launch():
    x = torch.ones(8)
    for options in ({"num_warps": 1}, {"num_stages": 5}, {"num_ctas": 2}, {"maxnreg": 64}, {"enable_fp_fusion": False}):
        kernel = kernels.scale[(1,)](x, 2.0, 8, BLOCK=8, **options)
        assert all(getattr(kernel.metadata, name) == value for name, value in options.items())
    assert x.tolist() == [32.0] * 8
    with pytest.raises(KeyError, match="num_wraps"):
        kernels.scale[(1,)](x, 2.0, 8, BLOCK=8, num_wraps=4)
    with pytest.raises(AssertionError, match="power of 2"):
        kernels.scale[(1,)](x, 2.0, 8, BLOCK=8, num_warps=3)
    if VERSION >= (3, 5):  # Triton 3.4 takes it
        with lockstep.active(as_="sm_80"), pytest.raises(ValueError, match="num_ctas > 1 requires NVIDIA SM90"):
            kernels.scale[(1,)](x, 2.0, 8, BLOCK=8, num_ctas=2)


def test_several_threads_launch_the_same_new_kernel():
    @triton.jit
    def fresh(x, n, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        tl.store(x + i, tl.load(x + i) + n)

    tensors = [torch.zeros(16) for _ in range(6)]
    failures = []

    def work(tensor, n):
        try:
            for _ in range(5):
                fresh[(1,)](tensor, n, BLOCK=16)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(tensor, 2 + n % 2)) for n, tensor in enumerate(tensors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [tensor[0].item() for tensor in tensors] == [10, 15, 10, 15, 10, 15]


# --- errors ---------------------------------------------------------------------------------------------------------


def test_device_assert_is_always_checked():
    x = torch.tensor([9], dtype=torch.int32)
    with pytest.warns(lockstep.FindingWarning, match="too large"):
        kernels.asserts_small[(1,)](x, 5)
    assert x.item() == 10
    with pytest.raises(lockstep.DeviceAssertionError, match="too large") as caught:
        kernels.asserts_small[(1,)](x, 5, debug=True)
    assert caught.value.file == kernels.__file__
    x[0] = 3
    kernels.asserts_small[(1,)](x, 5, debug=True)
    assert x.item() == 4


def test_integer_overflow_is_checked_with_debug_only():
    x = torch.tensor([2**31 - 1], dtype=torch.int32)
    kernels.overflows[(1,)](x, 16)
    assert x.item() == -(2**31) + 15
    x[0] = 2**31 - 1
    with pytest.raises(lockstep.DeviceAssertionError, match="overflow"):
        kernels.overflows[(1,)](x, 16, debug=True)


def test_errors_of_the_language_are_tritons():
    with pytest.raises(triton.CompilationError, match="incompatible dimensions|Cannot make_shape_compatible"):
        kernels.wrong_shapes[(1,)](torch.zeros(16, dtype=torch.int32))


def test_what_we_do_not_support_is_said_at_its_python_line():
    x = torch.zeros(1, dtype=torch.int32)
    for _ in range(2):
        with pytest.raises(lockstep.UnsupportedError, match="kernel fenced cannot be run") as caught:
            kernels.fenced[(1,)](x)
        error = caught.value
        assert error.file == kernels.__file__
        assert "inline_asm_elementwise(" in linecache.getline(error.file, error.line)
        assert "wgmma.fence" in str(error)
        assert traceback.extract_tb(error.__traceback__)[-1].lineno == error.line
    assert kernels.fenced.warmup(x, grid=(1,)).name == "fenced"


def test_a_gpus_kernel_is_not_launched_here():
    from lockstep.triton_backend import routing
    from triton.backends.compiler import GPUTarget

    signature = {"counter": "*i32"}
    with routing.to_nvidia():
        kernel = triton.compile(triton.compiler.ASTSource(kernels.count, signature), target=GPUTarget("cuda", 90, 32))
    with pytest.raises(lockstep.LaunchError, match="compiled for a GPU"):
        kernel[(1, 1, 1)](torch.zeros(1, dtype=torch.int32))


def test_a_target_that_a_program_made_itself_is_ours_while_we_are_active():
    from triton.backends.compiler import GPUTarget

    signature = {"counter": "*i32"}
    kernel = triton.compile(triton.compiler.ASTSource(kernels.count, signature), target=GPUTarget("cuda", 90, 32))
    counter = torch.zeros(1, dtype=torch.int32)
    kernel[(2, 1, 1)](counter)
    assert counter.item() == 2


# --- hooks ----------------------------------------------------------------------------------------------------------


def test_hooks_see_launches_loads_and_compilations(monkeypatch):
    seen = []

    def metadata(grid, kernel, arguments):
        return {"name": "renamed", "flops": arguments["n"], "grid": grid}

    @triton.jit(launch_metadata=metadata)
    def hooked(x, n):
        tl.store(x, n)

    knobs = triton.knobs.runtime
    monkeypatch.setattr(knobs, "jit_cache_hook", lambda **event: seen.append("compiling"))
    monkeypatch.setattr(knobs, "jit_post_compile_hook", lambda **event: seen.append("compiled"))
    has_load_hooks = VERSION >= (3, 5)
    if has_load_hooks:
        monkeypatch.setattr(knobs, "kernel_load_start_hook", lambda *_: seen.append("loading"))
        monkeypatch.setattr(knobs, "kernel_load_end_hook", lambda module, *_: seen.append(module is not None and "loaded"))
    monkeypatch.setattr(knobs, "launch_enter_hook", lambda lazy: seen.append(lazy.get()))
    monkeypatch.setattr(knobs, "launch_exit_hook", lambda lazy: seen.append("left"))
    hooked.add_pre_run_hook(lambda *args, **_: seen.append("before"))
    out = torch.zeros(1, dtype=torch.int32)
    hooked[(2,)](out, 7)
    *first, told, last = seen
    assert first == ["before", "compiling", "compiled", *(["loading", "loaded"] if has_load_hooks else [])]
    assert (told["name"], told["flops"], told["grid"]) == ("renamed", 7, (2,))
    assert last == "left"


def test_a_cache_hook_can_refuse_and_preload_compiles(monkeypatch):
    saved = []
    monkeypatch.setattr(triton.knobs.runtime, "jit_cache_hook", lambda **event: saved.append(event) or True)
    x = torch.zeros(8)

    @triton.jit
    def stored(x, n: tl.constexpr):
        tl.store(x, n)

    assert stored[(1,)](x, 3) is None
    assert x[0].item() == 0
    monkeypatch.setattr(triton.knobs.runtime, "jit_cache_hook", None)
    data = saved[0]["compile"]["specialization_data"]
    assert json.loads(data)["options"]["debug"] is False
    kernel = stored.preload(data)
    assert stored[(1,)](x, 3) is kernel
    assert x[0].item() == 3


def test_asynchronous_compilation():
    from concurrent.futures import ThreadPoolExecutor

    mode = pytest.importorskip("triton.runtime._async_compile").AsyncCompileMode

    @triton.jit
    def later(x, n: tl.constexpr):
        tl.store(x, n)

    x = torch.zeros(1)
    with ThreadPoolExecutor(2) as executor, mode(executor):
        for n in range(3):
            later.warmup(x, n, grid=(1,))
    for n in range(3):
        later[(1,)](x, n)
        assert x.item() == n


def test_heuristics():
    @triton.heuristics({"EVEN": lambda given: given["n"] % 2 == 0})
    @triton.jit
    def parity(x, n, EVEN: tl.constexpr):
        tl.store(x, 1.0 if EVEN else 2.0)

    x = torch.zeros(1)
    parity[(1,)](x, 4)
    assert x.item() == 1.0
    parity[(1,)](x, 5)
    assert x.item() == 2.0


def test_a_changed_global_is_noticed_by_triton(monkeypatch):
    x = torch.zeros(1)
    kernels.uses_global[(1,)](x)
    assert x.item() == 3.0
    monkeypatch.setattr(kernels, "WIDTH", tl.constexpr(4))
    with pytest.raises(RuntimeError, match="WIDTH has changed"):
        kernels.uses_global[(1,)](x)


# --- benchmarks -----------------------------------------------------------------------------------------------------


def test_do_bench_measures_and_repeats_little():
    x, calls = torch.ones(8), []

    def work():
        calls.append(1)
        kernels.scale[(1,)](x, 1.0, 8, BLOCK=8)

    low, middle, high = triton.testing.do_bench(work, warmup=1, rep=2, quantiles=[0.2, 0.5, 0.8])
    assert 0 < low <= middle <= high
    assert triton.testing.do_bench(work, warmup=1, rep=1, return_mode="min") > 0
    assert len(calls) < 5000


def test_perf_report(tmp_path):
    benchmark = triton.testing.Benchmark(
        x_names=["n"], x_vals=[8, 16], line_arg="provider", line_vals=["lockstep"], line_names=["Lockstep"],
        plot_name="scaling", args={},
    )  # fmt: skip

    @triton.testing.perf_report(benchmark)
    def measured(n, provider):
        x = torch.ones(n)
        return triton.testing.do_bench(lambda: kernels.scale[(1,)](x, 1.0, n, BLOCK=16), warmup=1, rep=1)

    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    measured.run(save_path=str(tmp_path), print_data=False, show_plots=False)


def test_events_and_streams_of_the_device_interface():
    interface = triton.runtime.driver.active.get_device_interface()
    start, end = interface.Event(enable_timing=True), interface.Event(enable_timing=True)
    with pytest.raises(RuntimeError, match="recorded"):
        start.elapsed_time(end)
    with interface.stream(interface.Stream()):
        start.record()
        end.record(interface.current_stream())
    interface.synchronize()
    assert end.query()
    assert 0 < start.elapsed_time(end) < 1000
    assert interface.get_device_capability() == (9, 0)


# --- arrays that are no tensors -------------------------------------------------------------------------------------


class OnlyDlpack:
    """An array that only says DLPack."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, **options):
        return self.tensor.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


def test_numpy_and_dlpack_arguments():
    x, y = np.arange(10, dtype=np.float32), torch.arange(10, dtype=torch.float32)
    out = torch.zeros(10)
    kernels.add[(1,)](x, y, OnlyDlpack(out), 10, BLOCK=16)
    assert out.tolist() == [2.0 * i for i in range(10)]
    kernels.add[(1,)](x[2:], y, x, 8, BLOCK=16)
    assert x.tolist() == [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 8.0, 9.0]
    kernels.takes_tuple[(1,)](out, (1.5, 2), (x,))
    assert out[0].item() == 5.5
    halves = np.ones(4, dtype=np.float16)
    kernel = kernels.scale[(1,)](halves, 3.0, 4, BLOCK=4)
    assert kernel.src.signature["x"] == "*fp16"
    assert halves.tolist() == [3.0] * 4


def test_what_nobody_knows_is_tritons_type_error():
    with pytest.raises(TypeError, match="failed to specialize" if VERSION >= (3, 6) else "Unsupported type"):
        kernels.scale[(1,)](torch.ones(8), np.float32(3), 8, BLOCK=8)
    with pytest.raises(TypeError, match="failed to specialize" if VERSION >= (3, 6) else "Unsupported type"):
        kernels.scale[(1,)](object(), 3.0, 8, BLOCK=8)
    with pytest.raises(TypeError, match="missing"):
        kernels.scale[(1,)](torch.ones(8), BLOCK=8)
