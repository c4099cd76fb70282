"""How the open corpus's campaigns hand tensors to packages (campaigns/open_corpus/arrangements.py)."""

import importlib.util
from pathlib import Path

import pytest
import torch

FILE = Path(__file__).parents[3] / "campaigns" / "open_corpus" / "arrangements.py"


@pytest.fixture
def arrangements(monkeypatch):
    spec = importlib.util.spec_from_file_location("arrangements_under_test", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "_installed", True)  # the suite's functions are not there
    return module


def called(arrangements, value, function, *tensors):
    with arrangements.arranged(value, ""):
        return arrangements._by_position(function, arrangements._for_package)(*tensors)


@pytest.mark.parametrize("value,strides,offset", [("gaps", (8, 2), 0), ("offset", (4, 1), 1), ("expanded", (0, 1), 0)])
def test_elements_are_the_same_elsewhere(arrangements, value, strides, offset):
    x = torch.arange(12.0).view(3, 4).requires_grad_(True)
    seen = called(arrangements, value, lambda y: y, x)
    assert (seen.stride(), seen.storage_offset()) == (strides, offset)
    expected = x[:1].expand(3, 4) if value == "expanded" else x
    assert torch.equal(seen, expected)
    (seen * torch.arange(12.0).view(3, 4)).sum().backward()
    assert x.grad is not None and float(x.grad.sum()) == 66.0


def test_what_lies_between_is_no_zero(arrangements):
    seen = called(arrangements, "gaps", lambda y: y, torch.ones(4))
    assert torch.as_strided(seen, (7,), (1,)).tolist() == [1, 77, 1, 77, 1, 77, 1]


def test_what_is_written_in_place_comes_back(arrangements):
    x = torch.zeros(2, 3)
    called(arrangements, "gaps", lambda y: y.add_(5), x)
    assert x.tolist() == [[5.0] * 3] * 2


def test_one_tensor_for_two_arguments_may_not_be_written(arrangements):
    one, other = torch.zeros(4), torch.ones(4)
    arrangements._share([one, other])
    assert called(arrangements, "shared", lambda a, b: a is b, one, other)
    with pytest.raises(arrangements.Nothing, match="writes to its arguments"):
        called(arrangements, "shared", lambda a, b: a.add_(1), one, other)


def test_the_same_two_are_one_for_package_and_reference(arrangements):
    """A reference gets all floats in one type: what it could take for one is not what the package gets."""
    x, gate, y = torch.ones(4), torch.full((4,), 2.0, dtype=torch.float64), torch.zeros(4)
    assert arrangements._share([x, gate, y]) == 2
    with arrangements.arranged("shared", ""):
        for doubled in (False, True):
            given = [one.double() if doubled else one for one in (x, gate, y)]
            used = arrangements._by_position(lambda *seen: seen, arrangements._for_reference)(*given)
            assert used[2] is used[0] and float(used[1][0]) == 2
    with pytest.raises(arrangements.Nothing):
        arrangements._share([x, gate])
    assert arrangements._share([x, y, torch.ones(4)], [True, False, True]) == 2


def test_gradients_of_equal_arguments_cancel(arrangements):
    """The second has none of its own, and the first's is a sum whose terms cancel more than those of two tensors."""
    seen = {}
    agree = arrangements._around_agree(lambda corpus, operation, reference, inputs, dtype, **named: seen.update(named))
    inputs = {"q": torch.ones(4), "g": torch.ones(2), "k": torch.zeros(4)}
    with arrangements.arranged("shared", ""):
        agree(None, None, None, inputs, torch.float16, cancelling=("g",))
    assert seen == {"fixed": ("k",), "cancelling": ("g", "q")}


def test_an_arrangement_that_is_none_is_refused(arrangements):
    with pytest.raises(ValueError, match="there is no arrangement 'twice'"), arrangements.arranged("twice", ""):
        pass
