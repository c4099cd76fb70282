"""Completions and the manual page: packaging/share is what the command prints, shells and mandoc take it, bash and fish
complete with it. LOCKSTEP_BLESS=1 writes packaging/share."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from tool import KERNELS, LOCKSTEP, ROOT, CommandTest, call

SHARE = ROOT / "packaging" / "share"
PLACES = {
    ("completions", "bash"): SHARE / "bash-completion/completions/lockstep",
    ("completions", "zsh"): SHARE / "zsh/site-functions/_lockstep",
    ("completions", "fish"): SHARE / "fish/vendor_completions.d/lockstep.fish",
    ("man",): SHARE / "man/man1/lockstep.1",
}
BASH, FISH, PAGE = PLACES["completions", "bash"], PLACES["completions", "fish"], PLACES[("man",)]


def words(*command: str) -> subprocess.CompletedProcess:
    """In the project's folder, with the `lockstep` under test first on the PATH."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(Path(ROOT, LOCKSTEP).resolve(), Path(folder, "lockstep"))
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": folder}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


def bash_completes(line: str) -> list[str]:
    """What bash offers for the last word of a line; `=` parts words there."""
    parts = line.replace("=", " = ").split(" ")
    parts = [part for part in parts[:-1] if part] + parts[-1:]
    array = " ".join(f"'{part}'" for part in parts)
    script = f"source {BASH}; COMP_WORDS=({array}); COMP_CWORD={len(parts) - 1}; _lockstep lockstep; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = words("bash", "--norc", "-c", script)
    assert done.stderr == "", done.stderr
    return done.stdout.split()


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(unittest.TestCase):
    def completes(self, line):
        done = words("fish", "--no-config", "-c", f"source {FISH}; complete -C '{line}'")
        self.assertEqual(done.stderr, "")
        return [one.split("\t")[0] for one in done.stdout.splitlines()]

    def test_it_completes(self):
        self.assertEqual(self.completes("lockstep ser"), ["serve"])
        self.assertEqual(self.completes("lockstep help ser"), ["serve"])
        self.assertEqual(self.completes("lockstep run --memory-model s"), ["sequential", "strict"])
        self.assertIn("--schedules", self.completes("lockstep --log-level debug run --sch"))
        self.assertNotIn("--history", self.completes("lockstep --log-level debug run --"))
        self.assertIn("LS101", self.completes("lockstep explain LS10"))
        self.assertIn("tt.load", self.completes("lockstep ops tt.l"))
        self.assertIn("examples/softmax.py", self.completes("lockstep run examples/soft"))


class Bash(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(bash_completes("lockstep r"), ["run", "replay"])
        self.assertIn("check-language", bash_completes("lockstep "))
        self.assertNotIn("completions", bash_completes("lockstep "))
        self.assertEqual(bash_completes("lockstep --log-level wa"), ["warn"])

    def test_options_are_those_of_the_command_that_stands_there(self):
        self.assertEqual(bash_completes("lockstep run --sch"), ["--schedules", "--schedule-seed", "--schedule"])
        self.assertEqual(bash_completes("lockstep --log-level debug doctor --"), ["--help", "--clear-cache", "--log-level"])
        self.assertIn("--history", bash_completes("lockstep serve --hist"))
        self.assertIn("--log-level", bash_completes("lockstep run --log"))

    def test_values(self):
        self.assertEqual(bash_completes("lockstep run --memory-model s"), ["sequential", "strict"])
        self.assertEqual(bash_completes("lockstep run --memory-model=s"), ["sequential", "strict"])
        self.assertEqual(bash_completes("lockstep run --path exa"), ["examples"])
        self.assertEqual(bash_completes("lockstep explain LS10"), [f"LS10{n}" for n in bash_codes()])
        self.assertEqual(bash_completes("lockstep ops tt.loa"), ["tt.load"])
        self.assertIn(f"{KERNELS}/fill.py", bash_completes(f"lockstep check-language {KERNELS}/fi"))
        self.assertEqual(bash_completes("lockstep run READ"), [])
        self.assertEqual(bash_completes("lockstep help ser"), ["serve"])


def bash_codes() -> list[str]:
    return [line.split(":")[0][4:] for line in call("explain").stdout.splitlines() if line.startswith("LS10")]


class Installed(CommandTest):
    def test_packaging_share_is_what_the_command_prints(self):
        for command, path in PLACES.items():
            printed = self.check(0, *command).stdout
            if os.environ.get("LOCKSTEP_BLESS"):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(printed)
            self.assertEqual(printed, path.read_text(), f"{path}: LOCKSTEP_BLESS=1 writes it")

    def test_usage(self):
        self.assertIn("completions needs a shell", self.check(2, "completions").stderr)
        self.assertEqual(self.check(2, "completions", "tcsh").stdout, "")
        self.assertNotIn("completions", self.check(0, "--help").stdout)

    def test_every_command_and_option_stands_in_each(self):
        page = PAGE.read_text().replace("\\-", "-")
        zsh, fish, bash = (PLACES["completions", shell].read_text() for shell in ("zsh", "fish", "bash"))
        help_text = self.check(0, "--help").stdout
        commands = [line.split()[0] for line in help_text.split("Commands:\n")[1].split("\n\n")[0].splitlines()]
        self.assertGreater(len(commands), 14)
        for command in commands:
            self.assertIn(f".SS lockstep {command}", page)
            self.assertIn(f"\n_lockstep_{command}() {{", zsh)
            self.assertIn(f" -a {command} -d ", fish)
            listed = self.check(0, command, "--help").stdout if command not in ("campaign", "judge", "mcp", "model", "stages") else ""
            for line in listed.splitlines():
                named = re.match(r" +(?:-\w, )?(--[\w-]+)", line)
                if not named:
                    continue
                option = named[1]
                self.assertIn(f"\\fB{option}\\fR", page)
                self.assertIn(option + " ", bash.replace('"', " "))
                self.assertIn(f" -l {option[2:]} ", fish)

    def test_shells_and_mandoc_take_them(self):
        checks = {"bash": ["bash", "-n", BASH], "zsh": ["zsh", "-n", PLACES["completions", "zsh"]],
                  "fish": ["fish", "--no-execute", FISH], "mandoc": ["mandoc", "-T", "lint", PAGE]}
        for tool, command in checks.items():
            if shutil.which(tool) is None:
                print(f"{tool} is not installed: not checked")
                continue
            done = words(*map(str, command))
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""), tool)


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(unittest.TestCase):
    def completes(self, line):
        """What zsh lists in a terminal of its own."""
        script = (
            "zmodload zsh/zpty; zpty shell zsh -f -i\n"
            f"zpty -w shell \"fpath=({SHARE}/zsh/site-functions \\$fpath); autoload -Uz compinit; compinit -u -d $HOME/dump; PS1=; "
            "zstyle ':completion:*' list-prompt; LISTMAX=1000; setopt no_always_last_prompt; echo rea''dy\"\n"
            "zpty -r shell text '*ready*'\n"
            f"zpty -w -n shell '{line}'$'\\t\\t'; sleep 1; zpty -w -n shell $'\\x15'; zpty -w shell 'echo en''d'\n"
            "zpty -r shell text '*end*'; print -r -- $text\n")
        done = words("zsh", "-f", "-c", script)
        return done.stdout

    def test_it_completes(self):
        shown = self.completes("lockstep run --memory-model ")
        for choice in ("sequential", "strict", "tile"):
            self.assertIn(choice, shown)
        self.assertIn("--schedule-seed", self.completes("lockstep run --sche"))


if __name__ == "__main__":
    unittest.main()
