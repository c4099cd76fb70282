"""The axis `dtype` of suites: what a test has in one float type is made in another."""

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
SUITE = '\n[[run]]\nkind = "tests"\nsuite = "pytest typed_suite.py --lockstep"\n'


def test_tests_are_run_in_other_types(folder):
    sys.modules.pop("typed_suite", None)
    shutil.copy(HERE / "typed_suite.py", folder.path)
    axes = '[run.axes]\ndtype = ["f32", "f16", "bf16"]\n'
    folder.run(f"{SUITE}follows_dtype = true\nleave_out = ['fixed']\n{axes}{SUITE}select = 'fixed|bounds'\n{axes}")
    found = {}
    for one in folder.results():
        source = one["case"]["source"]
        key = source["test"].partition("::")[2] + (" follows" if source.get("follows_dtype") else "")
        found.setdefault(key, {})[one["case"]["vary"]["dtype"]] = one["result"]
    assert {name: [results[dtype]["verdict"] for dtype in ("f32", "f16", "bf16")] for name, results in found.items()} == {
        "test_bounds_follow[dtype0] follows": ["refused", "pass", "mismatch"],  # in f32 it is as it is
        "test_drawn follows": ["refused", "pass", "mismatch"],
        "test_of_integers follows": ["refused", "refused", "refused"],
        "test_only_float32 follows": ["refused", "refused", "refused"],
        "test_bounds_follow[dtype0]": ["refused", "pass", "refused"],
        "test_fixed_bound": ["refused", "refused", "refused"],  # never a mismatch by a bound of another type
    }
    assert found["test_drawn follows"]["f32"]["message"] == "the test draws no values that could become f32"
    assert "float32 only" in found["test_only_float32 follows"]["f16"]["message"]
    assert "follows_dtype" in found["test_fixed_bound"]["f16"]["message"]
    assert list(found["test_drawn follows"]["f16"]["coverage"]) == ["halve"]
