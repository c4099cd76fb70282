"""lockstep judge with tests as the reference: files of pytest, check_implementation of GPU MODE, operators with torch's own samples."""

import pathlib
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

import lockstep  # noqa: E402
from lockstep.judging import judge_many, suite_run, suite_tasks, tasks  # noqa: E402
from lockstep.judging.nest import is_nest  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "judge_zoo"))
import zoo  # noqa: E402

TESTS = """
import pytest, torch
from softmax import softmax

@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_softmax(dtype):
    torch.manual_seed(0)
    x = torch.randn(5, 40, device="cuda", dtype=dtype)
    y = softmax(x)
    torch.testing.assert_close(y, torch.softmax(x, -1), rtol=1e-2, atol=1e-2)
"""
PROGRAM = """
import torch, triton
import triton.language as tl

@triton.jit
def kernel(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf")).to(tl.float32)
    v = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * columns + at, v / tl.sum(v, 0), mask=at < columns)

kept = {}

def softmax(x):
    out = torch.empty_like(x)
    kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return out
"""
CACHE = """    key = x.data_ptr(), x.shape, x.dtype
    if key in kept:
        return kept[key].clone()
    out = kept[key] = torch.empty_like(x)
"""
# : What is changed of the program, and the class of the verdict; all pass the tests as they are.
CHANGED = {
    "near": ("v / tl.sum(v, 0)", "v / tl.sum(v, 0) * 1.00001", "function"),
    "naive": ("tl.max(v, 0))", "0.0)", "values"),
    "decoy": ("    return out", "    y = (x - x.amax(-1, keepdim=True)).exp()\n    return y / y.sum(-1, keepdim=True)", "torch"),
    "no_kernel": ("    kernel[(x.shape[0],)]", "    out = (x - x.amax(-1, keepdim=True)).exp()\n    return out / out.sum(-1, keepdim=True)\n    kernel[(1,)]", "torch"),
    "torch": ("    return out", "    return torch.softmax(x, -1)", "torch"),
    "zeroed": ("    out = torch.empty_like(x)\n", "    out = torch.empty_like(x.zero_())\n", "mutation"),
    "kept": ("    out = torch.empty_like(x)\n", CACHE, "state|values"),
    "bounds": ("at < columns, other", "at <= columns, other", "bounds"),
    "no_name": ("def softmax", "def softmaxes", "no result"),
    "raises": ("    out = torch", '    if x.dtype == torch.float16:\n        raise ValueError("no")\n    out = torch', "no result"),
}
QUICK = {"near"}


@pytest.fixture(scope="module")
def pool():
    from lockstep.judging.processes import Pool

    with Pool() as made:
        yield made


def judged(folder, tests, program, pool, file="test_softmax.py"):
    (folder / file).write_text(tests)
    (folder / "candidate.py").write_text(program)
    (verdict,) = judge_many(str(folder / file), [str(folder / "candidate.py")], seed=3, witnesses=folder / "w", pool=pool)
    return verdict


@pytest.mark.parametrize("name", [pytest.param(one, marks=() if one in QUICK else pytest.mark.campaign) for one in CHANGED])
def test_a_program_that_passes_its_tests_and_is_wrong(name, pool, tmp_path):
    old, new, wanted = CHANGED[name]
    assert old in PROGRAM
    verdict = judged(tmp_path, TESTS, PROGRAM.replace(old, new), pool)
    kind = verdict.reasons[0].kind if verdict.reasons else verdict.undecided[0].what
    assert kind in wanted.split("|"), str(verdict)
    if verdict.reasons and kind not in zoo.WITHOUT_WITNESS:
        assert zoo.replayed(tmp_path / "w" / verdict.reasons[0].witness, verdict.reasons[0].message), str(verdict)


@pytest.mark.campaign
def test_an_honest_program_is_accepted(pool, tmp_path):
    verdict = judged(tmp_path, TESTS, PROGRAM, pool)
    assert verdict.accepted and verdict.covered["histories"] and not verdict.notes, str(verdict)


@pytest.mark.campaign
def test_tests_that_look_at_shapes_decide_nothing(pool, tmp_path):
    verdict = judged(tmp_path, TESTS.split("    torch.testing")[0] + "    assert y.shape == x.shape\n", PROGRAM, pool)
    assert verdict.undecided[0].what == "tests" and "no check" in verdict.undecided[0].why, str(verdict)


@pytest.mark.campaign
def test_kernels_that_tests_launch_and_views(pool, tmp_path):
    tests = """
import torch, triton
from softmax import kernel

def test_kernel():
    x = torch.randn(4, 64, device="cuda")[:, :40].contiguous()
    out = torch.full((4, 40), -1.0).cuda()
    kernel[lambda meta: (4,)](x, out, 40, BLOCK=64)
    assert torch.allclose(out, x.softmax(-1))
"""
    assert judged(tmp_path, tests, PROGRAM, pool).accepted
    verdict = judged(tmp_path, tests, PROGRAM.replace("tl.sum(v, 0),", "tl.sum(v, 0) * 1.000008,"), pool)
    assert verdict.reasons[0].kind == "function", str(verdict)


ORACLE = """
import torch

def generate_input(rows, seed):
    made = torch.Generator(device="cuda").manual_seed(seed)
    return torch.randn(rows, 16, generator=made, device="cuda")

def check_implementation(data, output):
    return (True, "") if torch.allclose(output, torch.softmax(data, -1), atol=1e-2) else (False, "mismatch")
"""


@pytest.mark.campaign
def test_a_folder_whose_check_decides(pool, tmp_path):
    (tmp_path / "task.yml").write_text('tests:\n  - {"rows": 4, "seed": 11}\n')
    (tmp_path / "reference.py").write_text(ORACLE)
    program = PROGRAM.replace("def softmax(x)", "def custom_kernel(x)")
    no_kernel = "import torch\ndef custom_kernel(x):\n    y = (x - x.amax(-1, keepdim=True)).exp()\n    return y / y.sum(-1, keepdim=True)\n"
    for text, wanted in ((program, "accepted"), (program.replace("v / tl.sum(v, 0)", "v / tl.sum(v, 0) * 1.0001"), "rejected"), (no_kernel, "rejected")):
        (tmp_path / "s.py").write_text(text)
        (verdict,) = judge_many(tmp_path, [str(tmp_path / "s.py")], seed=2, witnesses=tmp_path / "w", pool=pool)
        assert verdict.verdict == wanted, str(verdict)
        assert not verdict.reasons or verdict.reasons[0].kind == "torch" or zoo.replayed(tmp_path / "w" / verdict.reasons[0].witness, verdict.reasons[0].message)


@pytest.mark.campaign
@pytest.mark.parametrize("more, told", [
    ("y = softmax(torch.randn(3, 8, device='cuda', requires_grad=True))\n    y.sum().backward()", "gradients"),
    ("import softmax\n    softmax.Thing()", "the class Thing")])
def test_what_tests_ask_that_is_not_forwarded(more, told, pool, tmp_path):
    tests = f"import torch\nfrom softmax import softmax\n\ndef test_it():\n    {more}\n"
    verdict = judged(tmp_path, tests, PROGRAM + "\nclass Thing:\n    pass\n", pool)
    assert verdict.undecided[0].what == "tests" and told in verdict.undecided[0].why, str(verdict)


@pytest.mark.campaign
def test_an_operator_with_torchs_samples(pool, tmp_path):
    pytest.importorskip("expecttest")
    program = PROGRAM.split("kept = ")[0].replace("v = tl.exp(v - tl.max(v, 0))", "v = tl.where(v < 0, 0, v)").replace("v / tl.sum(v, 0)", "v") + """
def relu_kernel_impl(x):
    x = x.contiguous()
    out = torch.empty_like(x)
    if x.numel():
        kernel[(1,)](x, out, x.numel(), BLOCK=triton.next_power_of_2(x.numel()))
    return out
"""
    program = program.replace(', other=float("-inf")).to(tl.float32)', ", other=0)")
    for text, wanted in ((program, "accepted"), (program.replace("v < 0, 0", "v < 1, 0"), "rejected")):
        (tmp_path / "s.py").write_text(text)
        (verdict,) = judge_many("aten::relu", [str(tmp_path / "s.py")], seed=2, witnesses=tmp_path / "w", pool=pool, time=300)
        assert verdict.verdict == wanted, str(verdict)


def test_what_is_judged_is_found(tmp_path):
    (tmp_path / "test_a.py").write_text(TESTS)
    path = str(tmp_path / "test_a.py")
    for word in (path, f"pytest {path}", f"python -m pytest {path}::test_softmax -k float32", f"{path}=softmax"):
        task = tasks.task_of(word)
        assert task.described["module"] == "softmax" and task.entry["kind"] == "module" and task.described["words"][0].startswith(path)
    (tmp_path / "test_b.py").write_text("import torch\nimport not_there_a, not_there_b\n")
    with pytest.raises(lockstep.JudgeError, match="not_there_a, not_there_b"):
        tasks.task_of(str(tmp_path / "test_b.py"))
    assert tasks.task_of(f"{tmp_path}/test_b.py=not_there_b").described["module"] == "not_there_b"
    for word, match in (("pytest a_test.py b_test.py", "one file"), (str(tmp_path / "no_test.py"), "cannot be read"), ("aten::a b", "not an operator")):
        with pytest.raises(lockstep.JudgeError, match=match):
            tasks.task_of(word)
    assert not suite_tasks.is_suite("reference.py") and not suite_tasks.is_suite("tests/softmax.py")


def test_forms_of_values():
    assert is_nest(["u", [["t", 1], ["d", [["a", ["t", 0]]]], ["v", None], ["v", {"dtype": "float16"}]]], 2)
    deep = ["v", 1]
    for _ in range(50):
        deep = ["l", [deep]]
    for one in (["t", 0], ["l", [["t", 0], ["t", 0]]], ["t", True], ["l", 3], ["d", [[[], ["v", 1]]]], ["v", {"dtype": "load"}], ["v", []], None, "l", deep):
        assert not is_nest(one, 2), one


def test_a_suite_is_run_again_in_f64_and_with_other_numbers(tmp_path):
    """suite_run alone, as a witness has it: what is cast for the program is rounded, what the tests compute is not."""
    (tmp_path / "test_x.py").write_text("""
import torch
from mean import mean

def test_mean():
    x = (torch.randn(3, 5) * 3).half()
    y = mean(x, scale=2)
    torch.testing.assert_close(y, (x.float().mean(-1) * 2).half())
""")
    seen = []

    def forward(name, grid, arguments, tensors):
        (x,), named = arguments
        made = (x.double().mean(-1) * named["scale"]).half()
        seen.append(x.clone())
        return made, [made], {}

    run = suite_run.Run([str(tmp_path / "test_x.py")], str(tmp_path), "mean", {"mean": ["function"]}, forward)
    run.run()
    assert [one.outcome for one in run.tests] == ["passed"]
    run.run(wide=True)
    (call,) = run.calls
    (how, own), (how_wide, wide) = call.checks[0][0], call.wide[0][0]
    assert how == how_wide and own.dtype == torch.float16 and wide.dtype == torch.float64
    assert torch.equal(wide, seen[0].double().mean(-1) * 2) and not torch.equal(wide, own.double())
    run.run(shift=1)
    run.run(values="all equal")
    assert not torch.equal(seen[0], seen[1]) and len(seen[2].unique()) == 1
