"""The page from Python: `lockstep.show(kernel, ..., grid=...)`, `lockstep.serve(...)`, `with lockstep.serve(): ...`.

A page is a process of its own, `lockstep serve`, of a launch that is kept in files: kernels of Triton as a capsule,
kernels of lockstep.kernel as the arguments that they were given. Invariants: what a page does never reaches this
process's memory; its server ends with close(), with its block, or with this process."""

from __future__ import annotations

import collections
import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from lockstep.errors import LaunchError

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

_HEIGHT = 860  # of the frame in a notebook
_PATIENCE = 30.0  # seconds until the server has an address


def find_command() -> str:
    """The `lockstep` command: of this installation, of the build, or of PATH. Raises LaunchError."""
    name = "lockstep.exe" if os.name == "nt" else "lockstep"
    here = Path(__file__).resolve().parents[1]
    staged = Path(__file__).absolute().parents[3]
    folders = [Path(sysconfig.get_path("scripts")), Path(sys.executable).parent, here / "bin", staged]
    for folder in folders:
        if (folder / name).is_file() and os.access(folder / name, os.X_OK):
            return str(folder / name)
    found = shutil.which(name)
    if found is None:
        raise LaunchError("the page needs the command `lockstep`, which is neither next to this Python nor on PATH; `lockstep doctor` lists what is where")
    return found


class Page:
    """A served page: `address` to open, `close()`. In a notebook it shows itself."""

    def __init__(self, words: Sequence[str], *, folder: str | None = None, port: int = 0, title: str = "") -> None:
        self.title = title or words[0]
        self._shown_in = -1  # number of the cell that has the frame
        command = [find_command(), "serve", "--embed", "--listen", str(port), *words]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None and self._process.stderr is not None
        self._problems = _Drain(self._process.stderr)
        self._end = weakref.finalize(self, _end, self._process, folder)
        self.address = self._read_address(self._process.stdout)

    def _read_address(self, said: IO[str]) -> str:
        timer = threading.Timer(_PATIENCE, self._process.kill)
        timer.start()
        try:
            line = said.readline()
        finally:
            timer.cancel()
        address = line.rpartition(" ")[2].strip()
        if not address.startswith("http"):
            self.close()
            problem = self._problems.text()
            raise LaunchError(f"Lockstep cannot serve the page: {problem.strip() or line.strip() or 'the command ended'}")
        _Drain(said)
        return address

    def close(self) -> None:
        """Ends the server."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<lockstep page of {self.title}: {self.address if self._end.alive else 'closed'}>"

    def _ipython_display_(self) -> None:
        """Shows the frame once in a cell: `show` does so, and the cell's value is the same page again."""
        from IPython.core.getipython import get_ipython
        from IPython.display import publish_display_data

        if not _in_notebook():
            print(repr(self))
            return
        cell = get_ipython().execution_count  # type: ignore[no-untyped-call]
        if cell != self._shown_in:
            self._shown_in = cell
            publish_display_data({"text/plain": repr(self), "text/html": self._repr_html_()})  # type: ignore[no-untyped-call]

    def _repr_html_(self) -> str:
        from html import escape

        if not self._end.alive:
            return f"<div>the page of {escape(self.title)} is closed</div>"
        address = escape(self.address, quote=True)
        return (f'<div><a href="{address}" target="_blank" rel="noopener">{escape(self.title)} in a tab of its own</a></div>'
                f'<iframe src="{address}" title="Lockstep: {escape(self.title, quote=True)}" allow="clipboard-write" '
                f'style="width:100%;height:{_HEIGHT}px;border:1px solid rgba(128,128,128,.4)"></iframe>')  # fmt: skip


class _Drain:
    """Reads what a server writes, until its end: a full pipe would stop it. Keeps the last lines."""

    def __init__(self, pipe: IO[str]) -> None:
        self._lines: collections.deque[str] = collections.deque(maxlen=100)
        self._thread = threading.Thread(target=self._read, args=(pipe,), name="lockstep-page", daemon=True)
        self._thread.start()

    def _read(self, pipe: IO[str]) -> None:
        with pipe, contextlib.suppress(OSError, ValueError):
            self._lines.extend(pipe)

    def text(self) -> str:
        """After the server's end."""
        self._thread.join(timeout=5)
        return "".join(self._lines)


def _end(process: subprocess.Popen[str], folder: str | None) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython.core.getipython import get_ipython

    return type(get_ipython()).__name__ == "ZMQInteractiveShell"  # type: ignore[no-untyped-call]


def _offer(page: Page, opens: bool | None) -> Page:
    """Prints where the page is; opens it in a browser on request, or if a terminal is there."""
    if _in_notebook():
        if opens is not None and not opens:
            return page
        from IPython.display import display

        display(page)  # type: ignore[no-untyped-call]
        return page
    print(f"lockstep: {page.title}: open {page.address}", flush=True)
    if opens or (opens is None and sys.stdout.isatty() and (sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))):
        import webbrowser

        webbrowser.open(page.address)
    return page


# ---- shown pages ----


def show(kernel: Any, *args: Any, grid: Any, open: bool | None = None, port: int = 0, **kwargs: Any) -> Page:
    """Opens the page of one launch: of a @triton.jit kernel or of lockstep.kernel(...), with its arguments and grid.

    The launch is made, too, as `kernel[grid](*args, **kwargs)`; its findings are on the page and raise nothing here. In a
    notebook the page is shown below the cell, else its address is printed. open: True opens a browser, False nothing.
    Raises LaunchError where no launch was made, or the command `lockstep` is missing."""
    from lockstep import settings

    with serve(open=open, port=port) as served, settings.options(findings="ignore"):
        kernel[grid](*args, **kwargs)
    if served.page is None:
        raise LaunchError(f"no launch of {getattr(kernel, '__name__', kernel)!r} could be kept: " + ("; ".join(served.skipped) or "none was made"))
    return served.page


def serve(launch: str | os.PathLike[str] | None = None, *words: str, open: bool | None = None, port: int = 0) -> Any:
    """Serves the page of a launch: "FILE.py::KERNEL" with the words of `lockstep run`, or a capsule. Without one, as a `with`
    block, that of the last launch inside it; the block's value has `page`, after it. Gives a Page.

    >>> import lockstep
    >>> with lockstep.serve(open=False) as served:
    ...     pass  # launches
    """
    if launch is None:
        return _Block(open, port)
    return _offer(Page([os.fspath(launch), *words], port=port), open)


class _Block:
    """Keeps the launches of a block; serves the last of them when the block ends, also by an exception."""

    def __init__(self, opens: bool | None, port: int) -> None:
        self.page: Page | None = None
        self.skipped: list[str] = []
        self._opens, self._port = opens, port
        self._last: tuple[str, list[str]] | None = None  # title, words
        self._held: str | None = None  # the folder of its files

    def __enter__(self) -> Self:
        from lockstep import standalone

        self._folder = tempfile.mkdtemp(prefix="lockstep-page-")
        self._record: Any = None
        if "triton" in sys.modules and hasattr(sys.modules["triton"], "compiler"):
            from lockstep.recording import record

            self._record = record(os.path.join(self._folder, "launches"))
            try:
                self._record.__enter__()
            except BaseException:
                shutil.rmtree(self._folder, ignore_errors=True)
                raise
        standalone.watchers.append(self._keep)
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        from lockstep import standalone

        standalone.watchers.remove(self._keep)
        try:
            self._serve_last(kind, error, trace)
        except BaseException as problem:
            if self.page is not None:
                self.page.close()
            shutil.rmtree(self._folder, ignore_errors=True)
            if error is None or not isinstance(problem, LaunchError):
                raise

    def _serve_last(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._record is not None:
            self._record.__exit__(kind, error, trace)
            self.skipped += list(self._record.skipped)
            if self._record.written:
                path = self._record.written[-1]
                self._last = (Path(path).stem.partition("-")[2], [path])
        if self._last is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            return
        title, words = self._last
        self.page = Page(words, folder=self._folder, port=self._port, title=title)
        _offer(self.page, self._opens)

    def _keep(self, kernel: Any, values: Mapping[str, Any], grid: Sequence[int], options: Mapping[str, Any]) -> None:
        """A launch of a kernel of a file, before it is made. Its files have a folder of their own: the launch that is held
        stays whole until this one can be held."""
        folder = tempfile.mkdtemp(prefix="launch-", dir=self._folder)
        try:
            words = words_of(kernel, values, grid, options, folder)
        except (TypeError, ValueError, OSError) as problem:
            shutil.rmtree(folder, ignore_errors=True)
            self.skipped.append(f"{kernel.name}: {problem}")
            return
        if self._held is not None:
            shutil.rmtree(self._held, ignore_errors=True)
        self._last, self._held = (kernel.name, words), folder


# ---- a launch as words of the command ----


def words_of(kernel: Any, values: Mapping[str, Any], grid: Sequence[int], options: Mapping[str, Any], folder: str) -> list[str]:
    """The words of `lockstep run` for a launch; writes its arrays to files in the folder. Raises ValueError, TypeError."""
    path = kernel.path
    if kernel.source is not None:
        path = os.path.join(folder, Path(path).stem.strip("<>").replace("-", "_") + ".py")
        Path(path).write_text(kernel.source, encoding="utf-8")
    words = [f"{os.path.abspath(path)}::{kernel.name}", "--grid", ",".join(map(str, grid))]
    for name, value in values.items():
        words += _argument(name, value, folder)
    for name in ("num_warps", "num_stages"):
        if options.get(name) is not None:
            words += ["--" + name.replace("_", "-"), str(options[name])]
    return words + [word for place in kernel.search_path for word in ("--path", place)]


def _argument(name: str, value: Any, folder: str) -> list[str]:
    from lockstep.specialise import is_numpy_scalar

    if is_numpy_scalar(value):
        value = value.item()  # a number, though it has an array's interface
    if hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"):
        return _array(name, value, folder)
    return [f"{name}={_scalar(value)}"]


def _scalar(value: Any) -> str:
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return "'" + value + "'"
    kind = getattr(value, "name", None)
    if isinstance(kind, str):
        return kind
    raise TypeError(f"a {type(value).__name__} cannot be passed to the page")


def _array(name: str, value: Any, folder: str) -> list[str]:
    """NAME=@FILE, or a view of a file's array where the array has strides of its own."""
    import numpy

    suffix = ""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if str(value.dtype).removeprefix("torch.") in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            kind = str(value.dtype).removeprefix("torch.")
            suffix = {"bfloat16": ":bf16", "float8_e4m3fn": ":f8E4M3FN", "float8_e5m2": ":f8E5M2"}[kind]
            import torch

            value = value.view(torch.int16 if kind == "bfloat16" else torch.uint8)
        value = value.numpy()
    array = numpy.asarray(value) if hasattr(value, "__array_interface__") else numpy.from_dlpack(value)
    path = os.path.join(folder, f"{name}.npy")
    if array.flags.c_contiguous:
        numpy.save(path, array)
        return [f"{name}=@{path}{suffix}"]
    strides = [step // array.itemsize for step in array.strides]
    if any(step < 0 for step in strides):
        raise ValueError(f"{name} has a negative stride")
    reach = 1 + sum((extent - 1) * step for extent, step in zip(array.shape, strides, strict=True)) if array.size else 0
    numpy.save(path, numpy.lib.stride_tricks.as_strided(array, (reach,), (array.itemsize,)))
    shape, steps = (",".join(map(str, one)) for one in (array.shape, strides))
    return [f"{name}_storage=@{path}{suffix}", f"{name}=view({name}_storage, offset=0, shape=[{shape}], strides=[{steps}])"]


