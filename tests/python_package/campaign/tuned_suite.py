"""A suite whose kernels are tuned: one list of three, one of one, and a package's tuner that keeps what it compiled."""

import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": block}) for block in (16, 32, 64)]


@triton.autotune(configs=CONFIGS, key=[])
@triton.jit
def fill(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), BLOCK)


@triton.autotune(configs=CONFIGS[:1], key=[])
@triton.jit
def fill_one_way(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1)


@triton.jit
def fill_untuned(x):
    tl.store(x + tl.arange(0, 16), 1)


def test_both():
    x = torch.zeros(40, device="cuda")
    fill_one_way[(1,)](x)
    fill[(1,)](x)  # 64 do not fit


def test_short_list():
    fill_one_way[(1,)](torch.zeros(16, device="cuda"))


def test_untuned():
    fill_untuned[(1,)](torch.zeros(16, device="cuda"))


kept = {}


def test_what_a_package_keeps():
    x = torch.zeros(64, device="cuda")
    if "fill" in kept:
        kept["fill"][(1, 1, 1)](x, kept["block"])
    else:
        kept["fill"] = fill[(1,)](x)
        kept["block"] = fill.best_config.kwargs["BLOCK"]
    assert x.max() == x.count_nonzero()
    print("taken", int(x.max()))


def called(x):
    test_both()
