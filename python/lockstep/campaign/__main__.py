"""lockstep campaign: runs a TOML's cases and keeps their results in a file. `python -m lockstep.campaign`, `lockstep campaign`."""

from __future__ import annotations

import importlib
import os
import sys
import traceback

from lockstep.campaign.problems import (
    ClusterLost,
    Missing,
    PlanError,
    StateError,
    Stuck,
    UsageError,
)

USAGE = """\
usage: lockstep campaign COMMAND ...

  run FILE.toml         runs a campaign, or continues it
  --from-tests "pytest tests/"   runs a suite once, writes campaign/campaign.toml that varies its tests and its launches,
                        and runs it (-o FOLDER; --write-only: only writes it; --patience T: for a test while recording, 10min)
  resume STATE          continues an interrupted campaign
  status STATE          progress and results so far
  query STATE "SQL"     rows of the state file, with tabs between
  export STATE          every result as a JSON line, sorted, without times and worker names
  merge A B ... -o C    several state files in a new one
  case FILE.toml|STATE ID   runs one case here, in this process, and prints its result (or CASE.json, a case in a file)
  report STATE ...      the results: --html F, --junit F, --sarif F, --markdown F; --since OLD_STATE says what changed
                        (--fail-on-new: exit code 1 if that is for the worse)
  known STATE           entries for what went wrong and is not known yet, as TOML, to be given reasons
  shrink STATE ID       the least launch that fails as this case does: a capsule, and the command that runs it
  cases FILE.toml       the cases of a plan, as JSON lines, without running one

options of run and resume:
  --state FILE          run: the state file (default: the TOML's name with .db)
  --jobs N              worker processes (default: all cores)
  --cases N             at most this many cases
  --time T              for at most this long: 90, "10min", "2h"
  --known FILE          known failures (default: the campaign's `known`); also of status and report
  --ray auto|ADDRESS    on a Ray cluster (pip install "triton-lockstep[ray]"); --jobs: cores to use there (default: all)
  --progress, --no-progress

Exit codes: 0 every case passed or failed as is known, 1 some did not, 2 the TOML, the state file or the command line is wrong, 3 something is
missing here, 5 the budget ended before the cases did, 70 a defect of Lockstep, 130 interrupted.
"""

#: command -> module with main(words) -> exit code.
COMMANDS = {
    "run": "lockstep.campaign.run_command",
    "resume": "lockstep.campaign.run_command",
    "status": "lockstep.campaign.state_command",
    "query": "lockstep.campaign.state_command",
    "export": "lockstep.campaign.state_command",
    "merge": "lockstep.campaign.state_command",
    "case": "lockstep.campaign.case_command",
    "cases": "lockstep.campaign.case_command",
    "report": "lockstep.campaign.report_command",
    "known": "lockstep.campaign.known_command",
    "shrink": "lockstep.campaign.shrink_command",
}


def main(words: list[str]) -> int:
    """Runs the command line; returns the exit code."""
    if not words or words[0] in ("-h", "--help") or words[1:2] in (["-h"], ["--help"]):
        print(USAGE, end="", file=sys.stdout if words else sys.stderr)
        return 0 if words else 2
    # `lockstep campaign FILE.toml` is `lockstep campaign run FILE.toml`.
    words = words if words[0] in COMMANDS or not words[0].endswith(".toml") else ["run", *words]
    try:
        if words[0].startswith("--from-tests"):
            return int(importlib.import_module("lockstep.campaign.from_tests_command").main(words))
        if words[0] not in COMMANDS:
            raise UsageError(f"there is no command {words[0]!r}; there are {', '.join(COMMANDS)}")
        return int(importlib.import_module(COMMANDS[words[0]]).main(words))
    except UsageError as error:
        print(f"error: {error}\nhint: `lockstep campaign --help` tells more", file=sys.stderr)
        return 2
    except (PlanError, StateError, Stuck) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except Missing as error:
        print(f"error: {error}", file=sys.stderr, flush=True)
        if isinstance(error, ClusterLost):
            os._exit(3)  # Ray's own end would wait a minute for the cluster, and then abort
        return 3
    except BrokenPipeError:  # `export | head`
        sys.stderr.close()
        return 0
    except Exception:  # noqa: BLE001 - 1 would say that cases did not pass
        traceback.print_exc()
        print("lockstep: a defect of Lockstep, not of your campaign; please report it", file=sys.stderr)
        return 70


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
