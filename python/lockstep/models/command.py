"""lockstep model: steps of compiled models as a campaign, and what moves between two settings.

    lockstep model hf:BertForMaskedLM FILE.py::make --dtype f32,bf16
    lockstep model --bisect eager compiled FILE.py::make"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lockstep.campaign.command_line import parse
from lockstep.campaign.problems import Missing, PlanError, StateError, Stuck, UsageError

USAGE = """\
usage: lockstep model NAME ... [options]            runs steps of compiled models, and judges every kernel
       lockstep model --bisect A B NAME [options]   the first kernel and node that differ between two settings
       lockstep model --list                        the names of PyTorch's benchmark lists
       lockstep model --table STATE.db ...          what state files have, as a table of Markdown

NAME: hf:BertForMaskedLM, timm:vit_base_patch16_siglip_256, all, or FILE.py::FUNCTION, which gives (module, arguments).

options:
  --dtype f32,bf16      types of weights and inputs (default: f32)
  --mode M,...          of Inductor: default, max-autotune, combo-kernels, reduce-overhead
  --dynamic             sizes are symbolic
  --forward             no backward pass
  --exported            torch.export's program, compiled as AOTInductor does, but with a Python wrapper (forward alone)
  --optimizer           a compiled step of AdamW, too
  --second-opinion      where a result lies outside or has no bounds, Inductor's C++ side and f64 compute it, too
  --check WORDS         checkers, as of `lockstep run` (default: all)
  --state FILE          the campaign's state file (default: models.db); a second run continues it
  --jobs N, --cases N, --time T     as of `lockstep campaign run`

A and B: eager, compiled, mode=M, OPTION=VALUE of torch._inductor.config, triton=FOLDER (a folder with another Triton).

Exit codes: 0 every kernel lies within its bounds, 1 some do not or have findings, 2 the command line is wrong, 3 something is missing.
"""
_WITH_VALUE = {"--dtype": "dtype", "--mode": "mode", "--state": "state", "--jobs": "jobs", "--cases": "cases", "--time": "time", "--check": "check"}
_FLAGS = {"--dynamic": "dynamic", "--forward": "forward", "--optimizer": "optimizer", "--list": "list", "--bisect": "bisect", "--table": "table", "--second-opinion": "second_opinion", "--exported": "exported", "--no-progress": "no_progress"}


def main(words: list[str]) -> int:
    """Runs the command line; returns the exit code."""
    if not words or words[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if words else sys.stderr)
        return 0 if words else 2
    try:
        return _run(words)
    except (UsageError, PlanError, StateError, Stuck) as error:
        print(f"error: {error}\nhint: `lockstep model --help` tells more", file=sys.stderr)
        return 2
    except Missing as error:
        print(f"error: {error}", file=sys.stderr)
        return 3


def _run(words: list[str]) -> int:
    names, given = parse(words, _WITH_VALUE, _FLAGS)
    if "list" in given:
        from lockstep.models import zoo

        print("\n".join(zoo.names()))
        return 0
    if "bisect" in given:
        from lockstep.models import bisect

        if len(names) != 3:
            raise UsageError("--bisect needs two settings and a model")
        return bisect.main(names[2], (names[0], names[1]), _dtypes(given)[0], backward="forward" not in given, second="second_opinion" in given)
    if not names:
        raise UsageError("no model is named")
    if "table" in given:
        print(markdown(names))
        return 0
    return _campaign(names, given)


def _dtypes(given: dict[str, str]) -> list[str]:
    from lockstep.campaign.sources.model import DTYPES

    named = given.get("dtype", "f32").split(",")
    for one in named:
        if one not in DTYPES:
            raise UsageError(f"there is no dtype {one!r}; there are {', '.join(DTYPES)}")
    return named


def plan_text(names: Sequence[str], given: dict[str, str]) -> str:
    """The campaign as TOML. Raises UsageError."""
    from lockstep.models import runner, zoo

    for one in ("dynamic", "optimizer"):
        if "exported" in given and one in given:
            raise UsageError(f"an exported program has static sizes and no optimizer: --exported and --{one} do not go together")
    models = zoo.names() if list(names) == ["all"] else list(names)
    modes = given.get("mode", "default").split(",")
    for one in modes:
        if one not in runner.MODES:
            raise UsageError(f"there is no mode {one!r}; there are {', '.join(runner.MODES)}")
    axes = {"model": models, "dtype": _dtypes(given), "mode": modes, "dynamic": [True] if "dynamic" in given else [False]}
    lines = ["[campaign]", 'name = "models"', "coverage = false", "[limits]", 'time = "15min"', 'memory = "8GiB"', "[[run]]", 'kind = "model"',
             f"checks = {json.dumps(given.get('check', 'all'))}", f"backward = {json.dumps('forward' not in given)}",
             f"optimizer = {json.dumps('optimizer' in given)}", *(f"{one} = true" for one in ("second_opinion", "exported") if one in given), "[run.axes]"]  # fmt: skip
    return "\n".join(lines + [f"{name} = {json.dumps(values)}" for name, values in axes.items()]) + "\n"


def _campaign(names: Sequence[str], given: dict[str, str]) -> int:
    from lockstep.campaign import driver
    from lockstep.campaign.run_command import _options, text_of

    state = Path(given.get("state", "models.db"))
    plan = state.with_suffix(".toml")
    plan.write_text(plan_text(names, given), encoding="utf-8")
    options = {name: given[key] for name, key in (("jobs", "jobs"), ("cases", "cases"), ("seconds", "time")) if key in given}
    summary = driver.run_plan(str(plan), state=str(state), **_options(options | ({"progress": "--no-progress"} if "no_progress" in given else {})))
    print(text_of(summary))
    if summary.failures:
        print(summary.failures)
    print(table(state))
    for one in opinions(state):
        print(one)
    return int(summary.exit_code)


COLUMNS = ("model", "dtype", "mode", "kernels", "launches", "compared", "outside", "no bounds", "findings", "seconds", "compile", "launching", "judging", "verdict")
_QUERY = "select cases.text, results.text, results.seconds, results.log from cases left join results on cases.id = results.id order by number"


def _rows(path: Path) -> list[tuple[str, ...]]:
    from lockstep.campaign.state import State

    with State(path, writes=False) as state:
        found = state.connection.execute(_QUERY).fetchall()
    return [_row(json.loads(case)["source"], json.loads(result) if result else None, seconds or 0.0, log or "") for case, result, seconds, log in found]


def opinions(path: Path) -> list[str]:
    """The second opinions of a state file's cases."""
    from lockstep.campaign.state import State

    with State(path, writes=False) as state:
        found = state.connection.execute(_QUERY).fetchall()
    facts = [json.loads(result).get("facts", {}) if result else {} for _, result, _, _ in found]
    return [f"{json.loads(case[0])['source']['model']}: {one}" for case, some in zip(found, facts, strict=True) for one in some.get("second opinions", [])]


def markdown(paths: Sequence[str]) -> str:
    """The cases of state files that have results, sorted by model. Raises UsageError for a file that is not there."""
    missing = [one for one in paths if not Path(one).is_file()]
    if missing:
        raise UsageError(f"there is no state file {missing[0]}")
    rows = sorted({row[:3]: row for one in paths for row in _rows(Path(one)) if row[-1] != "not run yet"}.values(), key=lambda row: (row[0].lower(), row[1:3]))
    return "\n".join("| " + " | ".join(row) + " |" for row in [COLUMNS, ("---",) * len(COLUMNS), *rows])


def table(path: Path) -> str:
    """A row for each case of a state file."""
    rows = [COLUMNS, *_rows(path)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    return "\n".join("  ".join([*(text.ljust(width) for text, width in zip(row, widths, strict=False)), row[-1]]) for row in rows)


def _row(source: dict[str, Any], result: dict[str, Any] | None, seconds: float, log: str) -> tuple[str, ...]:
    from lockstep.campaign.sources.model import SECONDS

    name = (source["model"], source["dtype"], source["mode"] + (" dynamic" if source["dynamic"] else "") + (" exported" if source.get("exported") else ""))
    if result is None:
        return (*name, *[""] * 10, "not run yet")
    facts = result.get("facts", {})
    parts = dict(one.split("=") for one in log.partition(SECONDS)[2].partition("\n")[0].split() if "=" in one)
    errors = [one for one in result["findings"] if one["tier"] != "info"]
    verdict = result["verdict"] + (f": {result['message']}" if result["verdict"] not in ("pass", "finding") else "")
    return (*name, str(facts.get("kernels", "")), str(facts.get("launches", "")), str(facts.get("outputs", "")), str(facts.get("outside", "")),
            str(len(facts.get("no bounds", []))), str(len(errors)), f"{seconds:.1f}", parts.get("compile", ""), parts.get("launches", ""), parts.get("judging", ""),
            verdict[:200])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
