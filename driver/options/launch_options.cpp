#include "driver/options/launch_options.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace lockstep::driver {
namespace {

using Group = OptionGroup;
using Limit = OptionLimit;
using Role = CampaignRole;
using Checks = sanitizer::CheckOptions;

template <auto kMember>
void set_choice(LaunchSpec& spec, std::size_t choice) {
  spec.checks.*kMember = static_cast<std::decay_t<decltype(spec.checks.*kMember)>>(choice);
}

template <auto kMember>
std::size_t chosen(const LaunchSpec& spec) {
  return static_cast<std::size_t>(spec.checks.*kMember);
}

template <auto kMember>
constexpr ChoiceField kChoice{set_choice<kMember>, chosen<kMember>};

constexpr LaunchOption kRows[] = {
    // The launch itself. Kernel and arguments have no flag (launch_words.cpp).
    {.group = Group::launch,
     .flags = "--grid,-g",
     .field = &LaunchSpec::grid,
     .value = "X,Y,Z",
     .help = "programs of the grid: X[,Y[,Z]], numbers or expressions over the arguments",
     .is_required = true,
     .dap = "grid"},
    {.group = Group::launch,
     .flags = "--seed",
     .field = &LaunchSpec::seed,
     .value = "N",
     .help = "seed of random tensors",
     .shows_default = true,
     .dap = "seed"},
    // Of a comparison.
    {.group = Group::tolerance,
     .flags = "--rtol",
     .field = &LaunchSpec::rtol,
     .value = "R",
     .limit = Limit::tolerance,
     .help = "relative tolerance of {}",
     .campaign = Role::campaign},
    {.group = Group::tolerance,
     .flags = "--atol",
     .field = &LaunchSpec::atol,
     .value = "A",
     .limit = Limit::tolerance,
     .help = "absolute tolerance of {}",
     .campaign = Role::campaign},
    {.group = Group::tolerance,
     .flags = "--ulp",
     .field = &LaunchSpec::ulp,
     .value = "N",
     .limit = Limit::not_negative,
     .help = "tolerance of {} in units in the last place",
     .excludes = "--rtol --atol",
     .campaign = Role::campaign},
    {.group = Group::judging,
     .flags = "--fail-on",
     .field = &LaunchSpec::fail_on,
     .value = "TIER",
     .choices = "error|warning|info|none",
     .help = "lowest tier of finding that sets exit code 1",
     .shows_default = true,
     .campaign = Role::campaign},
    {.group = Group::time,
     .flags = "--timeout",
     .field = &LaunchSpec::timeout_seconds,
     .value = "S",
     .limit = Limit::seconds,
     .help = "stop {}after this many seconds",
     .python = {"float", "0.0", "LOCKSTEP_TIMEOUT",
                "the longest that one launch may take (default 0: no limit)", true, "SECONDS"},
     .campaign = Role::campaign},
    // What to look for.
    {.group = Group::checkers,
     .flags = "--check",
     .field = &LaunchSpec::check,
     .value = "LIST",
     .help = "what to look for: default (all, where that is cheap), all, quick, none, or names with commas "
             "(docs/checking.md)",
     .shows_default = true,
     .python = {"str", "\"default\"", "LOCKSTEP_CHECK",
                "what to look for: all, auto (all, where that is cheap), quick, none, or names of checkers with commas "
                "between; default: as auto, but findings are warnings"},
     .dap = "check",
     .campaign = Role::campaign},
    {.group = Group::checkers,
     .flags = "--memory-model",
     .field = &LaunchSpec::memory_model,
     .choices = "sequential|tile|strict",
     .help = "when lanes of a program see each other's stores",
     .shows_default = true,
     .python = {"choice", "\"tile\"", "LOCKSTEP_MEMORY_MODEL",
                "how lanes of one program see each other's stores (default tile)"},
     .dap = "memoryModel|model",
     .campaign = Role::option},
    {.group = Group::checkers,
     .flags = "--lane-order",
     .field = kChoice<&Checks::lane_order>,
     .choices = "forward|reverse|random|late-store",  // as sanitizer::LaneOrder
     .help = "resolve conflicts between lanes in another order",
     .shows_default = true,
     .python = {"choice", "\"forward\"", "LOCKSTEP_LANE_ORDER",
                "resolve conflicts between lanes in another order"},
     .dap = "laneOrder",
     .campaign = Role::option},
    {.group = Group::checkers,
     .flags = "--lane-seed",
     .field = &Checks::lane_seed,
     .value = "S",
     .help = "seed of --lane-order random",
     .python = {"int", "0", "LOCKSTEP_LANE_SEED", "seed of the lane order random"},
     .dap = "laneSeed",
     .campaign = Role::option},
    {.group = Group::checkers,
     .flags = "--triton",
     .field = &LaunchSpec::triton,
     .choices = "3.4|3.5|3.6|3.7|3.8|3.9",
     .help = "assume the barriers that this Triton version inserts",
     .shows_default = true,
     .python = {"str", "\"\"", "LOCKSTEP_TRITON",
                "assume the barriers that this Triton version inserts: 3.4 ... 3.9 (default: the installed one)", true, "VERSION"},
     .dap = "triton",
     .campaign = Role::option},
    {.group = Group::baseline,
     .flags = "--baseline",
     .field = &LaunchSpec::baseline,
     .value = "FILE",
     .help = "ignore the findings in FILE, which --report baseline=FILE wrote",
     .python = {"str", "\"\"", "LOCKSTEP_BASELINE", "ignore the findings in FILE"}},
    // Orders of programs that may see each other.
    {.group = Group::schedules,
     .flags = "--schedules",
     .field = &Checks::schedules,
     .value = "N",
     .limit = Limit::range,
     .least = 1,
     .most = 1 << 20,
     .help = "how many orders to try for programs that share memory",
     .shows_default = true,
     .python = {"int", "1", "LOCKSTEP_SCHEDULES",
                "how many orders to try for programs that share memory (default 1)"},
     .dap = "schedules",
     .campaign = Role::option},
    {.group = Group::schedules,
     .flags = "--resident",
     .field = &LaunchSpec::resident,
     .value = "N",
     .limit = Limit::range,
     .least = 1,
     .most = std::uint64_t{1} << 31,
     .help = "how many programs are resident at a time (default: all)",
     .python = {"int", "0", "LOCKSTEP_RESIDENT",
                "how many programs are resident at a time (default 0: all, or as many as a target named a100, h100, h200 holds)"},
     .campaign = Role::option},
    {.group = Group::schedules,
     .flags = "--schedule-seed",
     .field = &Checks::schedule_seed,
     .value = "S",
     .help = "seed of the orders that --schedules tries",
     .python = {"int", "0", "LOCKSTEP_SCHEDULE_SEED", "seed of those orders"},
     .dap = "scheduleSeed",
     .campaign = Role::axis,
     .campaign_key = "seed"},
    {.group = Group::schedules,
     .flags = "--schedule",
     .field = &Checks::only_schedule,
     .value = "K",
     .help = "run in the order with this number, from a finding of --schedules; 0: grid order",
     .excludes = "--schedules",
     .python = {"int | None", "None", "LOCKSTEP_SCHEDULE", "run only this one of them"},
     .dap = "schedule",
     .campaign = Role::axis,
     .campaign_key = "number"},
    // Of the machine.
    {.group = Group::limits,
     .flags = "--max-memory",
     .field = &LaunchSpec::max_memory,
     .value = "SIZE",
     .help = "stop above this, for example 500MB or 2GiB",
     .python = {"int", "0", "LOCKSTEP_MAX_MEMORY",
                "scratch memory of one launch (default 0: no limit)", true, "BYTES"},
     .campaign = Role::campaign},
    {.group = Group::limits,
     .flags = "--threads",
     .field = &LaunchSpec::threads,
     .value = "N",
     .limit = Limit::range,
     .least = 1,
     .most = 4096,
     .help = "threads to use (default: all cores); results do not depend on it",
     .python = {"int", "0", "LOCKSTEP_THREADS", "cores to use (default 0: all)"},
     .campaign = Role::campaign},
    // Measurements besides the launch.
    {.group = Group::measures,
     .flags = "--profile",
     .field = &LaunchSpec::profile,
     .help = "print the time of each source line and op afterwards",
     .python = {"Profiling", "False", "LOCKSTEP_PROFILE",
                "the time of every kernel by source line and op, at the end on stderr"}},
    {.group = Group::measures,
     .flags = "--cover",
     .field = &LaunchSpec::cover,
     .help = "report lines, branch outcomes and mask outcomes that this launch did not exercise",
     .python = {"bool", "False", "LOCKSTEP_COVER",
                "lines, branch outcomes and mask outcomes that no launch exercised, at the end on stderr"}},
    {.group = Group::measures,
     .flags = "--real",
     .field = &LaunchSpec::real,
     .help = "also compute every float in f64 without rounding, and report how far the results are from that",
     .python = {"bool", "False", "LOCKSTEP_REAL",
                "compute every float of a launch also in f64 without rounding: LaunchReport.real, lockstep.real_values"}},
    {.group = Group::measures,
     .flags = "--depends",
     .field = &LaunchSpec::depends,
     .value = "NAME[INDEX]",
     .help = "which elements of which arguments this element of an output depends on, as value, address or condition"},
    {.group = Group::measures,
     .flags = "--trace",
     .field = &LaunchSpec::trace,
     .value = "FILE.json",
     .help = "write trace events for Perfetto or chrome://tracing"},
    // Choices that the text leaves open.
    {.group = Group::rounding,
     .flags = "--fp-fusion",
     .field = &LaunchSpec::fp_fusion,
     .choices = "on|off",
     .help = "round x*y+z once, as a default build of Triton does",
     .shows_default = true},
    {.group = Group::rounding,
     .flags = "--bits",
     .field = &LaunchSpec::bits,
     .help = "round, contract and add in the order of the GPU",
     .python = {"bool", "False", "LOCKSTEP_BITS",
                "round, contract and add in the order of the GPU (default false)"},
     .dap = "bits",
     .campaign = Role::option},
    {.group = Group::rounding,
     .flags = "--debug",
     .field = &LaunchSpec::debug,
     .help = "assert integer overflow too, as triton.jit(debug=True) does"},
    // The target of compilation.
    {.group = Group::compilation,
     .flags = "--as",
     .name = "target",
     .field = &LaunchSpec::target_gpu,
     .value = "sm_90",
     .help = "the GPU whose rules apply",
     .shows_default = true,
     .is_recorded = true,
     .python = {"str", "\"sm_90\"", "LOCKSTEP_AS",
                "the GPU to model: sm_70 ... sm_120, a100, h100, h200 (default sm_90)", true, "TARGET"},
     .dap = "as",
     .campaign = Role::option},
    {.group = Group::compilation,
     .flags = "--num-warps",
     .field = &LaunchSpec::num_warps,
     .value = "N",
     .limit = Limit::range,
     .least = 1,
     .most = 64,
     .help = "warps of each program (num_warps)",
     .shows_default = true,
     .is_recorded = true,
     .dap = "numWarps",
     .campaign = Role::option},
    {.group = Group::compilation,
     .flags = "--num-stages",
     .field = &LaunchSpec::num_stages,
     .value = "N",
     .limit = Limit::range,
     .least = 0,
     .most = 32,
     .help = "stages of pipelined loops (num_stages)",
     .shows_default = true,
     .is_recorded = true,
     .dap = "numStages",
     .campaign = Role::option},
    {.group = Group::compilation,
     .flags = "--config",
     .field = &LaunchSpec::config,
     .value = "N",
     .help = "configuration of @triton.autotune, counted from 0 (default: the first)",
     .python = {"int | None", "None", "LOCKSTEP_CONFIG",
                "only this configuration of each @triton.autotune, counted from 0"},
     .campaign = Role::option},
    {.group = Group::compilation,
     .flags = "--global",
     .name = "globals",
     .field = &LaunchSpec::globals,
     .value = "NAME=VALUE",
     .help = "set a module-level name"},
    {.group = Group::compilation,
     .flags = "--path",
     .field = &LaunchSpec::search_path,
     .value = "FOLDER",
     .help = "look for imports in this folder, after the file's own"},
    {.group = Group::bounds,
     .flags = "--bounds",
     .field = &LaunchSpec::bounds,
     .choices = "view|storage",
     .help = "what a pointer may reach: its tensor (default), or all of the tensor's storage",
     .python = {"choice", "\"storage\"", "LOCKSTEP_BOUNDS",
                "what a pointer may reach: its tensor's storage (as on a GPU), or only its tensor"},
     .dap = "bounds",
     .campaign = Role::option},
    {.group = Group::recorded_bounds,
     .flags = "--bounds",
     .field = &LaunchSpec::bounds,
     .value = "storage|view",
     .choices = "view|storage",
     .help = "what a pointer may reach: all of its tensor's storage (default), or the tensor"},
    // Of a Python process.
    {.group = Group::process,
     .name = "rollback",
     .python = {"bool", "False", "LOCKSTEP_ROLLBACK", "a launch that raises leaves memory as it was"}},
    {.group = Group::process,
     .name = "progress",
     .python = {"bool | ProgressCallback | None", "None", "LOCKSTEP_PROGRESS",
                "progress of long launches on stderr (default: on a terminal)"}},
    {.group = Group::process,
     .name = "print",
     .python = {"Callable[[str], None] | None", "None", "",
                "receives what tl.device_print prints; None: sys.stdout", false}},
    {.group = Group::process,
     .name = "findings",
     .choices = "raise|warn|ignore",
     .python = {"choice", "\"raise\"", "LOCKSTEP_FINDINGS",
                "what a kernel's errors become: exceptions (default), warnings, nothing"}},
    {.group = Group::process,
     .name = "autotune",
     .choices = "first|all",
     .python = {"choice", "\"first\"", "LOCKSTEP_AUTOTUNE", "how many configurations of @triton.autotune are run"},
     .campaign = Role::option},
    {.group = Group::process,
     .name = "update_baseline",
     .value = "FILE",
     .python = {"str", "\"\"", "LOCKSTEP_UPDATE_BASELINE",
                "as baseline, but add new findings to FILE; they do not count"}},
};

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t bar = std::min(text.find('|'), text.size());
    parts.emplace_back(text.substr(0, bar));
    text.remove_prefix(std::min(bar + 1, text.size()));
  }
  return parts;
}

}  // namespace

std::string LaunchOption::python_name() const {
  if (!name.empty()) return std::string(name);
  std::string made(flag().substr(2));
  std::replace(made.begin(), made.end(), '-', '_');
  return made;
}

std::vector<std::string> LaunchOption::choice_list() const { return parts_of(choices); }

std::vector<std::string> LaunchOption::dap_keys() const { return parts_of(dap); }

bool LaunchOption::is_number() const {
  return !std::holds_alternative<std::monostate>(field) && !std::holds_alternative<ChoiceField>(field) &&
         !std::holds_alternative<std::string LaunchSpec::*>(field) &&
         !std::holds_alternative<std::vector<std::string> LaunchSpec::*>(field) && !is_switch();
}

std::span<const LaunchOption> launch_options() { return kRows; }

const LaunchOption* find_launch_option(std::string_view flag_or_name) {
  const auto* found = std::find_if(std::begin(kRows), std::end(kRows), [&](const LaunchOption& one) {
    return (!one.flags.empty() && one.flag() == flag_or_name) || one.python_name() == flag_or_name;
  });
  return found == std::end(kRows) ? nullptr : found;
}

}  // namespace lockstep::driver
