"""run_pages.py LOCKSTEP [STAGED-PACKAGE] [PAGE ...]: runs the blocks of the pages that the command alone can run; with the staged
package, of those that want Python, torch and Triton. LOCKSTEP_BLESS=1 writes what is printed into the pages."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blocks


def main() -> int:
    command, *words = sys.argv[1:]
    staged = words.pop(0) if words and not words[0].endswith(".md") else ""
    if staged:
        missing = [name for name in ("torch", "triton", "pytest") if not imported(name)]
        if missing:
            print(f"skipped: this Python lacks {', '.join(missing)} (./dev setup)")
            return 77
    chosen = [Path(word).resolve() for word in words] or [blocks.ROOT / "README.md", *blocks.pages()]
    failed = count = 0
    for page in chosen:
        text = page.read_text(encoding="utf-8")
        if blocks.needs_python(text) != bool(staged) or not any(block.language == "console" or (block.language == "python" and staged) for block in blocks.blocks(text)):
            continue
        if page.name in ("python-package.md", "from-triton-interpret.md"):
            continue  # tests/python_package/test_docs.py
        count += 1
        with tempfile.TemporaryDirectory() as programs, tempfile.TemporaryDirectory() as folder:
            for failure in blocks.Page(page, Path(folder), blocks.environment(command, Path(programs), staged)).run():
                failed += 1
                print(f"{page.relative_to(blocks.ROOT)}: {failure}")
    print(f"{count} pages, {failed} blocks that are not as their page has them (LOCKSTEP_BLESS=1 writes them)")
    return 1 if failed or not count else 0


def imported(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
