// What to check in a launch, and under which model: the values of --check and related options. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string>
#include <string_view>

#include "interpreter/launch/launch.h"
#include "support/diagnostics/diagnostic.h"
#include "support/gpu_model.h"

namespace lockstep::sanitizer {

/// How lanes of one program see each other's stores (docs/checking.md, "Lanes of one program").
enum class MemoryModel : std::uint8_t { sequential, tile, strict };

/// Which lane comes first where two meet without a barrier (--lane-order). forward: Lockstep's own order; reverse: the
/// store that would come last comes first; late_store: other lanes load the old value; random: any of these.
enum class LaneOrder : std::uint8_t { forward, reverse, random, late_store };

struct CheckOptions {
  bool warns_only = false;     // nobody asked for checkers: the errors that they find are warnings
  std::uint32_t checkers = 0;  // bit i: checker_rows()[i]
  /// Those of `checkers` that run only where that is cheap (docs/checking.md, "Where it is cheap").
  std::uint32_t when_cheap = 0;
  MemoryModel memory_model = MemoryModel::tile;
  int triton_major = 3, triton_minor = 6;  // whose barriers count
  LaneOrder lane_order = LaneOrder::forward;
  int num_warps = 4;
  const GpuModel* gpu = nullptr;  // that --as names; null: only a capability
  int num_stages = 3;             // of the software pipeline that the kernel was compiled for
  /// Orders to try for programs that may see each other: the grid's order, then others drawn from `schedule_seed`.
  std::uint32_t schedules = 1;
  std::uint32_t only_schedule = 0;  // with schedules == 1: which of them
  std::uint32_t lane_seed = 0;  // of LaneOrder::random: which of two lanes that meet comes first
  std::uint64_t schedule_seed = 0;
  /// Of TTGIR: when asynchronous operations complete, and by which seed; whether a group's own stores need a fence too.
  interpreter::AsyncOrder async_order = interpreter::AsyncOrder::late;
  std::uint64_t async_seed = 0;
  bool fences_all = false;
};

/// Sets what of a request the options say about asynchronous operations.
inline void set_asynchrony(interpreter::RunRequest& request, const CheckOptions& options) {
  request.async_order = options.async_order;
  request.async_seed = options.async_seed;
  request.has_strict_proxy = options.fences_all;
}

/// Checkers that examine every launch, whether or not anybody requested them.
std::uint32_t quick_checkers();
/// All that look for errors: no advice on speed, and no checker that needs hundreds of launches.
std::uint32_t all_checkers();
/// `memory_model`: "sequential", "tile" or "strict"; `triton`: "3.4" to "3.9" (LS1912). `asked`: the values of the
/// other options. nullopt: diagnosed.
std::optional<CheckOptions> make_check_options(std::string_view checkers, std::string_view memory_model,
                                               std::string_view triton, DiagnosticSink& sink,
                                               const CheckOptions& asked = {});
/// Adds the checkers that other options imply: the checker of lanes if --lane-order names another order.
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
/// "all", "none", "default" or "auto" (all; those that are not quick only where cheap), "quick", or names separated by
/// commas; "-NAME" removes one ("all,-races"). nullopt: an unknown name (LS1911, with a list of names), reported in
/// `sink`.
std::optional<ChosenCheckers> parse_checkers(std::string_view text, DiagnosticSink& sink);

/// Those of CheckOptions::checkers that did not examine a launch. `earlier`: those that examined one like it before.
struct NotLookedFor {
  std::uint32_t left_out = 0, earlier = 0;
};
/// "races, lanes", in the order of the list.
std::string checker_names(std::uint32_t checkers);

}  // namespace lockstep::sanitizer
