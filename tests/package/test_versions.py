"""The backend with other versions of Triton than the installed one: the tests of test_backend.py and test_autotune.py again.

LOCKSTEP_TRITON_3_8 and LOCKSTEP_TRITON_3_9 name folders with those versions (`pip install --no-deps --target FOLDER
triton==3.8.0`); .cache/triton-3.8.0 and .cache/triton-3.9.0 in the source tree are found without them."""

import os
import pathlib
import re
import subprocess
import sys

import lockstep
import pytest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(lockstep.__file__).resolve().parent.parent
TESTED = ("test_backend.py", "test_autotune.py", "test_configuration.py")


def folder_of(version):
    given = os.environ.get("LOCKSTEP_TRITON_" + "_".join(version.split(".")[:2]))
    return pathlib.Path(given) if given else HERE.parent.parent / ".cache" / f"triton-{version}"


@pytest.mark.parametrize("version", ["3.8.0", "3.9.0"])
def test_version(version, tmp_path):
    folder = folder_of(version)
    if not (folder / "triton" / "__init__.py").exists():
        pytest.skip(f"no Triton {version} in {folder}")
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", ""), str(PACKAGE)])
    environment = {**os.environ, "PYTHONPATH": path, "TRITON_CACHE_DIR": str(tmp_path)}
    shown = subprocess.run(
        [sys.executable, "-c", "import triton; print(triton.__version__)"],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert shown.stdout.strip() == version, shown.stderr
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(str(HERE / name) for name in TESTED)],
        env=environment, capture_output=True, text=True, timeout=240, check=False, cwd=HERE,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 50
