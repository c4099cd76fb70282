"""Which files are a suite's own, and which are the package's that it tests, where both lie below one folder.

Below the topmost folder named test, tests or testing that a test lies in all files are the suite's: helpers, references,
conftest. A test outside of such a folder has its own file, other files of tests (pytest's `python_files`) and conftest.py;
a module beside it may be the package."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_FOLDERS = ("test", "tests", "testing")


class OwnFiles:
    """The files of the suite that `item` belongs to, below the folder `root`."""

    def __init__(self, item: pytest.Item, root: str) -> None:
        self.root = Path(os.path.realpath(root))
        self._test = Path(os.path.realpath(item.path))
        self._patterns = ["conftest.py", *item.config.getini("python_files")]
        inside = self._test.parent.relative_to(self.root).parts if self._test.is_relative_to(self.root) else ()
        depth = next((at for at, name in enumerate(inside) if name in _FOLDERS), None)
        self._home = None if depth is None else self.root.joinpath(*inside[: depth + 1])

    def has(self, name: str) -> bool:
        """Whether the file of this name belongs to the suite."""
        path = Path(os.path.realpath(name))
        if path == self._test:
            return True
        if not path.is_relative_to(self.root) or "site-packages" in path.parts:
            return False
        return path.is_relative_to(self._home) if self._home else any(fnmatch(path.name, one) for one in self._patterns)
