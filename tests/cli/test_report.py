"""`lockstep run --report` and `--baseline`: formats, what is silenced, and that reports are the same bytes each time."""

import json
import os
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from json_schema import Validator
from tool import ROOT, CommandTest

ZOO = "tests/zoo"
MIRROR = ["run", f"{ZOO}/LS401_mirror_through_scratch/bad/kernel.py::mirror", "--grid", "4", "--check", "lanes"]
MIRROR += ["x=arange:f32[512]", "scratch=zeros:f32[512]", "out=zeros:f32[512]", "BLOCK=128"]
NORM = ["run", f"{ZOO}/LS403_norm_then_rotate/bad/kernel.py::norm_and_rotate", "--grid", "4", "--check", "lanes"]
NORM += ["x=randn:f32[512]", "out=zeros:f32[512]", "D=128", "ROTATED=64"]
SCATTER = ["run", f"{ZOO}/LS404_scatter_with_duplicates/bad/kernel.py::last_of_bin", "--grid", "1", "--check", "lanes"]
SCATTER += ["index=randint(0,40):i32[100]", "x=arange:i32[100]", "out=zeros:i32[100]", "n=100", "BLOCK=128"]
SCHEMA = ROOT / "tests" / "third_party" / "sarif" / "sarif-schema-2.1.0.json"

SILENCED = '''import triton
import triton.language as tl


@triton.jit
def mirror(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))
    # lockstep: ignore[LS405, LS401]
    back = tl.load(out + BLOCK - 1 - i)
    tl.store(out + i, back)  # lockstep: ignore[{code}]
'''


class Report(CommandTest):
    def written(self, format_name: str, *words: str, code: int = 0) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report"
            self.check(code, *words, "--report", f"{format_name}={path}")
            return path.read_text()

    def test_json_has_every_fact(self):
        report = json.loads(self.written("json", *MIRROR))
        self.assertEqual((report["kernel"], report["outcome"], report["programs_run"]), ("mirror", "completed", 4))
        self.assertEqual((report["checkers"], report["memory_model"], report["triton"]), ("lanes", "tile", "3.6"))
        self.assertEqual((report["schedules"], report["bytes_read"], report["bytes_written"]), (1, 4096, 4096))
        [finding] = report["findings"]
        self.assertEqual((finding["code"], finding["tier"], finding["line"], finding["column"]), ("LS401", "warning", 13, 24))
        self.assertEqual((finding["argument"], finding["element"], finding["lane"]), ("scratch", 127, [0]))
        self.assertEqual((finding["program"], finding["count"], finding["programs"]), ([0, 0, 0], 512, 4))
        self.assertEqual((finding["notes"][0]["line"], finding["silenced"]), (12, None))

    def test_reports_are_the_same_bytes(self):
        for name in ("json", "sarif", "junit", "github", "baseline"):
            one = self.written(name, *NORM, "--threads", "1")
            self.assertEqual(one, self.written(name, *NORM, "--threads", "3"))
            self.assertIn("LS403", one)

    def test_sarif_follows_its_schema(self):
        validator = Validator(json.loads(SCHEMA.read_text()))
        for words, code in ((MIRROR, 0), (NORM, 0), (SCATTER, 1)):
            log = json.loads(self.written("sarif", *words, code=code))
            self.assertEqual(validator.problems(log), [])
            results = log["runs"][0]["results"]
            rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
            self.assertEqual([rules[one["ruleIndex"]] for one in results], [one["ruleId"] for one in results])
        region = results[0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((results[0]["level"], region["startLine"]), ("error", 13))
        log["runs"][0]["results"][0]["level"] = "loud"
        self.assertEqual(len(validator.problems(log)), 1)

    def test_junit_counts_what_fails(self):
        for fails_on, failures in (("error", "0"), ("warning", "2")):
            code = 1 if fails_on == "warning" else 0
            suites = ElementTree.fromstring(self.written("junit", *NORM, "--fail-on", fails_on, code=code))
            self.assertEqual((suites.get("tests"), suites.get("failures")), ("3", failures))
            self.assertEqual(len(suites.findall(".//failure")), int(failures))

    def test_github_is_alone_on_standard_output(self):
        done = self.check(1, *SCATTER, "--report", "github", "--print", "out")
        self.assertRegex(done.stdout, r"^::error file=tests/zoo/LS404[^:]*/kernel.py,line=13,col=25,title=LS404 ")
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertIn("out: i32[100]", done.stderr)

    def test_a_baseline_silences_what_it_names(self):
        with tempfile.TemporaryDirectory() as folder:
            known, again = Path(folder) / "known.txt", Path(folder) / "again.json"
            self.check(1, *NORM, "--fail-on", "warning", "--report", f"baseline={known}")
            done = self.check(0, *NORM, "--fail-on", "warning", "--baseline", str(known), "--report", f"json={again}")
            self.assertIn("findings: none, 2 silenced", done.stdout)
            self.assertEqual([one["silenced"] for one in json.loads(again.read_text())["findings"]], ["baseline"] * 2)
            known.write_text(known.read_text().rsplit("\n", 2)[0] + "\n")
            self.check(1, *NORM, "--fail-on", "warning", "--baseline", str(known))
            known.write_text("{}\n")
            self.assertIn("LS1921", self.check(2, *NORM, "--baseline", str(known)).stderr)
            self.check(3, *NORM, "--baseline", str(Path(folder) / "absent.txt"))

    def test_a_fingerprint_survives_moved_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "kernel.py"
            text = (ROOT / MIRROR[1].split("::")[0]).read_text()
            known = Path(folder) / "known.txt"
            for comment, more in (("", ["--report", f"baseline={known}"]), ("# moved\n" * 7, ["--baseline", str(known)])):
                source.write_text(comment + text)
                code = 1 if not comment else 0
                self.check(code, "run", f"{source}::mirror", *MIRROR[2:], "--fail-on", "warning", *more)

    def test_comments_silence_the_codes_that_they_name(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "kernel.py"
            words = ["run", f"{source}::mirror", "--grid", "1", "--check", "lanes", "--fail-on", "warning"]
            words += ["x=arange:f32[64]", "out=zeros:f32[64]", "BLOCK=64"]
            source.write_text(SILENCED.format(code="LS402,LS403"))
            self.assertIn("findings: none, 2 silenced", self.check(0, *words).stdout)
            source.write_text(SILENCED.format(code="LS403"))
            self.assertIn("findings: 1 warning, 1 silenced", self.check(1, *words).stdout)

    def test_names_that_are_no_utf8_and_marks_are_escaped(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(os.fsencode(folder), b'a "<&,:%\xff\xc3\xa4.py')
            with open(source, "wb") as file:
                file.write((ROOT / MIRROR[1].split("::")[0]).read_bytes())
            words = ["run", os.fsdecode(source) + "::mirror", *MIRROR[2:]]
            self.assertEqual(json.loads(self.written("json", *words))["findings"][0]["line"], 13)
            log = json.loads(self.written("sarif", *words))
            self.assertEqual(Validator(json.loads(SCHEMA.read_text())).problems(log), [])
            self.assertIn("%22%3C%26%2C%3A%25%FF%C3%A4.py", json.dumps(log))
            ElementTree.fromstring(self.written("junit", *words))

    def test_wrong_words(self):
        self.assertIn("LS1922", self.check(2, *MIRROR, "--report", "xml").stderr)
        self.assertIn("LS1922", self.check(2, *MIRROR, "--report", "json=").stderr)
        self.assertIn("LS1922", self.check(2, *MIRROR, "--report", "json", "--report", "github").stderr)
        self.check(3, *MIRROR, "--report", "json=/nonexistent/report.json")


if __name__ == "__main__":
    unittest.main()
