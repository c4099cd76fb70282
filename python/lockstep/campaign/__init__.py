"""Campaigns: one plan, many cases, results in one SQLite file (docs/campaigns.md).

    from lockstep import campaign

    summary = campaign.run("softmax.toml", jobs=4)
    print(summary.verdicts)                     # {"pass": 1990, "finding": 10}

What a case is: case.py. From a TOML to cases: plan.py, axes.py, expressions.py, sources/. Running them: worker.py (a process),
pool.py (several, with limits), driver.py (the loop), ray_driver.py (the same over a cluster). What is kept: state.py.
Importing this costs nothing: everything is loaded when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lockstep.campaign.driver import Summary


def run(plan: str, **options: Any) -> Summary:
    """Runs the campaign of a TOML file; continues with the cases that its state file lacks. Options: those of driver.run_plan.

    Raises PlanError for a plan that is wrong, StateError for a state file that is none, or another campaign's."""
    from lockstep.campaign import driver

    return driver.run_plan(plan, **options)


def resume(state: str, **options: Any) -> Summary:
    """Continues a campaign from its state file; does not read the TOML again."""
    from lockstep.campaign import driver

    return driver.resume(state, **options)
