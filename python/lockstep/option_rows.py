# Generated from driver/options/launch_options.cpp by LOCKSTEP_BLESS=1 ctest -R cli_launch_options; edits are lost.
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


ROWS = (
    Row(
        "grid",
        "launch",
        "--grid",
        value="X,Y,Z",
    ),
    Row(
        "seed",
        "launch",
        "--seed",
        value="N",
        is_number=True,
    ),
    Row(
        "rtol",
        "tolerance",
        "--rtol",
        value="R",
        is_number=True,
        campaign="campaign",
    ),
    Row(
        "atol",
        "tolerance",
        "--atol",
        value="A",
        is_number=True,
        campaign="campaign",
    ),
    Row(
        "ulp",
        "tolerance",
        "--ulp",
        value="N",
        is_number=True,
        campaign="campaign",
    ),
    Row(
        "fail_on",
        "judging",
        "--fail-on",
        value="TIER",
        choices=("error", "warning", "info", "none"),
        campaign="campaign",
    ),
    Row(
        "timeout",
        "time",
        "--timeout",
        value="SECONDS",
        is_number=True,
        is_setting=True,
        type="float",
        is_flag=True,
        variable="LOCKSTEP_TIMEOUT",
        help="the longest that one launch may take (default 0: no limit)",
        campaign="campaign",
    ),
    Row(
        "check",
        "checkers",
        "--check",
        value="LIST",
        is_setting=True,
        type="str",
        is_flag=True,
        variable="LOCKSTEP_CHECK",
        help="what to look for: all, auto (all, where that is cheap), quick, none, or names of checkers with commas between; default: as auto, but findings are warnings",
        campaign="campaign",
    ),
    Row(
        "memory_model",
        "checkers",
        "--memory-model",
        choices=("sequential", "tile", "strict"),
        is_setting=True,
        is_flag=True,
        variable="LOCKSTEP_MEMORY_MODEL",
        help="how lanes of one program see each other's stores (default tile)",
        campaign="option",
    ),
    Row(
        "lane_order",
        "checkers",
        "--lane-order",
        choices=("forward", "reverse", "random", "late-store"),
        is_setting=True,
        is_flag=True,
        variable="LOCKSTEP_LANE_ORDER",
        help="resolve conflicts between lanes in another order",
        campaign="option",
    ),
    Row(
        "lane_seed",
        "checkers",
        "--lane-seed",
        value="S",
        is_number=True,
        is_setting=True,
        type="int",
        is_flag=True,
        variable="LOCKSTEP_LANE_SEED",
        help="seed of the lane order random",
        campaign="option",
    ),
    Row(
        "triton",
        "checkers",
        "--triton",
        value="VERSION",
        choices=("3.4", "3.5", "3.6", "3.7", "3.8", "3.9"),
        is_setting=True,
        type="str",
        is_flag=True,
        variable="LOCKSTEP_TRITON",
        help="assume the barriers that this Triton version inserts: 3.4 ... 3.9 (default: the installed one)",
        campaign="option",
    ),
    Row(
        "baseline",
        "baseline",
        "--baseline",
        value="FILE",
        is_setting=True,
        type="str",
        is_flag=True,
        variable="LOCKSTEP_BASELINE",
        help="ignore the findings in FILE",
    ),
    Row(
        "schedules",
        "schedules",
        "--schedules",
        value="N",
        least=1,
        most=1048576,
        is_number=True,
        is_setting=True,
        type="int",
        is_flag=True,
        variable="LOCKSTEP_SCHEDULES",
        help="how many orders to try for programs that share memory (default 1)",
        campaign="option",
    ),
    Row(
        "resident",
        "schedules",
        "--resident",
        value="N",
        least=1,
        most=2147483648,
        is_number=True,
        is_setting=True,
        type="int",
        is_flag=True,
        variable="LOCKSTEP_RESIDENT",
        help="how many programs are resident at a time (default 0: all, or as many as a target named a100, h100, h200 holds)",
        campaign="option",
    ),
    Row(
        "schedule_seed",
        "schedules",
        "--schedule-seed",
        value="S",
        is_number=True,
        is_setting=True,
        type="int",
        is_flag=True,
        variable="LOCKSTEP_SCHEDULE_SEED",
        help="seed of those orders",
        campaign="axis",
        campaign_key="seed",
    ),
    Row(
        "schedule",
        "schedules",
        "--schedule",
        value="K",
        is_number=True,
        is_setting=True,
        type="int | None",
        is_flag=True,
        variable="LOCKSTEP_SCHEDULE",
        help="run only this one of them",
        campaign="axis",
        campaign_key="number",
    ),
    Row(
        "async_order",
        "schedules",
        "--async-order",
        choices=("late", "early", "random"),
        is_setting=True,
        is_flag=True,
        variable="LOCKSTEP_ASYNC_ORDER",
        help="when asynchronous operations of TTGIR and Gluon complete",
        campaign="option",
    ),
    Row(
        "async_seed",
        "schedules",
        "--async-seed",
        value="S",
        is_number=True,
        is_setting=True,
        type="int",
        is_flag=True,
        variable="LOCKSTEP_ASYNC_SEED",
        help="seed of the asynchronous order random; with late the event that is turned round",
        campaign="option",
    ),
    Row(
        "proxy_fences",
        "schedules",
        "--proxy-fences",
        choices=("across-groups", "all"),
        is_setting=True,
        is_flag=True,
        variable="LOCKSTEP_PROXY_FENCES",
        help="which stores need a fence before asynchronous operations",
        campaign="option",
    ),
    Row(
        "only",
        "programs",
        "--only",
        value="X,Y,Z;...",
    ),
    Row(
        "max_memory",
        "limits",
        "--max-memory",
        value="BYTES",
        is_setting=True,
        type="int",
        is_flag=True,
        variable="LOCKSTEP_MAX_MEMORY",
        help="scratch memory of one launch (default 0: no limit)",
        campaign="campaign",
    ),
    Row(
        "threads",
        "limits",
        "--threads",
        value="N",
        least=1,
        most=4096,
        is_number=True,
        is_setting=True,
        type="int",
        is_flag=True,
        variable="LOCKSTEP_THREADS",
        help="cores to use (default 0: all)",
        campaign="campaign",
    ),
    Row(
        "profile",
        "measures",
        "--profile",
        is_switch=True,
        is_setting=True,
        type="Profiling",
        is_flag=True,
        variable="LOCKSTEP_PROFILE",
        help="the time of every kernel by source line and op, at the end on stderr",
    ),
    Row(
        "cover",
        "measures",
        "--cover",
        is_switch=True,
        is_setting=True,
        type="bool",
        is_flag=True,
        variable="LOCKSTEP_COVER",
        help="lines, branch outcomes and mask outcomes that no launch exercised, at the end on stderr",
    ),
    Row(
        "real",
        "measures",
        "--real",
        is_switch=True,
        is_setting=True,
        type="bool",
        is_flag=True,
        variable="LOCKSTEP_REAL",
        help="compute every float of a launch also in f64 without rounding: LaunchReport.real, lockstep.real_values",
    ),
    Row(
        "depends",
        "measures",
        "--depends",
        value="NAME[INDEX]",
    ),
    Row(
        "trace",
        "measures",
        "--trace",
        value="FILE.json",
    ),
    Row(
        "fp_fusion",
        "rounding",
        "--fp-fusion",
        choices=("on", "off"),
    ),
    Row(
        "bits",
        "rounding",
        "--bits",
        is_switch=True,
        is_setting=True,
        type="bool",
        is_flag=True,
        variable="LOCKSTEP_BITS",
        help="round, contract and add in the order of the GPU (default false)",
        campaign="option",
    ),
    Row(
        "debug",
        "rounding",
        "--debug",
        is_switch=True,
    ),
    Row(
        "target",
        "compilation",
        "--as",
        value="TARGET",
        is_setting=True,
        type="str",
        is_flag=True,
        variable="LOCKSTEP_AS",
        help="the GPU to model: sm_70 ... sm_120, a100, h100, h200 (default sm_90)",
        campaign="option",
    ),
    Row(
        "num_warps",
        "compilation",
        "--num-warps",
        value="N",
        least=1,
        most=64,
        is_number=True,
        campaign="option",
    ),
    Row(
        "num_stages",
        "compilation",
        "--num-stages",
        value="N",
        least=0,
        most=32,
        is_number=True,
        campaign="option",
    ),
    Row(
        "num_ctas",
        "compilation",
        "--num-ctas",
        value="N",
        least=1,
        most=16,
        is_number=True,
        campaign="option",
    ),
    Row(
        "config",
        "compilation",
        "--config",
        value="N",
        is_number=True,
        is_setting=True,
        type="int | None",
        is_flag=True,
        variable="LOCKSTEP_CONFIG",
        help="only this configuration of each @triton.autotune, counted from 0",
        campaign="option",
    ),
    Row(
        "globals",
        "compilation",
        "--global",
        value="NAME=VALUE",
    ),
    Row(
        "path",
        "compilation",
        "--path",
        value="FOLDER",
    ),
    Row(
        "bounds",
        "bounds",
        "--bounds",
        choices=("view", "storage"),
        is_setting=True,
        is_flag=True,
        variable="LOCKSTEP_BOUNDS",
        help="what a pointer may reach: its tensor's storage (as on a GPU), or only its tensor",
        campaign="option",
    ),
    Row(
        "rollback",
        "process",
        "--rollback",
        of_command=False,
        is_switch=True,
        is_setting=True,
        type="bool",
        is_flag=True,
        variable="LOCKSTEP_ROLLBACK",
        help="a launch that raises leaves memory as it was",
    ),
    Row(
        "progress",
        "process",
        "--progress",
        of_command=False,
        is_switch=True,
        is_setting=True,
        type="bool | ProgressCallback | None",
        is_flag=True,
        variable="LOCKSTEP_PROGRESS",
        help="progress of long launches on stderr (default: on a terminal)",
    ),
    Row(
        "print",
        "process",
        "--print",
        of_command=False,
        is_setting=True,
        type="Callable[[str], None] | None",
        help="receives what tl.device_print prints; None: sys.stdout",
    ),
    Row(
        "findings",
        "process",
        "--findings",
        of_command=False,
        choices=("raise", "warn", "ignore"),
        is_setting=True,
        is_flag=True,
        variable="LOCKSTEP_FINDINGS",
        help="what a kernel's errors become: exceptions (default), warnings, nothing",
    ),
    Row(
        "autotune",
        "process",
        "--autotune",
        of_command=False,
        choices=("first", "all", "fastest"),
        is_setting=True,
        is_flag=True,
        variable="LOCKSTEP_AUTOTUNE",
        help="configuration of @triton.autotune: the first, the first after a run of each, or the fastest here",
        campaign="option",
    ),
    Row(
        "update_baseline",
        "process",
        "--update-baseline",
        of_command=False,
        value="FILE",
        is_setting=True,
        type="str",
        is_flag=True,
        variable="LOCKSTEP_UPDATE_BASELINE",
        help="as baseline, but add new findings to FILE; they do not count",
    ),
)


class Options(NamedTuple):
    """All options of the process. `lockstep.get_options()` returns the ones that hold.

    timeout: the longest that one launch may take (default 0: no limit) (LOCKSTEP_TIMEOUT)
    check: what to look for: all, auto (all, where that is cheap), quick, none, or names of checkers with commas
        between; default: as auto, but findings are warnings (LOCKSTEP_CHECK)
    memory_model: how lanes of one program see each other's stores (default tile) (LOCKSTEP_MEMORY_MODEL)
    lane_order: resolve conflicts between lanes in another order (LOCKSTEP_LANE_ORDER)
    lane_seed: seed of the lane order random (LOCKSTEP_LANE_SEED)
    triton: assume the barriers that this Triton version inserts: 3.4 ... 3.9 (default: the installed one)
        (LOCKSTEP_TRITON)
    baseline: ignore the findings in FILE (LOCKSTEP_BASELINE)
    schedules: how many orders to try for programs that share memory (default 1) (LOCKSTEP_SCHEDULES)
    resident: how many programs are resident at a time (default 0: all, or as many as a target named a100, h100,
        h200 holds) (LOCKSTEP_RESIDENT)
    schedule_seed: seed of those orders (LOCKSTEP_SCHEDULE_SEED)
    schedule: run only this one of them (LOCKSTEP_SCHEDULE)
    async_order: when asynchronous operations of TTGIR and Gluon complete (LOCKSTEP_ASYNC_ORDER)
    async_seed: seed of the asynchronous order random; with late the event that is turned round
        (LOCKSTEP_ASYNC_SEED)
    proxy_fences: which stores need a fence before asynchronous operations (LOCKSTEP_PROXY_FENCES)
    max_memory: scratch memory of one launch (default 0: no limit) (LOCKSTEP_MAX_MEMORY)
    threads: cores to use (default 0: all) (LOCKSTEP_THREADS)
    profile: the time of every kernel by source line and op, at the end on stderr (LOCKSTEP_PROFILE)
    cover: lines, branch outcomes and mask outcomes that no launch exercised, at the end on stderr (LOCKSTEP_COVER)
    real: compute every float of a launch also in f64 without rounding: LaunchReport.real, lockstep.real_values
        (LOCKSTEP_REAL)
    bits: round, contract and add in the order of the GPU (default false) (LOCKSTEP_BITS)
    target: the GPU to model: sm_70 ... sm_120, a100, h100, h200 (default sm_90) (LOCKSTEP_AS)
    config: only this configuration of each @triton.autotune, counted from 0 (LOCKSTEP_CONFIG)
    bounds: what a pointer may reach: its tensor's storage (as on a GPU), or only its tensor (LOCKSTEP_BOUNDS)
    rollback: a launch that raises leaves memory as it was (LOCKSTEP_ROLLBACK)
    progress: progress of long launches on stderr (default: on a terminal) (LOCKSTEP_PROGRESS)
    print: receives what tl.device_print prints; None: sys.stdout
    findings: what a kernel's errors become: exceptions (default), warnings, nothing (LOCKSTEP_FINDINGS)
    autotune: configuration of @triton.autotune: the first, the first after a run of each, or the fastest here
        (LOCKSTEP_AUTOTUNE)
    update_baseline: as baseline, but add new findings to FILE; they do not count (LOCKSTEP_UPDATE_BASELINE)
    """

    timeout: float = 0.0
    check: str = "default"
    memory_model: Literal["sequential", "tile", "strict"] = "tile"
    lane_order: Literal["forward", "reverse", "random", "late-store"] = "forward"
    lane_seed: int = 0
    triton: str = ""
    baseline: str = ""
    schedules: int = 1
    resident: int = 0
    schedule_seed: int = 0
    schedule: int | None = None
    async_order: Literal["late", "early", "random"] = "late"
    async_seed: int = 0
    proxy_fences: Literal["across-groups", "all"] = "across-groups"
    max_memory: int = 0
    threads: int = 0
    profile: Profiling = False
    cover: bool = False
    real: bool = False
    bits: bool = False
    target: str = "sm_90"
    config: int | None = None
    bounds: Literal["view", "storage"] = "storage"
    rollback: bool = False
    progress: bool | ProgressCallback | None = None
    print: Callable[[str], None] | None = None
    findings: Literal["raise", "warn", "ignore"] = "raise"
    autotune: Literal["first", "all", "fastest"] = "first"
    update_baseline: str = ""
