#include "sanitizer/lanes/lane_shadow.h"

#include <algorithm>

namespace lockstep::sanitizer {

namespace {

/// [1, 64, 128] is [64, 128]; [1] is a scalar: one thread stores it.
std::vector<std::int64_t> without_leading_ones(const std::vector<std::int64_t>& shape) {
  auto first = shape.begin();
  while (first != shape.end() && *first == 1) ++first;
  return {first, shape.end()};
}

}  // namespace

std::uint32_t LaneShadow::begin(const LaneAccess& op, Execution& run) {
  ShadowAccess made;
  made.op = &op;
  made.location = run.location();
  made.shape = run.lanes().shape();
  made.thread_shape = without_leading_ones(made.shape);
  made.epoch = epoch_;
  for (const Execution::LoopPosition& at : run.loop_positions()) {
    const auto [clock, is_new] = clocks_.try_emplace(at.loop, LoopClock{at.induction, 0});
    if (!is_new && clock->second.induction != at.induction) {
      clock->second.induction = at.induction;
      ++clock->second.iteration;
    }
    made.loops.emplace_back(at.loop, clock->second.iteration);
  }
  accesses_.push_back(std::move(made));
  return static_cast<std::uint32_t>(accesses_.size() - 1);
}

ShadowCell& LaneShadow::cell(std::uint64_t number) {
  const std::uint64_t page = number / kCells;
  if (page != last_page_) {
    std::unique_ptr<Page>& known = pages_[page];
    if (known == nullptr) known = std::make_unique<Page>();
    page_ = known.get();
    last_page_ = page;
  }
  return (*page_)[number % kCells];
}

void LaneShadow::note_load(ShadowCell& cell, std::uint32_t access, LaneIdentity who) const {
  ShadowSide& first = cell.loads[0];
  const bool is_first = !is_open(first);
  if (is_first) cell.loads[1] = {};
  if (is_first || first.who == who) {
    first = {access, who};
  } else if (!is_open(cell.loads[1])) {
    cell.loads[1] = {access, who};
  }
}

void LaneShadow::replay(const LaneBox& access) {
  const bool is_load = access.op->kind == interpreter::TouchKind::load;
  const auto cells = static_cast<std::uint64_t>(access.bytes) / cell_bytes_;
  access.for_each_lane([&](std::int64_t lane, std::uint64_t address) {
    if (address % cell_bytes_ != 0) return;
    const LaneIdentity who = identity(accesses_[access.access], lane);
    const std::uint64_t first = address / cell_bytes_;
    for (std::uint64_t number = first; number < first + cells; ++number) {
      ShadowCell& at = cell(number);
      if (is_load) {
        note_load(at, access.access, who);
      } else {
        at.store = {access.access, who};
        at.loads = {};
      }
    }
  });
}

void LaneShadow::use_cells() {
  if (has_cells_) return;
  has_cells_ = true;
  for (const LaneBox& access : boxes_.all()) replay(access);
  boxes_.clear();
}

LaneIdentity LaneShadow::identity(const ShadowAccess& access, std::int64_t lane) {
  if (access.op->is_everyones) return kEveryThread;
  const std::vector<std::int64_t>& shape = access.thread_shape;
  auto known = std::find(shapes_.begin(), shapes_.end(), shape);
  if (known == shapes_.end()) known = shapes_.insert(shapes_.end(), shape);
  return static_cast<LaneIdentity>(known - shapes_.begin()) << 32 | static_cast<LaneIdentity>(lane);
}

const std::vector<std::uint32_t>& LaneShadow::open_stores() {
  std::erase_if(stores_, [&](std::uint32_t one) { return accesses_[one].epoch != epoch_; });
  return stores_;
}

std::uint64_t iterations_between(const ShadowAccess& first, const ShadowAccess& second, const ir::Op& loop) {
  for (const auto& [op, iteration] : second.loops) {
    if (op != &loop) continue;
    for (const auto& [other, before] : first.loops) {
      if (other == op) return iteration - before;
    }
  }
  return 0;
}

bool is_carried(const ShadowAccess& first, const ShadowAccess& second) {
  if (second.op->order <= first.op->order) return true;
  return std::any_of(second.loops.begin(), second.loops.end(),
                     [&](const auto& around) { return iterations_between(first, second, *around.first) != 0; });
}

}  // namespace lockstep::sanitizer
