"""Cases of an existing test suite: one of its tests, run again with other sizes, numbers, layouts, schedules.

A suite's test calls its package as the package wants to be called and holds the results against a reference of its own;
so a variation goes through the package's Python, and a finding is the package's and not of a broken caller. Invariant: a
test that the variation breaks before kernels can be judged (its own code or the package raises) is `refused`, never a
finding. Results are compared where the suite's bounds still hold: not where the distribution of its numbers changed."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import shlex
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep import configuration, report
from lockstep.campaign.sources import Needs, Outcome, Refused
from lockstep.campaign.sources.chosen import SHARE, fraction, launched
from lockstep.campaign.sources.tests.own_files import OwnFiles
from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    import types

    from lockstep.campaign.plan import Entry
    from lockstep.campaign.sources import Context
    from lockstep.campaign.sources.tests.host import Host, Ran

KEYS = {
    "suite": Key((str,), "pytest's command line: 'tests' or 'pytest tests -m fast'", is_required=True),
    "folder": Key((str,), "the folder where the command line runs"),
    "select": Key((str,), "a regular expression that must match a part of a test's name"),
    "leave_out": Key((list,), "a list of regular expressions; tests with a match in their names do not run"),
    "share": SHARE,
    "sizes": Key((int,), "how many other sizes of every test, each a case"),
    "keep": Key((list,), "a list of patterns for files of the suite whose numbers are not sizes"),
    "adapter": Key((str,), "a Python file that has arranged(VALUE, FOLDER) for the axis `arguments`, or uncached()"),
    "follows_dtype": Key((bool,), "true or false: whether the suite's bounds of errors follow the types of a test's tensors"),
    "environment": Key((dict,), "a table NAME = TEXT of variables that the suite needs"),
}
_AROUND = ("conftest.py", "pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")  # of a test, that pytest reads
REFERENCES = ("none", "triton")  # what is held against a reference, it does itself

_hosts: dict[tuple[Any, ...], Host] = {}


def close() -> None:
    """Ends the sessions of suites, which stay open from case to case, and the fixtures that they hold."""
    while _hosts:
        _hosts.popitem()[1].close()


def words_of(suite: str) -> list[str]:
    """pytest's arguments, from a command line that may begin with its name."""
    words = shlex.split(suite)
    if words[:3] == ["python", "-m", "pytest"]:
        return words[3:]
    return words[1:] if words[:1] == ["pytest"] else words


def session(suite: str, folder: str, environment: Mapping[str, str]) -> Host:
    """The session of a suite; a process has one at a time."""
    from lockstep.campaign.sources.tests.host import Host

    key = (suite, folder, tuple(sorted(environment.items())))
    if key not in _hosts:
        close()  # fixtures of one suite's session would change what another suite sees
        os.environ.update(environment)
        with _inside(folder):
            _hosts[key] = Host(["--rootdir", folder, *words_of(suite)])
    return _hosts[key]


@contextlib.contextmanager
def _inside(folder: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


# ---- the plan's side ----


def _folder(root: Path, values: Mapping[str, Any]) -> str:
    return os.path.normpath(os.path.join(str(root), values.get("folder", ".")))


def _wanted(entry: Entry, names: list[str]) -> list[str]:
    values = entry.values
    select = re.compile(values.get("select", ""))
    leave_out = [re.compile(one) for one in values.get("leave_out", [])]
    found = [name for name in names if select.search(name) and not any(one.search(name) for one in leave_out)]
    return [name for name in found if fraction(name) < values.get("share", 1.0)]


def points(entry: Entry) -> Iterator[dict[str, Any]]:
    """Every test times the axes, and times `sizes` other sizes of that test."""
    from lockstep.campaign.sources.tests import listing

    values = entry.values
    try:
        numbers = listing.listed(values, _folder(entry.plan.root, values))
        names = _wanted(entry, sorted(numbers))
    except (re.error, OSError, listing.CannotList) as error:
        entry.wrong("suite", f"pytest cannot list its tests: {error}")
    if not names:
        entry.wrong("select", "no test is left")
    for point in entry.points({"test": names}):
        if not values.get("sizes"):
            yield point
            continue
        for sizes in _other_sizes(numbers[point["test"]], point["test"], entry):
            yield {**point, "sizes": sizes}


def _other_sizes(known: list[int], name: str, entry: Entry) -> list[dict[str, int]]:
    from lockstep.campaign.sources.tests import sizes

    choices = [{str(number): other} for number in known for other in sizes.others(number)]
    return sorted(choices, key=lambda one: fraction(f"{entry.plan.seed} {name} {one}"))[: entry.values["sizes"]]


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """Takes the test out of the point; only the axes vary."""
    known = ("suite", "folder", "adapter", "environment", "keep", "follows_dtype")
    return {"test": point.pop("test"), **{name: entry.values[name] for name in known if entry.values.get(name)}}


def needs(case: Mapping[str, Any], root: Path) -> Needs:
    """The test's file, conftest.py and pytest's settings around it, plugins of the command line, the adapter."""
    given = case["source"]
    folder = _folder(root, given)
    test = os.path.normpath(os.path.join(folder, given["test"].partition("::")[0]))
    around = [parent for parent in Path(test).parents if parent.is_relative_to(folder)]
    names = [parent / name for parent in around for name in _AROUND]
    words = words_of(given["suite"])
    plugins = [name for option, name in zip(words, words[1:]) if option == "-p" and not name.startswith("no:")]
    files = [test, *map(str, filter(os.path.isfile, names))]
    files += [os.path.join(root, given["adapter"])] if "adapter" in given else []
    return Needs(tuple(files), tuple(plugins), (folder, str(root)))


# ---- the worker's side ----


def run(case: dict[str, Any], context: Context) -> Outcome:
    """Runs the test as the case varies it. Raises Refused where the test or its package does not take the variation."""
    given = case["source"]
    folder = _folder(context.root, given)
    host = session(given["suite"], folder, given.get("environment", {}))
    if given["test"] not in host.items:
        raise Refused(f"the suite has no test {given['test']}")
    adapter = _adapter(os.path.join(context.root, given["adapter"])) if "adapter" in given else None
    measured = getattr(adapter, "measured", contextlib.nullcontext)
    with _inside(folder), report.reports() as seen, measured() as distance, configuration.where_there_is_one() as taken:
        ran = host.run(given["test"], lambda item: _varied(item, case, folder, adapter))
    if "config" in case["options"] and taken.why_not():
        raise Refused(taken.why_not())
    outcome = _outcome(ran, case, OwnFiles(host.items[given["test"]], folder))
    outcome.coverage = launched(seen)
    outcome.error = {"results": dict(distance)} if distance else {}
    return outcome


@contextlib.contextmanager
def _varied(item: Any, case: dict[str, Any], folder: str, adapter: Any) -> Iterator[None]:
    from lockstep.campaign.sources.tests import draws, dtypes, launching, sizes

    given, vary = case["source"], case["vary"]
    with contextlib.ExitStack() as stack:
        if case["options"].keys() & {"num_warps", "num_stages", "target", "autotune", "config"}:
            stack.enter_context(getattr(adapter, "uncached", contextlib.nullcontext)())
        stack.enter_context(launching.options(case["options"]))
        if vary.get("arguments"):
            if adapter is None:
                raise Refused("the axis `arguments` needs the key `adapter`")
            stack.enter_context(adapter.arranged(vary["arguments"], folder))
        if vary.get("sizes"):
            numbers = {int(number): other for number, other in vary["sizes"].items()}
            code = sizes.Code(item, folder, given.get("keep", ()))
            if code.disordered(numbers):
                raise Refused(f"offsets would not rise: {list(code.disordered(numbers))}")
            stack.enter_context(code.replaced(numbers))
        how = {name: vary[name] for name in ("seed", "values", "layout") if name in vary}
        if vary.get("dtype"):
            how["made"] = stack.enter_context(dtypes.replaced(item, vary["dtype"]))
        stack.enter_context(draws.changed(folder, **how))
        yield


def _adapter(path: str) -> types.ModuleType:
    folder, name = os.path.split(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(os.path.splitext(name)[0])


def _outcome(ran: Ran, case: Mapping[str, Any], own: OwnFiles) -> Outcome:
    import pytest

    import lockstep

    vary = case["vary"]
    if ran.outcome == "passed":
        return Outcome()
    if ran.outcome == "skipped":
        raise Refused(f"the test skips itself: {ran.raised}")
    error = ran.raised
    if error is None or ran.when != "call":
        raise RuntimeError(f"the test failed in its {ran.when}: {ran.text[-2000:]}")
    if isinstance(error, (lockstep.LockstepError, MemoryError)):
        raise error
    if isinstance(error, (AssertionError, pytest.fail.Exception)) and _is_asserted_by(error, own):
        if vary.get("dtype") and not case["source"].get("follows_dtype"):
            raise Refused(f"the suite's bounds may be those of the test's own type (follows_dtype): {_last_words(error)}")
        return Outcome() if vary.get("values") else Outcome(mismatch=_last_words(error))
    if any(vary.get(name) for name in ("sizes", "values", "layout", "arguments", "dtype")):
        raise Refused(f"the test or its package does not take this variation: {type(error).__name__}: {_last_words(error)}")
    if not isinstance(error, Exception):  # pytest's own: it would end the worker
        raise RuntimeError(f"the test failed: {_last_words(error)}") from error  # noqa: TRY004
    raise error


def _is_asserted_by(error: BaseException, own: OwnFiles) -> bool:
    """Whether the suite itself says so, in an `assert` or by a function for it (torch.testing.assert_close, pytest.fail),
    and no package that it calls."""
    frames = traceback.extract_tb(error.__traceback__)
    last = max((at for at, frame in enumerate(frames) if own.has(frame.filename)), default=None)
    if last is None:
        return False
    called = next((frame.name for frame in frames[last + 1 :] if os.path.basename(frame.filename) != "contextlib.py"), "assert")
    return called.lstrip("_").startswith(("assert", "fail"))


def _last_words(error: BaseException) -> str:
    """The first line of the message, and the last one where the first is only a place."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    return (f"{lines[0]} {lines[-1]}" if len(lines) > 1 and lines[0].endswith(":") else lines[0])[:500]
