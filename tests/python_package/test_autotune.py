"""@triton.autotune on Lockstep: what is compiled, what runs, what is chosen, and that hooks run as Triton runs them."""

import lockstep
import pytest
import torch
import triton
import triton.language as tl
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)

CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((16, 1), (32, 2), (64, 4))]


def tuned(**options):
    """A fresh autotuned kernel: adds 1 to each of n elements, and counts the programs in `runs`."""
    options.setdefault("configs", CONFIGS)

    @triton.autotune(key=["n"], **options)
    @triton.jit
    def increment(x, runs, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.static_assert(BLOCK != 8, "eight is refused")
        tl.store(x + i, tl.load(x + i, i < n) + 1, i < n)
        tl.atomic_add(runs, 1, tl.program_id(0) == 0)

    return increment


def launch(kernel, n=100, **options):
    """(value that each element was increased by, times the kernel ran)."""
    x, runs = torch.zeros(n), torch.zeros(1, dtype=torch.int32)
    kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, runs, n, **options)
    assert torch.all(x == x[0])
    return x[0].item(), runs.item()


def compiled(kernel):
    while not isinstance(kernel, triton.JITFunction):
        kernel = kernel.fn
    return len(kernel.device_caches[triton.runtime.driver.active.get_current_device()][0])


def test_the_first_configuration_is_taken_and_nothing_else_compiled():
    kernel = tuned()
    assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[0]
    assert compiled(kernel) == 1
    assert launch(kernel) == (1.0, 1)
    assert launch(kernel, n=200) == (1.0, 1)
    assert compiled(kernel) == 1
    assert kernel.bench_time >= 0


def test_a_configuration_that_triton_refuses_is_passed_over():
    kernel = tuned(configs=[triton.Config({"BLOCK": 8}), *CONFIGS[1:]])
    assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[1]
    assert [timing[0] == float("inf") for timing in kernel.configs_timings.values()] == [True, False, True]


def test_all_runs_every_configuration_once_and_takes_the_first():
    kernel = tuned()
    with lockstep.options(autotune="all"):
        assert launch(kernel) == (4.0, 4)
        assert kernel.best_config is CONFIGS[0]
        assert all(0 < timing[0] < float("inf") for timing in kernel.configs_timings.values())
    assert compiled(kernel) == 3


@pytest.mark.parametrize("keeps", [False, True])
def test_all_runs_what_an_earlier_run_chose_on_disk(keeps, tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    assert launch(tuned(cache_results=keeps)) == (1.0, 1)
    with lockstep.options(autotune="all"):
        assert launch(tuned(cache_results=keeps)) == (4.0, 4)
    assert launch(tuned(cache_results=keeps)) == (1.0, 1)


SLOW_AND_FAST = [triton.Config({"TIMES": 4000}), triton.Config({"TIMES": 1}), triton.Config({"TIMES": 1}, num_warps=8)]


def repeated(**options):
    """A kernel that does the same sum `TIMES` times."""

    @triton.autotune(configs=SLOW_AND_FAST, key=[], **options)
    @triton.jit
    def add(x, out, runs, TIMES: tl.constexpr):
        total = tl.zeros([256], tl.float32)
        for i in range(TIMES):
            total += tl.load(x + tl.arange(0, 256)) * (i + 1)
        tl.store(out + tl.arange(0, 256), total)
        tl.atomic_add(runs, 1)

    return add


def test_fastest_takes_the_one_with_the_shortest_run(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    x, out, runs = torch.ones(256), torch.zeros(256), torch.zeros(1, dtype=torch.int32)
    kernel = repeated(cache_results=True)
    with lockstep.options(autotune="fastest"):
        kernel[(1,)](x, out, runs)
        assert kernel.best_config is SLOW_AND_FAST[1]
        times = [timing[0] for timing in kernel.configs_timings.values()]
        assert 0 < times[1] < times[0] < float("inf")
        assert times[2] == float("inf")  # num_warps alone makes no other kernel here
        before = runs.item()
        assert 5 <= before <= 13  # each of two runs once, then up to five times; then the launch itself
        kernel[(1,)](x, out, runs)
        assert runs.item() == before + 1
    kernel[(1,)](x, out, runs)
    assert kernel.best_config is SLOW_AND_FAST[0]
    again = repeated(cache_results=True)
    again[(1,)](x, out, runs)
    assert str(again.best_config) == str(SLOW_AND_FAST[0])  # nothing of the fastest was kept


def test_fastest_passes_over_what_triton_refuses():
    with lockstep.options(autotune="fastest"):
        kernel = tuned(configs=[triton.Config({"BLOCK": 8}), *CONFIGS[1:]])
        launch(kernel)
    assert kernel.best_config in CONFIGS[1:]


def test_all_finds_a_fault_in_a_later_configuration():
    @triton.autotune(configs=[triton.Config({"STEP": 1}), triton.Config({"STEP": 1000})], key=[])
    @triton.jit
    def strided(x, STEP: tl.constexpr):
        tl.store(x + tl.arange(0, 4) * STEP, 1.0)

    strided[(1,)](torch.zeros(4))
    with lockstep.options(autotune="all"), pytest.raises(lockstep.OutOfBoundsError):
        strided[(1,)](torch.zeros(4))


def test_pruning():
    kernel = tuned(prune_configs_by={"early_config_prune": lambda configs, arguments, **_: configs[1:]})
    assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[1]

    def cost(n, BLOCK, **_):
        return -BLOCK

    kernel = tuned(prune_configs_by={"perf_model": cost, "top_k": 2})
    assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[2]


def test_reset_and_restore_hold():
    kernel = tuned(reset_to_zero=["x"])
    with lockstep.options(autotune="all"):
        x, runs = torch.full((4,), 5.0), torch.zeros(1, dtype=torch.int32)
        kernel[(1,)](x, runs, 4)
        assert (x.tolist(), runs.item()) == ([1.0] * 4, 4)
    kernel = tuned(restore_value=["x", "runs"])
    for mode in ("first", "all"):
        with lockstep.options(autotune=mode):
            x, runs = torch.full((4,), 5.0), torch.zeros(1, dtype=torch.int32)
            kernel[(1,)](x, runs, 4)
            assert (x.tolist(), runs.item()) == ([6.0] * 4, 1)


@pytest.mark.parametrize(("mode", "times"), [("first", 1), ("all", 3)])
def test_hooks_run_around_each_try(mode, times):
    events = []

    def before(arguments, reset_only=False):
        events.append("reset" if reset_only else f"before {arguments['BLOCK']}")

    def after(arguments, exception):
        events.append(f"after {arguments['BLOCK']} {exception}")

    configs = [triton.Config(config.kwargs, pre_hook=lambda given: events.append(f"config {given['BLOCK']}"))
               for config in CONFIGS]  # fmt: skip
    kernel = tuned(configs=configs, pre_hook=before, post_hook=after)
    with lockstep.options(autotune=mode):
        launch(kernel)
    tries = [text for block in (16, 32, 64) for text in (f"config {block}", f"before {block}", f"after {block} None")]
    assert events == [*tries[: 3 * times], "reset", "config 16"]


def test_a_programs_own_benchmark_is_called():
    calls = []

    def measure(run, quantiles):
        run()
        calls.append(quantiles)
        return [3.0 - len(calls)] * 3

    kernel = tuned(do_bench=measure)
    assert launch(kernel) == (2.0, 2)
    assert len(calls) == 1
    assert kernel.best_config is CONFIGS[0]
    calls.clear()
    kernel = tuned(do_bench=measure)
    with lockstep.options(autotune="all"):
        assert launch(kernel) == (4.0, 4)
        assert kernel.best_config is CONFIGS[2]


@pytest.mark.filterwarnings("ignore:warmup, rep, and use_cuda_graph")
def test_the_deprecated_benchmark_options_run_nothing_more():
    for options in ({"warmup": 5, "rep": 10}, {"use_cuda_graph": True}):
        assert launch(tuned(**options)) == (1.0, 1)


def test_choices_of_profiles_and_modes_stay_apart():
    kernel = tuned()
    launch(kernel)
    kernel.cache[(100, "torch.float32", "torch.int32")] = CONFIGS[2]
    launch(kernel)
    assert kernel.best_config is CONFIGS[2]
    with lockstep.active(as_="sm_80"):
        launch(kernel)
        assert kernel.best_config is CONFIGS[0]
    launch(kernel)
    assert kernel.best_config is CONFIGS[2]


def test_cached_results(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    kernel = tuned(cache_results=True)
    assert launch(kernel) == (1.0, 1)
    again = tuned(cache_results=True)
    assert launch(again) == (1.0, 1)
    assert str(again.best_config) == str(CONFIGS[0])
    assert len(list(tmp_path.rglob("*.autotune.json"))) == 1


def test_warmup_compiles_every_configuration():
    kernel = tuned()
    assert len(kernel.warmup(torch.float32, torch.int32, 5, grid=(1,))) == 3
    assert compiled(kernel) == 3


def test_an_option_given_twice_is_tritons_error():
    with pytest.raises(ValueError, match="Conflicting meta-parameters: BLOCK"):
        launch(tuned(), BLOCK=16)


def test_autotune_over_heuristics():
    @triton.autotune(configs=CONFIGS, key=[])
    @triton.heuristics({"TWICE": lambda given: 2 * given["BLOCK"]})
    @triton.jit
    def kernel(x, BLOCK: tl.constexpr, TWICE: tl.constexpr):
        tl.store(x, TWICE)

    x = torch.zeros(1)
    kernel[(1,)](x)
    assert x.item() == 32.0


def test_a_subclass_with_a_cache_of_its_own_keeps_it():
    class Choices(dict):
        """Stands for a table on disk."""

    class Tuner(type(tuned())):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.cache = Choices()

    inner = tuned().fn
    kernel = Tuner(inner, inner.arg_names, CONFIGS, ["n"], None, None)
    assert launch(kernel) == (1.0, 1)
    assert type(kernel.cache) is Choices
    assert list(kernel.cache.values()) == [CONFIGS[0]]
