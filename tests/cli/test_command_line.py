"""Help, version, explain, doctor and the log: what does not need a kernel."""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from tool import LOCKSTEP, ROOT, CommandTest


class CommandLine(CommandTest):
    def test_help_is_on_standard_output_and_names_every_command(self):
        done = self.check(0, "--help")
        for command in ("run", "enclose", "emit", "explain", "doctor", "version"):
            self.assertIn(command, done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertIn("--grid", self.check(0, "run", "--help").stdout)
        self.assertIn("--sig", self.check(0, "emit", "--help").stdout)

    def test_wrong_usage_is_2_and_on_standard_error(self):
        for words in ([], ["rnu"], ["run"], ["run", "x.py"], ["run", "x.py", "--grid", "1", "--gird", "1"], ["emit"],
                      ["run", "x.py", "--grid", "1", "--threads", "0"], ["run", "x.py", "--grid", "1", "--rtol", "nan"],
                      ["run", "x.py", "--grid", "1", "--ulp", "1", "--rtol", "1"], ["--log-level", "loud", "version"]):
            done = self.check(2, *words)
            self.assertNotEqual(done.stderr, "", words)
            self.assertEqual(done.stdout, "", words)

    def test_campaigns_need_a_python_with_the_package(self):
        missing = self.check(3, "campaign", "--help", LOCKSTEP_PYTHON="/no/python")
        self.assertIn("LS3030", missing.stderr)
        self.assertIn("LOCKSTEP_PYTHON", missing.stderr)
        with tempfile.TemporaryDirectory() as folder:
            without = Path(folder, "python")  # isolated: nothing but the standard library and what is installed
            without.write_text('#!/bin/sh\nexec python3 -I -S "$@"\n')
            without.chmod(0o755)
            done = self.check(3, "campaign", "status", "x.db", LOCKSTEP_PYTHON=str(without))
        self.assertIn("LS3030", done.stderr)
        self.assertIn("pip install triton-lockstep", done.stderr)
        missing = self.check(3, "judge", "a.py", "b.py", LOCKSTEP_PYTHON="/no/python")
        self.assertIn("judgements run in Python", missing.stderr)

    def test_misspelt_words_are_named(self):
        usage = "usage: lockstep run FILE.py[::KERNEL] --grid X[,Y[,Z]] NAME=VALUE ..."
        for words, message, hint in (
                (["rnu", "x.py", "--grid", "1"], "unknown command 'rnu'", "did you mean 'run'?"),
                (["explian"], "unknown command 'explian'", "did you mean 'explain'?"),
                (["xyz"], "unknown command 'xyz'", "the commands are run, diff, replay, enclose, debug, dap, serve, trace, emit, prove, check-language, explain, ops, learn, stages, model, judge, mcp, campaign, doctor, help, version"),
                (["run", "x.py", "--gird", "1"], "unknown option '--gird'", "did you mean '--grid'?"),
                (["run", "x.py", "--grid", "1", "--thread=2"], "unknown option '--thread'", "did you mean '--threads'?"),
                (["run", "x.py", "--grid", "1", "--qqqqqqqq"], "unknown option '--qqqqqqqq'", "`lockstep run --help` lists the options"),
                (["--log-levle", "off", "version"], "unknown option '--log-levle'", "did you mean '--log-level'?"),
                (["run"], "run needs a kernel and --grid", usage),
                (["run", "x.py"], "run needs --grid", usage),
                (["emit"], "emit needs a kernel", "usage: lockstep emit FILE.py[::KERNEL] --sig NAME=TYPE,... NAME=VALUE ..."),
                (["run", "x.py", "--grid", "1,1", "--grid", "2"], "--grid is given twice: 1,1 and 2", "give it once"),
                (["serve", "x.py", "--grid", "1", "--grid=2"], "--grid is given twice: 1 and 2", "give it once"),
                (["serve", "--listen", "0", "x.py", "--grid", "1", "--listen=1"], "--listen is given twice: 0 and 1", "give it once"),
                (["serve", "x.py", "--grid", "1", "--listen"], "--listen is given without a value", "write --listen [HOST:]PORT"),
                (["run", "x.py", "--threads", "1", "--threads", "2", "--threads", "3"], "--threads is given 3 times: 1, 2 and 3", "give it once"),
                (["run", "x.py", "--grid"], "--grid is given without a value", "write --grid X,Y,Z"),
                (["run", "x.py", "--threads", "0"], "--threads cannot be '0'", "it is a number from 1 to 4096"),
                (["run", "x.py", "--seed", "many"], "--seed cannot be 'many'", "write --seed N"),
                (["run", "x.py", "--fail-on", "x"], "--fail-on cannot be 'x'", "it is error, warning, info or none"),
                (["run", "x.py", "--rtol", "nan"], "--rtol: 'nan' is not a number from 0 on", "write --rtol R"),
                (["run", "x.py", "--grid", "1", "--ulp", "1", "--rtol", "1"], "--rtol and --ulp cannot be given together", "leave out one of them"),
                (["ops", "--triton", "3.6"], "--triton is given without --missing", "add --missing, or leave out --triton"),
                (["--log-level", "loud", "version"], "--log-level cannot be 'loud'", "it is trace, debug, info, warn, error or off"),
                (["doctor", "me"], "unexpected argument 'me'", "`lockstep doctor --help` tells more")):
            self.assertEqual(self.check(2, *words).stderr, f"error: {message}\nhint: {hint}\n", words)

    def test_version(self):
        done = self.check(0, "--version")
        for line in ("lockstep 0.", "compiler: ", "build: ", "instruction set: ", "CUDA headers at build time: ", "isl: "):
            self.assertIn(line, done.stdout)
        self.assertEqual(self.check(0, "version").stdout, done.stdout)

    def test_explain_prints_every_page(self):
        pages = sorted(ROOT.glob("docs/errors/LS*.md"))
        self.assertGreater(len(pages), 50)
        listing = self.check(0, "explain").stdout
        self.assertEqual(len(listing.splitlines()), len(pages))
        numbers = [int(line.split(":")[0][2:]) for line in listing.splitlines() if not line.startswith("LSP")]
        self.assertEqual(numbers, sorted(numbers))
        self.assertTrue(listing.splitlines()[-1].startswith("LSP"))
        for page in (pages[0], pages[-1]):
            shown, _, also = self.check(0, "explain", page.stem).stdout.partition("\nSee also\n\n")
            self.assertEqual(shown, page.read_text())
            self.assertTrue(all(line.startswith("    LS") for line in also.splitlines()), also)
        self.assertEqual(self.check(0, "explain", "ls101").stdout, self.check(0, "explain", "101").stdout)
        self.assertIn("[LS2208]", self.check(2, "explain", "LS9999").stderr)

    def test_explain_by_topic(self):
        races = self.check(0, "explain", "race").stdout
        self.assertTrue(races.startswith("Codes about race\n\n"), races)
        codes = [line.split(":")[0] for line in races.splitlines() if line.startswith("LS")]
        self.assertEqual(codes[:3], ["LS301", "LS302", "LS303"])
        self.assertEqual([one for one in codes if one.startswith("LS3")], sorted(one for one in codes if one.startswith("LS3")))
        self.assertNotIn("LS1911", codes)  # no such checker
        self.assertTrue(races.endswith("`lockstep explain LS301` prints one.\n"), races)
        masks = self.check(0, "explain", "mask").stdout
        self.assertTrue(masks.startswith("Codes about mask\n\nLS101: "), masks)
        self.assertLess(masks.index("LS201: "), masks.index("LS205: "))
        self.assertLess(masks.index("LS205: "), masks.index("LS509: "))
        self.assertIn("LS107: ", self.check(0, "explain", "descriptor", "tensor").stdout)
        self.assertIn("See also\n\n    LS407: ", self.check(0, "explain", "402").stdout)
        self.assertIn("[LS2208]", self.check(2, "explain", "no", "such", "topic", "anywhere").stderr)

    def test_a_browser_gets_nothing_of_the_server_but_the_address(self):
        with tempfile.TemporaryDirectory() as folder:
            browser, seen = Path(folder, "browser"), Path(folder, "seen")
            listing = f"import os\nheld = os.listdir('/proc/self/fd')\nopen('{seen}.part', 'w').write(' '.join(held))\nos.rename('{seen}.part', '{seen}')\n"
            browser.write_text(f"#!{sys.executable}\n{listing}")
            browser.chmod(0o755)
            environment = {**os.environ, "BROWSER": str(browser)}
            with subprocess.Popen([LOCKSTEP, "learn", "--open"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as server:
                self.addCleanup(server.kill)
                self.assertIn("lockstep learn: open http", server.stdout.readline())
                for _ in range(200):
                    if seen.exists():
                        break
                    time.sleep(0.05)
                server.terminate()
                server.wait(20)
            held = {int(one) for one in seen.read_text().split()}
            self.assertLessEqual(held, {0, 1, 2, 3}, held)  # 3: the folder that is listed

    def test_serve_takes_its_options_before_and_after_the_launch(self):
        launch = ["examples/vector_add.py", "--grid", "2", "x=ones:f32[100]", "y=ones:f32[100]", "out=empty:f32[100]", "n=100", "BLOCK=64"]
        for words in (["--listen", "127.0.0.1:0", *launch], [*launch, "--listen", "127.0.0.1:0"], [*launch[:3], "--listen=127.0.0.1:0", "--log-level", "off", *launch[3:]]):
            with self.subTest(words), subprocess.Popen([LOCKSTEP, "serve", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
                self.addCleanup(server.kill)
                self.assertIn("lockstep serve: open http://127.0.0.1:", server.stdout.readline())
                server.terminate()
                server.wait(20)
        self.assertEqual(self.check(0, "serve", *launch, "--help").stdout, self.check(0, "serve", "--help").stdout)
        self.assertEqual(self.check(2, "serve", *launch, "--listne").stderr.splitlines()[0], "error: unexpected argument '--listne'")
        refused = self.check(2, "serve", *launch, "--listen", "127.0.0.1:99999").stderr
        self.assertIn("99999", refused)

    def test_help_is_what_a_command_says_of_itself(self):
        for words in ([], ["run"], ["serve"], ["ops"], ["campaign"], ["stages"]):
            helped = self.check(0, "help", *words).stdout
            self.assertIn("\nUsage: lockstep ", helped)
            if words not in (["campaign"], ["stages"]):  # which Python answers
                self.assertEqual(helped, self.check(0, *words, "--help").stdout)
            self.assertTrue(all(len(line) <= 120 for line in helped.splitlines()), helped)
            self.assertNotRegex(helped, r":\{|INT in|Excludes")
        run = self.check(0, "help", "run").stdout
        groups = [line for line in run.splitlines() if line.endswith(":") and line[0].isupper()]
        for group in ("Arguments:", "Launch:", "Checks:", "Results:", "Limits:", "Reports:", "Global options:"):
            self.assertIn(group, groups)
        self.assertIn("did you mean 'debug'", self.check(2, "help", "debg").stderr)

    def test_explain_and_doctor_tell_what_a_target_decides(self):
        older = self.check(0, "explain", "sm_80").stdout
        self.assertIn("f8E4M3FN does not", older)
        self.assertIn("(not measured)", older)
        self.assertNotIn("(measured on an H200)", older)
        self.assertIn("tf32 dot: drops the 13 low bits of each operand (no rounding) (measured on an H200)", self.check(0, "explain", "sm_90").stdout)
        self.assertIn("[LS2208]", self.check(2, "explain", "sm_none").stderr)

    def test_doctor_names_each_thing_even_with_everything_hidden(self):
        for hidden in ("", "driver,nvrtc,toolkit"):
            done = self.check(0, "doctor", LOCKSTEP_HIDE=hidden)
            for thing in ("command", "package", "pytest", "Triton", "torch", "editors", "GPU driver", "NVRTC", "CUDA headers", "kernel cache", "processor", "memory"):
                self.assertIn(thing, done.stdout)

    def test_doctor_sees_packages_that_a_pth_file_adds(self):
        with tempfile.TemporaryDirectory() as folder:
            packages = Path(folder, "environment", "lib", "python3.11", "site-packages")
            packages.mkdir(parents=True)
            for name, version in (("beside", "torch-9.9.1"), ("whole", "triton-9.9.2"), ("ignored", "pytest-9.9.3"), ("run", "pytest-9.9.4")):
                Path(folder, name, f"{version}.dist-info").mkdir(parents=True)
            relative = "../../../../beside"
            lines = [f"# {folder}/ignored", "", relative, f"import sys; sys.path.append('{folder}/run')", f"{folder}/nowhere", f"{folder}/whole  "]
            (packages / "a.pth").write_bytes("\r\n".join(lines).encode() + b"\n\xff\xfe\n")
            (packages / "b.pth").mkdir()
            (packages / "c.pth.txt").write_text(f"{folder}/ignored\n")
            shown = self.check(0, "doctor", VIRTUAL_ENV=str(packages.parents[2])).stdout
            self.assertIn(f"torch          9.9.1  {folder}/beside\n", shown)
            self.assertIn(f"Triton         9.9.2  {folder}/whole\n", shown)
            self.assertNotIn("9.9.3", shown)
            self.assertNotIn("9.9.4", shown)

    def test_doctor_shows_and_clears_the_kernel_cache(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        (folder / ("0" * 64 + ".kernel")).write_bytes(b"x" * 1000)
        (folder / "mine.txt").write_text("stays")
        shown = self.check(0, "doctor", LOCKSTEP_CACHE_DIR=str(folder), LOCKSTEP_CACHE_BYTES="5000").stdout
        self.assertIn(f"kernel cache   1 kernel, 1.00 kB of 5.00 kB  {folder}\n", shown)
        cleared = self.check(0, "doctor", "--clear-cache", LOCKSTEP_CACHE_DIR=str(folder)).stdout
        self.assertEqual(cleared, f"removed 1 compiled kernel (1.00 kB) from {folder}\n")
        self.assertEqual([path.name for path in folder.iterdir()], ["mine.txt"])
        self.assertIn("kernel cache   off\n", self.check(0, "doctor", LOCKSTEP_CACHE_DIR="off").stdout)
        self.assertEqual(self.check(0, "doctor", "--clear-cache", LOCKSTEP_CACHE_DIR="off").stdout, "removed 0 compiled kernels (0 B)\n")

    def test_log_level_from_the_environment(self):
        self.assertEqual(self.check(0, "version").stderr, "")
        self.assertIn("LOCKSTEP_LOG=loud", self.check(0, "version", LOCKSTEP_LOG="loud").stderr)
        self.assertEqual(self.check(0, "--log-level", "off", "version", LOCKSTEP_LOG="debug").stderr, "")


if __name__ == "__main__":
    unittest.main()
