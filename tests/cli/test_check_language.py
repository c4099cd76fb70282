"""`lockstep check-language`: files, folders, packages; texts and JSON; exit codes."""

import json
import tempfile
import unittest
from pathlib import Path

from tool import KERNELS, ROOT, CommandTest

FILE = f"{KERNELS}/questionable.py"


class CheckLanguage(CommandTest):
    def found(self, *words):
        document = json.loads(self.check(2, "check-language", *words, "--json").stdout)
        return {kernel["name"]: kernel for kernel in document["files"][0]["kernels"]}

    def test_each_problem_is_named_once(self):
        kernels = self.found(FILE)
        self.assertEqual(kernels["fine"]["verdict"], "fine")
        problems = [(p["line"], p["code"], p["message"]) for p in kernels["wrong"]["problems"]]
        self.assertEqual(
            problems,
            [
                (28, "LS1316", "module 'triton.language' has no attribute 'arrange'"),
                (29, "LS1307", "only `range`, `tl.range` and `tl.static_range` can be iterated over"),
                (30, "LS1301", "unsupported AST node type: Break"),
                (31, "LS1301", "unsupported AST node type: Dict"),
                (32, "LS1303", "global variable 'LIMIT' cannot be used in a kernel: it is not a constexpr"),
                (32, "LS1304", "the plain Python function 'plain' cannot be called from a kernel"),
                (32, "LS1311", "'SIZE' is from the module 'elsewhere', which is not on the search path or lacks it"),
                (32, "LS1303", "global variable 'TABLE' cannot be used in a kernel: it is not a constexpr"),
                (32, "LS1302", "name 'undefined' is not defined"),
                (32, "LS1305", "tl.store() has no parameter 'masc'"),
                (33, "LS1305", "fine() has no parameter 'size'"),
                (33, "LS1305", "fine() is missing the argument 'n'"),
                (34, "LS1301", "unsupported AST node type: Lambda"),
            ],
        )

    def test_what_is_not_supported_is_not_wrong(self):
        self.assertEqual(self.found(FILE)["not_yet"]["verdict"], "not supported yet")

    def test_a_given_global_is_known(self):
        problems = self.found(FILE, "--global", "SIZE=4", "--global", "LIMIT=8")["wrong"]["problems"]
        self.assertFalse([p for p in problems if "SIZE" in p["message"] or "LIMIT" in p["message"]])

    def test_text(self):
        shown = self.check(2, "check-language", FILE).stdout
        self.assertIn(f"{FILE}:16: fine: fine\n", shown)
        self.assertIn(f"{FILE}:27: wrong: wrong\n{FILE}:28:13: error: module 'triton.language' has no attribute", shown)
        self.assertTrue(shown.endswith("3 kernels in 1 file: 1 fine, 1 wrong, 1 not supported yet (types are not checked)\n"), shown)

    def test_folders_and_packages(self):
        self.assertIn("0 wrong", self.check(0, "check-language", "examples").stdout)
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "somewhere"
            package.mkdir()
            (package / "__init__.py").write_text("")
            (package / "kernels.py").write_text((ROOT / KERNELS / "fill.py").read_text())
            (package / "text.py").write_text("not Python, nor about it: triton\n")
            self.assertIn("1 file cannot be read", self.check(2, "check-language", "somewhere", "--path", folder).stdout)
            (package / "text.py").unlink()
            self.assertIn("3 kernels in 1 file: 3 fine", self.check(0, "check-language", "somewhere", "--path", folder).stdout)
        self.assertIn("[LS2202]", self.check(2, "check-language", "no_such_package").stderr)

    def test_several_targets_are_one_answer_and_each_file_counts_once(self):
        shown = self.check(2, "check-language", f"{KERNELS}/fill.py", FILE, f"{KERNELS}/fill.py").stdout
        self.assertTrue(shown.endswith("6 kernels in 2 files: 4 fine, 1 wrong, 1 not supported yet (types are not checked)\n"), shown)
        self.assertIn(f"{FILE}:27: wrong: wrong\n", shown)
        self.assertIn("'no_such_package'", self.check(2, "check-language", FILE, "no_such_package").stderr)
        self.assertIn("check-language needs a target", self.check(2, "check-language").stderr)


if __name__ == "__main__":
    unittest.main()
