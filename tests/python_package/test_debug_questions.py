"""ref, diff, bisect, lint, cost and roofline in sessions of Python programs: the launch is made once more on the program's
own tensors, which hold afterwards what they held."""

import debug_kernels
import lockstep
import pytest
import torch
from backend_fixture import on_lockstep  # noqa: F401

SIZE = 30


def launch(kernel=debug_kernels.scale, x=None):
    """(x, out); out is -1 before the launch."""
    x, out = torch.arange(float(SIZE)) if x is None else x, torch.full((SIZE,), -1.0)
    extra = (3.0,) if kernel is debug_kernels.scale else ()
    kernel[(4,)](x, out, *extra, SIZE, BLOCK=8)
    return x, out


def wrong_at(element):
    expected = torch.arange(float(SIZE)) * 3
    expected[element] += 1
    return {"out": expected}


def shown(capsys, *commands, **options):
    """What the commands print; the launch's effect is what it is without them."""
    lockstep.debug(commands=commands, batch=True, **options)
    x, out = launch()
    assert torch.equal(out, x * 3)
    assert torch.equal(x, torch.arange(float(SIZE)))
    return capsys.readouterr().out


def test_costs_are_those_of_the_whole_launch_wherever_it_stands(capsys):
    text = shown(capsys, "cost", "break 12 if row == 2", "continue", "p out[8:12]", "cost", "roofline h100", "p out[8:12]")
    first, second = text.split("(lockstep) cost\n")[1:]
    assert first.splitlines()[:5] == second.splitlines()[:5]
    assert "  50%         4     120 B   94%" in first
    assert "debug_kernels.py:11  value = tl.load(x + i, i < n)" in first
    assert "h200's data sheet" in first
    assert "on h100: 256 B must move" in text
    assert text.count("p out[8:12]\nout[8:12] = f32[4] [24. 27. 30. 33.]") == 2  # programs that ran have their results


def test_lints(capsys):
    lockstep.debug(commands=["lint"], batch=True)
    x = torch.arange(4096.0)
    debug_kernels.far_apart[(1,)](x, x.clone(), BLOCK=64)
    assert "[LSP01]" in capsys.readouterr().out


def test_differences_from_what_is_expected(capsys):
    text = shown(
        capsys, "p ref('out')[20]", "break 12 if row == 2", "continue", "diff", "continue", "diff", expect=wrong_at(20)
    )
    assert "ref('out')[20] = 61.\n" in text
    half, whole = text.split("(lockstep) diff\n")[1:]
    assert half.startswith("2 of 4 programs have not ended\n")
    assert "out f32[30]: 0 of 30 elements differ from what is expected; 14 are as the launch found them" in half
    assert "out f32[30]: 1 of 30 elements differ from what is expected" in whole
    assert "  out[20] is 60., reference 61. (262144 ULP, 1)\n  1 beyond the tolerance (rtol 1e-05, atol 1e-05)" in whole


def test_bisect_stands_behind_the_op_that_lost_the_digits(capsys):
    x = torch.tensor([2.0**12 + i for i in range(SIZE)])
    exact = ((x.double() + 2.0**-9) ** 2 - x.double() ** 2).float()
    lockstep.debug(commands=["bisect", "p out"], batch=True, expect={"out": exact})
    launch(debug_kernels.cancels, x)
    text = capsys.readouterr().out
    assert "bits cancel in " in text
    assert "debug_kernels.py:51" in text
    assert "ulp" not in text.split("(lockstep) p out")[1].lower()


def test_bisect_names_a_wrong_element(capsys):
    text = shown(capsys, "bisect", "p out[:3]", expect=wrong_at(20))
    assert "out[20] is 60, in f64 60; what is expected is 61\n" in text
    assert "Lockstep tried changes of the kernel" in text
    assert "program (2,0,0)  scale  debug_kernels.py:13" in text


def test_questions_are_about_the_launch_as_it_was_given(capsys):
    """What a person changed stays, and is not asked about."""
    lockstep.debug(commands=["set x[0] = 100", "cost", "lint", "diff", "p x[0]", "continue", "diff"], batch=True,
                   expect={"out": torch.arange(float(SIZE)) * 3})  # fmt: skip
    x, out = launch()
    text = capsys.readouterr().out
    assert x[0] == 100
    assert out[0] == 300
    assert "p x[0]\nx[0] = 100." in text
    assert "  out[0] is 300., reference 0." in text


def test_a_recorded_launch_is_a_reference(capsys, tmp_path):
    with lockstep.record(tmp_path, outputs=True):
        launch()
    capsule = next(tmp_path.glob("*.capsule"))
    text = shown(capsys, f"diff {capsule}", "continue", f"diff {capsule}")
    before, after = text.split(f"(lockstep) diff {capsule}\n")[1:]
    assert "30 are as the launch found them" in before
    assert f"out f32[30]: all 30 elements are what {capsule.name} holds" in after


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("diff", '''there is no reference: lockstep.debug(expect={"NAME": tensor}) gives the launch's expected results'''),
        ("diff nothing", "no tensor of the launch is called 'nothing'\nhint: x, out, or a FILE.capsule"),
        ("diff none.capsule", "none.capsule"),
        ("bisect", "without a reference, bisect cannot choose an element"),
        ("p ref('out')", """there is no reference for 'out': lockstep.debug(expect={"NAME": tensor})"""),
        ("roofline pdp11", "the rates of 'pdp11' are not known"),
    ],
)
def test_what_has_no_answer_says_what_to_do(capsys, command, answer):
    lockstep.debug(commands=[command], batch=True)
    with pytest.raises(lockstep.DebuggerError):
        launch()
    assert answer in capsys.readouterr().out


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"none": torch.zeros(SIZE)}, "expect: no tensor of the launch is called 'none': x, out"),
        ({"out": torch.zeros(SIZE + 1)}, r"expect: 'out' is f32\[30\], what is expected of it is f32\[31\]"),
        ({"out": torch.zeros(SIZE, dtype=torch.float64)}, r"what is expected of it is f64\[30\]"),
        ({"out": 3}, "expect: 'out': it is no array"),
    ],
)
def test_references_that_do_not_fit(expect, message):
    lockstep.debug(commands=["continue"], batch=True, expect=expect)
    with pytest.raises((lockstep.DebuggerError, ValueError), match=message):
        launch()


def test_expect_takes_a_mapping():
    with pytest.raises(lockstep.OptionError, match="expect must be a mapping"):
        lockstep.debug(expect=[torch.zeros(1)])
