"""python -m lockstep: runs a Python program with Triton's kernels on the CPU and "cuda" meaning the CPU.

The program runs as __main__ with the argv, sys.path, tracebacks and exit code that plain Python would give it.
Processes that it starts (multiprocessing, subprocess) run on Lockstep too. Exit codes of our own: 2 for a command line
that cannot be understood, 1 for a program that cannot be found or ended with an exception."""

from __future__ import annotations

import importlib.util
import linecache
import os
import sys
import textwrap
import zipfile
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from types import CodeType, ModuleType, TracebackType
from typing import Any

from lockstep.option_rows import ROWS

USAGE = """\
usage: python -m lockstep [options] (SCRIPT.py | FOLDER | - | -m MODULE | -c CODE) [arguments of the program]
       python -m lockstep record|diff [options] PROGRAM      (record --help tells more)
       python -m lockstep campaign COMMAND ...               (campaign --help tells more)
       python -m lockstep stages PROGRAM.py                  (stages --help tells more)
       python -m lockstep model NAME ...                     (model --help tells more)

Runs a program whose Triton kernels need a GPU: they run on Lockstep, on the CPU, and torch's "cuda" means the CPU.

options:
{options}  --debug                the first launch stops in the debugger; --debug-kernel NAME: that kernel's first
  --debug-port PORT      the same, for an editor that attaches on 127.0.0.1 (0: any port that is free)
  --no-pretend           torch's "cuda" is left alone; only kernels run on Lockstep
  --version, --help

Each option has an environment variable: --bounds is LOCKSTEP_BOUNDS, --as is LOCKSTEP_AS.
The exit code is the program's; a kernel's error is an exception (code 1) that names the kernel's line.
"""

_ROWS = [row for row in ROWS if row.is_flag]
_WITH_VALUE = {row.flag: row.variable for row in _ROWS if not row.is_switch} | {
    "--debug-kernel": "LOCKSTEP_DEBUG",
    "--debug-port": "LOCKSTEP_DEBUG_PORT",
}
_FLAGS = {row.flag: (row.variable, "1") for row in _ROWS if row.is_switch} | {
    "--no-progress": ("LOCKSTEP_PROGRESS", "0"),
    "--debug": ("LOCKSTEP_DEBUG", "1"),
}


def _usage() -> str:
    """USAGE, with a paragraph for each row."""
    text = ""
    for row in _ROWS:
        flag = f"  {row.flag}" if row.is_switch else f"  {row.flag} {row.value or '|'.join(row.choices)}"
        flag += ", --no-progress" if row.name == "progress" else ""
        lines = textwrap.wrap(row.help, 96, break_on_hyphens=False)
        head = f"{flag:<24} " if len(flag) < 25 else f"{flag}\n" + " " * 25
        text += head + ("\n" + " " * 25).join(lines) + "\n"
    return USAGE.replace("{options}", text)


class UsageError(Exception):
    """The command line cannot be understood."""


@dataclass
class Command:
    """The options and the program of the command line."""

    kind: str = "script"  # "script", "module", "code", "help", "version"
    program: str = ""
    arguments: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    pretend: bool = True


def parse(words: list[str]) -> Command:
    """Reads Lockstep's options up to the program; the rest belongs to the program. Raises UsageError."""
    command = Command()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word in ("-h", "--help", "--version"):
            command.kind = "version" if word == "--version" else "help"
            return command
        if word in ("-m", "-c"):
            if not rest:
                raise UsageError(f"{word} needs {'a module' if word == '-m' else 'code'}")
            command.kind, command.program = ("module" if word == "-m" else "code"), rest.pop(0)
        elif word == "--no-pretend":
            command.pretend = False
            continue
        elif word in _FLAGS:
            command.variables.update([_FLAGS[word]])
            continue
        elif name in _WITH_VALUE:
            if not equals and not rest:
                raise UsageError(f"{name} needs a value")
            command.variables[_WITH_VALUE[name]] = value if equals else rest.pop(0)
            continue
        elif word.startswith("-") and word != "-":
            raise UsageError(f"unknown option {word}")
        else:
            command.program = word
        command.arguments = rest
        return command
    raise UsageError("no program given")


def _main_module(name: str | None, file: str | None) -> ModuleType:
    module = ModuleType("__main__")
    module.__dict__.update(__builtins__=__builtins__, __package__=name, __spec__=None)
    if file is not None:
        module.__file__ = file
    sys.modules["__main__"] = module
    return module


def _script(path: str) -> tuple[ModuleType, CodeType]:
    if path == "-":
        return _standard_input()
    if os.path.isdir(path) or zipfile.is_zipfile(path):
        return _folder(path)
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise UsageError(f"can't open file {path!r}: {error.strerror}") from None
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    return _main_module(None, os.path.abspath(path)), compile(source, os.path.abspath(path), "exec")


def _folder(path: str) -> tuple[ModuleType, CodeType]:
    """Whether this is a folder or an archive with a __main__.py."""
    sys.path[0] = path
    spec = PathFinder.find_spec("__main__", [path])
    code = getattr(spec.loader, "get_code", lambda _: None)("__main__") if spec is not None else None
    if spec is None or code is None:
        raise UsageError(f"can't find '__main__' module in {path!r}")
    module = _main_module("", spec.origin)
    module.__spec__, module.__loader__ = spec, spec.loader
    return module, code


def _standard_input() -> tuple[ModuleType, CodeType]:
    sys.path[0] = ""
    text = sys.stdin.read()
    linecache.cache["<stdin>"] = (len(text), None, text.splitlines(keepends=True), "<stdin>")
    return _main_module(None, None), compile(text, "<stdin>", "exec")


def _module(name: str) -> tuple[ModuleType, CodeType]:
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        name += ".__main__"
        spec = importlib.util.find_spec(name)
    code = getattr(spec.loader, "get_code", lambda _: None)(name) if spec is not None else None
    if spec is None or code is None:
        raise UsageError(f"No module named {name}")
    sys.argv[0] = spec.origin or name
    module = _main_module(spec.parent, spec.origin)
    module.__spec__, module.__loader__ = spec, spec.loader
    return module, code


def _code(text: str) -> tuple[ModuleType, CodeType]:
    # Triton asks inspect for a kernel's source; the code of the command line is in no file.
    linecache.cache["<string>"] = (len(text), None, text.splitlines(keepends=True), "<string>")
    return _main_module(None, None), compile(text, "<string>", "exec")


def _load(command: Command) -> tuple[ModuleType, CodeType]:
    """The program's __main__ and its code; sets sys.path and sys.argv as plain Python does."""
    sys.argv[:] = [command.program if command.kind == "script" else "-" + command.kind[0], *command.arguments]
    if command.kind == "script":
        return _script(command.program)
    sys.path[0] = os.getcwd() if command.kind == "module" else ""
    return _module(command.program) if command.kind == "module" else _code(command.program)


def _without_our_frames(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _tell_of_no_launch() -> None:
    """Says so where nothing was checked; silence would read as a clean result."""
    native = sys.modules.get("lockstep._native")
    if native is None or native.last_report() is None:
        cause = "" if "triton" in sys.modules else "; the program did not import triton"
        print(f"lockstep: no kernel was launched in this process{cause}", file=sys.stderr)


def _run(module: ModuleType, code: CodeType) -> int:
    try:
        exec(code, module.__dict__)  # noqa: S102 - running programs is what this module is for
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - shown as Python shows it
        error.__traceback__ = _without_our_frames(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _run_here(module: ModuleType, code: CodeType) -> int:
    """Says at the end, too, if nothing was launched."""
    try:
        result = _run(module, code)
    except SystemExit as end:
        if not end.code:
            _tell_of_no_launch()
        raise
    if result == 0:
        _tell_of_no_launch()
    return result


def _prepare(command: Command) -> None:
    from lockstep.pretend import arrival

    if os.environ.get("TRITON_INTERPRET", "0").lower() not in ("0", "", "false", "off"):
        print("lockstep: TRITON_INTERPRET is ignored; kernels run on Lockstep", file=sys.stderr)
    os.environ.pop("TRITON_INTERPRET", None)
    os.environ.update(command.variables)
    os.environ.update(arrival.environment(os.environ, pretend=command.pretend))
    arrival.prepare(pretend=command.pretend)


def _check_options(variables: dict[str, str]) -> None:
    """Raises UsageError for wrong values before the program starts."""
    from lockstep import errors, settings

    try:
        settings.from_environment(variables)
    except errors.OptionError as error:
        flags = {variable: flag for flag, variable in _WITH_VALUE.items()}
        text = str(error)
        for variable, flag in flags.items():
            text = text.replace(f"the environment variable {variable}", flag)
        raise UsageError(text) from None


def _run_words(words: list[str]) -> int:
    """Runs the program of a command line that has no options of Lockstep."""
    return _run(*_load(parse(words)))


def _other_command(words: list[str]) -> int:
    from lockstep import record_main

    try:
        run = record_main.record_program if words[0] == "record" else record_main.diff_program
        return run(words[1:], _run_words)
    except record_main.UsageError as error:
        raise UsageError(f"{words[0]}: {error}") from None


def main(words: list[str]) -> Any:
    """Runs the command line; returns the exit code."""
    try:
        if words[:1] in (["record"], ["diff"]):
            return _other_command(words)
        if words[:1] == ["campaign"]:
            from lockstep.campaign import __main__ as campaign

            return campaign.main(words[1:])
        if words[:1] == ["stages"]:
            from lockstep.pipeline import command as stages

            return stages.main(words[1:])
        if words[:1] == ["mcp"]:
            from lockstep.mcp import __main__ as mcp

            return mcp.main(words[1:])
        if words[:1] == ["model"]:
            from lockstep.models import command as models

            return models.main(words[1:])
        command = parse(words)
        if command.kind == "help":
            print(_usage(), end="")
            return 0
        if command.kind == "version":
            import lockstep

            print(f"lockstep {lockstep.__version__}")
            return 0
        _check_options(command.variables)
        _prepare(command)
        module, code = _load(command)
    except UsageError as error:
        print(f"lockstep: {error}\n(python -m lockstep --help lists the options)", file=sys.stderr)
        return 2
    except SyntaxError as error:
        error.__traceback__ = None
        sys.excepthook(type(error), error, None)
        return 1
    return _run_here(module, code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
