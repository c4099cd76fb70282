"""The tests of a suite and the numbers that they say, listed by a process of its own: what a suite imports stays there.

    python -m lockstep.campaign.sources.tests.listing        (reads {"suite", "folder", "keep", ...}, writes {"names", "numbers"})"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import IO, Any

from lockstep.campaign import waiting
from lockstep.campaign.problems import Stuck

_MOST_STACKS = 6000  # characters
_MARK = "lockstep-tests "  # begins the line of the answer: a suite may print, too


class CannotList(Exception):
    """pytest did not reach the suite's tests; the text is its output."""


_KEYS = ("suite", "keep", "environment")


def listed(values: Mapping[str, Any], folder: str) -> dict[str, list[int]]:
    """Every test's name with the numbers that may be sizes; each suite is listed once. Raises CannotList."""
    return _listed(json.dumps({"folder": folder, **{name: values[name] for name in _KEYS if name in values}}, sort_keys=True), folder)


@functools.lru_cache(maxsize=32)
def _listed(request: str, folder: str) -> dict[str, list[int]]:
    words = [sys.executable, "-m", "lockstep.campaign.sources.tests.listing"]
    paths = os.pathsep.join(path for path in sys.path if path)
    variables = waiting.environment({**os.environ, "PYTHONPATH": paths})
    # Files, not pipes: a process that a suite leaves behind would hold a pipe's end open.
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        asked.write(request.encode())
        asked.seek(0)
        process = subprocess.Popen(words, stdin=asked, stdout=out, stderr=errors, cwd=folder, env=variables)
        try:
            waiting.wait(process, waiting.since(time.monotonic(), "waiting for pytest to collect the suite"))
        except Stuck as stuck:
            stacks = _text(errors)
            raise CannotList(f"{stuck}\n{stacks[max(stacks.find('Fatal Python error'), 0) :][:_MOST_STACKS]}") from None
        finally:
            process.kill()
            process.wait()
        said, problems = _text(out), _text(errors)
    answer = next((line for line in said.splitlines() if line.startswith(_MARK)), None)
    if answer is None:
        raise CannotList((problems or said).strip()[-2000:])
    numbers: dict[str, list[int]] = json.loads(answer[len(_MARK) :])
    return numbers


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def main() -> int:
    from lockstep.campaign.sources import tests
    from lockstep.campaign.sources.tests import host, sizes

    values = json.load(sys.stdin)
    try:
        session = tests.session(values["suite"], values["folder"], values.get("environment", {}))
    except host.CannotCollect as error:
        print(error, file=sys.stderr)
        return 1
    found = {name: sizes.Code(item, values["folder"], values.get("keep", ())).numbers() for name, item in session.items.items()}
    print(_MARK + json.dumps(found), flush=True)
    os._exit(0)  # a suite's fixtures have nothing to tear down yet, and its libraries take their time


if __name__ == "__main__":
    sys.exit(main())
