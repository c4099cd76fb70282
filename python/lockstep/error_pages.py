"""The pages that explain error and finding codes: `lockstep.explain("LS101")`.

The pages are docs/errors/*.md of the source tree; the package carries a copy in lockstep/error_pages_text/. Nothing
here is needed for a launch."""

from __future__ import annotations

from pathlib import Path

_PACKAGED = Path(__file__).parent / "error_pages_text"
_SOURCE_TREE = Path(__file__).resolve().parents[2] / "docs" / "errors"


def _folder() -> Path:
    return _PACKAGED if _PACKAGED.is_dir() else _SOURCE_TREE


def codes() -> list[str]:
    """All codes that have a page, ordered by number."""
    return sorted((page.stem for page in _folder().glob("LS*.md")), key=lambda code: (code[2] == "P", int(code[2:].removeprefix("P"))))


def explain(code: str) -> str:
    """What a code means, with a wrong and a right kernel, as Markdown text.

    Takes "LS101", "ls101" or 101. Raises KeyError, with the nearest codes, for one that does not exist.

    >>> import lockstep
    >>> print(lockstep.explain("LS101").splitlines()[0])
    # LS101: out-of-bounds access past the end of an argument
    """
    name = str(code).strip().upper()
    name = name if name.startswith("LS") else "LS" + name
    if name in codes():
        return (_folder() / f"{name}.md").read_text(encoding="utf-8")
    import difflib

    near = ", ".join(difflib.get_close_matches(name, codes(), n=3))
    raise KeyError(f"there is no page for {code!r}" + (f"; near: {near}" if near else ""))
