"""Bounds of single ops: ranges of integers that come from floats, and ops that need only the shape of an argument."""

import json

import pytest
import torch
from lockstep.models import graph_text, judge, records
from lockstep.models.bounds.evaluate import RULES, Evaluator
from lockstep.models.bounds.interval import Cannot, Interval, exact


def node(name, target, args, dtype, shape, **kwargs):
    return [name, "call_function", target, args, kwargs, dtype, shape]


def given(name, dtype, shape):
    return [name, "placeholder", name, [], {}, dtype, shape]


def held(got, bounds):
    output = records.Output("x", "", "", "", "buf0", got.numel())
    judge.hold(output, got, bounds)
    return output.outside


def test_a_float_that_may_become_either_of_two_integers():
    """As T5's position buckets: a logarithm is truncated. That of 8 may be just below 3."""
    x = torch.tensor([1.0, 3.0, 8.0, 9.0])
    nodes = graph_text.read(json.dumps([given("x", "float32", [4]), node("log", "aten.log2.default", [{"n": "x"}], "float32", [4]),
        node("bucket", "prims.convert_element_type.default", [{"n": "log"}, {"d": "int64"}], "int64", [4]),
        node("least", "aten.minimum.default", [{"n": "bucket"}, 2], "int64", [4]), node("moved", "aten.add.Tensor", [{"n": "bucket"}, 16], "int64", [4]),
        node("is_small", "aten.lt.Scalar", [{"n": "x"}, 2], "bool", [4]), node("chosen", "aten.where.self", [{"n": "is_small"}, {"n": "moved"}, {"n": "least"}], "int64", [4]),
        node("back", "prims.convert_element_type.default", [{"n": "moved"}, {"d": "float32"}], "float32", [4]), node("row", "aten.embedding.default", [{"n": "x"}, {"n": "bucket"}], "float32", [4])]))  # fmt: skip
    evaluator = Evaluator(nodes, {"x": exact(x)}, lambda _: None)
    bucket = evaluator.bounds("bucket")
    assert isinstance(bucket, Interval)
    assert (bucket.low.tolist(), bucket.high.tolist()) == ([0, 1, 2, 3], [0, 1, 3, 3])
    for name, right, wrong in (("bucket", [0, 1, 2, 3], [0, 1, 4, 3]), ("moved", [16, 17, 19, 19], [17, 17, 18, 19]), ("chosen", [16, 1, 2, 2], [16, 1, 3, 2])):
        bounds = evaluator.bounds(name)
        assert (held(torch.tensor(right), bounds), held(torch.tensor(wrong), bounds)) == (0, 1)
    assert held(torch.tensor([16.0, 17.0, 18.0, 19.0]), evaluator.bounds("back")) == 0
    assert held(torch.tensor([16.0, 17.0, 18.5, 20.0]), evaluator.bounds("back")) == 1
    assert torch.equal(evaluator.bounds("least"), torch.tensor([0, 1, 2, 2])), "known again: no range is left"
    with pytest.raises(Cannot, match="row"):
        evaluator.bounds("row")
    with pytest.raises(Cannot, match="int64"):
        held(torch.tensor([16.0, 17.0, 19.0, 19.0]), evaluator.bounds("moved"))


def test_floats_that_are_no_integers_of_the_type_may_become_any():
    """The logarithm of 0, which another choice hides afterwards; and one that is too large for the type."""
    x = torch.tensor([0.0, 16.0, 64.0])
    nodes = graph_text.read(json.dumps([given("x", "float32", [3]), node("log", "aten.log2.default", [{"n": "x"}], "float32", [3]),
        node("int", "prims.convert_element_type.default", [{"n": "log"}, {"d": "int64"}], "int64", [3]), node("least", "aten.minimum.default", [{"n": "int"}, 5], "int64", [3]),
        node("is_none", "aten.eq.Scalar", [{"n": "x"}, 0], "bool", [3]), node("chosen", "aten.where.self", [{"n": "is_none"}, 7, {"n": "least"}], "int64", [3]),
        node("exp", "aten.exp.default", [{"n": "x"}], "float32", [3]), node("small", "prims.convert_element_type.default", [{"n": "exp"}, {"d": "int32"}], "int32", [3])]))  # fmt: skip
    evaluator = Evaluator(nodes, {"x": exact(x)}, lambda _: None)
    for name, right, wrong in (("int", [-(2**63), 4, 6], [5, 4, 7]), ("least", [-(2**63), 4, 5], [6, 4, 5]), ("chosen", [7, 3, 5], [8, 4, 5]), ("small", [1, 8886110, -1], [3, 8886110, 9])):
        bounds = evaluator.bounds(name)
        assert (held(torch.tensor(right), bounds), held(torch.tensor(wrong), bounds)) == (0, 1)


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil", "counts"), [([3, 3], [1, 1], [1, 1], False, True), ([3, 3], [2, 2], [1, 1], True, False), ([2, 3], [], [0, 1], False, False)])
def test_the_gradient_of_average_pooling_needs_only_the_shape_of_what_was_pooled(kernel, stride, padding, ceil, counts):
    torch.manual_seed(5)
    pooled = torch.randn(2, 3, 9, 9, requires_grad=True)
    out = torch.nn.functional.avg_pool2d(pooled, kernel, stride or None, padding, ceil, counts)
    slopes = torch.randn(out.shape)
    (grad,) = torch.autograd.grad((out * slopes).sum(), pooled)
    nodes = graph_text.read(json.dumps([given("slopes", "float32", list(out.shape)), given("pooled", "float32", [2, 3, "s0", 9]),
        node("grad", "aten.avg_pool2d_backward.default", [{"n": "slopes"}, {"n": "pooled"}, kernel, stride, padding, ceil, counts, None], "float32", [2, 3, "s0", 9])]))  # fmt: skip
    bounds = Evaluator(nodes, {"slopes": exact(slopes)}, {"s0": 9}.get).bounds("grad")
    assert held(grad, bounds) == 0
    assert held(grad * (1 + 1e-5), bounds) > 0.8 * grad.count_nonzero()
    assert float((bounds.high - bounds.low).max()) < 1e-4


def test_sizes_are_numbers_and_need_no_memory():
    nodes = graph_text.read(json.dumps([given("x", "float32", [4]), given("gone", "float32", [2, "s0 + (Mod(s0, 4))"]), node("size", "aten.sym_size.int", [{"n": "gone"}, 1], "", None),
        node("total", "torch.sym_sum", [[{"n": "size"}, 2, -2]], "", None), node("less", "_operator.sub", [{"n": "total"}, 1], "", None), node("half", "_operator.floordiv", [{"n": "less"}, -2], "", None),
        node("share", "_operator.truediv", [1.0, {"n": "half"}], "", None), node("scaled", "aten.mul.Tensor", [{"n": "x"}, {"n": "share"}], "float32", [4])]))  # fmt: skip
    x = torch.arange(4.0)
    evaluator = Evaluator(nodes, {"x": exact(x)}, {"s0": 3}.get)
    assert (evaluator.bounds("size"), evaluator.bounds("half")) == (6, -3)
    assert (held(x / -3, evaluator.bounds("scaled")), held(x / -3.01, evaluator.bounds("scaled"))) == (0, 3)


def places_held(places, got):
    output = records.Output("x", "", "", "", "buf0", 0)
    judge.hold(output, torch.tensor(got), places)
    return output.outside, output.example


def test_equal_elements_may_be_sorted_in_any_order():
    sort, topk, most = RULES["sort"], RULES["topk"], RULES["max"]
    assert sort("", torch.tensor([3, 1, 2]))[1].tolist() == [1, 2, 0], "no two are equal"
    assert sort("", torch.tensor([1, 0, 1]), stable=True, dim=0)[1].tolist() == [1, 0, 2]
    assert topk("", exact(torch.tensor([[2.0, 5.0, 1.0]])), 2, -1)[1].tolist() == [[1, 0]]
    values, places = sort("", torch.tensor([1, 0, 1]))
    assert values.tolist() == [0, 1, 1]
    assert [places_held(places, one)[0] for one in ([1, 0, 2], [1, 2, 0], [0, 1, 2], [1, 0, 3], [-2, 0, 2])] == [0, 0, 2, 1, 1]
    assert places_held(places, [1, 2, 2]) == (1, "[2] is 2, not a place of 1 that no other element has")
    infinite = sort("", exact(torch.tensor([[1.0, -torch.inf, -torch.inf], [3.0, 2.0, 1.0]])), -1)[1]
    assert [places_held(infinite, one)[0] for one in ([[1, 2, 0], [2, 1, 0]], [[2, 1, 0], [2, 1, 0]], [[1, 1, 0], [2, 1, 0]], [[1, 2, 0], [2, 0, 1]])] == [0, 0, 1, 2]
    firsts = topk("", exact(torch.tensor([2.0, 2.0, 1.0])), 1)[1]
    assert [places_held(firsts, [one])[0] for one in (0, 1, 2)] == [0, 0, 1]
    rows = exact(torch.tensor([[0.0, 4.0], [7.0, 4.0], [7.0, 1.0]]))
    for keeps, shape in ((False, [2]), (True, [1, 2])):
        places = most("", rows, 0, keeps)[1]
        assert list(places.shape) == shape
        assert [places_held(places, torch.tensor(one).reshape(shape).tolist())[0] for one in ([1, 0], [2, 1], [0, 2], [1, 3])] == [0, 0, 2, 1]


def test_what_is_scattered_to_places_of_equal_elements():
    """The gradient of a maximum that two elements have: either may get it."""
    x = exact(torch.tensor([[1.0, 7.0, 7.0], [5.0, 3.0, 4.0]]))
    values, places = RULES["max"]("", x, -1, True)
    made = RULES["scatter"]("float32", exact(torch.zeros(2, 3)), -1, places, exact(torch.tensor([[2.0], [-1.0]])))
    for right in ([[0, 2, 0], [-1, 0, 0]], [[0, 0, 2], [-1, 0, 0]]):
        assert held(torch.tensor(right).float(), made) == 0
    assert held(torch.tensor([[2.0, 0.0, 3.0], [0.0, -1.0, 0.0]]), made) == 4
    with pytest.raises(Cannot, match="of another tensor"):
        RULES["scatter"]("float32", exact(torch.zeros(2, 4)), -1, places, exact(torch.ones(2, 1)))


def test_memory_that_is_not_set_may_hold_anything():
    """As GPT-OSS inverts a permutation: new memory, of which the indices set all elements, or some."""
    nodes = graph_text.read(json.dumps([given("order", "int64", [4]), node("new", "aten.empty.memory_format", [[4]], "int64", [4]), node("numbers", "prims.iota.default", [4], "int64", [4], start=5, step=1),
        node("all", "aten.index_put_.default", [{"n": "new"}, [{"n": "order"}], {"n": "numbers"}], "int64", [4]), node("half", "aten.slice.Tensor", [{"n": "order"}, 0, 0, 2], "int64", [2]),
        node("few", "aten.slice.Tensor", [{"n": "numbers"}, 0, 0, 2], "int64", [2]), node("some", "aten.index_put.default", [{"n": "new"}, [{"n": "half"}], {"n": "few"}], "int64", [4]),
        node("like", "aten.empty_like.default", [{"n": "gone"}], "bool", [4]), given("gone", "float32", [4]), node("flags", "aten.index_put.default", [{"n": "like"}, [{"n": "half"}], {"n": "yes"}], "bool", [4]),
        node("yes", "aten.gt.Scalar", [{"n": "few"}, 5], "bool", [2]), node("floats", "aten.new_empty.default", [{"n": "gone"}, [4]], "float32", [4]),
        node("set", "aten.slice_scatter.default", [{"n": "floats"}, {"n": "ones"}, 0, 0, 2], "float32", [4]), node("ones", "aten.full.default", [[2], 1.5], "float32", [2])]))  # fmt: skip
    bounds = Evaluator(nodes, {"order": torch.tensor([2, 0, 3, 1])}, lambda _: None).bounds
    assert torch.equal(bounds("all"), torch.tensor([6, 8, 5, 7]))
    for name, right, wrong in (("some", [6, -9, 5, 2**40], [7, 0, 5, 0]), ("flags", [True, True, False, False], [False, True, False, False]), ("set", [1.5, 1.5, torch.nan, -3.0], [1.5, 1.25, 0.0, 0.0])):
        assert (held(torch.tensor(right), bounds(name)), held(torch.tensor(wrong), bounds(name))) == (0, 1)


def test_random_numbers_lie_in_their_range():
    """As GhostNet's dropped paths: the seed is not in memory, and the kernel stores whether a number exceeds 0.2."""
    nodes = graph_text.read(json.dumps([node("seeds", "prims.inductor_seeds.default", [2, {"v": "cuda:0"}], "int64", [2]), node("seed", "prims.inductor_lookup_seed.default", [{"n": "seeds"}, 1], "int64", []),
        node("rand", "prims.inductor_random.default", [[3], {"n": "seed"}, "rand"], "float32", [3]), node("normal", "prims.inductor_random.default", [[3], {"n": "seed"}, "randn"], "float32", [3]),
        node("dice", "prims.inductor_randint.default", [1, 7, [3], {"n": "seed"}], "int64", [3]), node("stays", "aten.gt.Scalar", [{"n": "rand"}, 0.2], "bool", [3]),
        node("always", "aten.ge.Scalar", [{"n": "rand"}, 0.0], "bool", [3]), node("scaled", "aten.mul.Tensor", [{"n": "rand"}, 4.0], "float32", [3])]))  # fmt: skip
    bounds = Evaluator(nodes, {}, lambda _: None).bounds
    for name, right, wrong in (("rand", [0.0, 0.5, 1.0], [0.0, -0.1, 1.0]), ("dice", [1, 6, 3], [1, 7, 3]), ("always", [True] * 3, [True, False, True]), ("scaled", [0.0, 1.0, 4.0], [0.0, 4.01, 0.5])):
        assert (held(torch.tensor(right), bounds(name)), held(torch.tensor(wrong), bounds(name))) == (0, 1)
    assert held(torch.tensor([-9.0, 0.0, 9.0]), bounds("normal")) == held(torch.tensor([True, False, True]), bounds("stays")) == 0
    assert Evaluator(nodes, {"seeds": torch.tensor([7, 9])}, lambda _: None).bounds("seed").item() == 9
