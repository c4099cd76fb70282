"""The option config: which configuration of @triton.autotune a launch takes, and what is told where there is none."""

import os
import subprocess
import sys

import lockstep
import pytest
import torch
import triton
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)
from lockstep import configuration
from test_autotune import CONFIGS, compiled, launch, tuned


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_named_configuration_is_taken_and_nothing_else_compiled(number):
    kernel = tuned()
    with lockstep.options(config=number):
        assert launch(kernel) == (1.0, 1)
        assert kernel.best_config is CONFIGS[number]
        assert compiled(kernel) == 1
    assert kernel.configs is CONFIGS
    assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[0]  # the choice is not kept for launches without the option


def test_it_goes_before_autotune_all():
    kernel = tuned()
    with lockstep.options(config=1, autotune="all"):
        assert launch(kernel) == (1.0, 1)


def test_hooks_of_the_configuration_run():
    seen = []
    configs = [triton.Config({"BLOCK": block}, pre_hook=lambda given: seen.append(given["BLOCK"])) for block in (16, 32)]
    with lockstep.options(config=1):
        assert launch(tuned(configs=configs)) == (1.0, 1)
    assert seen == [32]


def test_a_number_beyond_the_list_is_an_error_of_the_launch():
    kernel = tuned()
    with lockstep.options(config=3), pytest.raises(lockstep.LaunchError, match="increment has no configuration 3: there are 3, counted from 0"):
        launch(kernel)
    with lockstep.options(config=1), pytest.raises(lockstep.LaunchError, match="increment has no configuration 1: there is 1"):
        launch(tuned(configs=CONFIGS[:1]))
    assert launch(kernel) == (1.0, 1)


def test_a_configuration_that_pruning_takes_out_is_an_error():
    kernel = tuned(prune_configs_by={"early_config_prune": lambda configs, arguments, **_: configs[1:]})
    with lockstep.options(config=0), pytest.raises(lockstep.LaunchError, match="increment takes its configuration 0 out for this launch"):
        launch(kernel)
    with lockstep.options(config=2):
        assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[2]


def test_a_model_of_times_takes_nothing_out():
    kernel = tuned(prune_configs_by={"perf_model": lambda BLOCK, **_: BLOCK, "top_k": 1})
    with lockstep.options(config=2):
        assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[2]


def test_a_configuration_that_triton_drops_is_an_error():
    kernel = tuned(configs=[triton.Config({"BLOCK": 8}), *CONFIGS[1:]])
    with lockstep.options(config=0):
        with pytest.raises(lockstep.LaunchError, match="increment cannot take the configuration BLOCK: 8.*eight is refused"):
            launch(kernel)
        with configuration.where_there_is_one() as taken:
            assert launch(kernel) == (1.0, 1)
        assert kernel.best_config is CONFIGS[1] and taken.launches == 0


def test_a_packages_own_tuner_follows():
    class Tuner(triton.runtime.Autotuner):
        def run(self, *args, **kwargs):
            self.nargs = dict(zip(self.arg_names, args, strict=False))
            self.best_config = self.configs[0] if len(self.configs) == 1 else max(self.prune_configs(kwargs), key=lambda one: one.num_warps)
            return self.fn.run(*args, **kwargs, **self.best_config.all_kwargs())

    inner = tuned().fn
    kernel = Tuner(inner, inner.arg_names, CONFIGS, [], None, None)
    with lockstep.options(config=1):
        assert launch(kernel) == (1.0, 1)
        assert kernel.best_config is CONFIGS[1]
    assert launch(kernel) == (1.0, 1)
    assert kernel.best_config is CONFIGS[2]


def test_where_there_is_one():
    short, long = tuned(configs=CONFIGS[:1]), tuned()
    with lockstep.options(config=1), configuration.where_there_is_one() as taken:
        launch(short)
        assert taken == configuration.Taken(0, {"increment": "has no configuration 1: there is 1, counted from 0"})
        assert taken.why_not() == "increment has no configuration 1: there is 1, counted from 0"
        launch(long)
    assert taken.launches == 1 and taken.why_not() == "" and short.best_config is CONFIGS[0] and long.best_config is CONFIGS[1]


PROGRAM = """
import torch, triton, triton.language as tl

@triton.autotune(configs=[triton.Config({"BLOCK": block}) for block in (16, 32, 64)], key=[])
@triton.jit
def fill(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), BLOCK)

x = torch.zeros(64)
for _ in range(2):
    fill[(1,)](x)
    print(int(x[0]))
"""


def test_a_process_whose_first_launch_is_tuned(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False,
                          env={**os.environ, "LOCKSTEP_CONFIG": "2"})  # fmt: skip
    assert done.stdout.split() == ["64", "64"], done.stderr
    done = subprocess.run([sys.executable, "-m", "lockstep", "--config", "3", str(file)], capture_output=True, text=True, check=False)
    assert "fill has no configuration 3: there are 3" in done.stderr


def test_without_triton(tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(PROGRAM.partition("x = ")[0])
    kernel = lockstep.kernel(str(file), "fill")
    x = torch.zeros(64)
    with lockstep.options(config=2):
        kernel[(1,)](x)
        assert x[0] == 64
        kernel[(1,)](x, config=1)
        assert x[0] == 32
    with lockstep.options(config=3), pytest.raises(lockstep.CompileError, match="fill has no configuration 3: there are 3"):
        kernel[(1,)](x)
