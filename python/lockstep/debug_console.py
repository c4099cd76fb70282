"""What a debugger's session in this process reads and writes: Python's own standard streams, so that redirected output,
notebooks and pytest work.

Invariant: readline, where there is one, is as it was when a session ends; the debugger's lines have a history of their
own."""

from __future__ import annotations

import builtins
import contextlib
import os
import shutil
import sys
import types
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

Complete = Callable[[str, int], list[str]]

# : The context of a session: pytest gives its captured streams back meanwhile.
around: Callable[[], AbstractContextManager[Any]] = contextlib.nullcontext


def has_reader() -> bool:
    """Whether a user can answer: standard input is a terminal, or `input` is a notebook's."""
    if not isinstance(builtins.input, types.BuiltinFunctionType):
        return True
    return _is_terminal(sys.stdin)


def _is_terminal(stream: Any) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def _readline() -> Any:
    try:
        import readline
    except ImportError:  # not every Python was built with it
        return None
    return readline


#: Frames around the kernel's own, innermost first, for a line of the kernel: (file, line) -> name, file, line of each.
Outer = Callable[[str, int], list[tuple[str, str, int]]]


class Console:
    """Made for one session. The engine calls the methods with Python's lock held, from any thread."""

    def __init__(self, outer: Outer | None = None) -> None:
        self._outer = outer
        is_terminal = _is_terminal(sys.stdout)
        self.has_color = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.width = max(40, shutil.get_terminal_size((100, 24)).columns) if is_terminal else 100
        self._complete: Complete | None = None
        self._found: list[str] = []
        self._before: tuple[Any, str, list[str]] | None = None

    def write(self, text: str) -> None:
        if sys.stdout is not None:
            sys.stdout.write(text)
            sys.stdout.flush()

    def print(self, line: str) -> None:
        """A line of tl.device_print."""
        from lockstep import settings

        (settings.current().print or self.write)(line)

    def outer_frames(self, file: str, line: int) -> list[tuple[str, str, int]]:
        """Of the program that made the launch, as far as it is known."""
        return self._outer(file, line) if self._outer is not None else []

    def announce(self, address: str) -> None:
        if sys.stderr is not None:
            print(f"lockstep: waiting for an editor on {address}", file=sys.stderr, flush=True)

    def read(self, prompt: str) -> str | None:
        """Returns a line; None at the end of the input. Ctrl-C gives an empty comment: the line is dropped."""
        try:
            return input(prompt)
        except EOFError:
            self.write("\n")
            return None
        except KeyboardInterrupt:
            self.write("\n")
            return "#"

    def begin(self, complete: Complete) -> None:
        """Prepares for lines. complete(line, begin): the completions of the word that begins there."""
        readline = _readline()
        if readline is None or not _is_terminal(sys.stdin):
            return
        self._complete = complete
        lines = [readline.get_history_item(i + 1) for i in range(readline.get_current_history_length())]
        self._before = (readline.get_completer(), readline.get_completer_delims(), lines)
        is_libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
        readline.set_completer_delims(" \t")
        readline.set_completer(self._candidate)
        readline.clear_history()
        with contextlib.suppress(OSError):
            readline.read_history_file(history_path())

    def end(self) -> None:
        """The end of reading."""
        self._complete = None
        readline = _readline()
        if self._before is None or readline is None:
            return
        path = history_path()
        with contextlib.suppress(OSError):  # without a file of them the session was as good
            os.makedirs(os.path.dirname(path), exist_ok=True)
            readline.set_history_length(1000)
            readline.write_history_file(path)
        readline.set_history_length(-1)
        completer, delimiters, lines = self._before
        readline.set_completer(completer)
        readline.set_completer_delims(delimiters)
        readline.clear_history()
        for line in lines:
            readline.add_history(line)
        self._before = None

    def _candidate(self, _text: str, state: int) -> str | None:
        readline = _readline()
        if state == 0 and self._complete is not None:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            self._found = self._complete(line, readline.get_begidx())
        return self._found[state] if state < len(self._found) else None


def history_path() -> str:
    """A history file of its own: Python's readline and the command use different formats."""
    state = os.environ.get("XDG_STATE_HOME", "")
    folder = state if os.path.isabs(state) else os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(folder, "lockstep", "python_debug_history")
