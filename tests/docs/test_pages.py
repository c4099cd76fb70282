"""test_pages.py LOCKSTEP: the pages of docs/ and README.md as text: links and anchors, languages of blocks, the size of new pages,
and in blocks of `sh` commands and options that exist."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blocks
from blocks import DOCS, ROOT

LOCKSTEP = sys.argv.pop(1) if len(sys.argv) > 1 else "build/lockstep"
sys.path.insert(0, str(ROOT / "tools" / "site"))
import make_site  # noqa: E402

LANGUAGES = {"console", "elisp", "json", "lua", "py", "python", "sh", "text", "toml", "yaml"}
# What begins a command that is not ours, and why no test runs it.
OTHERS = {
    "pip install": "an index; docs_quickstart installs a wheel", "uvx ": "an index", "docker ": "a daemon", "ray ": "a cluster: tests/python_package/campaign/test_ray.py",
    "source <(": "tests/cli/test_completions.py", "cmake ": "a build", "build/": "a benchmark of the build",
    "python3 tools/check_proof.py": "tests/prove/test_proofs.py",
}  # fmt: skip
README_LINES = 150


def every_page() -> list[Path]:
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """As GitHub and the generator make them of headings."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", without_blocks(text), re.MULTILINE):
        words = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        number = 0
        while slug + (f"_{number}" if number else "") in found:
            number += 1
        found.add(slug + (f"_{number}" if number else ""))
    return found


def links(text: str) -> list[str]:
    inline = re.sub(r"`[^`\n]+`|^    .*$", "", without_blocks(text), flags=re.MULTILINE)
    return re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", inline)


class Links(unittest.TestCase):
    def test_files_and_anchors(self):
        generated = {DOCS / name for name in make_site.GENERATED}
        problems = []
        for page in every_page():
            for link in links(page.read_text(encoding="utf-8")):
                name, _, anchor = link.partition("#")
                target = (page.parent / name).resolve() if name else page
                if "://" in link or target in generated:
                    continue
                if not target.exists():
                    problems.append(f"{page.relative_to(ROOT)}: {link} is not there")
                elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
                    problems.append(f"{page.relative_to(ROOT)}: {link} has no such heading")
        self.assertEqual(problems, [])

    def test_every_page_has_its_place(self):
        make_site.navigation()

    def test_a_wrong_anchor_is_seen(self):
        self.assertEqual(anchors("# A `b` c, d\n\n## e\n\n## e\n```sh\n# f\n```\n"), {"a-b-c-d", "e", "e_1"})
        self.assertEqual(links("[a](b.md#c) `[d](e.md)` ![f](g.png)\n```sh\n[h](i)\n```\n"), ["b.md#c", "g.png"])

    def test_pages_that_sources_name_are_there(self):
        listed = subprocess.run(["git", "grep", "-ohE", r"\bdocs/[A-Za-z0-9_/-]+\.md", "--", ".", ":!CHANGELOG.md"], cwd=ROOT, capture_output=True, text=True, check=False)
        if listed.returncode == 0:
            self.assertEqual([name for name in sorted(set(listed.stdout.split())) if name not in ("docs/errors/LSnnn.md", "docs/errors/CODE.md") and not (ROOT / name).is_file() and name.removeprefix("docs/") not in make_site.GENERATED], [])


class Blocks(unittest.TestCase):
    def test_each_has_a_language(self):
        problems = []
        for page in every_page():
            inside = False
            for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
                if line.startswith("```"):
                    if not inside and re.match(r"```(\w*)", line)[1] not in LANGUAGES:
                        problems.append(f"{page.relative_to(ROOT)}:{number}: {line}")
                    inside = not inside
        self.assertEqual(problems, [])

    def test_console_blocks_are_commands_with_what_they_print(self):
        for page in blocks.pages():
            for block in blocks.blocks(page.read_text(encoding="utf-8")):
                if block.language == "console":
                    with self.subTest(page=page.name):
                        self.assertTrue(blocks.calls(block))

    def test_commands_that_are_only_read_exist(self):
        problems = []
        for page in [ROOT / "README.md", *blocks.pages()]:
            for block in blocks.blocks(page.read_text(encoding="utf-8")):
                if block.language == "sh":
                    lines = re.sub(r"\\\n", " ", block.text).splitlines()
                    problems += [f"{page.relative_to(ROOT)}: {line}: {wrong}" for line in lines if (wrong := wrong_in(re.sub(r"\s+#.*", "", line).strip()))]
        self.assertEqual("\n".join(problems), "")

    def test_a_wrong_command_is_seen(self):
        self.assertEqual(wrong_in("lockstep run k.py --grid 1 --chek all"), "no --chek")
        self.assertEqual(wrong_in("lockstep rum k.py"), "no command rum")
        self.assertEqual(wrong_in("make install"), "not a command of ours")
        self.assertEqual(wrong_in("A=1 python -m lockstep --as sm_80 -m pytest --any"), "")


HELP: dict[str, str] = {}


def help_of(command: str) -> str:
    """What the command prints of itself; of what lives in Python, its sources."""
    if command not in HELP:
        if command == "campaign":
            HELP[command] = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "python/lockstep/campaign").rglob("*.py"))
        elif command == "python":
            HELP[command] = "".join((ROOT / "python/lockstep" / name).read_text(encoding="utf-8") for name in ("__main__.py", "record_main.py", "option_rows.py", "replaying.py", "programs.py"))
        elif command == "pytest":
            HELP[command] = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "python/lockstep").glob("pytest_*.py"))
        else:
            HELP[command] = make_site.said(LOCKSTEP, command, "--help") if command in make_site.command_names(LOCKSTEP) else ""
    return HELP[command]


def wrong_in(line: str) -> str:
    """"": the command and its options exist, or are not ours."""
    line = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", line)
    if not line or line.startswith(("#", *OTHERS)):
        return ""
    words = line.split()
    if words[0] == "python" and words[1].endswith(".py"):
        return "" if (ROOT / words[1]).is_file() else f"no {words[1]}"
    if words[0] == "./dev":
        return "" if re.search(rf"^\./dev {words[1]}\b", (ROOT / "dev").read_text(encoding="utf-8"), re.MULTILINE) else f"no ./dev {words[1]}"
    if words[:3] == ["python", "-m", "lockstep"]:
        command, options = "python", [word for word in re.split(r" -[mc] |\.py\b", line.removeprefix("python -m lockstep"))[0].split() if word.startswith("--")]
        if words[3:4] == ["campaign"]:
            command = "campaign"
    elif words[0] == "pytest":
        command, options = "pytest", [word for word in words if word.startswith("--lockstep")]
    elif words[0] == "lockstep":
        command, options = words[1], [word for word in words[2:] if re.match(r"--[a-z]", word)]
        if command not in ("completions", "man") and not help_of(command):
            return f"no command {command}"
    else:
        return "not a command of ours"
    missing = [option for option in options if option.partition("=")[0] not in help_of(command) and option.partition("=")[0].lstrip("-").replace("-", "_") not in help_of(command)]
    return f"no {missing[0]}" if missing else ""


class Sizes(unittest.TestCase):
    def test_the_readme_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()), README_LINES)

    def test_pages_of_one_task_are_short(self):
        for page in [DOCS / "index.md", DOCS / "quickstart.md", *(DOCS / "how-to").glob("*.md"), *(DOCS / "tutorials").glob("*.md")]:
            words = len(without_blocks(page.read_text(encoding="utf-8")).split())
            with self.subTest(page=page.name):
                self.assertLessEqual(words, 600 if page.name != "from-triton-interpret.md" else 1000)


if __name__ == "__main__":
    unittest.main()
