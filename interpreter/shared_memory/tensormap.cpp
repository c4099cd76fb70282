#include "interpreter/shared_memory/tensormap.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/access/block.h"
#include "interpreter/evaluators/descriptor.h"
#include "interpreter/plan/plan_builder.h"

namespace lockstep::interpreter {

namespace {

/// Sizes from the last dimension to the first, strides without that of the last, in bytes.
struct Tensormap {
  Slot base = kNoSlot;
  std::vector<Slot> sizes, strides;
  int bytes = 4;
  bool pads_nan = false;
};

const Step* step_create(Machine& machine, const Step* step) {
  const auto& map = *static_cast<const Tensormap*>(step->record);
  BlockRecord record;
  record.base = machine.slots[map.base].base;
  record.provenance = machine.slots[map.base].provenance;
  record.rank = static_cast<int>(map.sizes.size());
  const std::size_t last = map.sizes.size() - 1;
  for (std::size_t d = 0; d <= last; ++d) {
    record.shape[d] = signed_value(machine, map.sizes[last - d]);
    record.stride[d] = d == last ? 1 : signed_value(machine, map.strides[last - 1 - d]) / map.bytes;
  }
  record.pads_nan = map.pads_nan;
  record.faults = descriptor_faults(record, map.bytes);
  machine.set(step->result, write_record(machine, *step->type, record));
  return step + 1;
}

bool is_scratch(const ir::Value* pointer) {
  return pointer->defining_op() != nullptr && pointer->defining_op()->def().evaluate == evaluate_scratch_of_descriptor;
}

bool take_slots(PlanBuilder& builder, const ir::Op& op, std::size_t group, std::vector<Slot>& out) {
  for (const ir::Value* value : op.operand_group(group)) {
    out.push_back(builder.slot_of(value));
    if (out.back() == kNoSlot) return false;
  }
  return true;
}

}  // namespace

bool evaluate_scratch_of_descriptor(PlanBuilder& builder, const ir::Op& op) {
  for (const ir::Use& use : op.result()->uses()) {
    const ir::EvaluateHook hook = use.user->def().evaluate;
    if (hook != evaluate_tensormap_create && hook != evaluate_tensormap_acquire && hook != evaluate_tensormap_use)
      return builder.unsupported(op, "scratch memory for anything but one descriptor is");
  }
  builder.bind_constant(op.result(), uniform_tile(0));
  return true;
}

bool evaluate_tensormap_create(PlanBuilder& builder, const ir::Op& op) {
  const ir::Value* place = op.operand(0);
  if (!is_scratch(place)) return builder.unsupported(op, "descriptors at computed addresses are");
  for (const ir::Use& use : place->uses()) {
    if (use.user->def().evaluate != evaluate_tensormap_use) continue;
    const ir::Type block = use.user->result()->type().pointee();
    Tensormap map;
    map.base = builder.operand(op, 1);
    map.bytes = size_bytes(*block.element().scalar_kind());
    map.pads_nan = op.integer_attribute("fill_mode", 0) == 1;
    const Slot made = builder.slot_of(use.user->result());
    if (map.base == kNoSlot || made == kNoSlot) return false;
    if (!take_slots(builder, op, 3, map.sizes) || !take_slots(builder, op, 4, map.strides)) return false;
    if (map.sizes.size() != block.shape().size() || map.strides.size() + 1 != map.sizes.size())
      return builder.error(op, "the descriptor and its use do not have the same rank");
    Step& step = builder.append_bare(step_create, op);
    step.result = made;
    step.type = builder.type(made);
    step.record = builder.record(std::move(map));
  }
  return true;
}

bool evaluate_tensormap_acquire(PlanBuilder&, const ir::Op&) { return true; }

bool evaluate_tensormap_use(PlanBuilder& builder, const ir::Op& op) {
  if (!is_scratch(op.operand(0))) return builder.unsupported(op, "descriptors at computed addresses are");
  return builder.slot_of(op.result()) != kNoSlot;
}

}  // namespace lockstep::interpreter
