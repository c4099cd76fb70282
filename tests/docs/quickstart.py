"""quickstart.py BUILD: does docs/quickstart.md to the letter in a fresh virtual environment: its `pip install`, from a wheel of this
build, its files, its commands with what they print, its page. All of it takes less than five minutes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blocks

MOST_SECONDS = 300.0
INSTALL = "pip install triton-lockstep"


class Reader(blocks.Page):
    """Somebody who types what the page says; blocks of `sh`, too."""

    def run(self) -> list[str]:
        for block in blocks.blocks(self.text):
            if block.language == "sh":
                self.typed(block.text.strip())
        return self.failures + super().run()

    def typed(self, line: str) -> None:
        if line == INSTALL:
            done = self.done(["bash", "-c", f"python -m {line} -q --disable-pip-version-check --no-index --find-links {self.environment['WHEELS']}"])
            if done.returncode != 0:
                self.failures.append(f"{line}: {done.stdout}")
        elif not line.startswith("lockstep serve "):
            self.failures.append(f"{line}: quickstart.py does not know how a reader does that")

    def served(self) -> None:
        """The page's last step."""
        (line,) = [block.text.strip() for block in blocks.blocks(self.text) if block.text.startswith("lockstep serve ")]
        server = subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            address = re.search(r"http://\S+", server.stdout.readline())
            with urllib.request.urlopen(address[0], timeout=60) as answer:
                if b"softmax" not in answer.read() and answer.status != 200:
                    self.failures.append(f"{line}: {answer.status}")
        finally:
            server.terminate()
            server.wait(20)


def wheel(build: Path, folder: Path) -> None:
    """Of what BUILD has compiled; a released one is downloaded, which costs a reader a few seconds."""
    words = [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", folder, "-C", f"build-dir={folder}/build",
             "-C", f"cmake.define.LOCKSTEP_PREBUILT={build}", blocks.ROOT]  # fmt: skip
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"no wheel:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def main() -> int:
    if subprocess.run([sys.executable, "-c", "import scikit_build_core, pybind11, venv"], capture_output=True, check=False).returncode != 0:
        print("skipped: this Python lacks scikit-build-core or pybind11 (./dev setup)")
        return 77
    with tempfile.TemporaryDirectory() as place:
        wheels, folder = Path(place, "wheels"), Path(place, "work")
        wheel(Path(sys.argv[1]).resolve(), wheels)
        folder.mkdir()
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "venv", f"{place}/venv"], check=True)
        dropped = ("LOCKSTEP", "PYTHON", "VIRTUAL_ENV", "TRITON")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        environment |= {"PATH": f"{place}/venv/bin:{environment['PATH']}", "WHEELS": str(wheels), "LOCKSTEP_CACHE_DIR": "off", "NO_COLOR": "1"}
        reader = Reader(blocks.DOCS / "quickstart.md", folder, environment)
        failures = reader.run()
        reader.served()
        seconds = time.perf_counter() - start
        where = subprocess.run(["bash", "-c", "command -v lockstep"], env=environment, capture_output=True, text=True, check=False).stdout
    if not where.startswith(place):
        failures.append(f"`lockstep` is {where.strip()}, not that of the wheel")
    if seconds > MOST_SECONDS:
        failures.append(f"{seconds:.0f} s, more than {MOST_SECONDS:.0f}")
    print("\n".join([*failures, f"the quickstart took {seconds:.1f} s, installation included"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
