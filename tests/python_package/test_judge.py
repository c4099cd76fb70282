"""lockstep judge on the zoo (tests/judge_zoo): programs that cheat are rejected with a witness that replays, honest twins are not."""

import ast
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

import lockstep  # noqa: E402
from lockstep.judging import judge_many, reports, tasks  # noqa: E402

ZOO = pathlib.Path(__file__).parent.parent / "judge_zoo"
sys.path.insert(0, str(ZOO))
import common_tasks  # noqa: E402
import compiled  # noqa: E402
import honest  # noqa: E402
import zoo  # noqa: E402

PROGRAMS = zoo.programs()
# : A tenth, in every run; the others in campaigns.
QUICK = {
    "layer_norm/cheat_copy", "layer_norm/cheat_torch", "gelu/honest", "linear/cheat_bf16", "segment_sum/cheat_even", "scale/honest",
    "tanh/cheat_forges", "column_mean/cheat_baked", "split_sum/cheat_not_reset",
}


@pytest.fixture(scope="module")
def pool():
    from lockstep.judging.processes import Pool

    with Pool() as made:
        yield made


def in_campaigns(one):
    return pytest.param(one, id=one.title, marks=() if one.title in QUICK else pytest.mark.campaign)


@pytest.mark.parametrize("program", [in_campaigns(one) for one in PROGRAMS])
def test_the_zoo(program, pool, tmp_path):
    (row,) = zoo.judged(program.task, [program], 7, tmp_path, pool)
    assert zoo.is_right(row), row["text"]


@pytest.mark.parametrize("name", ["linear_relu_divide", pytest.param("softmax_columns", marks=pytest.mark.campaign)])
def test_what_inductor_writes_is_accepted(name, pool):
    """Its kernels have launchers of their own, which pass JITFunction.run; each launch is executed again all the same."""
    (row,) = [one for one in common_tasks.references() if one[0] == name]
    rows = list(compiled.programs([row], {"": {}}))
    assert all(candidate for _, _, candidate, _ in rows), rows
    (found,) = honest.judge_all([(one, reference, candidate) for one, reference, candidate, _ in rows], {}, pool=pool).values()
    assert found["verdict"] == "accepted", found["text"]
    assert "executed again" not in found["text"] and "host memory" not in found["text"]


def test_what_the_task_itself_gives_is_kept():
    """Triangular and symmetric operands, tables whose halves are equal: a program may use that."""
    from lockstep.judging import inputs
    from lockstep.judging.tensors import Bits

    rng = np.random.default_rng(3)
    makers = {
        "lower triangular": lambda x: np.tril(x), "upper triangular": lambda x: np.triu(x), "symmetric": lambda x: x + x.T,
        "the second half repeats the first": lambda x: np.concatenate([x, x], -1)}
    for name, make in makers.items():
        numbers = [make(rng.standard_normal((8, 8))).astype("f4") for _ in range(3)]
        domain = inputs.mine([Bits("float32", one.shape, one.tobytes()) for one in numbers])
        assert domain.structure == [name] and name in domain.assumed
        for kind in inputs.CLASSES:
            again = inputs.mine([inputs.drawn(domain, kind, rng)] * 3)
            assert again.is_constant or name in again.structure
            made = inputs.drawn(domain, kind, rng).numbers()
            assert np.array_equal(inputs._STRUCTURES[name][1](made), made)
    plain = [rng.standard_normal((8, 8)).astype("f4") for _ in range(3)]
    assert inputs.mine([Bits("float32", one.shape, one.tobytes()) for one in plain]).structure == []


def test_torch_may_join_partial_results():
    from lockstep.judging import work

    def op(name, elements):
        return {"op": name, "elements": elements, "flops": 0, "line": 1}

    reference = [op("sum", 1000), op("logsumexp", 1000)]
    assert work.forbidden([op("sum", 100), op("logsumexp", 100)], reference, 1000, True) == []
    assert len(work.forbidden([op("sum", 1000), op("logsumexp", 1000)], reference, 1000, True)) == 2
    assert work.forbidden([op("sum", 1000)], reference, 1000, False) == []
    assert len(work.forbidden([op("mm", 1000)], reference, 10000, False)) == 1


@pytest.mark.campaign
def test_the_verdict_is_the_same_for_any_number_of_threads(tmp_path):
    told = []
    for threads in ("1", "4", "4"):
        words = [sys.executable, "-m", "lockstep.judging", str(ZOO / "rms_norm" / "reference.py"), str(ZOO / "rms_norm" / "honest.py"), "--seed", "9", "--json"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=tmp_path, env={**os.environ, "LOCKSTEP_THREADS": threads})
        told.append({name: one for name, one in json.loads(done.stdout).items() if name != "seconds"})
    assert told[0]["verdict"] == "accepted"
    assert told[0] == told[1] == told[2]


@pytest.mark.campaign
@pytest.mark.parametrize("version", ["3.4.0", "3.9.0"])
def test_the_callers_triton_judges(version, tmp_path):
    """The processes of a judgement import the Triton that their caller would import, wherever it lies."""
    folder = ZOO.parent.parent / ".cache" / f"triton-{version}"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    wanted = f'import triton\nassert triton.__version__ == "{version}", triton.__version__\n'
    (tmp_path / "candidate.py").write_text(wanted + (ZOO / "rms_norm" / "honest.py").read_text())
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    words = [sys.executable, "-m", "lockstep.judging", str(ZOO / "rms_norm" / "reference.py"), str(tmp_path / "candidate.py"), "--seed", "3"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_launches_of_a_judgement_are_executed_again(pool, tmp_path):
    verdict = judged(ZOO / "tanh" / "reference.py", ZOO / "tanh" / "honest.py", pool, seed=2, witnesses=tmp_path)
    assert verdict.accepted and verdict.covered["replayed"] >= 55, verdict.covered


def test_every_place_for_a_fault_changes_the_program():
    import plant

    (text,) = [one.text for one in PROGRAMS if one.title == "masked_mean/honest"]
    places = plant.sites(text)
    assert len({kind for kind, _, _ in places}) >= 12
    for _, _, change in places:
        assert compile(change(), "changed", "exec") and change() != ast.unparse(ast.parse(text))


@pytest.mark.campaign
def test_faults_are_drawn_by_a_seed():
    import planted

    faults = planted.drawn(40, 29)
    assert faults == planted.drawn(40, 29)
    assert len({one.text for one in faults}) == 40 and all(one.text != one.honest for one in faults)
    for one in faults:
        compile(one.text, one.name, "exec")


def test_every_row_has_a_cheat_and_every_cheat_a_twin():
    rows = {one.row for one in PROGRAMS}
    named = {int(line.split("|")[1]) for line in (ZOO / "README.md").read_text().splitlines() if line.startswith("| ") and line[2].isdigit()}
    assert named - rows <= {21}
    cheats = [one for one in PROGRAMS if one.wanted != "accepted"]
    assert len(cheats) >= 60
    assert len({one.task for one in PROGRAMS}) >= 40
    assert {one.task for one in cheats} <= {one.task for one in PROGRAMS if one.wanted == "accepted"}


def judged(reference, candidate, pool, **named):
    (verdict,) = judge_many(reference, [str(candidate)], pool=pool, **named)
    return verdict


def test_a_seed_gives_the_same_verdict_twice(pool, tmp_path):
    path = ZOO / "gelu" / "cheat_tanh.py"
    reference = path.parent / "reference.py"
    first, second = (judged(reference, path, pool, seed=7, time=240, witnesses=tmp_path).to_dict() for _ in range(2))
    first.pop("seconds"), second.pop("seconds")
    assert first == second
    assert first["format"] == "lockstep-verdict"
    json.dumps(first)


def test_a_reference_that_does_not_depend_on_its_inputs_is_no_task(pool, tmp_path):
    reference = tmp_path / "reference.py"
    reference.write_text((ZOO / "gelu" / "reference.py").read_text().replace("gelu(x)", "gelu(x * 0.0)"))
    with pytest.raises(lockstep.JudgeError, match="does not depend"):
        judged(reference, ZOO / "gelu" / "honest.py", pool, seed=1, time=120, witnesses=tmp_path)


def test_the_command(tmp_path):
    words = [sys.executable, "-m", "lockstep.judging", str(ZOO / "gelu" / "reference.py"), str(tmp_path / "missing.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


FUNCTIONS = {
    "ref.py": "import torch\ndef f(x, k):\n    return torch.relu(x) * k\n",
    "inputs.py": "import torch\nrows = 5\ndef make():\n    return [torch.randn(rows, 16), 3]\n",
    "cand.py": """
import torch, triton
import triton.language as tl

@triton.jit
def relu_kernel(x, out, n, k, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.maximum(tl.load(x + at, mask=at < n, other=0.0), 0.0) * k, mask=at < n)

def g(x, k):
    x = x.contiguous()
    out = torch.empty_like(x)
    relu_kernel[(1,)](x, out, x.numel(), k, BLOCK=triton.next_power_of_2(x.numel()))
    return out
""",
}


def test_functions_and_their_inputs(pool, tmp_path):
    for name, text in FUNCTIONS.items():
        (tmp_path / name).write_text(text)
    named = {"inputs": f"{tmp_path}/inputs.py::make", "seed": 3, "witnesses": tmp_path / "witness"}
    verdict = judged(f"{tmp_path}/ref.py::f", f"{tmp_path}/cand.py::g", pool, **named)
    assert verdict.accepted, str(verdict)
    assert {"rows": 6} in verdict.covered["shapes"]
    (tmp_path / "cand.py").write_text(FUNCTIONS["cand.py"].replace(", 0.0) * k", ", 0.0) * 3.001"))
    verdict = judged(f"{tmp_path}/ref.py::f", f"{tmp_path}/cand.py::g", pool, **named)
    assert verdict.reasons[0].kind == "function", str(verdict)
    assert zoo.replayed(tmp_path / "witness" / verdict.reasons[0].witness, verdict.reasons[0].message)


GPU_MODE = {
    "task.yml": 'lang: "py"\ntests:\n  - {"rows": 4, "seed": 11}\n  - {"rows": 9, "seed": 12}\nbenchmarks:\n  - {"rows": 64, "seed": 1}\n',
    "reference.py": """
import torch

def generate_input(rows, seed):
    made = torch.Generator().manual_seed(seed)
    return torch.randn(rows, 16, generator=made), torch.empty(rows, 16)

def ref_kernel(data):
    x, out = data
    out[...] = torch.relu(x) * 3
    return out
""",
    "good.py": FUNCTIONS["cand.py"].replace("def g(x, k):\n    x = x.contiguous()\n    out = torch.empty_like(x)", (
        "def custom_kernel(data):\n    x, out = data\n    k = 3\n    x = x.contiguous()")),
}


def test_a_folder_of_gpu_mode_and_a_folder_of_candidates(pool, tmp_path):
    task, some = tmp_path / "task", tmp_path / "some"
    task.mkdir(), some.mkdir()
    for name in ("task.yml", "reference.py"):
        (task / name).write_text(GPU_MODE[name])
    (some / "good.py").write_text(GPU_MODE["good.py"])
    (some / "other.py").write_text(GPU_MODE["good.py"].replace("k = 3", "k = 2"))
    good, other = judge_many(task, [str(some)], seed=2, witnesses=tmp_path / "witness", pool=pool)
    assert good.accepted, str(good)
    assert other.reasons[0].kind == "function", str(other)
    assert zoo.replayed(tmp_path / "witness" / other.reasons[0].witness, other.reasons[0].message)
    forms = {name: make([good, other]) for name, make in reports.FORMS.items()}
    import xml.etree.ElementTree as ElementTree

    suite = ElementTree.fromstring(forms["junit"])
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "0")
    assert json.loads(forms["sarif"])["runs"][0]["results"][0]["ruleId"] == "judge/function"
    assert "::error file=" in forms["github"] and "::notice" in forms["github"]
    assert "replay.py" in forms["markdown"]


@pytest.mark.parametrize("asked, wanted", [("x.stride(0), x.stride(1)", "rejected"), ("x.stride(0), 1", "accepted"), pytest.param("*x.stride()", "rejected", marks=pytest.mark.campaign)])
def test_a_program_that_asks_for_strides_must_use_them(asked, wanted, pool, tmp_path):
    rows = {name: (reference, text) for name, reference, text in honest.pairs()}
    reference, text = rows["square-strides-float32"]
    assert "+ at * x_column" in text and "x.stride(0), x.stride(1)" in text
    (tmp_path / "reference.py").write_text(reference)
    (tmp_path / "candidate.py").write_text(text.replace("at * x_column", "at").replace("x.stride(0), x.stride(1)", asked))
    verdict = judged(tmp_path / "reference.py", tmp_path / "candidate.py", pool, seed=5, shapes="given", witnesses=tmp_path / "witness")
    assert verdict.verdict == wanted, str(verdict)
    if wanted == "rejected":
        assert verdict.reasons[0].kind == "layout"
        assert zoo.replayed(tmp_path / "witness" / verdict.reasons[0].witness, verdict.reasons[0].message)
    else:
        assert any("wrong for transposed inputs" in one for one in verdict.notes), str(verdict)


@pytest.mark.campaign
def test_workers_give_the_same_verdicts(pool, tmp_path):
    code = (ZOO / "scale" / "honest.py").read_text()
    rows = [{"name": "good", "code": code}, {"name": "wrong", "code": code.replace("tl.store(out + at", "tl.store(out + at + 1")}, {"name": "broken", "code": "1 / 0"}]
    (tmp_path / "some.jsonl").write_text("\n".join(map(json.dumps, rows)))
    named = {"seed": 4, "witnesses": tmp_path / "witness"}
    word, reference = str(tmp_path / "some.jsonl"), ZOO / "scale" / "reference.py"
    told = [[one.to_dict() | {"seconds": 0} for one in judge_many(reference, [word], **named, **how)] for how in ({"pool": pool}, {"workers": 2})]
    assert told[0] == told[1]
    assert [one["verdict"] for one in told[0]] == ["accepted", "rejected", "rejected"]
    with pytest.raises(lockstep.JudgeError, match="does not depend"):
        (tmp_path / "no.py").write_text(reference.read_text().replace("return x *", "return 0 * x *"))
        list(judge_many(tmp_path / "no.py", [word], **named, workers=2))


def test_a_folder_with_a_reference(tmp_path):
    (tmp_path / "reference.py").write_text((ZOO / "scale" / "reference.py").read_text())
    (tmp_path / "solution.py").write_text((ZOO / "scale" / "honest.py").read_text().replace("ModelNew", "Model"))
    task = tasks.task_of(str(tmp_path))
    assert task.path == str(tmp_path / "reference.py") and task.tests == 1
    (one,) = tasks.candidates_of(str(tmp_path / "solution.py"), task)
    assert one.entry == {"kind": "model", "name": "Model"}
    (one,) = tasks.candidates_of(str(ZOO / "scale" / "honest.py"), task)
    assert one.entry["name"] == "ModelNew"
    with pytest.raises(lockstep.JudgeError, match="cannot be read"):
        tasks.task_of(str(ZOO.parent))


@pytest.mark.parametrize("text", ["tests:\n  - {rows: }x\n", "tests: []\n", "a: 1\n", "tests:\n  rows: 3\n", "tests:\n - {a: __import__('os')}\n"])
def test_a_bad_task_is_named(text):
    with pytest.raises(lockstep.JudgeError, match=r"task\.yml"):
        tasks.tests_of(text, "task.yml")


def test_rows_of_tests():
    text = "tests:\n  - {m: 64, n: 1e-3, kind: 'a', list: [1, 2], flag: true}\n  - m: 3\n    n: 4\nbenchmarks:\n  - {m: 1}\n"
    assert tasks.tests_of(text, "task.yml") == [{"m": 64, "n": 1e-3, "kind": "a", "list": [1, 2], "flag": True}, {"m": 3, "n": 4}]


def test_plain_numbers_of_a_reference_are_f64_in_its_f64_run():
    """torch.full((3,), 0.3) - 0.3 is 0 there, and not what f32 makes of 0.3."""
    from lockstep.judging.reference_side import Reference

    text = "import torch\nfrom torch import nn\nclass Model(nn.Module):\n    def forward(self, x):\n        return x + (torch.full((3,), 0.3) - 0.3)\ndef get_inputs():\n    return [torch.zeros(3)]\n"
    reference = Reference(text, "reference.py", {"kind": "model"}, 1)
    (given,) = reference.draw(0)
    for wide in (False, True):
        (made,), _, _ = reference.call([given], [], wide)
        assert not made.any() and made.dtype == (torch.float64 if wide else torch.float32)
        assert reference.steps >= 3
    assert torch.get_default_dtype() == torch.float32


@pytest.mark.parametrize("power, wanted", [(0, True), (1, True), (2, False)])
def test_sizes_that_take_a_reference_long_are_left_out(power, wanted):
    """By its ops at two small sizes, so that every machine leaves out the same."""
    from lockstep.judging import looks
    from lockstep.judging.sides import Loaded

    class Fake:
        reference_steps = 0

        def elements(self, sizes):
            return 1

        def resized(self, sizes, number):
            self.reference_steps = 20 * sizes["n"] ** power
            return Loaded(sizes, [], ["l", []], [], [])

        def expected(self, *some):
            return some

    made = looks.Looks(Fake(), None, np.random.default_rng(1))
    assert made._is_quick(Loaded({"n": 12, "m": 4}, [], ["l", []], [], []), "n", 1025) == wanted
    assert made._is_quick(Loaded({"n": 12, "m": 4}, [], ["l", []], [], []), "n", 65)


def test_what_cancels_altogether_is_less_accurate_and_not_wrong():
    """Zeros make the divergence of two distributions 0; a program in f32 may leave what its rounding left, and no more."""
    from lockstep.judging.compare import Expected, Obtained, compare
    from lockstep.judging.tensors import Bits

    def one(dtype, value):
        return Bits(dtype, (1,), np.array([value], {"float32": "f4", "float64": "f8"}[dtype]).tobytes())

    right = Expected([one("float32", 0.0)], [one("float64", 0.0)])
    ends = np.array([-1e-15]), np.array([1e-15])
    for value, wanted in ((2.8e-8, "less accurate"), (1e-4, "values"), (0.0, None)):
        found = compare(right, Obtained([one("float32", value)], [ends]), False, 0.0, False)
        assert (found.kind if found else None) == wanted, found


def test_the_pointers_that_a_kernel_stores_through():
    from lockstep.judging.host import stored_pointers

    head = "tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>, %n: i32) attributes {noinline = false} {\n"
    direct = "%p = tt.addptr %out, %n : !tt.ptr<f32>, i32\n%q = tt.addptr %x, %n : !tt.ptr<f32>, i32\n%v = tt.load %q : !tt.ptr<f32>\ntt.store %p, %v : !tt.ptr<f32>\n"
    loop = (
        "%r:2 = scf.for %i = %a to %b step %c iter_args(%s = %out, %t = %v) -> (!tt.ptr<f32>, f32) : i32 {\n"
        "tt.store %s, %t : !tt.ptr<f32>\n%u = tt.addptr %s, %n : !tt.ptr<f32>, i32\nscf.yield %u, %t : !tt.ptr<f32>, f32\n}\n")
    atomic = "%w = tt.atomic_rmw fadd, acq_rel, gpu, %x, %v, %m : (!tt.ptr<f32>, f32, i1) -> f32\n"
    assert stored_pointers(head + direct) == [False, True]
    assert stored_pointers(head + loop) == [False, True]
    assert stored_pointers(head + atomic) == [True, False]
    assert stored_pointers(head + "%v = tt.load %x : !tt.ptr<f32>\n") == [False, False]
    assert stored_pointers(head + direct + "tt.call @f(%x) : (!tt.ptr<f32>) -> ()") is None
    assert stored_pointers("nothing") is None
