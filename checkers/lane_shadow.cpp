#include "checkers/lane_shadow.h"

#include <algorithm>

namespace lockstep::checkers {

std::uint32_t LaneShadow::begin(const LaneAccess& op, Execution& run) {
  ShadowAccess made;
  made.op = &op;
  made.location = run.location();
  made.shape = run.lanes().shape();
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

LaneIdentity LaneShadow::identity(const LaneAccess& op, const std::vector<std::int64_t>& shape, std::int64_t lane) {
  if (op.is_everyones) return kEveryThread;
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

}  // namespace lockstep::checkers
