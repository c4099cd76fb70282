"""The state file: one writer, whole or not at all, merged without losing or doubling a result."""

import pytest
from lockstep.campaign import driver, state
from lockstep.campaign.problems import StateError
from lockstep.campaign.state import Result, State
from scale_plan import SCALE, SCALE_AXES

PASS = '{"findings":[],"id":"%s","message":"","outputs":{},"verdict":"pass"}'


def test_a_result_is_kept_once(tmp_path):
    with State(tmp_path / "a.db") as one:
        one.add_cases([("a", "{}"), ("b", "{}")])
        assert one.add_results([Result("a", PASS % "a", 1.0, "1")]) == {"pass": 1}
        assert one.add_results([Result("a", PASS % "other", 2.0, "2"), Result("b", PASS % "b", 1.0, "2")]) == {"pass": 1}
        assert one.query("select id, worker from results")[1] == [("a", "1"), ("b", "2")]


def test_a_transaction_is_all_or_nothing(tmp_path):
    def cases():
        yield "a", "{}"
        raise RuntimeError("half way")

    with State(tmp_path / "a.db") as one:
        with pytest.raises(RuntimeError):
            one.add_cases(cases(), plan="text")
        assert (one.count("cases"), one.value("plan")) == (0, None)


def test_one_process_writes_at_a_time(tmp_path):
    with State(tmp_path / "a.db"):
        with pytest.raises(StateError, match="another process"):
            State(tmp_path / "a.db")
        with State(tmp_path / "a.db", writes=False) as reader:
            assert reader.count("cases") == 0


@pytest.mark.parametrize("content", [b"not a database, but long enough to be read as the first page of one" * 40, b""])
def test_a_file_that_is_none_is_refused(tmp_path, content):
    (tmp_path / "a.db").write_bytes(content)
    if content:
        with pytest.raises(StateError, match="not a campaign's state file"):
            State(tmp_path / "a.db")
    with pytest.raises(StateError):
        State(tmp_path / "a.db", writes=False)
    with pytest.raises(StateError, match="no such"):
        State(tmp_path / "b.db", writes=False)


def test_a_changed_toml_is_another_campaign(folder):
    folder.run(SCALE + SCALE_AXES, cases=1)
    with pytest.raises(StateError, match="another campaign"):
        folder.run(SCALE + SCALE_AXES + "schedule = [1]\n")


def test_parts_of_a_campaign_merge(folder):
    plan = folder.write(SCALE + SCALE_AXES)
    whole = driver.run_plan(plan, jobs=1)
    driver.run_plan(plan, state=folder.path / "a.db", jobs=1, cases=5)
    driver.run_plan(plan, state=folder.path / "b.db", jobs=1, cases=8)
    assert state.merge([folder.path / "a.db", folder.path / "b.db"], folder.path / "c.db") == (12, 8)
    assert driver.resume(folder.path / "c.db", jobs=1).new == 4
    assert folder.export("c.db") == folder.export()
    assert whole.cases == 12
    with pytest.raises(StateError, match="this file exists already"):
        state.merge([folder.path / "a.db"], folder.path / "c.db")


def test_different_results_of_a_case_do_not_merge(tmp_path):
    for name, verdict in (("a", "pass"), ("b", "crash")):
        with State(tmp_path / f"{name}.db") as one:
            one.add_cases([("k", "{}")])
            one.add_results([Result("k", PASS.replace("pass", verdict) % "k", 1.0, "1")])
    with pytest.raises(StateError, match="another result"):
        state.merge([tmp_path / "a.db", tmp_path / "b.db"], tmp_path / "c.db")
