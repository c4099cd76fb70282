"""What a user of the package may write, for mypy --strict and pyright; see test_typing.py. Never run."""

from collections.abc import Sequence

import lockstep


def fault(error: lockstep.KernelError) -> list[tuple[int, int, int]]:
    if error.finding is not None:
        place: tuple[str, int] = (error.finding.file, error.finding.line)
        print(place, error.finding.code, error.report.programs_total)
    return list(error.finished_programs)


@lockstep.options(findings="warn")
def decorated(x: Sequence[float]) -> float:
    return x[0]


def use() -> int:
    lockstep.set_options(timeout="2min", progress=lambda done, total, seconds: None)
    with lockstep.options(threads=2, bounds="view") as now:
        threads: int = now.threads
    try:
        with lockstep.active(as_="sm_80"), lockstep.pretend_cuda():
            print(lockstep.is_active(), decorated([1.0]))
    except lockstep.OutOfBoundsError as error:
        fault(error)
    with lockstep.reports() as seen:
        lockstep.kernel("add.py", "add")[(4,)](1, 2)
    with lockstep.debug("add", commands=["quit"], batch=True, history="1GiB", catch=["nan"], port=None) as session:
        session.cancel()
    last = lockstep.last_report()
    text: str = lockstep.explain("LS101") + lockstep.__version__
    return threads + len(seen) + len(text) + (last.programs_run if last is not None else 0)
