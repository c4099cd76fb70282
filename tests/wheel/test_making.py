"""How ./dev wheels puts a wheel together and looks for Pythons; nothing is compiled."""

import base64
import contextlib
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging" / "wheel"))
import make  # noqa: E402
import pack  # noqa: E402
import pythons  # noqa: E402


class Packing(unittest.TestCase):
    def test_names(self):
        name = pack.wheel_name(["3.10", "3.14"], "manylinux2014_x86_64.manylinux_2_17_x86_64")
        self.assertEqual(name, f"triton_lockstep-{pack.version()}-cp310.cp314-cp310.cp314-manylinux2014_x86_64.manylinux_2_17_x86_64.whl")
        tags = pack.wheel_file(["3.10", "3.14"], "a_x.b_x").decode().splitlines()[3:]
        self.assertEqual(len(tags), len(set(tags)))
        self.assertEqual(len(tags), 2 * 2 * 2)
        self.assertIn("Tag: cp314-cp314-b_x", tags)

    def test_the_archive_is_whole_and_the_same_each_time(self):
        info = f"{pack.NAME}-{pack.version()}.dist-info"
        files = {f"{info}/METADATA": b"m", "lockstep/a.so": b"so", f"{pack.NAME}-{pack.version()}.data/scripts/lockstep": b"run", "lockstep/b.py": b""}
        with tempfile.TemporaryDirectory() as folder:
            pack.write(Path(folder, "one.whl"), files)
            pack.write(Path(folder, "two.whl"), dict(reversed(files.items())))
            self.assertEqual(Path(folder, "one.whl").read_bytes(), Path(folder, "two.whl").read_bytes())
            with zipfile.ZipFile(Path(folder, "one.whl")) as archive:
                names = archive.namelist()
                modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
                record = archive.read(f"{info}/RECORD").decode().splitlines()
        self.assertEqual(set(names), {*files, f"{info}/RECORD"})
        self.assertTrue(all(name.startswith(info) for name in names[-2:]))
        self.assertEqual(len(record), len(names))
        digest = base64.urlsafe_b64encode(hashlib.sha256(b"so").digest()).rstrip(b"=").decode()
        self.assertIn(f"lockstep/a.so,sha256={digest},2", record)
        self.assertEqual({name for name, mode in modes.items() if mode & 0o111}, {"lockstep/a.so", f"{pack.NAME}-{pack.version()}.data/scripts/lockstep"})

    def test_every_platform_has_its_toolchain(self):
        for platform in make.PLATFORMS.values():
            self.assertTrue((ROOT / "cmake" / "toolchains" / f"{platform.toolchain}.cmake").is_file(), platform)


class Finding(unittest.TestCase):
    def installed(self, folder: Path, *names: str) -> None:
        for name in names:
            version = ".".join(name.split(".")[:2])
            for place in (f"versions/{name}/include/python{version}/Python.h", f"versions/{name}/bin/python{version}"):
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                (folder / place).write_text("")

    def test_the_newest_of_pyenv(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, PYENV_ROOT=folder):
            self.installed(Path(folder), "3.12.9", "3.12.10", "3.13.0")
            self.assertIn("3.12.10", str(pythons.of_prefix("3.12").headers))

    def test_a_missing_one_is_an_error_that_names_the_remedy(self):
        nothing = unittest.mock.patch.object(pythons, "find", return_value=None)
        with nothing, contextlib.redirect_stdout(io.StringIO()), self.assertRaises(SystemExit) as ended:
            pythons.find_all(["3.12"], {})
        self.assertIn("no headers of Python 3.12", str(ended.exception))
        self.assertIn("--headers 3.12=FOLDER", str(ended.exception))

    def test_named_headers_must_be_there(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(SystemExit) as ended:
                pythons.find("3.12", {"3.12": Path(folder)})
            self.assertIn("has no Python.h", str(ended.exception))

    def test_what_the_command_line_refuses(self):
        for words in (["linux-riscv"], ["--pythons", "3.9"], ["--headers", "3.12"]):
            done = subprocess.run([sys.executable, ROOT / "packaging" / "wheel" / "make.py", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(words[-1], done.stderr)


if __name__ == "__main__":
    unittest.main()
