"""lockstep.prove and lockstep.guard: what holds, the largest sizes, and launches that are refused before they happen."""

import pathlib
import subprocess
import sys
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

import lockstep  # noqa: E402

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "prove"))
import kernels  # noqa: E402

VECTOR = {"x": "f32[n]", "y": "f32[n]", "out": "f32[n]", "BLOCK": 8}


@pytest.fixture(scope="module")
def added():
    return lockstep.prove(kernels.add, grid="cdiv(n, BLOCK)", **VECTOR)


class Launches:
    """Stands for a kernel: keeps what is launched."""

    def __init__(self, kernel):
        self.fn, self.made = kernel.fn, []

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.made.append((grid, args, kwargs))


def test_a_right_kernel_holds(added, tmp_path):
    assert added and added.holds and not added.undecided and added.counterexample is None
    added.proof.save(tmp_path / "add.proof")
    checker = HERE.parents[1] / "tools" / "check_proof.py"
    done = subprocess.run([sys.executable, str(checker), str(tmp_path / "add.proof")], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "add: proved for every launch" in done.stdout, done.stdout


def test_the_largest_size_is_the_boundary(added):
    largest = added.largest("n")
    assert largest > 2**31 - 20
    assert added.admits(n=largest) and (largest == 2**31 - 1 or not added.admits(n=largest + 1))
    rows = lockstep.prove(kernels.rows, grid="M", x="f32[M,N]:(stride,1)", out="f32[M,N]", BLOCK=4)
    largest = rows.largest("stride", M=3, N=4)
    assert 2 * largest <= 2**31 - 1 < 2 * (largest + 4)


def test_a_wrong_kernel_has_a_launch_that_fails_again():
    wrong = lockstep.prove(kernels.add_mask_off_by_one, grid="cdiv(n, BLOCK)", **VECTOR)
    assert not wrong.holds and wrong.answer == "fails" and wrong.proof is None
    assert any("LS101" in one for one in wrong.counterexample.findings)
    done = wrong.counterexample.run()
    assert done.returncode == 1 and "LS101" in done.stdout + done.stderr
    with pytest.raises(lockstep.LockstepError, match="not proved"):
        lockstep.guard(kernels.add_mask_off_by_one, wrong)


def test_what_is_not_decided_has_its_reason():
    answer = lockstep.prove(kernels.gathered, grid="cdiv(n, BLOCK)", x="f32[n]", index="i32[n]", out="f32[n]", BLOCK=8)
    assert answer.answer == "not decided" and any("loaded" in one.reason for one in answer.undecided)
    answer = lockstep.prove(kernels.gathered, grid="cdiv(n, BLOCK)", x="f32[n]", index="i32[n]", out="f32[n]", BLOCK=8, assume="index in [0,n)")
    assert answer.holds, answer


def test_a_wrong_contract_is_an_error():
    with pytest.raises(lockstep.LockstepError, match="no argument"):
        lockstep.prove(kernels.add, z="f32[n]", **VECTOR)


def test_guard_refuses_before_the_launch(added):
    kernel = Launches(kernels.add)
    safe = lockstep.guard(kernel, added)
    x = torch.zeros(20)
    safe[(3,)](x, x, x, 20, BLOCK=8)
    assert len(kernel.made) == 1
    for grid, tensors, n, words in [((4,), (x, x, x), 20, "grid"), ((3,), (x, x, x[:19]), 20, "out owns"), ((0,), (x, x, x), 0, "n"),
                                    ((3,), (x, x, x.to(torch.float64)), 20, "out is")]:
        with pytest.raises(lockstep.OutsideProof, match=words):
            safe[grid](*[one.clone() for one in tensors], n, BLOCK=8)
    with pytest.raises(lockstep.OutsideProof, match="BLOCK"):
        safe[(3,)](x, x, x, 20, BLOCK=16)
    assert len(kernel.made) == 1


def test_guard_reads_assumed_data():
    answer = lockstep.prove(kernels.gathered, grid="cdiv(n, BLOCK)", x="f32[n]", index="i32[n]", out="f32[n]", BLOCK=8, assume="index in [0,n)")
    kernel = Launches(kernels.gathered)
    safe = lockstep.guard(kernel, answer)
    x, index = torch.zeros(16), torch.arange(16, dtype=torch.int32)
    safe[(2,)](x, index, x, 16, BLOCK=8)
    index[3] = 16
    with pytest.raises(lockstep.OutsideProof, match="index in"):
        safe[(2,)](x, index, x, 16, BLOCK=8)


def test_guard_counts_only_numbers_that_it_reads():
    answer = lockstep.prove(kernels.gathered, grid="cdiv(n, BLOCK)", x="f32[n]", index="i32[n]", out="f32[n]", BLOCK=8, assume="index in [0,n)")
    kernel = Launches(kernels.gathered)
    safe = lockstep.guard(kernel, answer)
    x, index = torch.zeros(16), torch.zeros(32, dtype=torch.int32)
    safe[(2,)](x, index[:16], x, 16, BLOCK=8)
    for part in (index[:8], index[::2]):  # their storage has more, which nobody looked at
        with pytest.raises(lockstep.OutsideProof, match="index owns"):
            safe[(2,)](x, part, x, 16, BLOCK=8)
    assert len(kernel.made) == 1


def test_guard_reads_tables_of_chunks():
    assumed = ("starts rises from 0 to total", "chunks counts chunks of BLOCK in N sequences of starts")
    contract = {"x": "f32[total]", "starts": "i32[N+1]", "chunks": "i64[2*C]", "out": "f32[C]"}
    answer = lockstep.prove(kernels.chunk_ends, grid="C", **contract, BLOCK=16, assume=assumed)
    assert answer.holds, answer
    plain = lockstep.prove(kernels.chunk_ends, grid="C", **contract, BLOCK=16, assume=assumed[0])
    assert plain.answer == "not decided" and any("counts chunks" in one for one in plain.report["suggestions"])
    kernel = Launches(kernels.chunk_ends)
    safe = lockstep.guard(kernel, answer)
    x, starts, chunks = torch.zeros(40), torch.tensor([0, 20, 40], dtype=torch.int32), torch.tensor([0, 0, 0, 1, 1, 0, 1, 1])
    out = torch.zeros(4)
    safe[(4,)](x, starts, chunks, out, BLOCK=16)
    assert len(kernel.made) == 1
    for place, value in ((3, 2), (0, 2), (0, -1), (1, -1), (1, 1 << 60)):
        wrong = chunks.clone()
        wrong[place] = value
        with pytest.raises(lockstep.OutsideProof, match="counts chunks"):
            safe[(4,)](x, starts, wrong, out, BLOCK=16)
    twice = chunks.clone()
    twice[2:4] = twice[6:8]
    with pytest.raises(lockstep.OutsideProof, match="counts chunks"):
        safe[(4,)](x, starts, twice, out, BLOCK=16)
    with pytest.raises(lockstep.OutsideProof, match="counts chunks"):
        safe[(4,)](x, torch.tensor([0, 0, 40], dtype=torch.int32), chunks, out, BLOCK=16)
    assert len(kernel.made) == 1


def test_a_launch_and_properties_make_a_contract():
    sys.path.insert(0, str(HERE.parents[1] / "examples"))
    import softmax

    capsule = HERE.parent / "differential" / "capsules" / "examples-0000-softmax.capsule"
    answer = lockstep.prove(softmax.softmax, like=capsule, properties="all")
    assert answer.holds and {"races", "coverage"} <= {one.property for one in answer.conditions}, answer
    assert not any(one.property == "coverage" for one in lockstep.prove(softmax.softmax, like=[capsule], properties=["races"]).conditions)
    kernel = Launches(softmax.softmax)
    safe = lockstep.guard(kernel, answer)
    for columns in (200, 300):
        x = torch.zeros(4, columns)
        if columns == 200:
            safe[(4,)](x, x.clone(), columns, columns, 4, columns, BLOCK=256)
            continue
        with pytest.raises(lockstep.OutsideProof, match="columns <= 256"):
            safe[(4,)](x, x.clone(), columns, columns, 4, columns, BLOCK=256)
    assert len(kernel.made) == 1


def test_guard_reads_sizes_from_the_grid_and_from_pairs():
    assumed = ("starts rises from 0 to total", "chunks counts chunks of BLOCK in N sequences of starts")
    contract = {"x": "f32[total]", "starts": "i32[N+1]", "out": "f32[2*C]", "BLOCK": 16}
    starts, chunks, x = torch.tensor([0, 20], dtype=torch.int32), torch.tensor([0, 0, 0, 1]), torch.zeros(20)
    for table in ("i64[2*C]", "i64[D]"):  # without a size that says C, the grid does
        answer = lockstep.prove(kernels.chunk_ends, grid="C", chunks=table, where="D == 2*C" if "D" in table else (), assume=assumed, **contract)
        assert answer.holds, answer
        kernel = Launches(kernels.chunk_ends)
        safe = lockstep.guard(kernel, answer)
        safe[(2,)](x, starts, chunks, torch.zeros(4), BLOCK=16)
        with pytest.raises(lockstep.OutsideProof):
            safe[(3,)](x, starts, chunks, torch.zeros(4), BLOCK=16)
        assert len(kernel.made) == 1


def test_guard_refuses_launches_beyond_published_boundaries(capsys):
    """With tensors that have no memory; `guard_beyond.py --gpu` makes the same launches on a GPU."""
    import guard_beyond

    assert sum(guard_beyond.check(one, "meta") for one in guard_beyond.BOUNDARIES) == 0, capsys.readouterr().out


def test_guard_says_which_size_nothing_tells():
    answer = lockstep.prove(kernels.add, grid="cdiv(n, BLOCK)", x="f32[n*m]", y="f32[n*m]", out="f32[n*m]", BLOCK=8)
    with pytest.raises(lockstep.LockstepError, match="no argument of add says m"):
        lockstep.guard(kernels.add, answer)


def test_guard_refuses_what_breaks_a_promise():
    import hinted

    answer = lockstep.prove(hinted.strided, grid="M", x="f32[M,N]:(stride,1)", out="f32[M,N]", BLOCK=8, properties="hints")
    assert answer.holds and any("stride % 8 == 0" in one.text for one in answer.conditions), answer
    safe = lockstep.guard(Launches(hinted.strided), answer)
    x, out = torch.zeros(2, 16), torch.zeros(2, 8)
    safe[(2,)](x[:, :8], out, 2, 8, 16, BLOCK=8)
    with pytest.raises(lockstep.OutsideProof, match="stride % 8 == 0"):
        safe[(2,)](x[:, :8], out, 2, 8, 12, BLOCK=8)


def test_guard_costs_little(added):
    """At most 2 us on an idle machine; here the best of many tries, with room for a busy one."""
    safe = lockstep.guard(Launches(kernels.add), added)
    x, grid = torch.zeros(4096), (512,)
    best = 1.0
    for _ in range(200):
        begin = time.perf_counter()
        for _ in range(20):
            safe.check(grid, x, x, x, 4096, BLOCK=8)
        best = min(best, (time.perf_counter() - begin) / 20)
    assert best < 20e-6, best
