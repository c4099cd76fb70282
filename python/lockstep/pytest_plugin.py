"""The pytest plugin: `pytest --lockstep` runs a suite's Triton kernels on the CPU, `--lockstep-check` also fails tests
whose launches have findings. Named as an entry point, so that it is there once the package is installed.

Invariant: without an option, an ini setting, a fixture or a marker of ours this module costs its own import, imports
nothing else of Lockstep, and never imports Triton or torch. What is watched during a test is in pytest_watch.py."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lockstep.pytest_watch import LaunchChecker
    from lockstep.settings import Options

_MARKER = "lockstep_findings"
_WATCH = pytest.StashKey[Any]()
_STACK = pytest.StashKey[contextlib.ExitStack]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lockstep", "Triton kernels on the CPU (Lockstep)")
    group.addoption("--lockstep", action="store_true", help="run Triton kernels on the CPU; cuda means the CPU")
    group.addoption(
        "--lockstep-check", action="store_true", help="as --lockstep; findings of a launch fail its test; bounds=view"
    )
    group.addoption(
        "--lockstep-checkers", metavar="LIST", help="as --lockstep-check; the checkers, for example all (default: auto, all wherever that is cheap)"
    )
    group.addoption("--lockstep-as", metavar="GPU", help="as --lockstep; the GPU to model, for example sm_80")
    group.addoption(
        "--lockstep-no-pretend", action="store_true", help="leave torch.cuda as it is: tests name the CPU themselves"
    )
    group.addoption(
        "--lockstep-baseline", metavar="FILE", help="as --lockstep-check; findings that FILE lists do not count"
    )
    group.addoption(
        "--lockstep-update-baseline", metavar="FILE", help="as --lockstep-baseline; adds new findings to FILE, and they do not count"
    )
    group.addoption(
        "--lockstep-debug", action="store_true", help="as --lockstep; the first launch of each test stops in the debugger"
    )
    group.addoption(
        "--lockstep-capsules", metavar="DIR", help="as --lockstep; keeps launches of failing tests there, for a replay"
    )
    group.addoption(
        "--lockstep-prove", action="store_true", help="as --lockstep; proves each kernel that a test launches for all sizes"
    )
    group.addoption(
        "--lockstep-option", metavar="NAME=VALUE", action="append", default=[],
        help="as --lockstep; an option of lockstep.options, for example schedules=8",
    )  # fmt: skip
    parser.addini("lockstep", "run Triton kernels on the CPU, as --lockstep does", type="bool", default=False)
    parser.addini("lockstep_check", "findings fail tests, as --lockstep-check", type="bool", default=False)
    parser.addini("lockstep_checkers", "which checkers run, as --lockstep-checkers", default="")
    parser.addini("lockstep_baseline", "findings that do not count, as --lockstep-baseline", default="")
    parser.addini("lockstep_options", "NAME=VALUE a line, as --lockstep-option", type="linelist", default=[])
    parser.addini("lockstep_as", "the GPU to model, as --lockstep-as", default="")
    parser.addini("lockstep_pretend", "whether cuda means the CPU", type="bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"{_MARKER}(*codes): the test's launches have these findings of Lockstep, and no others"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Runs before any conftest.py, so that modules which decorate kernels or ask torch for a GPU on import find Lockstep."""
    given = early_config.known_args_namespace
    checkers = given.lockstep_checkers or early_config.getini("lockstep_checkers")
    changes = _option_changes(early_config)
    checks = given.lockstep_check or early_config.getini("lockstep_check") or bool(checkers)
    checks = checks or "baseline" in changes or "update_baseline" in changes
    asked = given.lockstep or given.lockstep_debug or given.lockstep_as or given.lockstep_option or given.lockstep_capsules
    asked = asked or given.lockstep_prove
    if not (asked or early_config.getini("lockstep") or checks):
        return
    if checks:
        changes = {"bounds": "view", "check": checkers or "auto"} | changes
    pretends = not given.lockstep_no_pretend and early_config.getini("lockstep_pretend")
    _start(early_config, checks=checks, changes=changes, pretends=pretends)


def _option_changes(config: pytest.Config) -> dict[str, Any]:
    """Options by name from the command line and the ini file; the command line's come last."""
    given = config.known_args_namespace
    changes: dict[str, Any] = {}
    if path := config.getini("lockstep_baseline"):
        changes["baseline"] = str(config.rootpath / path)
    for word in [*config.getini("lockstep_options"), *given.lockstep_option]:
        name, equals, value = word.partition("=")
        if not equals:
            raise pytest.UsageError(f"--lockstep-option: {word!r} is not NAME=VALUE")
        changes[name.strip()] = value.strip()
    named = {"baseline": given.lockstep_baseline, "update_baseline": given.lockstep_update_baseline,
             "target": given.lockstep_as or config.getini("lockstep_as")}  # fmt: skip
    return changes | {name: value for name, value in named.items() if value}


def _start(config: pytest.Config, *, checks: bool, changes: dict[str, Any], pretends: bool) -> None:
    import lockstep
    from lockstep.pytest_watch import Watch

    stack = contextlib.ExitStack()
    pretending = False
    try:
        stack.enter_context(lockstep.options(**changes))
        # read when a kernel is decorated, including Triton's own, and would bypass Lockstep
        stack.enter_context(_environment({"TRITON_INTERPRET": None}))
        has_triton = importlib.util.find_spec("triton") is not None
        if has_triton:
            stack.enter_context(lockstep.active())
        if pretends and importlib.util.find_spec("torch") is not None:
            stack.enter_context(lockstep.pretend_cuda())
            pretending = True
            uninitialised = importlib.import_module("lockstep.pretend.uninitialised")
            uninitialised.start()
            stack.callback(uninitialised.stop)
        if not has_triton:
            importlib.import_module("lockstep.triton_stub").install()
        stack.enter_context(_environment(_for_children(changes, pretend=pretending)))
    except (lockstep.LockstepError, ImportError) as error:
        stack.close()
        raise pytest.UsageError(f"--lockstep: {error}") from error
    _let_debugger_talk(config)
    watch = Watch(checks=checks, is_whole_session=True, pretends=pretends)
    stack.enter_context(watch)
    config.stash[_STACK], config.stash[_WATCH] = stack, watch
    config.pluginmanager.register(watch, "lockstep-watch")
    if folder := config.known_args_namespace.lockstep_capsules:
        _keep_capsules(config, stack, folder)
    if config.known_args_namespace.lockstep_prove:
        _prove_kernels(config, stack)


def _prove_kernels(config: pytest.Config, stack: contextlib.ExitStack) -> None:
    import lockstep
    from lockstep.notebooks.pages import find_command
    from lockstep.pytest_proofs import Proofs

    try:
        prover = stack.enter_context(Proofs(find_command()))
    except lockstep.LockstepError as error:
        raise pytest.UsageError(f"--lockstep-prove: {error}") from error
    config.pluginmanager.register(prover, "lockstep-prove")


def _keep_capsules(config: pytest.Config, stack: contextlib.ExitStack, folder: str) -> None:
    import lockstep
    from lockstep.pytest_capsules import Capsules

    try:
        keeper = stack.enter_context(Capsules(folder))
    except (lockstep.LaunchError, OSError) as error:
        raise pytest.UsageError(f"--lockstep-capsules: {error}") from error
    config.pluginmanager.register(keeper, "lockstep-capsules")


def _let_debugger_talk(config: pytest.Config) -> None:
    """lockstep.debug() and breakpoint() in kernels get the terminal, as pdb does in tests."""
    from lockstep import debug_console

    @contextlib.contextmanager
    def uncaptured() -> Iterator[None]:
        capture = config.pluginmanager.getplugin("capturemanager")
        if capture is None:
            yield
            return
        capture.suspend(in_=True)
        try:
            yield
        finally:
            capture.resume()

    debug_console.around = uncaptured
    if config.known_args_namespace.lockstep_debug:
        config.pluginmanager.register(_DebugsEachTest(), "lockstep-debug")


class _DebugsEachTest:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        import lockstep

        first = lockstep.debug()
        yield
        first.cancel()


def _for_children(changes: dict[str, Any], *, pretend: bool) -> dict[str, str | None]:
    """The variables of processes that tests start: they pretend as this one does, with the options that were given.

    Files of known findings are read by all and written by this process alone: several would lose each other's lines."""
    import lockstep
    from lockstep import settings
    from lockstep.pretend import arrival

    inherited = arrival.environment(os.environ, pretend=pretend)
    wanted: dict[str, str | None] = {name: inherited[name] for name in ("LOCKSTEP", "LOCKSTEP_PRETEND", "PYTHONPATH")}
    wanted["LOCKSTEP_AS"] = lockstep.get_options().target
    variables = {name: variable for variable, name in settings.ENVIRONMENT.items()}
    for name in changes.keys() & variables.keys() - {"target", "update_baseline"}:
        wanted[variables[name]] = os.path.abspath(changes[name]) if name == "baseline" else str(changes[name])
    return wanted


@contextlib.contextmanager
def _environment(wanted: dict[str, str | None]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in wanted}
    _set_environment(wanted)
    try:
        yield
    finally:
        _set_environment(before)


def _set_environment(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """Shows a failure of a launch from the test to the kernel's line, without frames of Lockstep and Triton."""
    __tracebackhide__ = True
    try:
        return (yield)
    except Exception as error:
        known = sys.modules.get("lockstep.errors")
        if known is not None and isinstance(error, known.LockstepError):
            from lockstep import tracebacks

            tracebacks.prune(error)
        raise


def pytest_collection_finish(session: pytest.Session) -> None:
    """Watches tests with our marker even where Lockstep is active for another reason than our option."""
    config = session.config
    if _WATCH in config.stash or not any(item.get_closest_marker(_MARKER) for item in session.items):
        return
    from lockstep.pytest_watch import Watch

    watch = Watch(checks=False, is_whole_session=False, pretends=False)
    config.stash[_STACK], config.stash[_WATCH] = contextlib.ExitStack(), watch
    config.stash[_STACK].enter_context(watch)
    config.pluginmanager.register(watch, "lockstep-watch")


def pytest_unconfigure(config: pytest.Config) -> None:
    stack = config.stash.get(_STACK, None)
    if stack is not None:
        stack.close()


@pytest.fixture
def lockstep_options() -> Iterator[Callable[..., Options]]:
    """Changes Lockstep's options for the rest of the test: `lockstep_options(threads=1, bounds="view")`."""
    import lockstep

    with contextlib.ExitStack() as stack:
        yield lambda **changes: stack.enter_context(lockstep.options(**changes))


@pytest.fixture
def lockstep_launch(request: pytest.FixtureRequest) -> LaunchChecker:
    """Runs one launch and fails if it has findings: `lockstep_launch(kernel[grid], x, y, n, BLOCK=128)`.

    Returns a LaunchResult with the reports and findings. `lockstep_launch.expecting("LS101")(kernel[grid], ...)`
    demands findings instead.
    """
    from lockstep.pytest_watch import LaunchChecker

    return LaunchChecker(request.config.stash.get(_WATCH, None))
