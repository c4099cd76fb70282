"""Corpus tests run real packages' kernels on Lockstep with a pretended GPU. `corpus` is the recorder of the running
test.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

_MISSING = "this test needs triton, torch and the lockstep package"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "campaign: not for every change; ./dev test all runs it")


@pytest.fixture(scope="session", autouse=True)
def own_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Inductor's and Triton's caches are this session's: what others left there may name packages that are gone.

    A campaign's workers have one folder together, which LOCKSTEP_CORPUS_CACHE names."""
    names = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")
    shared = os.environ.get("LOCKSTEP_CORPUS_CACHE")
    folders = {name: os.path.join(shared, name) if shared else str(tmp_path_factory.mktemp("cache")) for name in names}
    before = {name: os.environ.get(name) for name in folders}
    os.environ.update(folders)
    yield
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture(scope="session", autouse=True)
def pretended_gpu(own_caches: None) -> Iterator[None]:
    lockstep = pytest.importorskip("lockstep", reason=_MISSING)
    pytest.importorskip("triton", reason=_MISSING)
    torch = pytest.importorskip("torch", reason=_MISSING)
    torch.set_num_threads(1)
    with lockstep.pretend_cuda():
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    result = yield
    if call.when == "call":
        item.stash[_FAILED] = result.get_result().failed


_FAILED = pytest.StashKey[bool]()


@pytest.fixture
def corpus(request: pytest.FixtureRequest) -> Iterator[object]:
    from recorder import Recorder

    package = os.path.basename(os.path.dirname(str(request.node.path)))
    with Recorder(package, f"{request.node.path.name}::{request.node.name}") as recorder:
        yield recorder
    recorder.write(failed=request.node.stash.get(_FAILED, False))
