#include "sanitizer/lanes/update_ops.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "interpreter/access/access_lanes.h"
#include "ir/analysis/value_slice.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::sanitizer {

using interpreter::TouchKind;

namespace {

bool works_by_lanes(const ir::Op& op) {
  return op.def().effects == ir::Effects::pure && op.regions().empty() && op.operand_count() != 0 &&
         (ir::keeps_lanes(op) || ir::moves_lanes(op));
}

/// Appends the values between the load and `value` to `ops`, in the order of computation.
bool follow(const ir::Value& value, const ir::Op& load, LaneUpdate& update,
            std::unordered_map<const ir::Value*, bool>& known) {
  if (const auto found = known.find(&value); found != known.end()) return found->second;
  const ir::Op* op = value.defining_op();
  bool comes = op == &load;
  if (op != nullptr && op != &load && works_by_lanes(*op)) {
    for (const ir::Value* operand : op->operands()) comes |= follow(*operand, load, update, known);
    if (comes && std::find(update.ops.begin(), update.ops.end(), op) == update.ops.end()) update.ops.push_back(op);
  }
  known[&value] = comes;
  if (comes) update.made.insert(&value);
  return comes;
}

/// Lanes clamped to an end do the same as the last lane, which is often intended: such indices are computed, not
/// loaded, with a minimum or a maximum.
bool is_clamped(const ir::Value& pointer) {
  ir::ValueSlice slice(pointer);
  bool has_end = false;
  while (const ir::Value* value = slice.next()) {
    const ir::Op* op = value->defining_op();
    if (op == nullptr) continue;
    if (interpreter::touches_memory(*op)) return false;
    has_end |= ir::is_extremum(op->def().arithmetic) && op->def().numbers != ir::Numbers::floats;
    slice.add_operands(*op);
  }
  return has_end;
}

/// Nothing else uses the loaded numbers or what is computed from them.
bool is_used_here_alone(const LaneUpdate& update) {
  return std::all_of(update.made.begin(), update.made.end(), [&](const ir::Value* value) {
    return std::all_of(value->uses().begin(), value->uses().end(), [&](const ir::Use& use) {
      return use.user == update.store || std::find(update.ops.begin(), update.ops.end(), use.user) != update.ops.end();
    });
  });
}

}  // namespace

std::vector<LaneUpdate> find_updates(const std::vector<LaneAccess>& accesses) {
  std::vector<LaneUpdate> all;
  for (const LaneAccess& access : accesses) {
    if (access.kind != TouchKind::store || !interpreter::moved_value(*access.op).type().is_tensor()) continue;
    for (const ir::Op* load : access.sources) {
      if (interpreter::touch_kind(*load) != TouchKind::load) continue;
      const ir::Value& value = interpreter::moved_value(*access.op);
      LaneUpdate update;
      update.store = access.op;
      update.load = load;
      std::unordered_map<const ir::Value*, bool> known;
      if (!follow(value, *load, update, known) || update.ops.empty()) continue;
      update.is_used_here_alone = is_used_here_alone(update);
      update.is_clamped = is_clamped(*access.op->operand(0));
      update.is_spread = load->result(0)->type().element_count() < value.type().element_count();
      for (const ir::Op* op : update.ops) {
        for (const ir::Value* operand : op->operands()) {
          const bool is_known = std::find(update.leaves.begin(), update.leaves.end(), operand) != update.leaves.end();
          if (!update.made.contains(operand) && !is_known) update.leaves.push_back(operand);
        }
      }
      const auto twice = [&](const LaneUpdate& one) { return one.store == update.store && one.load == update.load; };
      if (std::none_of(all.begin(), all.end(), twice)) all.push_back(std::move(update));
    }
  }
  return all;
}

}  // namespace lockstep::sanitizer
