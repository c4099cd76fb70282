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
        subprocess.run(["node", "--check", str(EXTENSION / "extension.js")], check=True)


if __name__ == "__main__":
    unittest.main()
