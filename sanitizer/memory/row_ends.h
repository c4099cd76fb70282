// RowChecker: see row_ends.cpp. Private to it and the registry.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sanitizer/core/checker.h"
#include "sanitizer/core/execution.h"
#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

/// An access whose tile may run past a row's end. In elements of the view.
struct WatchedRow {
  memory_model::ViewId view{};
  Wide row = 0;               // from a row to the next one
  std::vector<Wide> strides;  // that one and all larger ones of the view, largest first
  int dimension = -1;         // of the tile: along the columns
  bool has_idle_mask = false;  // along them, and it never cuts
};

class RowChecker : public Checker {
 public:
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void begin(const LaunchContext& context) override;
  void before(Execution& run) override;

 private:
  struct Crossing {
    std::int64_t lane = 0;  // the first
    Wide start = 0, last = 0;
    std::size_t columns = 0;
    std::uint64_t lanes = 0;
  };
  static void report(Execution& run, const WatchedRow& row, const Crossing& found);

  std::unordered_map<const ir::Op*, WatchedRow> rows_;  // of a launch
};

}  // namespace lockstep::sanitizer
