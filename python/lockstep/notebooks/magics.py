"""`%load_ext lockstep`: the magics `%%lockstep` and `%lockstep` of IPython and notebooks.

    %%lockstep --check all --profile
    kernel[grid](x, out, n, BLOCK=128)

runs the cell with these options, and shows what its launches did. `%lockstep explain LS101` and other words go to the
command."""

from __future__ import annotations

import contextlib
import shlex
import subprocess
from typing import TYPE_CHECKING, Any

from lockstep.errors import OptionError

if TYPE_CHECKING:
    from lockstep._native import LaunchReport

USAGE = """\
%%lockstep [options]: runs the cell and shows the reports of its launches.
  --show            opens the page of the last launch below the cell
  --profile         where the time of the launches went
  --cover           what of the kernels no launch exercised
  --pretend         torch's "cuda" means the CPU in this cell
  --quiet           shows launches with findings only
  --NAME VALUE      any option of lockstep.options: --check all, --bounds view, --as sm_80
%lockstep WORDS: the command `lockstep`: %lockstep explain LS101"""


class _Wishes:
    """The options and the kernel that the line of a cell names."""

    def __init__(self, line: str) -> None:
        from lockstep.option_rows import ROWS

        rows = {row.flag: row for row in ROWS if row.is_flag}
        self.flags: set[str] = set()
        self.options: dict[str, Any] = {}
        words = shlex.split(line)
        while words:
            word, equals, value = words.pop(0).partition("=")
            if word in ("--show", "--profile", "--cover", "--pretend", "--quiet", "--help"):
                self.flags.add(word[2:])
            elif word not in rows:
                raise OptionError(f"%%lockstep has no option {word!r}\n{USAGE}")
            elif rows[word].is_switch:
                self.options[rows[word].name] = True
            else:
                if not equals and not words:
                    raise OptionError(f"{word} needs a value")
                self.options[rows[word].name] = value if equals else words.pop(0)


class Reports(list["LaunchReport"]):
    """The reports of a cell's launches, in their order."""

    def _repr_html_(self) -> str:
        from lockstep.notebooks import html_views

        return html_views.reports(self)

    def __repr__(self) -> str:
        texts = [f"{one.kernel}: {one.outcome}, {len(one.findings)} findings" for one in self]
        return "\n".join([*texts, *(finding.text.rstrip() for one in self for finding in one.findings)]) or "no launch"


def cell_magic(line: str, cell: str) -> None:
    """%%lockstep."""
    from IPython.core.getipython import get_ipython
    from IPython.display import display

    import lockstep

    wishes = _Wishes(line)
    if "help" in wishes.flags:
        print(USAGE)
        return
    shell: Any = get_ipython()  # type: ignore[no-untyped-call]
    results: list[Any] = []
    ran = _Cell(shell)
    with contextlib.ExitStack() as stack:
        stack.enter_context(lockstep.options(**wishes.options))
        if "pretend" in wishes.flags:
            stack.enter_context(lockstep.pretend_cuda())
        for flag, block in (("profile", lockstep.profile), ("cover", lockstep.coverage)):
            if flag in wishes.flags:
                results.append(stack.enter_context(block()))
        if "show" in wishes.flags:
            stack.enter_context(lockstep.serve())
        seen = stack.enter_context(lockstep.reports())
        ran.run(cell)
    told = [getattr(ran.error, "report", None), ran.value]  # by the error itself, or as the cell's value
    kept = Reports(one for one in seen if ("quiet" not in wishes.flags or one.findings) and not any(one is other for other in told))
    if kept or not (seen or results or ran.error):
        display(kept)  # type: ignore[no-untyped-call]
    for one in results:
        display(one)  # type: ignore[no-untyped-call]
    if ran.error is not None:
        raise ran.error


class _Cell:
    """Runs a cell's text and keeps its error, which is then the outer cell's: what runs all cells of a notebook stops at it.
    It is shown as IPython shows it for the text itself, without the frames of the magic."""

    def __init__(self, shell: Any) -> None:
        self.error: BaseException | None = None
        self.value: Any = None  # of its last expression, which the shell has shown
        self._shell = shell
        self._lines: list[str] = []

    def run(self, text: str) -> None:
        shown = self._shell._showtraceback
        self._shell._showtraceback = self._keep
        try:
            result = self._shell.run_cell(text)
        finally:
            self._shell._showtraceback = shown
        self.value = result.result
        error: Any = result.error_before_exec or result.error_in_exec
        if error is not None:
            error._render_traceback_ = lambda: self._lines
        self.error = error

    def _keep(self, kind: object, error: object, lines: list[str]) -> None:
        self._lines = list(lines)


def line_magic(line: str) -> None:
    """%lockstep: the command."""
    from lockstep.notebooks.pages import find_command

    done = subprocess.run([find_command(), *shlex.split(line)], capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="")


def load(shell: Any) -> None:
    """For %load_ext lockstep."""
    shell.register_magic_function(cell_magic, "cell", "lockstep")
    shell.register_magic_function(line_magic, "line", "lockstep")
