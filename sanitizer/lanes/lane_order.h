// LaneOrder: shows the outcome that another order of lanes would have had (--lane-order), for lane hazards. It is the
// one checker that changes what loads return and what memory holds, only at a hazard, and only on request. Not here:
// what a hazard is (lane_hazards.h); stores over loaded values (LS402), whose other outcome depends on later ops.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/lanes/lane_shadow.h"

namespace lockstep::sanitizer {

class LaneOrdering {
 public:
  explicit LaneOrdering(const CheckOptions& options, std::uint64_t cell_bytes)
      : order_(options.lane_order), seed_(options.lane_seed), cell_bytes_(cell_bytes) {}

  bool is_on() const { return order_ != LaneOrder::forward; }

  /// Before a lane stores to a cell that, by `is_open`, has a store since the last barrier: keeps the old value for
  /// loads that come too early.
  void keep(std::uint64_t cell, bool is_open);
  /// Two stores meet at an address: the later store's lane. `first`: the value of the other store.
  void meet_stores(std::uint64_t address, std::int64_t lane, const char* first, std::size_t bytes);
  /// A lane loads what another lane stored in `cell`: the load may see the old value.
  void meet_load(std::uint64_t cell, std::int64_t lane, std::size_t first_byte);
  /// After the op: changes what it loaded or stored.
  void apply(Execution& run);

 private:
  struct Patch {
    std::uint64_t address = 0;  // of a store
    std::int64_t lane = 0;      // of a load
    std::size_t first = 0;      // its first byte
    std::array<char, 8> bytes{};
    std::size_t count = 0;
  };
  /// Random orders: the same for the same launch and seed, and for all bytes of a lane.
  bool is_chosen(std::int64_t lane) const;

  LaneOrder order_;
  std::uint32_t seed_;
  std::uint64_t cell_bytes_;
  std::uint64_t executions_ = 0;  // of ops
  std::unordered_map<std::uint64_t, std::array<char, 8>>
      before_;  // by cell: its bytes before the stores since a barrier
  std::vector<Patch> stores_, loads_;
};

}  // namespace lockstep::sanitizer
