"""The VS Code extension, the documentation and the server know the same keys of `launch` and `attach`."""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

LOCKSTEP = sys.argv[1]  # which every test of this folder is given
del sys.argv[1:]
ROOT = Path(__file__).resolve().parents[3]
EXTENSION = ROOT / "debugger" / "vscode"
OF_THE_CLIENT = {"lockstep", "port", "host"}  # what the extension itself reads


def part(source: str, begin: str, end: str) -> str:
    return source[source.index(begin) : source.index(end, source.index(begin))]


def keys_of_server() -> dict[str, set[str]]:
    """What the handlers read."""
    source = (ROOT / "debugger" / "dap" / "requests" / "requests_start.cpp").read_text()
    read = r'in\.\w+\("(\w+)"'
    both = set(re.findall(read, part(source, "LaunchOptions read_options", "\n}\n")))
    rows = json.loads(subprocess.run([LOCKSTEP, "launch-options"], capture_output=True, text=True, check=True).stdout)
    table = {key for row in rows for key in row["dap"]}
    launch = set(re.findall(read, part(source, "LaunchWish read_wish", "\n}\n")))
    return {"launch": both | table | launch, "attach": both}


def keys_of_extension(request: str) -> set[str]:
    package = json.loads((EXTENSION / "package.json").read_text())
    (debugger,) = package["contributes"]["debuggers"]
    return set(debugger["configurationAttributes"][request]["properties"]) - OF_THE_CLIENT


def keys_of_documentation() -> set[str]:
    table = part((ROOT / "docs" / "editors.md").read_text(), "| Key |", "\n\n")
    return {key for row in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", row.split("|")[1])}


class Extension(unittest.TestCase):
    def test_keys(self):
        server = keys_of_server()
        self.assertGreater(len(server["launch"]), 15)
        self.assertEqual(keys_of_extension("launch"), server["launch"])
        self.assertEqual(keys_of_extension("attach"), server["attach"])
        self.assertEqual(keys_of_documentation(), server["launch"])

    def test_script(self):
        if shutil.which("node") is None:
            print("skipped: no Node.js here")  # for tools/left_out.py
            self.skipTest("no Node.js here")
        for name in ("extension.js", "proofs.js"):
            subprocess.run(["node", "--check", str(EXTENSION / name)], check=True)

    def test_proofs(self):
        """A hover on a line says what `lockstep prove` knows of it, for every property."""
        if shutil.which("node") is None:
            print("skipped: no Node.js here")  # for tools/left_out.py
            self.skipTest("no Node.js here")
        kernels = ROOT / "tests" / "prove" / "kernels.py"
        done = subprocess.run([LOCKSTEP, "prove", f"{kernels}::rows_of_stride", "x=*f32", "out=*f32", "M", "N", "stride", "BLOCK=8", "--properties",
                               "races,lanes", "--json"], capture_output=True, text=True, check=False)
        report = json.loads(done.stdout)
        self.assertEqual(report["answer"], "holds")
        line = next(row["line"] for row in report["lines"] if row["property"] == "races" and row["state"] == "needs")
        self.assertIn("tl.store", kernels.read_text().splitlines()[line - 1])

        def hover(at):
            script = "const {hoverText} = require(process.argv[1]); process.stdout.write(String(hoverText([JSON.parse(process.argv[2])], process.argv[3], Number(process.argv[4]))))"
            words = ["node", "-e", script, str(EXTENSION / "proofs.js"), done.stdout, str(kernels), str(at)]
            return subprocess.run(words, capture_output=True, text=True, check=True).stdout

        text = hover(line)
        for wanted in ("**rows_of_stride** holds", "- races: needs `N <= stride`", "- lanes: proved", "- bounds: "):
            self.assertIn(wanted, text)
        self.assertEqual(hover(1), "null")


if __name__ == "__main__":
    unittest.main()
