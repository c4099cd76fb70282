"""The harness itself: that a wrong result is seen, and that its own rounding agrees with NumPy and ml_dtypes."""

import dataclasses
import json
import zipfile

import numpy as np
import pytest
import record
from support import catalogue, compare, elements, kernels, recorded, references, signature, values
from support.case import Exact, Ulp


def text_of(got, expected, bound=Exact()):
    return compare.check([got], [expected], [], bound, "expected")


@pytest.mark.parametrize("element", [*elements.FLOAT8, *elements.FLOATS])
def test_one_wrong_bit_is_seen(element):
    array = values.floats(element, 256)
    raw = elements.bits(array).copy()
    raw[1] ^= 1
    wrong = raw.view(array.dtype)
    assert text_of(array, array) is None
    assert "1 of 256" in text_of(wrong, array)
    assert text_of(wrong, array, Ulp(1)) is None


def test_zeros_of_both_signs_differ_only_when_exact():
    plus, minus = np.array([0.0], np.float32), np.array([-0.0], np.float32)
    assert text_of(plus, minus) is not None
    assert text_of(plus, minus, Ulp(1)) is None


def test_nan_is_nan_whatever_its_payload():
    quiet = np.array([0x7FC00000, 0xFFC12345], np.uint32).view(np.float32)
    assert text_of(quiet, quiet[::-1].copy()) is None
    assert text_of(quiet, np.zeros(2, np.float32), Ulp(1e9)) is not None
    assert text_of(np.zeros(2, np.float32), quiet, Ulp(1e9)) is not None


def test_error_against_a_wider_reference():
    exact = np.array([1 + 2.0**-25, 2.0**-149 * 1.5, 1e300], np.float64)
    with np.errstate(all="ignore"):
        good = exact.astype(np.float32)
    assert text_of(good, exact, Ulp(0.5)) is None
    assert text_of(np.nextafter(good, np.float32(0)), exact, Ulp(0.5)) is not None


@pytest.mark.parametrize("element", ["f16", "bf16", "f32"])
def test_rounding_agrees_with_casts_from_f32(element):
    array = values.floats("f32", 65536)
    with np.errstate(all="ignore"):
        assert text_of(references.rounded(array, element), array.astype(elements.DTYPE[element])) is None


@pytest.mark.parametrize("element", ["f8E5M2", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2FNUZ"])
def test_rounding_to_f8_agrees_with_ml_dtypes(element):
    array = values.all_bits("f16")
    with np.errstate(all="ignore"):
        theirs = array.astype(elements.DTYPE[element])
    assert text_of(references.rounded(array, element), theirs) is None


def test_signature():
    head = 'tt.func public @"a b"(%x: !tt.ptr<f32, 1> {tt.divisibility = 16 : i32}, %n: i32 loc(#a), %d: !tt.tensordesc<tensor<4x8xf32>>) {'
    found = signature.parameters(head)
    assert [(p.name, p.type) for p in found] == [("x", "!tt.ptr<f32, 1>"), ("n", "i32"), ("d", "!tt.tensordesc<tensor<4x8xf32>>")]
    assert found[0].pointee() == "f32"


def test_digest_follows_text_and_inputs():
    def make(count):
        return kernels.elementwise("c", "%r = arith.addf %a, %a : TILE(f32)", {"a": values.floats("f32", count)}, {"r": "f32"}, None)

    case = make(64)
    assert recorded.digest(case) == recorded.digest(make(64))
    assert recorded.digest(case) != recorded.digest(make(32))
    assert recorded.digest(case) != recorded.digest(dataclasses.replace(case, num_warps=8))
    changed = make(64)
    changed.arguments[0].array = changed.arguments[0].array[::-1].copy()
    assert recorded.digest(case) != recorded.digest(changed)


@pytest.fixture
def recorded_folder(tmp_path, monkeypatch):
    """Records of arith.negf as a GPU that answers 7, 7, 7 ... would make them."""
    archive, out, target = tmp_path / "a.zip", tmp_path / "out", tmp_path / "recorded"
    only = {case.name: recorded.digest(case) for case in catalogue.cases_of("arith_negf")}
    monkeypatch.setattr(record, "current_digests", lambda: {"arith_negf": only})
    record.prepare(archive, ["arith_negf"])
    cases = json.loads(record.Blobs(archive).file.read("index.json"))["cases"]
    out.mkdir()
    with zipfile.ZipFile(out / "part0.zip", "w") as file:
        for number, case in enumerate(cases):
            sizes = [len(record.Blobs(archive)[a["blob"]]) for a in case["arguments"] if a["kind"] == "out"]
            np.savez(tmp_path / f"case{number}.npz", *[np.full(size, 7, np.uint8) for size in sizes])
            file.write(tmp_path / f"case{number}.npz", f"case{number}.npz")
    results = {number: {"error": "illegal"} if number == 0 else {"outputs": 1} for number in range(len(cases))}
    (out / "report.json").write_text(json.dumps({"machine": {"gpu": "none"}, "results": results}))
    record.collect(archive, out, target)
    monkeypatch.setattr(recorded, "FOLDER", target)
    recorded.answers.cache_clear()
    yield target, cases
    recorded.answers.cache_clear()


def test_records_come_back_by_case(recorded_folder):
    target, listed = recorded_folder
    cases = {case.name: case for case in catalogue.cases_of("arith_negf")}
    case = cases[listed[1]["name"]]
    assert (elements.bits(recorded.answer("arith_negf", case)[0]).view(np.uint8) == 7).all()
    assert recorded.answer("arith_negf", cases[listed[0]["name"]]) is None
    refused = json.loads((target / "not_recorded.json").read_text())["failed"]
    assert refused["illegal"]["arith_negf"] == {listed[0]["name"]: listed[0]["digest"][:12]}


def test_only_new_cases_are_asked_again(recorded_folder, tmp_path):
    archive = tmp_path / "again.zip"
    record.prepare(archive, ["arith_negf"], only_new=True)
    assert json.loads(record.Blobs(archive).file.read("index.json"))["cases"] == []
    record.prepare(archive, ["arith_negf", "arith_addf"], only_new=True)
    assert {case["op"] for case in json.loads(record.Blobs(archive).file.read("index.json"))["cases"]} == {"arith_addf"}


def test_answers_are_merged(recorded_folder, tmp_path):
    target, listed = recorded_folder
    archive, out = tmp_path / "none.zip", tmp_path / "none"
    record.prepare(archive, ["arith_negf"], only_new=True)
    out.mkdir()
    (out / "report.json").write_text(json.dumps({"machine": {"gpu": "other"}, "results": {}}))
    before = record.read_record(target / "arith_negf.npz.xz")
    record.collect(archive, out, target)
    after = record.read_record(target / "arith_negf.npz.xz")
    assert before.keys() == after.keys() and len(after) == len(listed) - 1
    assert all(entry[2] == {"gpu": "none"} for entry in after.values())
    assert record.old_failures(target / "not_recorded.json").keys() == {("arith_negf", listed[0]["name"])}


def test_a_stale_record_fails(recorded_folder):
    case = {case.name: case for case in catalogue.cases_of("arith_negf")}[recorded_folder[1][1]["name"]]
    changed = dataclasses.replace(case, ttir=case.ttir + "// another text\n")
    with pytest.raises(AssertionError, match="another text or other inputs"):
        recorded.answer("arith_negf", changed)
