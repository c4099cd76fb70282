"""`lockstep launch-options`: the rows of launch options, and what is written from them: the package's option_rows.py and the
launch requests' schema of the VS Code extension. LOCKSTEP_BLESS=1 writes them."""

import ast
import json
import os
import re
import textwrap
import unittest

from tool import ROOT, CommandTest

PACKAGE = ROOT / "python/lockstep/option_rows.py"
SCHEMA = ROOT / "debugger/vscode/package.json"
EDITORS = ROOT / "docs/editors.md"
CAMPAIGNS = ROOT / "docs/campaigns.md"
HEAD = '''# Generated from driver/options/launch_options.cpp by LOCKSTEP_BLESS=1 ctest -R cli_launch_options; edits are lost.
"""Options of launches: the command's rows, and the options of a process. Nothing here needs the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

ProgressCallback = Callable[[int, int, float], None]
Profiling = bool | Literal["trace"]


class Row(NamedTuple):
    """An option of launches."""

    name: str
    group: str
    flag: str  # of the command, or of `python -m lockstep` alone
    of_command: bool = True
    value: str = ""  # what stands for it in a help
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    is_number: bool = False
    is_switch: bool = False
    is_setting: bool = False  # a field of Options
    type: str = ""  # of the field, where the row's choices do not say it
    is_flag: bool = False  # of `python -m lockstep`
    variable: str = ""
    help: str = ""
    campaign: str = ""  # who says it in a campaign file: "option", "axis", "campaign" or nobody
    campaign_key: str = ""  # an axis' place in a case's `schedule`

    @property
    def initial(self) -> object:
        """The default of a setting."""
        return Options._field_defaults[self.name]


'''


def is_python_switch(python):
    return python["type"] in ("bool", "Profiling") or python["type"].startswith("bool |")


def annotation(row):
    return "Literal[" + ", ".join(f'"{one}"' for one in row["choices"]) + "]" if row["python"]["type"] == "choice" else row["python"]["type"]


def spelled(value):
    if isinstance(value, tuple):
        return "(" + ", ".join(map(spelled, value)) + ("," if len(value) == 1 else "") + ")"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def row_text(row):
    """One Row(...) with what is not its default."""
    python = row["python"]
    is_setting = bool(python["type"])
    words = [json.dumps(row["name"]), json.dumps(row["group"]), json.dumps(row["flag"] or "--" + row["name"].replace("_", "-"))]
    given = {
        "of_command": None if row["flag"] else False,
        "value": python["value"] or row["value"],
        "choices": tuple(row["choices"]),
        "least": row.get("least"),
        "most": row.get("most"),
        "is_number": row["is_number"],
        "is_switch": is_python_switch(python) if is_setting else row["is_switch"],
        "is_setting": is_setting,
        "type": "" if python["type"] == "choice" else python["type"],
        "is_flag": is_setting and python["is_flag"],
        "variable": python["variable"],
        "help": python["help"],
        "campaign": row["campaign"],
        "campaign_key": row["campaign_key"],
    }
    defaults = {"of_command": None, "least": None, "most": None, "choices": ()}
    for name, value in given.items():
        if value != defaults.get(name, "" if isinstance(value, str) else False):
            words.append(f"{name}={spelled(value)}")
    return "    Row(\n" + textwrap.indent("".join(f"{word},\n" for word in words), "        ") + "    ),\n"


def package_text(rows):
    rows = [row for row in rows if row["group"] != "recorded_bounds"]  # the same option, as `lockstep replay` tells it
    text = HEAD + "ROWS = (\n" + "".join(map(row_text, rows)) + ")\n\n\nclass Options(NamedTuple):\n"
    text += '    """All options of the process. `lockstep.get_options()` returns the ones that hold.\n\n'
    settings = [row for row in rows if row["python"]["type"]]
    for row in settings:
        python = row["python"]
        told = f"{row['name']}: {python['help']}" + (f" ({python['variable']})" if python["variable"] else "")
        text += textwrap.fill(told, 116, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False) + "\n"
    text += '    """\n\n'
    for row in settings:
        text += f"    {row['name']}: {annotation(row)} = {row['python']['initial']}\n"
    return text


def schema_text(text, rows):
    """package.json with a property for each key of DAP's launch requests."""
    for row in rows:
        for number, key in enumerate(row["dap"]):
            made = {"type": "integer" if row["is_number"] else "string"}
            if row["choices"]:
                made["enum"] = row["choices"]
            made["description"] = row["help"] if number == 0 else f"the same as {row['dap'][0]}"
            line = f'"{key}": {{ ' + json.dumps(made, ensure_ascii=False)[1:-1] + " }"
            known = re.compile(rf'^( *)"{key}": \{{ "type".*\}}(,?)$', re.MULTILINE)
            if known.search(text):
                text = known.sub(lambda found, line=line: found[1] + line + found[2], text, count=1)
            else:
                text = text.replace('              "history": ', f'              {line},\n              "history": ', 1)
    return text


class LaunchOptionsTest(CommandTest):
    def setUp(self):
        self.rows = json.loads(self.check(0, "launch-options").stdout)

    def held(self, path, text):
        if os.environ.get("LOCKSTEP_BLESS"):
            path.write_text(text, encoding="utf-8")
        self.assertEqual(path.read_text(encoding="utf-8"), text, f"{path.name} is not what the rows say; LOCKSTEP_BLESS=1 writes it")

    def test_the_package_has_the_rows(self):
        text = package_text(self.rows)
        ast.parse(text)
        self.held(PACKAGE, text)

    def test_the_schema_of_editors_has_the_rows(self):
        text = schema_text(SCHEMA.read_text(encoding="utf-8"), self.rows)
        json.loads(text)
        self.held(SCHEMA, text)

    def test_names_are_said_once(self):
        rows = [row for row in self.rows if row["group"] != "recorded_bounds"]
        for column in ("name", "flag"):
            names = [row[column] for row in rows if row[column]]
            self.assertEqual(len(names), len(set(names)), column)
        keys = [key for row in rows for key in row["dap"]]
        self.assertEqual(len(keys), len(set(keys)))
        variables = [row["python"]["variable"] for row in rows if row["python"]["variable"]]
        self.assertEqual(len(variables), len(set(variables)))

    def test_rows_are_whole(self):
        for row in self.rows:
            if row["flag"]:
                self.assertTrue(row["help"], row["name"])
                self.assertTrue(row["value"] or row["choices"] or row["is_switch"], row["name"])
            if row["python"]["type"]:
                self.assertTrue(row["python"]["help"] and row["python"]["initial"], row["name"])
                self.assertEqual(row["python"]["type"] == "choice" and not row["choices"], False, row["name"])
            self.assertEqual(row["campaign"] == "axis", bool(row["campaign_key"]), row["name"])

    def test_documents_name_them(self):
        editors, campaigns = (path.read_text(encoding="utf-8") for path in (EDITORS, CAMPAIGNS))
        for row in self.rows:
            for key in row["dap"]:
                self.assertIn(f"`{key}`", editors, "docs/editors.md")
            if row["campaign"] in ("option", "axis"):
                self.assertIn(f"`{row['name']}`", campaigns, "docs/campaigns.md")


if __name__ == "__main__":
    unittest.main()
