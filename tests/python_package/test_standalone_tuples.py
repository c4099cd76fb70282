"""lockstep.kernel(FILE, NAME) with tuples as arguments, and with @triton.autotune and @triton.heuristics."""

import collections
import pathlib

import lockstep
import numpy as np
import pytest

FILE = pathlib.Path(__file__).parent / "kernels" / "tuples.py"
Vector = collections.namedtuple("Vector", ["data", "size"])


def test_tuples_are_passed_element_by_element():
    x, y, out = np.arange(32, dtype=np.float32), np.ones(32, np.float32), np.zeros(32, np.float32)
    lockstep.kernel(FILE, "weighted")[(1,)]((x, y, x), (2.0, 1, None), out, 30)
    expected = 2 * x + y
    expected[30:] = 0
    assert np.array_equal(out, expected)


def test_constexpr_tuples():
    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    kernel = lockstep.kernel(FILE, "weighted")
    kernel[(1,)]((x,), (3,), out, 8, SHAPE=(2, 4))
    assert np.array_equal(out, 3 * x)
    assert kernel.warmup((x,), (3,), out, 8, SHAPE=(2, 4)) is kernel.warmup((x,), (3,), out, 8, SHAPE=(2, 4))
    assert kernel.warmup((x,), (3,), out, 8, SHAPE=(2, 4)) is not kernel.warmup((x,), (3,), out, 8, SHAPE=(4, 2))


def test_named_and_nested_tuples():
    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    lockstep.kernel(FILE, "copy_vector")[(1,)](Vector(x, 8), Vector(out, 6), (1, (2.5, 16)), BLOCK=8)
    expected = x * np.float32(2.5) + 17
    expected[6:] = 0
    assert np.array_equal(out, expected)


def test_elements_are_specialised():
    x, out = np.zeros(64, np.float32), np.zeros(64, np.float32)
    kernel = lockstep.kernel(FILE, "weighted")
    base = kernel.warmup((x,), (2.0,), out, 30)
    assert base is kernel.warmup((x[4:],), (3.0,), out, 30)  # 16 bytes further
    assert base is not kernel.warmup((x[1:],), (3.0,), out, 30)
    assert base is not kernel.warmup((x,), (2,), out, 30)
    assert base is not kernel.warmup((x, x), (2.0, 2.0), out, 30)


def test_lists_are_none():
    with pytest.raises(lockstep.LaunchError, match="argument 'sources' is a list; Triton takes tuples only"):
        lockstep.kernel(FILE, "weighted")[(1,)]([], (), np.zeros(8, np.float32), 8)


def test_a_word_in_a_tuple_is_named():
    with pytest.raises(lockstep.LaunchError, match=r"argument 'weights\.1' is a str"):
        lockstep.kernel(FILE, "weighted")[(1,)]((), (1.0, "b"), np.zeros(8, np.float32), 8)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [32, 0, 2, 48]),
        ({"config": 1}, [64, 0, 2, 48]),
        ({"BLOCK": 16}, [16, 1, 2, 48]),
        ({"BLOCK": 64, "EVEN": True}, [64, 1, 2, 48]),
        ({"RANK": 7, "config": 0}, [32, 0, 7, 48]),
    ],
)
def test_what_nobody_gives_is_tuned(options, expected):
    x, out = np.zeros((3, 16), np.float32), np.zeros(4, np.int32)
    report = lockstep.kernel(FILE, "tuned")[lambda meta: (-(-meta["n"] // meta["BLOCK"]),)](x, out, 48, **options)
    assert out.tolist() == expected
    assert report.grid == (-(-48 // expected[0]), 1, 1)


def test_heuristics_see_every_launch():
    x, out = np.zeros(64, np.float32), np.zeros(4, np.int32)
    kernel = lockstep.kernel(FILE, "tuned")
    for n in (32, 33, 64, 32):
        kernel[(1,)](x, out, n)
        assert out.tolist() == [32, n % 32 == 0, 1, n]


def test_a_configuration_that_is_not_there():
    x, out = np.zeros(64, np.float32), np.zeros(4, np.int32)
    with pytest.raises(lockstep.CompileError, match="has no configuration 2"):
        lockstep.kernel(FILE, "tuned")[(1,)](x, out, 32, config=2)
    with pytest.raises(lockstep.LaunchError, match=r"config=0, but it has no @triton\.autotune"):
        lockstep.kernel(FILE, "weighted")[(1,)]((), (), out, 8, config=0)
