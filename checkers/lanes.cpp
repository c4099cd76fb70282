// Hazards between the lanes of one program (LS401 to LS406, LS308). Stores that write no byte twice, of tiles that are
// loaded by the same lanes or not at all, need no steps: how many bytes were stored against how many different ones
// tells (touched_bytes.h). All others are watched lane by lane (lane_hazards.h).
#include <algorithm>

#include "checkers/checkers.h"
#include "checkers/lane_hazards.h"
#include "checkers/touched_bytes.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::checkers {

using interpreter::Touches;
using interpreter::TouchKind;

namespace {

bool is_barrier(const ir::Op& op) {
  return op.def().opcode == ir::Opcode::gpu_barrier || op.def().opcode == ir::Opcode::ttg_barrier;
}

bool meet(const std::set<std::int32_t>& a, const std::set<std::int32_t>& b) {
  if (a.empty() || b.empty()) return false;
  if (a.contains(-1) || b.contains(-1)) return true;
  return std::any_of(a.begin(), a.end(), [&](std::int32_t one) { return b.contains(one); });
}

}  // namespace

LaneChecker::LaneChecker() = default;
LaneChecker::~LaneChecker() = default;

const LaneFacts& LaneChecker::facts(const LaunchContext& context) const {
  std::call_once(is_known_, [&] { facts_ = std::make_unique<LaneFacts>(context.module, context.function); });
  return *facts_;
}

Checker::Needs LaneChecker::needs(const LaunchContext& context) const {
  const auto& accesses = facts(context).accesses();
  const auto is_store = [](const LaneAccess& one) { return one.kind == TouchKind::store; };
  Needs needs;
  if (std::none_of(accesses.begin(), accesses.end(), is_store)) return needs;
  needs.steps = context.options.memory_model != MemoryModel::sequential &&
                (may_meet(context) || context.options.lane_order != LaneOrder::forward);
  if (!needs.steps) {
    needs.touches = Touches::writes;
    needs.may_suspect = true;
  }
  return needs;
}

/// What some op loads or updates another may store, and not plainly in the same lanes.
bool LaneChecker::may_meet(const LaunchContext& context) const {
  const auto& accesses = facts(context).accesses();
  const bool is_strict = context.options.memory_model == MemoryModel::strict;
  const bool releases = context.options.triton_minor < 9 &&
                        std::any_of(accesses.begin(), accesses.end(), [](const auto& one) { return one.releases; });
  for (const LaneAccess& reader : accesses) {
    if (reader.kind == TouchKind::store) continue;
    const auto read = storages_of(context.request, reader.memory);
    bool meets = false, has_partner = false;
    for (const LaneAccess& writer : accesses) {
      if (writer.kind == TouchKind::load || (writer.kind == TouchKind::atomic && reader.kind == TouchKind::atomic))
        continue;
      if (!meet(read, storages_of(context.request, writer.memory))) continue;
      meets = true;
      has_partner = has_partner || move_one_tile(*reader.op, *writer.op);
    }
    if (meets && (is_strict || releases || reader.is_everyones || !has_partner)) return true;
  }
  return false;
}

Checker::Wish LaneChecker::wish(const ir::Op& op) const {
  if (is_barrier(op)) return {true, false};
  return {interpreter::touches_memory(op), interpreter::touches_memory(op)};
}

void LaneChecker::begin(const LaunchContext& context) {
  hazards_ = std::make_unique<LaneHazards>(context, facts(context));
}

void LaneChecker::before(Execution& run) {
  is_stepped_ = true;
  if (is_barrier(run.op())) {
    hazards_->barrier(run);
  } else {
    hazards_->before_access(run);
  }
}

void LaneChecker::after(Execution& run) { hazards_->after_access(run); }

bool LaneChecker::end(const LaunchContext&, interpreter::LaunchReport& report) {
  if (is_stepped_ || report.outcome != interpreter::Outcome::completed) return true;
  if (report.touched == nullptr) return false;
  return count_written_bytes(*report.touched) == report.bytes_written;
}

}  // namespace lockstep::checkers
