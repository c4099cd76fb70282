"""`lockstep run --report` and `--baseline`: formats, what is silenced, and that reports are the same bytes each time."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

from json_schema import Validator
from tool import ROOT, CommandTest

ZOO = "tests/findings"
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

KERNELS = '''import triton
import triton.language as tl


@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if BLOCK == 1:
        tl.store(x + i, 0)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def sums(x, out, trips, limit):
    i = tl.arange(0, 16)
    total = tl.zeros((16,), tl.float32)
    for k in range(trips):
        at = tl.program_id(0) * 64 + k * 16 + i
        total += tl.load(x + at, mask=at < limit, other=0)
    tl.store(out + tl.program_id(0) * 4 + tl.arange(0, 8), tl.sum(total), mask=tl.arange(0, 8) < 4)


@triton.jit
def sums_of_rows(x, out, limit):
    total = 0.0
    for k in range(tl.program_id(0)):
        total += tl.sum(tl.load(x + k * 16 + tl.arange(0, 16), mask=tl.arange(0, 16) < limit, other=0))
    tl.store(out + tl.program_id(0), total)


@triton.jit
def add(x, out):
    tl.atomic_add(out, tl.sum(tl.load(x + tl.program_id(0) * 8 + tl.arange(0, 8))))
'''


#: A kernel whose places are hostile: names with lines, escapes, markup and characters that XML has none for; huge numbers.
HOSTILE = r'''#where = loc("bad\0Aname.py:1:1: error: forged \1B[31m<&\22%25::]]>\EF\BF\BF\FF":3:4)
#far = loc("a.py":4294967295:4294967295 to :4294967295)
module {
  tt.func public @k(%p: !tt.ptr<f32>) {
    %c = arith.constant 1000000 : i32
    %q = tt.addptr %p, %c : !tt.ptr<f32>, i32
    %v = tt.load %q : !tt.ptr<f32> loc(#where)
    tt.store %q, %v : !tt.ptr<f32> loc(#far)
    tt.return
  }
}
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

    def hostile(self, format_name: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            kernel = Path(folder) / "k.ttir"
            kernel.write_text(HOSTILE)
            return self.written(format_name, "run", str(kernel), "--grid", "1", "p=zeros:f32[4]", "--check", "all", code=1)

    def test_hostile_places_break_no_format(self):
        report = json.loads(self.hostile("json"))
        names = {one["file"]: (one["line"], one["column"]) for one in report["findings"]}
        self.assertEqual(names["a.py"], (4294967295, 4294967295))
        self.assertTrue(any("forged" in name for name in names))
        sarif = json.loads(self.hostile("sarif"))
        self.assertEqual(Validator(json.loads(SCHEMA.read_text())).problems(sarif), [])
        cases = ElementTree.fromstring(self.hostile("junit")).findall(".//testcase")
        self.assertEqual(len(cases), len(report["findings"]) + 1)
        for line in self.hostile("github").splitlines():
            self.assertRegex(line, "^::(error|warning|notice) ")
        for line in self.hostile("baseline").splitlines()[1:]:
            self.assertRegex(line, "^[0-9a-f]{16} LS[0-9]+ ")

    def test_sarif_follows_its_schema(self):
        validator = Validator(json.loads(SCHEMA.read_text()))
        for words, code in ((MIRROR, 0), (NORM, 0), (SCATTER, 1)):
            log = json.loads(self.written("sarif", *words, code=code))
            self.assertEqual(validator.problems(log), [])
            results = log["runs"][0]["results"]
            rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
            self.assertEqual([rules[one["ruleIndex"]] for one in results], [one["ruleId"] for one in results])
            self.assertEqual(log["runs"][0]["invocations"][0]["properties"]["covered"]["steps"], ["lanes"])
        region = results[0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((results[0]["level"], region["startLine"]), ("error", 13))
        log["runs"][0]["results"][0]["level"] = "loud"
        self.assertEqual(len(validator.problems(log)), 1)

    def test_sarif_says_how_to_mend_a_finding(self):
        case = ROOT / ZOO / "LS608_padding_in_the_variance/bad/kernel.py"
        line = case.read_text().split("\n")[0].removeprefix("# args: ")
        words = line.replace("{file}", str(case)).replace("{folder}", str(case.parent)).split()
        log = json.loads(self.written("sarif", *words, code=1))
        self.assertEqual(Validator(json.loads(SCHEMA.read_text())).problems(log), [])
        [rule] = [one for one in log["runs"][0]["tool"]["driver"]["rules"] if one["id"] == "LS608"]
        self.assertEqual(rule["help"]["markdown"], (ROOT / "docs/errors/LS608.md").read_text())
        self.assertIn(rule["fullDescription"]["text"][:40], rule["help"]["markdown"].replace("\n", " "))
        self.assertEqual(rule["defaultConfiguration"], {"level": "error"})
        [result] = [one for one in log["runs"][0]["results"] if one["ruleId"] == "LS608"]
        region = result["locations"][0]["physicalLocation"]["region"]
        line = case.read_text().splitlines()[region["startLine"] - 1]
        self.assertEqual(line[region["startColumn"] - 1 : region["endColumn"] - 1], "d")
        [replacement] = result["fixes"][0]["artifactChanges"][0]["replacements"]
        self.assertEqual((replacement["deletedRegion"]["startLine"], replacement["deletedRegion"]["endLine"]), (16, 17))
        self.assertEqual(replacement["insertedContent"]["text"], "    variance = tl.sum(tl.where(mask, d * d, 0.0), axis=0) / columns\n")

    def test_junit_names_outlive_moved_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            source, named = Path(folder) / "kernel.py", []
            text = (ROOT / NORM[1].split("::")[0]).read_text()
            for comment in ("", "# moved\n" * 7):
                source.write_text(comment + text)
                cases = ElementTree.fromstring(self.written("junit", "run", f"{source}::norm_and_rotate", *NORM[2:])).findall(".//testcase")
                named.append([(one.get("classname"), one.get("name")) for one in cases])
                self.assertEqual(len(set(named[-1])), len(cases))
                self.assertTrue(all(one.get("line") for one in cases[1:]))
            self.assertEqual(named[0], named[1])
            self.assertEqual(named[0][0], ("norm_and_rotate", "launch"))

    def test_junit_counts_what_fails(self):
        for fails_on, failures in (("error", "0"), ("warning", "2")):
            code = 1 if fails_on == "warning" else 0
            suites = ElementTree.fromstring(self.written("junit", *NORM, "--fail-on", fails_on, code=code))
            self.assertEqual((suites.get("tests"), suites.get("failures")), ("3", failures))
            self.assertEqual(len(suites.findall(".//failure")), int(failures))

    def test_github_is_alone_on_standard_output(self):
        done = self.check(1, *SCATTER, "--report", "github", "--print", "out")
        self.assertRegex(done.stdout, r"^::error file=tests/findings/LS404[^:]*/kernel.py,line=13,col=25,endColumn=\d+,title=LS404 ")
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

    def covered(self, kernel: str, *words: str) -> tuple[dict, list[str]]:
        """Of a launch: what JSON says, and the lines for people."""
        with tempfile.TemporaryDirectory() as folder:
            source, path = Path(folder) / "kernel.py", Path(folder) / "report.json"
            source.write_text(KERNELS)
            done = self.check(0, "run", f"{source}::{kernel}", *words, "--report", f"json={path}")
            lines = [line for line in done.stdout.splitlines() if line.startswith(("  checked", "  masked", "  outputs"))]
            return json.loads(path.read_text())["covered"], lines

    def test_what_was_covered(self):
        words = ["--grid", "4", "x=arange:f32[100]", "out=empty:f32[120]", "n=100", "BLOCK=32"]
        found, lines = self.covered("copy", *words, "--check", "coverage,division,definedness")
        self.assertEqual((found["loads"], found["stores"]), ({"bytes": 512, "off": 112}, {"bytes": 512, "off": 112}))
        self.assertEqual(found["outputs"], [{"name": "out", "elements": 120, "never_written": 20}])
        self.assertEqual((found["steps"], found["ranges"]), ([], ["coverage"]))
        self.assertEqual(found["text"], ["definedness", "division"])
        checked = "  checked: in memory afterwards (coverage), before the run (definedness, division)"
        lanes, outputs = "  masked lanes: loads 21.9%, stores 21.9%", "  outputs: 20 of 120 elements of out never written"
        self.assertEqual(lines, [checked, lanes, outputs])
        self.assertEqual(self.covered("copy", *words)[1], [])  # nobody asked for checkers

    def test_lanes_are_counted_where_the_arguments_say_how_often_loops_run(self):
        words = ["--grid", "2", "x=ones:f32[128]", "out=zeros:f32[8]", "--check", "all"]
        found, lines = self.covered("sums", *words, "trips=4", "limit=128")
        self.assertEqual((found["loads"], found["stores"]), ({"bytes": 2 * 4 * 64, "off": 0}, {"bytes": 64, "off": 32}))
        self.assertIn("  masked lanes: loads none, stores 50%", lines)
        found, _ = self.covered("sums", *words, "trips=4", "limit=100")
        self.assertEqual(found["loads"], {"bytes": 2 * 4 * 64, "off": 28 * 4})
        found, lines = self.covered("sums_of_rows", *words, "limit=128")
        self.assertEqual((found["loads"], found["stores"]["off"]), (None, 0))
        self.assertIn("  masked lanes: loads not counted, stores none", lines)

    def test_a_limit_of_time_is_of_all_orders_together(self):
        words = ["--schedules", "1000000", "--timeout", "0.5", "--grid", "8", "x=ones:f32[64]", "out=zeros:f32[1]"]
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "kernel.py"
            source.write_text(KERNELS)
            done = self.check(5, "run", f"{source}::add", "--check", "races", *words)
            self.assertRegex(done.stdout, "add: stopped by --timeout after .* in [0-9]+ orders of programs")

    def test_wrong_words(self):
        self.assertIn("LS1922", self.check(2, *MIRROR, "--report", "xml").stderr)
        self.assertIn("LS1922", self.check(2, *MIRROR, "--report", "json=").stderr)
        self.assertIn("LS1922", self.check(2, *MIRROR, "--report", "json", "--report", "github").stderr)
        self.check(3, *MIRROR, "--report", "json=/nonexistent/report.json")


if __name__ == "__main__":
    unittest.main()
