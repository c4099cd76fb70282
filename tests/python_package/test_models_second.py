"""Second opinions: nodes once more in f64 and by Inductor's C++ side (whose compiler test_models.py runs)."""

import json
import math

import pytest
import torch
from lockstep.models import graph_text, second
from lockstep.models.bounds.evaluate import CHANGED
from lockstep.models.bounds.interval import Cannot, exact

X = torch.tensor([[1.0, 2.0, 4.0], [0.5, 0.25, 8.0]])


def graph(*rows):
    return graph_text.read(json.dumps([["x", "placeholder", "x", [], {}, "bfloat16", [2, 3]], *rows]))


def in_f64(nodes, name, known=None, look=lambda _: None):
    again = second._Again(nodes, {"x": exact(X.bfloat16())} if known is None else known, look, wide=True)
    again.build([name])
    return again.run()[0]


def test_f64_does_not_round_where_the_graph_converts():
    nodes = graph(["third", "call_function", "aten.div.Tensor", [{"n": "x"}, 3], {}, "bfloat16", [2, 3]],
                  ["back", "call_function", "prims.convert_element_type.default", [{"n": "third"}, {"d": "float32"}], {}, "float32", [2, 3]],
                  ["ones", "call_function", "aten.full.default", [[2, 3], 1], {"dtype": {"d": "float32"}, "device": {"v": "cuda:0"}, "pin_memory": False}, "float32", [2, 3]],
                  ["sum", "call_function", "aten.add.Tensor", [{"n": "back"}, {"n": "ones"}], {}, "float32", [2, 3]])  # fmt: skip
    made = in_f64(nodes, "sum")
    assert (made.dtype, made.device.type) == (torch.float64, "cpu")
    torch.testing.assert_close(made, X.double() / 3 + 1, rtol=1e-15, atol=0)


def test_parts_of_a_softmax_and_what_is_in_memory_already():
    nodes = graph(["parts", "call_function", "prims.prepare_softmax_online.default", [{"n": "x"}, -1], {}, "", None],
                  ["top", "call_function", "_operator.getitem", [{"n": "parts"}, 0], {}, "float32", [2, 1]],
                  ["total", "call_function", "_operator.getitem", [{"n": "parts"}, 1], {}, "float32", [2, 1]],
                  ["more", "call_function", "aten.mul.Tensor", [{"n": "total"}, 2], {}, "float32", [2, 1]])  # fmt: skip
    total = torch.exp(X.double() - X.double().amax(-1, True)).sum(-1, True)
    torch.testing.assert_close(in_f64(nodes, "more"), 2 * total, rtol=1e-15, atol=0)
    known = {"total": exact(torch.full((2, 1), 3.0))}
    assert in_f64(nodes, "more", known).tolist() == [[6.0], [6.0]]
    torch.testing.assert_close(in_f64(nodes, "total", known | {"x": exact(X)}), total, rtol=1e-15, atol=0)


def test_what_cannot_be_computed_again_is_named():
    nodes = graph(["noise", "call_function", "prims.inductor_random.default", [[2, 3], {"n": "x"}, "rand"], {}, "float32", [2, 3]],
                  ["own", "call_function", "triton.my_kernel", [{"n": "x"}], {}, "float32", [2, 3]], ["bits", "call_function", "aten.view.dtype", [{"n": "x"}, {"d": "int16"}], {}, "int16", [2, 3]],
                  ["far", "call_function", "aten.neg.default", [{"n": "gone"}], {}, "float32", [2, 3]], ["gone", "placeholder", "gone", [], {}, "float32", [2, 3]])  # fmt: skip
    for name, why in (("noise", "noise .*this op is not computed again"), ("own", "triton.my_kernel"), ("bits", "aten.view.dtype"), ("far", "gone .*not in memory"), ("none", "not a node")):
        with pytest.raises(Cannot, match=why):
            in_f64(nodes, name)
    with pytest.raises(Cannot, match="x: a kernel of the user may have changed it"):
        in_f64(nodes, "own", {"x": CHANGED})


def test_which_side_agrees():
    truth = torch.tensor([1.0, 1e300, math.nan, 2.0], dtype=torch.float64)
    close, far = torch.tensor([1.0 + 1e-6, math.inf, math.nan, 2.0]), torch.tensor([1.0, 1.0, math.nan, 2.5])
    right, wrong = second.opinion(close, truth), second.opinion(far, truth)
    assert (right.off, wrong.off, wrong.elements) == (0, 2, 4)
    assert second.opinion(torch.tensor([1, 2]), torch.tensor([1, 3])).off == 1
    assert second.opinion(torch.tensor([1.01]).bfloat16(), torch.tensor([1.0])).off == 0
    assert second.text_of(right, right) == "Triton and C++ agree with f64"
    assert second.text_of(right, wrong).startswith("Triton agrees with f64, C++ does not: 2 of 4 elements")
    assert second.text_of(wrong, right).startswith("C++ agrees with f64, Triton does not")
    assert second.text_of(wrong, wrong).startswith("neither agrees")
    with pytest.raises(Cannot, match="shapes"):
        second.opinion(close, truth[:2])
