"""lockstep model: its plans and tables, settings that are compared, models by name. Whole runs are campaigns."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from lockstep.campaign import worker
from lockstep.campaign.problems import UsageError
from lockstep.campaign.report import files, gather
from lockstep.campaign.sources import model
from lockstep.models import annotate, bisect, command, graph_text, judge, records, runner, zoo
from lockstep.models.bounds.evaluate import CHANGED, RULES, Evaluator
from lockstep.models.bounds.interval import Cannot, exact
from lockstep.models.origin import Origin, OriginNode

MODEL = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(24)

    def forward(self, x):
        return torch.tanh(self.norm(x))

def make():
    return Net(), (torch.randn(3, 24),)

def wrong():
    return Net()
"""


def launch(number, node="add_1", outside=0, bits="a", cannot="", reads=None):
    example = "[0] is 2, not within 0 .. 1" if outside else ""
    output = records.Output(node, "aten.add", "model.py:7", "y = x + 1", "buf0", 8, outside, 0.5, example, bits, cannot)
    return records.Launch(number, f"triton_poi_fused_{number}", "k.py", "0", [node], ["model.py:7"], [output], reads=reads or {})


def ran(*launches, failed="", loss=1.0):
    return {"launches": [json.loads(json.dumps(one.data())) for one in launches], "failed": failed, "loss": loss}


def sides(first, second):
    return bisect.setting(first, "m.py::make", "f32", True), bisect.setting(second, "m.py::make", "f32", True)


def test_the_first_kernel_outside_of_its_bounds_is_named():
    text, wrong = bisect.text_of(sides("eager", "compiled"), (ran(), ran(launch(0), launch(1, "mul_2", 3), launch(2, "mul_3", 1))))
    assert wrong
    assert "first kernel outside of its bounds is triton_poi_fused_1, launch 1 of 3" in text
    assert "node mul_2 (aten.add), model.py:7: y = x + 1" in text
    assert "mul_3" not in text


def test_bits_that_move_within_bounds_are_no_error():
    before, after = ran(launch(0), launch(1, "mul_2", bits="b")), ran(launch(0), launch(1, "mul_2", bits="c"))
    text, wrong = bisect.text_of(sides("compiled", "mode=max-autotune"), (before, after))
    assert not wrong
    assert "bits move first in triton_poi_fused_1, launch 1: node mul_2" in text
    same, _ = bisect.text_of(sides("compiled", "mode=max-autotune"), (before, before))
    assert "no node that both settings store has other bits" in same


def test_launches_that_read_the_same_and_store_other_bits_are_listed():
    before = ran(launch(0, "sum_1", bits="b", reads={"x": "1"}), launch(1, "mul_2", bits="b", reads={"sum_1": "b"}), launch(2, "exp_3", bits="b", reads={"x": "1"}))
    after = ran(launch(0, "sum_1", bits="c", reads={"x": "1"}), launch(1, "mul_2", bits="c", reads={"sum_1": "c"}), launch(2, "exp_3", bits="b", reads={"x": "1"}))
    text, _ = bisect.text_of(sides("compiled", "mode=max-autotune"), (before, after))
    assert "2 nodes have other bits with mode=max-autotune than with compiled; of these, 1 in launches that read the same bits:" in text
    assert text.splitlines()[-1] == "  triton_poi_fused_0: sum_1 (aten.add), model.py:7: y = x + 1"


def test_settings():
    assert bisect.setting("mode=max-autotune", "m", "bf16", True).step.mode == "max-autotune"
    assert bisect.setting("epilogue_fusion=False", "m", "f32", False).step.options == {"epilogue_fusion": False}
    assert bisect.setting("realize_opcount_threshold=3", "m", "f32", False).step.options == {"realize_opcount_threshold": 3}
    for wrong in ("quick", "mode=fast", "triton=nowhere"):
        with pytest.raises(UsageError, match="is not a"):
            bisect.setting(wrong, "m", "f32", True)


def test_plans(capsys):
    text = command.plan_text(["hf:BertForMaskedLM"], {"dtype": "f32,bf16", "forward": "--forward", "dynamic": "--dynamic"})
    assert 'dtype = ["f32", "bf16"]' in text
    assert "backward = false" in text
    assert "dynamic = [true]" in text
    assert len(json.loads(command.plan_text(["all"], {}).partition("model = ")[2].partition("\n")[0])) == len(zoo.names()) == 73
    assert "exported = true" in command.plan_text(["x.py::make"], {"exported": "--exported"})
    for words in (["x.py::make", "--exported", "--dynamic"], ["x.py::make", "--dtype", "f8"], ["x.py::make", "--mode", "fast"], ["--bisect", "eager"], []):
        assert command.main(words) == 2
    capsys.readouterr()


@pytest.mark.skipif("LOCKSTEP_EXECUTABLE" not in os.environ, reason="LOCKSTEP_EXECUTABLE has no command")
def test_the_command_lockstep_model():
    done = subprocess.run([os.environ["LOCKSTEP_EXECUTABLE"], "model", "--list"], env=os.environ | {"LOCKSTEP_PYTHON": sys.executable}, capture_output=True, text=True, check=True)
    assert done.stdout.split() == zoo.names()


def test_models_of_files(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(MODEL)
    made = zoo.make(f"{file}::make")
    assert tuple(made.module(*made.positional).shape) == (3, 24)
    for name, why in ((f"{file}::none", "has no function"), (f"{file}::wrong", "must give"), ("nowhere.py::make", "no such file"), ("hf:Unknown", "there is no model")):
        with pytest.raises(zoo.NotHere, match=why):
            zoo.make(name)


def test_a_store_that_was_removed_is_not_compared():
    source = "tmp0 = tl.load(in_out_ptr0 + (x0), xmask)\n    tl.store(out_ptr1 + (x0), tmp0, xmask)\n    tl.atomic_add(out_ptr2 + (x0), tmp0, xmask)\n"
    arguments = {"in_out_ptr0": "buf19", "out_ptr1": "buf25", "out_ptr2": "buf26", "out_ptr": "buf1"}
    assert judge.stored_buffers(source, arguments) == {"buf25", "buf26"}


def test_a_campaigns_finding_names_the_models_line():
    notes = [("of the model: embedding (aten.embedding, table): rows = self.table(ids)", "m.py", 10), ("of the model: tanh (aten.tanh)", "m.py", 11)]
    text = worker._of_models(SimpleNamespace(notes=[("the index was loaded here", "k.py", 3), *notes]))
    assert text == "; of the model: embedding (aten.embedding, table): rows = self.table(ids), m.py:10"
    assert worker._of_models(SimpleNamespace(notes=[("the index was loaded here", "k.py", 3)])) == ""


def test_the_worst_of_many_findings_are_kept():
    tiers = ["info"] * 150 + ["warning"] * 150 + ["info"] * 5 + ["error"]
    numbers = [one["number"] for one in worker.kept([{"tier": tier, "number": number} for number, tier in enumerate(tiers)])]
    assert numbers == [*range(49), *range(150, 300), 305]


def test_sarif_has_the_models_lines(tmp_path):
    notes = [("the index was loaded here", "k.py", 3), ("of the kernel's source: tl.store(x, y)", "own.py", 7), ("of the model: tanh (aten.tanh): y = x.tanh()", "m.py", 10)]
    finding = SimpleNamespace(code="LS101", tier="error", file="k.py", line=3, op="tt.store", message="beyond", notes=notes)
    found = worker.Runner(str(tmp_path), "", seconds=1, memory=1)._findings([SimpleNamespace(kernel="triton_poi_fused_tanh_0", findings=[finding])])
    result = {"id": "1", "verdict": "finding", "findings": found, "message": ""}
    trouble = gather.failures({"options": {}}, result)[0]
    troubles = {}
    case = {"options": {}, "source": {"kind": "model", "model": "m.py::make"}, "vary": {}, "schedule": {"number": 0}}
    gather._add_trouble(troubles, case, result, None)
    entry = files._sarif_result(next(iter(troubles.values())), ["LS101"])
    lines = [(one["message"]["text"], one["physicalLocation"]["artifactLocation"]["uri"], one["physicalLocation"]["region"]["startLine"]) for one in entry["relatedLocations"]]
    assert lines == notes[1:]
    assert trouble["related"] == [list(one) for one in notes[1:]]


def test_a_kernel_outside_of_its_bounds_has_the_models_place(tmp_path):
    made = SimpleNamespace(launches=[launch(0, outside=2)], failed="", kernels=lambda: 1, cannot=list, outside=lambda: [(made.launches[0], made.launches[0].outputs[0])])
    made.launches[0].outputs[0].place = f"{tmp_path}/model.py:7"
    outcome = model.outcome_of(made, tmp_path)
    result = {"id": "1", "verdict": "mismatch", "findings": [], "message": outcome.mismatch, "facts": outcome.facts}
    trouble = gather.failures({"options": {}, "source": {"kind": "model", "model": "m.py::make"}}, result)[0]
    assert (trouble["kernel"], trouble["file"], trouble["line"]) == ("triton_poi_fused_0", "model.py", 7)


def test_a_kernel_may_compute_again_what_another_stored():
    """An earlier kernel stored `b` in bf16; this one computes it again from `a` and does not round it before the sum."""
    torch.manual_seed(7)
    a = torch.randn(64)
    rows = [["a", "placeholder", "a", [], {}, "float32", [64]], ["b", "call_function", "prims.convert_element_type.default", [{"n": "a"}, {"d": "bfloat16"}], {}, "bfloat16", [64]],
            ["c", "call_function", "aten.sum.dim_IntList", [{"n": "b"}, [0]], {}, "bfloat16", []]]  # fmt: skip
    nodes = graph_text.read(json.dumps(rows))
    origin = Origin("k", "0", "f.py", 1, tuple(OriginNode(name, "", "", None) for name in "bc"), {"buf0": "a"}, {"buf2": "c"})
    for total, reads, expected in ((a.sum(), {"buf0": "a"}, 0), (a.sum() * 1.5, {"buf0": "a"}, 1), (a.sum(), {"buf1": "b"}, 1)):
        made = judge.Judge()
        made._known = {"a": exact(a), "b": exact((a * (1 + 2.0**-5)).bfloat16())}
        memory = SimpleNamespace(tensor=lambda *_, total=total: total.bfloat16(), variable=lambda _: None, former=lambda _: "")
        record = records.Launch(0, "k", "k.py", "0", ["c"], [])
        made._compare(record, replace(origin, reads=reads), nodes, memory, {})
        assert [one.outside for one in record.outputs] == [expected]


def test_a_store_that_was_removed_leaves_what_its_memory_held():
    """A kernel stores `b` and reads it again for `c`. Both have one memory, and nobody needs `c` afterwards: only `b` is stored."""
    a = torch.arange(1.0, 9.0)
    rows = [["a", "placeholder", "a", [], {}, "float32", [8]], ["b", "call_function", "aten.neg.default", [{"n": "a"}], {}, "float32", [8]],
            ["c", "call_function", "aten.add.Tensor", [{"n": "b"}, 1], {}, "float32", [8]]]  # fmt: skip
    nodes = graph_text.read(json.dumps(rows))
    origin = Origin("k", "0", "f.py", 1, tuple(OriginNode(name, "", "", None) for name in "bc"), {"buf0": "a"}, {"buf2": "c"})
    cases = ((1 - a, "buf1", "c", 0), (-a, "buf1", "b", 0), (-a, "", "c", 8), (-a, "buf9", "c", 8), (2 - a, "buf1", "c", 8))
    for held, former, node, outside in cases:
        made = judge.Judge()
        made._known = {"a": exact(a)}
        memory = SimpleNamespace(tensor=lambda *_, held=held: held, variable=lambda _: None, former=lambda _, former=former: former)
        record = records.Launch(0, "k", "k.py", "0", ["c"], [])
        made._compare(record, origin, nodes, memory, {"buf1": "b"})
        assert [(one.node, one.outside) for one in record.outputs] == [(node, outside)]


def test_a_reading_without_bounds_hides_no_other():
    bounds = {"fits": exact(torch.tensor([1.0])), "not": exact(torch.tensor([2.0]))}

    def reading(kind):
        def evaluate(_):
            if kind == "cannot":
                raise Cannot("no rule")
            return bounds[kind]

        return SimpleNamespace(bounds=evaluate)

    for kinds, outside, cannot in ((("not", "cannot", "fits"), 0, ""), (("not", "cannot"), 1, ""), (("cannot", "not"), 1, ""), (("cannot", "cannot"), 0, "no rule"), (("not", "not"), 1, "")):
        output = records.Output("x", "", "", "", "buf0", 1, bits="")
        judge.Judge()._hold(output, torch.tensor([1.0]), {}, tuple(map(reading, kinds)))
        assert (output.outside, output.cannot) == (outside, cannot)


def test_a_part_is_made_of_numbers_that_were_not_rounded():
    """A kernel stored `b` in bf16 and a part of the mean of what it had before; the next one reads both."""
    torch.manual_seed(8)
    a = torch.randn(64)
    rows = [["a", "placeholder", "a", [], {}, "float32", [64]], ["b", "call_function", "prims.convert_element_type.default", [{"n": "a"}, {"d": "bfloat16"}], {}, "bfloat16", [64]],
            ["c", "call_function", "prims.convert_element_type.default", [{"n": "b"}, {"d": "float32"}], {}, "float32", [64]], ["d", "call_function", "aten.sum.dim_IntList", [{"n": "c"}, [0]], {}, "float32", []]]  # fmt: skip
    nodes = graph_text.read(json.dumps(rows))
    for part, total, expected in (("buf1", a.sum(), 0), ("buf9", a.sum(), 1), ("buf1", a.sum() + 0.5, 1)):
        made = judge.Judge()
        made._known = {"a": exact(a)}
        tensors = {"buf0": a.bfloat16(), "buf1": a.reshape(8, 8).sum(0), "buf9": a, "buf2": total}
        memory = SimpleNamespace(tensor=lambda name, _, tensors=tensors: tensors[name], variable=lambda _: None, former=lambda _: "")
        record = records.Launch(0, "k", "k.py", "0", ["b"], [])
        made._compare(record, Origin("k", "0", "f.py", 1, (OriginNode("b", "", "", None),), {"buf3": "a"}, {"buf0": "b", "buf1": None}), nodes, memory, {})
        reads = {"buf0": "b", part: None}
        made._compare(record, Origin("m", "0", "f.py", 2, tuple(OriginNode(name, "", "", None) for name in "cd"), reads, {"buf2": "d"}), nodes, memory, {})
        assert (record.parts, [one.outside for one in record.outputs]) == (1, [0, expected])


def test_variables_that_take_others_over_have_their_shapes():
    text = "buf1 = empty_strided_cuda((2, 8), (8, 1), torch.float32)\nbuf2 = buf1; del buf1  # reuse\nbuf3 = reinterpret_tensor(buf2, (s0 // 2, 2*s0 - 0), (8, 1), 0); del buf2  # reuse\n"
    memory = judge._Memory(SimpleNamespace(f_locals={"s0": 4}, f_globals={}))
    memory._lines = text.splitlines(keepends=True)
    assert [memory.former(name) for name in ("buf1", "buf2", "buf3")] == ["", "buf1", "buf2"]
    assert memory._laid_out("buf2", text) == ((2, 8), (8, 1))
    assert memory._laid_out("buf3", text) == ((2, 8), (8, 1))
    assert memory._laid_out("buf4", text) == (None, None)
    assert memory._laid_out("buf5", "buf5 = empty_strided_cuda((s1, 4), (4, 1), torch.float32)\n") == (None, None)


def test_strided_views_follow_the_graphs_memory():
    x = torch.arange(12.0).reshape(3, 4)
    rows = [["a", "placeholder", "a", [], {}, "float32", [3, 4], [1, 3]], ["b", "call_function", "aten.as_strided.default", [{"n": "a"}, [5, 2], [2, 1], 1], {}, "float32", [5, 2]],
            ["c", "call_function", "prims.rev.default", [{"n": "b"}, [0]], {}, "float32", [5, 2]]]  # fmt: skip
    bounds = Evaluator(graph_text.read(json.dumps(rows)), {"a": exact(x)}, lambda _: None).bounds("c")
    assert torch.equal(bounds.low, x.t().contiguous().view(-1).as_strided((5, 2), (2, 1), 1).flip(0).double())
    with pytest.raises(Cannot, match="a: a kernel of the user may have changed it"):
        Evaluator(graph_text.read(json.dumps(rows)), {"a": CHANGED}, lambda _: None).bounds("c")
    assert records.bits_of(torch.arange(4)[::2][:1]) == records.bits_of(torch.zeros(1, dtype=torch.int64))
    with pytest.raises(Cannot, match="strides in memory are not known"):
        Evaluator(graph_text.read(json.dumps([rows[0][:7], rows[1]])), {"a": exact(x)}, lambda _: None).bounds("b")


def test_a_bias_may_be_added_to_a_rounded_convolution():
    torch.manual_seed(5)
    x, w, bias = torch.randn(1, 8, 6, 6).bfloat16(), torch.randn(4, 8, 3, 3).bfloat16(), torch.randn(4).bfloat16()
    bounds = RULES["convolution"]("bfloat16", exact(x), exact(w), exact(bias), [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    plain = torch.nn.functional.conv2d(x.double(), w.double())
    for value in (plain + bias.double().view(1, 4, 1, 1), plain.bfloat16().double() + bias.double().view(1, 4, 1, 1)):
        assert bool(((value >= bounds.low) & (value <= bounds.high)).all())
    assert bool((bounds.high - bounds.low < 0.02 * (plain.abs() + 1)).all())


def test_a_constant_of_f64_keeps_its_digits():
    rows = [[name, "call_function", f"aten.{op}", args, {}, dtype, [2]] for name, op, args, dtype in (
        ("a", "full.default", [[2], 1e-6], "float64"), ("b", "full.default", [[2], 1e-6], "float32"), ("c", "full_like.default", [{"n": "a"}, 0.1], "float64"), ("d", "full.default", [[2], 3], "int64"))]  # fmt: skip
    bounds = Evaluator(graph_text.read(json.dumps(rows)), {}, lambda _: None).bounds
    assert bounds("a").low.tolist() == bounds("a").high.tolist() == [1e-6, 1e-6]
    assert bounds("b").low.tolist() == torch.full((2,), 1e-6).double().tolist()
    assert bounds("c").low.tolist() == [0.1, 0.1]
    assert bounds("d").tolist() == [3, 3]


def test_numbers_in_windows_of_pooling():
    """Inductor keeps of each maximum its number in the window, and makes places of it again for the gradient."""
    pool, back = RULES["_low_memory_max_pool_with_offsets"], RULES["_low_memory_max_pool_offsets_to_indices"]
    from torch._inductor import inductor_prims

    torch.manual_seed(3)
    x = torch.randn(2, 3, 7, 9)
    for kernel, stride, padding, dilation in (([3, 3], [2, 2], [0, 0], [1, 1]), ([3, 2], [1, 2], [1, 0], [2, 1])):
        values, offsets = pool("", exact(x), kernel, stride, padding, dilation, False)
        expected = inductor_prims._low_memory_max_pool_with_offsets(x, kernel, stride, padding, dilation, False)
        assert torch.equal(values.low, expected[0].double())
        assert torch.equal(offsets, expected[1])
        places = torch.nn.functional.max_pool2d(x, kernel, stride, padding, dilation, return_indices=True)[1]
        assert torch.equal(back("", offsets, kernel, [7, 9], stride, padding, dilation), places)
    with pytest.raises(Cannot, match="not known"):
        back("", None, [2, 2], [4, 4], [2, 2], [0, 0], [1, 1])


def test_a_node_that_the_graph_copies_into_is_not_what_memory_holds():
    aten, graph = torch.ops.aten, torch.fx.Graph()
    x = graph.placeholder("x")
    full, other = (graph.call_function(aten.full.default, ([64], 0)) for _ in range(2))
    graph.call_function(aten.copy_.default, (graph.call_function(aten.as_strided.default, (full, [2, 32], [32, 1], 0)), x))
    graph.call_function(aten.copy_.default, (graph.call_function(aten.add.Tensor, (other, 1)), other))
    buffers = {"buf0": SimpleNamespace(origin_node=full), "buf1": SimpleNamespace(origin_node=other), "buf2": SimpleNamespace()}
    lowered = SimpleNamespace(try_get_buffer=buffers.get)
    assert [annotate._is_copied_into(lowered, name) for name in (*buffers, "buf3")] == [True, False, False, False]


def test_atomics_in_bf16_round_after_each_addition():
    torch.manual_seed(6)
    places, source = torch.randint(0, 4, (12,)), torch.randn(12, 5)
    for dtype in (torch.bfloat16, torch.float32):
        name, base = str(dtype).removeprefix("torch."), torch.zeros(4, 5, dtype=dtype)
        one_by_one = base.clone()
        for place, row in zip(places.tolist(), source.to(dtype), strict=True):
            one_by_one[place] += row
        at_once = base.double().index_put((places,), source.to(dtype).double(), accumulate=True).to(dtype)
        sizes = base.double().index_put((places,), source.double().abs(), accumulate=True)
        expanded = places[:, None].expand(12, 5)
        for bounds in (RULES["index_put"](name, exact(base), [places], exact(source.to(dtype)), True), RULES["scatter_add"](name, exact(base), 0, expanded, exact(source.to(dtype)))):
            for value in (one_by_one, at_once):
                assert bool(((value.double() >= bounds.low) & (value.double() <= bounds.high)).all())
            assert bool((bounds.high - bounds.low <= sizes * 13 * torch.finfo(dtype).eps * 1.2 + 1e-30).all())


def test_places_of_whole_rows():
    base, source, places = torch.randn(3, 5), torch.randn(3, 2), [None, torch.tensor([4, 1])]
    for adds in (False, True):
        bounds = RULES["index_put"]("float32", exact(base), places, exact(source), adds)
        expected = base.clone()
        expected[:, places[1]] = source + (base[:, places[1]] if adds else 0)
        assert bool(((expected.double() >= bounds.low) & (expected.double() <= bounds.high)).all())
        assert float((bounds.high - bounds.low).max()) < 1e-5


def test_a_constant_may_be_rounded_to_f32_before_it_is_used():
    x = torch.linspace(-8, 8, 999)
    scale = 0.1767766952966369
    bounds = RULES["mul"]("float32", exact(x), scale)
    for value in ((x * torch.tensor(scale, dtype=torch.float32)).double(), (x.double() * scale).float().double()):
        assert bool(((value >= bounds.low) & (value <= bounds.high)).all())
    assert bool((bounds.high - bounds.low <= x.abs() * scale * 2e-7 + 1e-30).all())
    wide = RULES["mul"]("float64", exact(x.double()), scale)
    assert bool((wide.high - wide.low <= x.abs().double() * scale * 1e-14).all())
    assert RULES["gt"]("", exact(torch.tensor([0.1], dtype=torch.float64)), 0.1).tolist() == [False]
    assert RULES["le"]("", torch.tensor([16777217]), 16777217).tolist() == [True]


def test_bounds_of_flex_attention():
    """Two blocks of keys: one is masked by elements, one is full, one is left out."""
    torch.manual_seed(4)
    q, k, v = torch.randn(1, 2, 32, 16), torch.randn(1, 1, 48, 16), torch.randn(1, 1, 48, 16)
    counts, numbers = torch.ones(1, 1, 2, dtype=torch.int32), torch.tensor([[[[0, 1, 2], [1, 0, 2]]]], dtype=torch.int32)
    full, full_numbers = torch.tensor([[[0, 1]]], dtype=torch.int32), torch.tensor([[[[0, 1, 2], [0, 1, 2]]]], dtype=torch.int32)
    rows = [["y", "placeholder", "y", [], {}, "float32", []], ["t", "call_function", "aten.tanh.default", [{"n": "y"}], {}, "float32", []],
            ["output", "output", "output", [[{"n": "t"}]], {}, "", None]]  # fmt: skip
    mask = Evaluator(graph_text.read(json.dumps([["f", "get_attr", "f", [], {"graph": rows}, "", None]])), {}, lambda _: None).bounds("f")
    made, logs, _ = RULES["flex_attention"]("", exact(q), exact(k), exact(v), lambda score, *_: mask(score), (32, 48, counts, numbers, full, full_numbers, 16, 16, lambda b, h, i, j: i >= j), 0.25)
    allowed = torch.zeros(32, 48, dtype=torch.bool)
    allowed[:16, :16], allowed[16:, 16:32], allowed[16:, :16] = torch.ones(16, 16).tril() > 0, torch.ones(16, 16).tril() > 0, True
    scores = torch.where(allowed, torch.tanh(q @ k.transpose(-1, -2) * 0.25), -torch.inf)
    out, sums = torch.softmax(scores, -1) @ v, torch.logsumexp(scores, -1) / math.log(2)
    for value, bounds in ((out, made), (sums, logs)):
        assert bool(((value >= bounds.low) & (value <= bounds.high)).all())
        assert bool(((value + 1e-4 < bounds.low) | (value + 1e-4 > bounds.high)).all())
    with pytest.raises(Cannot, match="TF32"):
        RULES["flex_attention"]("", exact(q), exact(k), exact(v), None, (), 0.25, {"o": "{'FLOAT32_PRECISION': 'tf32'}"})


def test_a_row_of_the_table():
    source = {"model": "m.py::make", "dtype": "f32", "mode": "default", "dynamic": True}
    facts = {"kernels": 2, "launches": 3, "outputs": 4, "outside": 0, "no bounds": ["aten.sort: why"]}
    row = command._row(source, {"verdict": "pass", "message": "", "findings": [], "facts": facts}, 2.5, "seconds of the model: all=2.00 launches=0.10 judging=0.30 compile=1.50\n")
    assert row == ("m.py::make", "f32", "default dynamic", "2", "3", "4", "0", "1", "0", "2.5", "1.50", "0.10", "0.30", "pass")
    assert command._row(source, None, 0.0, "")[-1] == "not run yet"


@pytest.mark.campaign
def test_a_whole_campaign(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "net.py").write_text(MODEL)
    assert command.main(["net.py::make", "net.py::wrong", "--no-progress", "--jobs", "1"]) == 1
    printed = capsys.readouterr().out
    assert "1 pass" in printed
    assert "refused: " in printed
    row = next(line for line in printed.splitlines() if line.startswith("net.py::make "))
    assert row.split()[-1] == "pass"
    assert command.main(["--table", "models.db"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[0] for line in lines] == ["| model", "| ---", "| net.py::make", "| net.py::wrong"]
    assert command.main(["--table", "none.db"]) == 2
    assert int(row.split()[4]) >= 2, "launches of forward and backward"


@pytest.mark.campaign
def test_a_step_with_its_optimizer(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "net.py").write_text(MODEL)
    made = runner.run(runner.Step(f"{tmp_path}/net.py::make", "bfloat16", optimizer=True))
    assert made.failed == ""
    assert made.outside() == []
    assert len(made.launches) >= 3
