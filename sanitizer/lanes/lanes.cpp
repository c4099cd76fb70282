// Hazards between the lanes of one program (LS401 to LS407, LS308). Stores that write no byte twice, of tiles that are
// loaded by the same lanes or not at all, need no steps: how many bytes were stored against how many different ones
// tells (touched_facts.h), nor do those where no program touched a byte with both a load and a store. All others are
// watched lane by lane (lane_hazards.h), and their updates applied in turn (lane_updates.h).
#include <algorithm>
#include <unordered_set>

#include "ir/op_def.h"
#include "sanitizer/core/checkers.h"
#include "sanitizer/core/touched_facts.h"
#include "sanitizer/lanes/lane_hazards.h"
#include "sanitizer/lanes/lane_updates.h"

namespace lockstep::sanitizer {

using interpreter::AccessTracking;
using interpreter::TouchKind;

namespace {

bool meet(const std::set<std::int32_t>& a, const std::set<std::int32_t>& b) {
  if (a.empty() || b.empty()) return false;
  if (a.contains(-1) || b.contains(-1)) return true;
  return std::any_of(a.begin(), a.end(), [&](std::int32_t one) { return b.contains(one); });
}

}  // namespace

LaneChecker::LaneChecker() = default;
LaneChecker::~LaneChecker() = default;

const LaneFacts& LaneChecker::facts(const LaunchContext& context) const {
  std::call_once(is_known_, [&] {
    facts_ = std::make_shared<LaneFacts>(context.module, context.function);
    updates_ = std::make_shared<std::vector<LaneUpdate>>(find_updates(facts_->accesses()));
  });
  return *facts_;
}

void LaneChecker::learn_from(const Checker& kept, const LaunchContext& context) {
  const auto& known = static_cast<const LaneChecker&>(kept);
  known.facts(context);
  std::call_once(is_known_, [&] {
    facts_ = known.facts_;
    updates_ = known.updates_;
  });
}

Checker::Requirements LaneChecker::needs(const LaunchContext& context) const {
  const auto& accesses = facts(context).accesses();
  const auto is_store = [](const LaneAccess& one) { return one.kind == TouchKind::store; };
  Requirements needs;
  if (std::none_of(accesses.begin(), accesses.end(), is_store)) return needs;
  const bool is_sequential = context.options.memory_model == MemoryModel::sequential;
  const bool meets = !is_sequential && may_meet(context);
  needs.steps = !is_sequential && (context.options.lane_order != LaneOrder::forward || (meets && must_step(context)));
  needs.of_places = true;
  if (!needs.steps) {
    needs.touches = meets ? AccessTracking::programs : AccessTracking::writes;
    needs.may_suspect = needs.suspicion_lasts = true;
  }
  return needs;
}

/// Some op may store what another loads or updates, and not plainly in the same lanes.
bool LaneChecker::may_meet(const LaunchContext& context) const {
  const auto& accesses = facts(context).accesses();
  const bool is_strict = context.options.memory_model == MemoryModel::strict;
  const bool releases = context.options.triton_minor < 9 &&
                        std::any_of(accesses.begin(), accesses.end(), [](const auto& one) { return one.releases; });
  std::set<std::int32_t> stored, updated;
  std::unordered_set<std::uint64_t> stored_tiles;
  for (const LaneAccess& writer : accesses) {
    if (writer.kind == TouchKind::load) continue;
    (writer.kind == TouchKind::store ? stored : updated).merge(storages_of(context.request, writer.memory));
    if (writer.kind == TouchKind::store && writer.tile != 0) stored_tiles.insert(writer.tile);
  }
  return std::any_of(accesses.begin(), accesses.end(), [&](const LaneAccess& reader) {
    if (reader.kind == TouchKind::store) return false;
    const auto read = storages_of(context.request, reader.memory);
    const bool meets = meet(read, stored) || (reader.kind == TouchKind::load && meet(read, updated));
    return meets && (is_strict || releases || reader.is_everyones || !stored_tiles.contains(reader.tile));
  });
}

/// The touched ranges say nothing about releases, nor about pointers of unknown origin.
bool LaneChecker::must_step(const LaunchContext& context) const {
  const auto& accesses = facts(context).accesses();
  return std::any_of(accesses.begin(), accesses.end(), [&](const LaneAccess& one) {
    const bool releases = one.releases && context.options.triton_minor < 9;
    return releases || storages_of(context.request, one.memory).contains(-1);
  });
}

Checker::Interest LaneChecker::wish(const ir::Op& op) const {
  if (op.def().joins_threads) return {true, false};
  const bool is_access = interpreter::touches_memory(op);
  return {is_access || (updates_ != nullptr && LaneUpdates::is_watched(*updates_, op)), is_access};
}

void LaneChecker::begin(const LaunchContext& context) {
  hazards_ = std::make_unique<LaneHazards>(context, facts(context));
  if (!updates_->empty()) lost_ = std::make_unique<LaneUpdates>(context, *updates_);
}

void LaneChecker::before(Execution& run) {
  is_stepped_ = true;
  if (run.op().def().joins_threads) return hazards_->barrier(run);
  if (lost_ != nullptr) hazards_->set_harmless(lost_->before(run));
  if (interpreter::touches_memory(run.op())) hazards_->before_access(run);
}

void LaneChecker::after(Execution& run) {
  if (lost_ != nullptr) lost_->after(run);
  hazards_->after_access(run);
}

bool LaneChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (lost_ != nullptr) LaneUpdates::give_way(report.findings);
  if (is_stepped_ || report.outcome != interpreter::Outcome::completed) return true;
  if (!context.touched->stored_each_byte_once()) return false;
  const bool meets = context.options.memory_model != MemoryModel::sequential && may_meet(context);
  return !meets || (context.touches == AccessTracking::programs && !context.touched->read_what_it_wrote());
}

}  // namespace lockstep::sanitizer
