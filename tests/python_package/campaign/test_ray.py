"""The same campaign on a Ray cluster of two nodes on this machine: the same results, also where one node is lost half way.

Where Ray is not installed these are skipped: pip install "triton-lockstep[ray]"."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from lockstep.campaign.problems import StateError
from lockstep.campaign.state import State
from scale_plan import SCALE

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason='Ray is not installed: pip install "triton-lockstep[ray]"'),
]
PLAN = '[limits]\ntime = "20s"\n' + SCALE + """
reference = "numpy:small_sources:crash_and_differ"
checks = "all"
[run.axes]
dtype = ["f32", "f16", "bf16"]
n = { from = 1, to = %d }
block = [16, 64]
"""
NODE = ["--num-cpus=1", "--object-store-memory=80000000", "--disable-usage-stats", "--include-dashboard=false"]


class Cluster:
    """A head and other nodes: each a `ray start` in a process group of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        # Ray's workers run the package's Python and find it where Ray put it, not here.
        self.environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "RAY_ADDRESS")}
        self.folder = folder
        self.nodes: list[subprocess.Popen] = []
        self.start("--head", f"--port={self.port}", f"--temp-dir={folder}")

    def join(self) -> None:
        self.start(f"--address={self.address}")

    def start(self, *words: str) -> None:
        own = [word for word in NODE if "dashboard" not in word or "--head" in words]
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *words, *own]
        log = (self.folder / f"node{len(self.nodes)}.log").open("w")
        node = subprocess.Popen(command, env=self.environment, start_new_session=True, stdout=log, stderr=log)
        self.nodes.append(node)
        deadline = time.monotonic() + 90
        while "Ray runtime started" not in Path(log.name).read_text():
            assert node.poll() is None, Path(log.name).read_text()
            assert time.monotonic() < deadline, Path(log.name).read_text()
            time.sleep(0.2)

    def processes_of(self, node: subprocess.Popen) -> list[int]:
        """The node's raylet and everything under it."""
        found, todo = [], [node.pid]
        while todo:
            one = todo.pop()
            found.append(one)
            try:
                todo += [int(child) for child in Path(f"/proc/{one}/task/{one}/children").read_text().split()]
            except OSError:
                continue
        return found

    def kill(self, number: int) -> None:
        """As if the machine's plug were pulled."""
        for one in self.processes_of(self.nodes[number]):
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.nodes[number].wait()

    def close(self) -> None:
        for number, node in enumerate(self.nodes):
            if node.poll() is None:
                self.kill(number)


@pytest.fixture
def head():
    """A cluster of one node, which others may join."""
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:  # sockets have short names
        made = Cluster(Path(folder))
        yield made
        made.close()


@pytest.fixture
def cluster(head):
    head.join()
    return head


def campaign(folder, *words: str, **environment: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "lockstep", "campaign", *words]
    given = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"} | environment
    return subprocess.Popen(command, cwd=folder.path, env=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_results_of(folder, run: subprocess.Popen, nodes: int, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while len(workers_of(folder)) < nodes:
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < deadline, f"no results of {nodes} nodes"
        time.sleep(0.1)


def workers_of(folder, state="ray.db") -> set[str]:
    """The nodes that results came from."""
    try:
        with State(folder.path / state, writes=False) as opened:
            _, rows = opened.query("select distinct substr(worker, 1, instr(worker, '-')) from results")
            return {row[0] for row in rows}
    except StateError:  # the campaign has not made it yet
        return set()


@pytest.mark.parametrize("loses_a_node", [False, True])
def test_two_nodes_give_the_local_runs_results(folder, cluster, loses_a_node):
    folder.run(PLAN % 120, jobs=2)
    run = campaign(folder, "run", "plan.toml", "--state", "ray.db", "--ray", cluster.address)
    if loses_a_node:
        wait_for_results_of(folder, run, 2)
        cluster.kill(1)
        assert run.poll() is None, "the campaign ended before the node was lost"
    said, _ = run.communicate(timeout=400)
    assert run.returncode == 1, said
    assert len(workers_of(folder)) == 2
    assert folder.export("ray.db") == folder.export()


def test_a_lost_cluster_ends_the_campaign_which_goes_on_here(folder, cluster):
    folder.run(PLAN % 60, jobs=2)
    run = campaign(folder, "run", "plan.toml", "--state", "ray.db", "--ray", cluster.address)
    wait_for_results_of(folder, run, 1)
    cluster.close()
    said, _ = run.communicate(timeout=120)
    assert run.returncode == 3, said
    assert "no Ray cluster" in said
    assert campaign(folder, "resume", "ray.db", "--jobs", "2").wait(timeout=120) == 1
    assert folder.export("ray.db") == folder.export()


SLOW = PLAN.replace("crash_and_differ", "slow_scale")  # 50 ms a case, so that nodes have time to join


def test_auto_finds_the_cluster_and_a_node_that_joins_takes_part(folder, head):
    """The head is found by the file that `ray start` writes, the campaign is half done when the second node comes."""
    run = campaign(folder, "run", str(folder.write(SLOW % 150)), "--state", "ray.db", "--ray", "auto", RAY_TMPDIR=str(head.folder))
    wait_for_results_of(folder, run, 1)
    head.join()
    wait_for_results_of(folder, run, 2)
    said, _ = run.communicate(timeout=400)
    assert run.returncode == 0, said
    assert "900 of 900 cases: 900 pass" in said
    with State(folder.path / "ray.db", writes=False) as opened:
        _, rows = opened.query("select count(*) from results group by substr(worker, 1, instr(worker, '-'))")
    assert min(count for (count,) in rows) > 50


def test_auto_takes_the_address_of_the_environment(folder, head):
    run = campaign(folder, "run", str(folder.write(SLOW % 2)), "--ray", "auto", RAY_ADDRESS=head.address)
    said, _ = run.communicate(timeout=120)
    assert run.returncode == 0, said


def test_auto_without_a_cluster_is_said(folder):
    from ray._private.services import find_gcs_addresses

    if find_gcs_addresses():
        pytest.skip("somebody runs Ray on this machine")
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as empty:
        run = campaign(folder, "run", str(folder.write(SLOW % 2)), "--ray", "auto", RAY_TMPDIR=empty)
        said, _ = run.communicate(timeout=120)
    assert run.returncode == 3, said
    assert "no Ray cluster at auto" in said
    assert "ray start --head" in said
    assert "Traceback" not in said


def test_no_cluster_is_said(folder):
    folder.write(PLAN % 3)
    run = campaign(folder, "run", "plan.toml", "--ray", "127.0.0.1:1")
    said, _ = run.communicate(timeout=120)
    assert run.returncode == 3, said
    assert "no Ray cluster at 127.0.0.1:1" in said
    assert "ray start --head" in said
