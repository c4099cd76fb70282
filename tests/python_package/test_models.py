"""Findings in kernels that torch.compile writes name the model's lines, and results are compared with the FX graph's bounds."""

import pickle
from pathlib import Path

import lockstep
import pytest
import torch
from lockstep.models import judge, places
from torch import nn


@pytest.fixture(autouse=True)
def pretence(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
    torch._dynamo.reset()
    with lockstep.pretend_cuda() as pretence:
        yield pretence


def line_of(text):
    """The number of the line of this file that has the text."""
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line and "line_of" not in line)


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 8)

    def forward(self, ids):
        rows = self.table(ids)
        return torch.tanh(rows) * 2


def model_notes(finding):
    return [(message.removeprefix("of the model: "), file, line) for message, file, line in finding.notes if message.startswith("of the model: ")]


def test_a_finding_names_the_models_line(capsys):
    compiled = torch.compile(Table().cuda())
    with lockstep.debug(commands=["where", *["next", "where"] * 11, "continue"], batch=True):
        compiled(torch.tensor([1, 2], device="cuda"))
    shown = capsys.readouterr().out
    assert "triton_poi_fused_embedding_mul_tanh_0 of the compiled graph" in shown
    assert f"{__file__}:{line_of('rows = self.table(ids)')}: embedding (aten.embedding, table): rows = self.table(ids)" in shown
    stops = [[line.strip() for line in one.splitlines() if "  #" in line[:4] or "* #" in line] for one in shown.split("(lockstep) where")[1:]]
    graph, table, tanh = "#1  the compiled graph 0", f"embedding (aten.embedding, table)  test_models.py:{line_of('rows = self.table(ids)')}", "tanh (aten.tanh)"
    assert all(one[1].startswith(graph) for one in stops)
    loads = next(one for one in stops if "tl.load(in_ptr0" in one[0])
    assert [one.partition("  ")[2].partition("  rows")[0] for one in loads[2:]] == [table], "the ids' load belongs to the embedding alone"
    computes = next(one for one in stops if "tanh(" in one[0].partition(".py:")[2])
    assert len(computes) == 3
    assert computes[2].startswith(f"#2  {tanh}  test_models.py:{line_of('return torch.tanh(rows) * 2')}")
    with pytest.raises(lockstep.DeviceAssertionError) as caught:
        compiled(torch.tensor([1, 11], device="cuda"))
    here = line_of("rows = self.table(ids)")
    expected = ("embedding (aten.embedding, table): rows = self.table(ids)", __file__, here)
    assert model_notes(caught.value.finding) == [expected]
    assert f"{__file__}:{here}:9: note: of the model: embedding" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert model_notes(again.finding) == [expected]
    reads = next(one for one in caught.value.findings if one.code == "LS105")
    assert model_notes(reads) == [expected], "the load of the table belongs to the node that uses it"


def test_findings_of_other_kernels_have_no_notes_of_a_model():
    import triton
    import triton.language as tl

    @triton.jit
    def beyond(x, n: tl.constexpr):
        tl.store(x + tl.arange(0, n), 1.0)

    with pytest.raises(lockstep.OutOfBoundsError) as caught:
        beyond[(1,)](torch.zeros(4, device="cuda"), 8)
    assert model_notes(caught.value.finding) == []


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(24)
        self.down = nn.Linear(24, 24)

    def forward(self, x):
        y = self.norm(x)
        y = nn.functional.gelu(y)
        y = torch.softmax(self.down(y), dim=-1)
        return x + y


def judged(dtype, *, asks_cpp=False):
    """The launches of a step of Block, forward and backward."""
    torch.manual_seed(1)
    model, x = Block().cuda().to(dtype), torch.randn(3, 5, 24, device="cuda", dtype=dtype)
    with lockstep.options(findings="ignore"), judge.judging(asks_cpp=asks_cpp) as made:
        out = torch.compile(model)(x)
        out.square().sum().backward()
    return made.launches


@pytest.mark.parametrize("dtype", [torch.float32, pytest.param(torch.bfloat16, marks=pytest.mark.campaign)])
def test_each_kernel_lies_within_its_nodes_bounds(dtype):
    launches = judged(dtype)
    outputs = [one for launch in launches for one in launch.outputs]
    assert len(launches) >= 5
    assert [one for one in outputs if one.outside] == []
    assert [one for one in outputs if one.cannot] == []
    assert {one.code for one in outputs} >= {"y = self.norm(x)", "y = torch.softmax(self.down(y), dim=-1)"}
    gradients = {one.place for one in outputs if one.elements == 24}
    assert f"{__file__}:{line_of('y = self.norm(x)')}" in gradients, "the backward's nodes name the forward's line"
    assert max(one.worst for one in outputs) <= 1


def test_a_wrong_kernel_is_named_with_node_and_line(monkeypatch):
    """The normalisation adds a larger epsilon than the graph's. Kernels after it are judged by what they read."""
    from torch._inductor.codegen import triton as generator

    raw = generator.TritonScheduling.define_kernel

    def changed(self, code, *args):
        return raw(self, code.replace("1e-05", "1e-03"), *args)

    monkeypatch.setattr(generator.TritonScheduling, "define_kernel", changed)
    launches = judged(torch.float32, asks_cpp=True)
    wrong = [(launch, one) for launch in launches for one in launch.outputs if one.outside]
    assert {one.code for _, one in wrong} <= {"y = self.norm(x)", "y = nn.functional.gelu(y)"}
    launch, first = wrong[0]
    assert "layer_norm" in launch.kernel
    assert first.place == f"{__file__}:{line_of('y = self.norm(x)')}"
    assert "not within" in first.example
    assert first.second.startswith("C++ agrees with f64, Triton does not: 15 of 15 elements"), first.second
    assert first.second.endswith("; C++ lies within the bounds")


def test_an_exported_program_has_the_models_lines():
    """As AOTInductor compiles, but with the Python wrapper. The C++ wrapper is refused by name."""
    torch.manual_seed(1)
    model, x = Block().cuda(), torch.randn(3, 5, 24, device="cuda")
    program = torch.export.export(model, (x,))
    with judge.judging() as made, torch.no_grad():
        out = torch._inductor.compile(program.module(), [x])(x)
    torch.testing.assert_close(out, model(x))
    outputs = [one for launch in made.launches for one in launch.outputs]
    assert [one for one in outputs if one.outside or one.cannot] == []
    assert {one.code for one in outputs} >= {"y = nn.functional.gelu(y)", "return x + y"}
    assert f"{__file__}:{line_of('y = self.norm(x)')}" in made.launches[0].places
    with pytest.raises(RuntimeError, match="AOTInductor writes a C\\+\\+ program .* needs a real GPU") as caught:
        torch._inductor.aoti_compile_and_package(program)
    assert "torch._inductor.compile(torch.export.export(" in str(caught.value)
    with pytest.raises(RuntimeError, match="cpp_wrapper has Inductor write a C\\+\\+ program"), torch.no_grad(), torch._inductor.config.patch({"cpp_wrapper": True}):
        torch.compile(lambda y: torch.sin(y) * 2)(x)


def test_a_place_follows_its_line(tmp_path):
    file = tmp_path / "model.py"
    file.write_text("\n\n\ny = f(x)\n")
    trace = f'  File "{file}", line 2, in forward\n    y = f(x)\n  File "{torch.__file__}", line 5, in other\n    pass\n'
    place = places.place_of_trace(trace)
    assert (place.line, place.now().line, place.function) == (2, 4, "forward")
    assert places.place_of_trace("") is None
