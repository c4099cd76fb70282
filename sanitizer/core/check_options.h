// What of a launch is to be checked, and under which model: the words of --check and its neighbours. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string>
#include <string_view>

#include "support/diagnostics/diagnostic.h"
#include "support/gpu_model.h"

namespace lockstep::sanitizer {

/// How lanes of one program see each other's stores (docs/checking.md, "Lanes of one program").
enum class MemoryModel : std::uint8_t { sequential, tile, strict };

/// Which lane comes first where two meet without a barrier (--lane-order): forward as Lockstep runs; reverse: the store
/// that comes last otherwise comes first; late_store: other lanes load what was there before; random: any of it.
enum class LaneOrder : std::uint8_t { forward, reverse, random, late_store };

struct CheckOptions {
  bool warns_only = false;     // nobody asked for checkers: the errors that they find are warnings
  std::uint32_t checkers = 0;  // bit i: checker_rows()[i]
  /// Of `checkers`: those that look only where that is cheap (docs/checking.md, "Where it is cheap").
  std::uint32_t when_cheap = 0;
  MemoryModel memory_model = MemoryModel::tile;
  int triton_major = 3, triton_minor = 6;  // whose barriers count
  LaneOrder lane_order = LaneOrder::forward;
  int num_warps = 4;
  const GpuModel* gpu = nullptr;  // that --as names; null: only a capability
  int num_stages = 3;             // of the software pipeline that the kernel was compiled for
  /// Orders of programs to try where they may see each other: the grid's, then others made from `schedule_seed`.
  std::uint32_t schedules = 1;
  std::uint32_t only_schedule = 0;  // with schedules == 1: which of them
  std::uint32_t lane_seed = 0;  // of LaneOrder::random: which of two lanes that meet comes first
  std::uint64_t schedule_seed = 0;
};

/// Those that look at every launch, also where nobody asked and it is not cheap.
std::uint32_t quick_checkers();
/// All that look for what is wrong: without advice on speed, and without what costs hundreds of launches.
std::uint32_t all_checkers();
/// `memory_model`: "sequential", "tile" or "strict"; `triton`: "3.4" to "3.9" (LS1912). `asked`: what these words do
/// not say. nullopt: diagnosed.
std::optional<CheckOptions> make_check_options(std::string_view checkers, std::string_view memory_model,
                                               std::string_view triton, DiagnosticSink& sink,
                                               const CheckOptions& asked = {});
/// Adds the checkers that show what other options ask for: that of lanes, where another order of them is shown.
void add_implied_checkers(CheckOptions& options);
/// "results as with --lane-order reverse ...", where the launch shows another outcome than Lockstep's own; else "".
std::string shown_outcome(const CheckOptions& options);
/// The same, showing the launch's own outcome.
inline CheckOptions with_own_outcome(CheckOptions options) {
  options.lane_order = LaneOrder::forward;
  options.lane_seed = 0;
  return options;
}
/// The same, for one launch in the grid's order.
inline CheckOptions in_grid_order(CheckOptions options) {
  options.schedules = 1;
  options.only_schedule = 0;
  options.schedule_seed = 0;
  return options;
}
struct ChosenCheckers {
  std::uint32_t checkers = 0, when_cheap = 0;  // as in CheckOptions
};
/// "all", "none", "default" or "auto" (all, those that are not quick where it is cheap), "quick", or names with commas
/// between; "-NAME" takes one out again ("all,-races"). nullopt: a name that is none (LS1911, with what there is), in
/// `sink`.
std::optional<ChosenCheckers> parse_checkers(std::string_view text, DiagnosticSink& sink);

/// What of CheckOptions::checkers did not look at a launch. `earlier`: at one like it they did.
struct NotLookedFor {
  std::uint32_t left_out = 0, earlier = 0;
};
/// "races, lanes", in the order of the list.
std::string checker_names(std::uint32_t checkers);

}  // namespace lockstep::sanitizer
