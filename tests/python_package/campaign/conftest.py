"""Plans in a folder of the test's own, beside copies of the kernels and references."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from lockstep.campaign import driver, plan
from lockstep.campaign.state import State

HERE = Path(__file__).parent

collect_ignore = ["small_repository"]  # a suite that tests give to campaigns
sys.path.insert(0, str(HERE.parents[1] / "browser"))  # chromium


class Folder:
    """A campaign's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name in ("small_kernels.py", "small_sources.py", "small_softmax.py", "small_padding.py"):
            shutil.copy(HERE / name, path / name)

    def write(self, text: str, name: str = "plan.toml") -> Path:
        (self.path / name).write_text(text)
        return self.path / name

    def plan(self, text: str) -> plan.Plan:
        return plan.read(self.write(text))

    def run(self, text: str, **options) -> driver.Summary:
        return driver.run_plan(self.write(text), **{"jobs": 1, **options})

    def results(self, state="plan.db") -> list[dict]:
        """{"case", "result"}, sorted by id."""
        return [json.loads(line) for line in self.export(state).splitlines()]

    def export(self, state="plan.db") -> str:
        import io

        out = io.StringIO()
        with State(self.path / state, writes=False) as opened:
            opened.export(out)
        return out.getvalue()


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory):
    """For what several tests look at: name -> Folder."""
    return lambda name: Folder(tmp_path_factory.mktemp(name))
