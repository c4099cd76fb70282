#include "sanitizer/lanes/lane_order.h"

#include <cstring>

#include "interpreter/access/storage_copy.h"

namespace lockstep::sanitizer {

bool LaneOrdering::is_chosen(std::int64_t lane) const {
  if (order_ != LaneOrder::random) return true;
  const std::uint64_t place = executions_ << 32 ^ static_cast<std::uint64_t>(lane);
  std::uint64_t mixed = (place ^ seed_ * 0xd1342543de82ef95u) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9u;
  return (mixed >> 40 & 1) != 0;
}

void LaneOrdering::keep(std::uint64_t cell, bool is_open) {
  if (is_open) return;
  std::memcpy(before_[cell].data(), interpreter::bytes_at(cell * cell_bytes_), cell_bytes_);
}

void LaneOrdering::meet_stores(std::uint64_t address, std::int64_t lane, const char* first, std::size_t bytes) {
  if (order_ == LaneOrder::late_store || !is_chosen(lane)) return;
  Patch patch;
  patch.address = address;
  patch.count = bytes;
  std::memcpy(patch.bytes.data(), first, bytes);
  stores_.push_back(patch);
}

void LaneOrdering::meet_load(std::uint64_t cell, std::int64_t lane, std::size_t first_byte) {
  const auto known = before_.find(cell);
  if (order_ == LaneOrder::reverse || known == before_.end() || !is_chosen(lane)) return;
  Patch patch;
  patch.lane = lane;
  patch.first = first_byte;
  patch.bytes = known->second;
  patch.count = cell_bytes_;
  loads_.push_back(patch);
}

void LaneOrdering::apply(Execution& run) {
  ++executions_;
  // Of several patches at one address, the first match wins.
  for (auto patch = stores_.rbegin(); patch != stores_.rend(); ++patch)
    std::memcpy(interpreter::bytes_at(patch->address), patch->bytes.data(), patch->count);
  stores_.clear();
  if (loads_.empty()) return;
  const ir::Value& result = *run.op().result(0);
  const auto size = static_cast<std::size_t>(size_bytes(run.kind(result)));
  const char* loaded = run.elements(result);
  std::vector<char> changed(loaded, loaded + static_cast<std::size_t>(run.count(result)) * size);
  for (const Patch& patch : loads_) {
    const std::size_t at = static_cast<std::size_t>(patch.lane) * size + patch.first;
    std::memcpy(changed.data() + at, patch.bytes.data(), patch.count);
  }
  loads_.clear();
  run.replace(result, changed.data());
}

void add_implied_checkers(CheckOptions& options) {
  if (options.lane_order == LaneOrder::forward) return;
  DiagnosticSink sink;
  const std::uint32_t lanes = parse_checkers("lanes", sink).value_or(ChosenCheckers{}).checkers;
  options.checkers |= lanes;
  options.when_cheap &= ~lanes;
}

std::string shown_outcome(const CheckOptions& options) {
  constexpr const char* kOrders[] = {"forward", "reverse", "random", "late-store"};  // as LaneOrder
  if (options.lane_order == LaneOrder::forward) return "";
  const bool has_seed = options.lane_order == LaneOrder::random && options.lane_seed != 0;
  return std::string("results as with --lane-order ") + kOrders[static_cast<std::size_t>(options.lane_order)] +
         (has_seed ? " --lane-seed " + std::to_string(options.lane_seed) : "") + " where lanes meet, not as Lockstep's order makes them";
}

}  // namespace lockstep::sanitizer
