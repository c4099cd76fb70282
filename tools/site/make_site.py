#!/usr/bin/env python3
"""Lays out what the generator builds the documentation from (./dev docs):

    make_site.py LOCKSTEP OUT    OUT/pages: docs/ and the generated reference; OUT/zensical.toml: how they become OUT/site

Commands, options and codes come from the command LOCKSTEP, the Python API from the package's docstrings. A code's page has the
address errors/CODE/. Exit code 1: a page has no place, or a code no group."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    from pip._vendor import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
DOCS = ROOT / "docs"

#: The hundreds of the codes.
GROUPS = {
    "1": "Accesses out of bounds", "2": "Values that were never written", "3": "Races between programs", "4": "Lanes of one program",
    "5": "Integers", "6": "Floating point", "7": "Promises to the compiler", "8": "Results", "9": "Progress",
    "10": "TTIR text", "11": "TTIR that is not valid", "12": "Python text", "13": "The Triton language", "14": "Types and shapes",
    "19": "What cannot run", "20": "Arguments", "21": "Files", "22": "The command line", "30": "The machine", "P": "Advice on speed",
}  # fmt: skip
#: Module of the package -> the section of the API that has its names, in order; other modules follow under their own names.
API = {
    "activation": "Launch", "pretend": "Launch", "standalone": "Launch", "_native": "Launch", "settings": "Options", "report": "Reports",
    "covering": "Reports", "profiling": "Reports", "recording": "Recording", "debugging": "Debugging", "error_pages": "Errors", "errors": "Errors",
}  # fmt: skip
ENGINE = ("LaunchReport", "Finding")  # of _native, which public functions return
GENERATED = ("reference/commands.md", "reference/options.md", "reference/codes.md", "reference/python-api.md")


def order_of(code: str) -> tuple[int, str]:
    """LS101 before LS1001."""
    return len(code) if code[2:].isdigit() else 99, code


def group_of(code: str) -> str:
    return "P" if code.startswith("LSP") else code[2:-2]


def titles() -> dict[str, str]:
    """Code -> the heading of its page, without the code."""
    pages = sorted((DOCS / "errors").glob("LS*.md"), key=lambda path: order_of(path.stem))
    return {page.stem: page.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix(f"# {page.stem}: ") for page in pages}


def codes() -> str:
    found = titles()
    lines = ["# Codes", "", "Every message ends with a code. `lockstep explain CODE` prints the same page in the terminal.", ""]
    for group, name in GROUPS.items():
        members = [code for code in found if group_of(code) == group]
        lines += [f"## {name}", "", "| Code | |", "|---|---|", *(f"| [{code}](../errors/{code}.md) | {found[code]} |" for code in members), ""]
    homeless = [code for code in found if group_of(code) not in GROUPS]
    if homeless:
        raise SystemExit(f"make_site: GROUPS has no group for {', '.join(homeless)}")
    return "\n".join(lines)


def language(block: str) -> str:
    """Of an example on a code's page."""
    if re.match(r"\s*(\$ |lockstep |pip |python |LOCKSTEP_|export |ray |docker )", block):
        return "sh"
    if re.search(r"^\s*(%\w+.* = |tt\.|module|func|scf\.|arith\.|#loc|\})", block, re.MULTILINE):
        return "text"
    return "python"


def with_fences(text: str) -> str:
    """Examples of a code's page are indented, for the terminal; on the site they have colours and a button to copy them."""
    blocks = re.compile(r"(?:^(?:    .*)\n(?:\n(?=    ))*)+", re.MULTILINE)

    def fenced(found: re.Match[str]) -> str:
        block = re.sub(r"^    ", "", found[0], flags=re.MULTILINE).rstrip("\n")
        return f"```{language(block)}\n{block}\n```\n"

    return blocks.sub(fenced, text if text.endswith("\n") else text + "\n")


def code_page(code: str, text: str, neighbours: list[str]) -> str:
    near = " · ".join(f"[{one}]({one}.md)" for one in neighbours if one != code)
    return f"{with_fences(text)}\n---\n\n[All codes](../reference/codes.md) · {GROUPS[group_of(code)]}: {near}\n"


def said(command: str, *words: str) -> str:
    return subprocess.run([command, *words], capture_output=True, text=True, check=True).stdout


def command_names(command: str) -> list[str]:
    """In the order of the help, as the manual page has them."""
    names = re.findall(r"^\.SS lockstep (\S+)", said(command, "man").replace("\\-", "-"), re.MULTILINE)
    if not names:
        raise SystemExit("make_site: `lockstep man` names no command")
    return names


def commands(command: str) -> str:
    """What `--help` prints of each command that the manual page names."""
    names = command_names(command)
    lines = ["# Commands", "", "What `lockstep COMMAND --help` prints. Arguments of kernels have [a page of their own](arguments.md).", ""]
    for name in names:
        lines += [f"## lockstep {name}", "", "```text", said(command, name, "--help").rstrip(), "```", ""]
    return "\n".join(lines)


def options(command: str) -> str:
    """One table for each group of the table of launch options."""
    lines = [
        "# Options of a launch", "",
        "One table decides what a launch can be asked. The command line, Python, campaigns and editors read it.", "",
        "Python: `lockstep.set_options(NAME=...)`, `with lockstep.options(NAME=...)`, or the variable of the environment.", "",
    ]  # fmt: skip
    rows = json.loads(said(command, "launch-options"))
    for group in dict.fromkeys(row["group"] for row in rows):
        lines += [f"## {group.capitalize().replace('_', ' ')}", "", "| Option | What | Python | Variable | Campaign |", "|---|---|---|---|---|"]
        lines += [option_row(row) for row in rows if row["group"] == group] + [""]
    return "\n".join(lines)


def option_row(row: dict) -> str:
    flag = f"`{row['flag']}{'' if row['is_switch'] else ' ' + row['value']}`" if row["flag"] else ""
    choices = f" One of {', '.join(f'`{one}`' for one in row['choices'])}." if row["choices"] else ""
    what = row["help"].replace(" of {}", " of the comparison").replace("{}", "").replace("|", "\\|")
    python = row["python"]
    name = f"`{row['name']}`"
    cells = [flag, what + choices, name if python["type"] else "", f"`{python['variable']}`" if python["variable"] else "", name if row["campaign"] else ""]
    return f"| {' | '.join(cells)} |"


def python_api() -> str:
    """Every public name, under the section of the module that has it."""
    tree = ast.parse((ROOT / "python/lockstep/__init__.py").read_text(encoding="utf-8"))
    homes = next(ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES")
    sections: dict[str, list[str]] = {}
    for module in [*(f"lockstep.{name}" for name in API), *sorted(set(homes.values()))]:
        name = module.removeprefix("lockstep.")
        members = sections.setdefault(API.get(name, name.replace("_", " ").capitalize()), [])
        members += [f"{home}.{public}" for public, home in homes.items() if home == module and public != "__version__" and f"{home}.{public}" not in members]
    sections["Reports"] += [f"lockstep._native.{name}" for name in ENGINE]
    lines = ["# Python API", "", "Made from the docstrings of the package. [The Python package](../python-package.md) has examples.", ""]
    for section, members in sections.items():
        lines += [f"## {section}", ""] if members else []
        for member in members:
            public = "lockstep." + member.rsplit(".", 1)[1]
            lines += [f"::: {member}", "    options:", f"      heading: {public}", f"      toc_label: {public}", ""]
    return "\n".join(lines)


def without_links_outside(text: str, page: Path) -> str:
    """Links that leave docs/ become the path that they name: the site has no such page."""

    def shown(found: re.Match[str]) -> str:
        target = found[2].partition("#")[0]
        if "://" in target or not target or (page.parent / target).resolve().is_relative_to(DOCS):
            return found[0]
        path = (page.parent / target).resolve()
        return f"{found[1]} (`{path.relative_to(ROOT)}`)" if found[1].strip("`") != str(path.relative_to(ROOT)) else f"`{path.relative_to(ROOT)}`"

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", shown, text)


def with_pictures(text: str, page: Path, staged: Path) -> str:
    """Pictures from outside docs/ are copied into it."""

    def copied(found: re.Match[str]) -> str:
        place = (page.parent / found[2]).resolve()
        if "://" in found[2] or place.is_relative_to(DOCS):
            return found[0]
        (staged / "pictures").mkdir(exist_ok=True)
        shutil.copy(place, staged / "pictures" / place.name)
        return f"![{found[1]}]({'../' * (len(page.relative_to(DOCS).parts) - 1)}pictures/{place.name})"

    return re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", copied, text)


def pages() -> list[str]:
    """Of docs/, without those of codes."""
    return sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if path.parent.name != "errors")


def navigation() -> list[dict]:
    """The sections of nav.toml; each page of docs/ and each generated one is in one of them."""
    sections = tomllib.loads((HERE / "nav.toml").read_text(encoding="utf-8"))["section"]
    named = [page for section in sections for page in section["pages"]]
    problems = [f"{page}: tools/site/nav.toml does not name it" for page in [*pages(), *GENERATED] if page not in named]
    problems += [f"tools/site/nav.toml: {page} is not there" for page in named if page not in pages() and page not in GENERATED]
    problems += [f"tools/site/nav.toml: {page} twice" for page in set(named) if named.count(page) > 1]
    if problems:
        raise SystemExit("make_site: " + "\n".join(problems))
    return sections


def configuration() -> str:
    rows = []
    for section in navigation():
        members = section["pages"]
        value = json.dumps(members[0]) if len(members) == 1 else json.dumps(members)
        rows.append(f"  {{ {json.dumps(section['title'])} = {value} }},")
    text = (HERE / "zensical.toml").read_text(encoding="utf-8")
    nav = "nav = [\n" + "\n".join(rows) + "\n]\n"
    python = f"\n[project.plugins.mkdocstrings.handlers.python]\npaths = [{json.dumps(str(ROOT / 'python'))}]\n"
    extension = f"extensions = [{json.dumps(str(HERE / 'doctests.py'))}]\n"
    return text.replace("docs_dir =", nav + "docs_dir =", 1) + extension + python


def main() -> int:
    command, out = sys.argv[1], Path(sys.argv[2])
    staged = out / "pages"
    config = configuration()
    shutil.rmtree(staged, ignore_errors=True)
    for page in pages():
        path = staged / page
        path.parent.mkdir(parents=True, exist_ok=True)
        text = with_pictures((DOCS / page).read_text(encoding="utf-8"), DOCS / page, staged)
        path.write_text(without_links_outside(text, DOCS / page), encoding="utf-8")
    found = list(titles())
    for code in found:
        path = staged / "errors" / f"{code}.md"
        path.parent.mkdir(exist_ok=True)
        near = [one for one in found if group_of(one) == group_of(code)]
        path.write_text(code_page(code, (DOCS / "errors" / path.name).read_text(encoding="utf-8"), near), encoding="utf-8")
    texts = (commands(command), options(command), codes(), python_api())
    for name, text in zip(GENERATED, texts, strict=True):
        (staged / name).parent.mkdir(exist_ok=True)
        (staged / name).write_text(text, encoding="utf-8")
    shutil.copytree(DOCS / "pictures", staged / "pictures", ignore=shutil.ignore_patterns("*.json"), dirs_exist_ok=True)
    for name in ("site.css", "site.js"):
        shutil.copy(HERE / name, staged / name)
    (out / "zensical.toml").write_text(config, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
