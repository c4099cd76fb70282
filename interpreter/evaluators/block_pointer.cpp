// Block pointers (Triton up to 3.7): tt.make_tensor_ptr, tt.advance, and tt.load and tt.store through them. Only the
// dimensions that boundaryCheck names are checked, against 0 and the extent; the others are raw accesses under the
// argument's own bounds. Rule S-60.
#include "interpreter/evaluators/block_pointer.h"

#include "interpreter/access/block.h"
#include "interpreter/access/block_bounds.h"
#include "interpreter/batching/effects.h"
#include "interpreter/plan/plan_builder.h"

namespace lockstep::interpreter {

namespace {

const Step* step_make_pointer(Machine& machine, const Step* step) {
  const BlockRecord record = record_of(machine, *static_cast<const BlockSlots*>(step->record));
  machine.set(step->result, write_record(machine, *step->type, record));
  return step + 1;
}

const Step* step_advance(Machine& machine, const Step* step) {
  const auto& by = *static_cast<const std::vector<Slot>*>(step->record);
  BlockRecord record = read_record(machine, machine.slots[step->operand[0]], *step->type);
  for (std::size_t d = 0; d < by.size(); ++d) {
    record.offset[d] = static_cast<std::int64_t>(static_cast<std::uint64_t>(record.offset[d]) +
                                                 static_cast<std::uint64_t>(signed_value(machine, by[d])));
  }
  machine.set(step->result, write_record(machine, *step->type, record));
  return machine.finish(step);
}

struct BlockAccess {
  BlockShape shape;
  std::uint32_t checked = 0;  // bit d: dimension d
  bool pads_nan = false;
  BlockBounds bounds;
};

const Step* step_block_load(Machine& machine, const Step* step) {
  const auto& block = *static_cast<const BlockAccess*>(step->record);
  const BlockRecord record = read_record(machine, machine.slots[step->operand[0]], machine.type_of(step->operand[0]));
  if (block.bounds.is_inside(record, block.shape.block))
    return load_block(machine, step, block.shape, record, block.checked, block.pads_nan);
  std::string guard;
  const BlockShape judged = judge_block(machine, step, block.shape, record, block.bounds, guard);
  return load_block(machine, step, judged, record, block.checked, block.pads_nan);
}

const Step* step_block_store(Machine& machine, const Step* step) {
  const auto& block = *static_cast<const BlockAccess*>(step->record);
  const BlockRecord record = read_record(machine, machine.slots[step->operand[0]], machine.type_of(step->operand[0]));
  if (block.bounds.is_inside(record, block.shape.block))
    return store_block(machine, step, block.shape, record, block.checked);
  std::string guard;
  const BlockShape judged = judge_block(machine, step, block.shape, record, block.bounds, guard);
  return store_block(machine, step, judged, record, block.checked);
}

/// "; boundaryCheck covers dimension 0 only": a finding's text about the guard of an access.
std::string guard_text(std::uint32_t checked, std::size_t rank) {
  std::string dimensions;
  for (std::size_t d = 0; d < rank; ++d) {
    if ((checked >> d & 1) != 0) dimensions += (dimensions.empty() ? "" : ",") + std::to_string(d);
  }
  if (dimensions.empty()) return "no boundaryCheck";
  const bool is_all = checked == (1u << rank) - 1;
  return is_all ? "boundaryCheck covers every dimension: the block pointer's shape is larger than the tensor"
                : "boundaryCheck covers only dimension " + dimensions;
}

bool plan_access(PlanBuilder& builder, const ir::Op& op, const TileType& tile, BlockAccess& out) {
  const ir::Type block = op.operand(0)->type().pointee();
  if (!plan_block_shape(builder, op, block, tile, out.shape)) return false;
  if (const ir::Attribute checked = op.attribute("boundaryCheck")) {
    for (const std::int64_t d : checked->values) {
      if (d < 0 || d >= static_cast<std::int64_t>(block.shape().size()))
        return builder.error(op, "boundaryCheck names a dimension that the block does not have");
      out.checked |= 1u << d;
    }
  }
  out.shape.access.guard = *builder.record(guard_text(out.checked, block.shape().size()));
  out.bounds = plan_block_bounds(op, out.checked);
  return true;
}

constexpr std::int64_t kPadNan = 2;

}  // namespace

bool evaluate_make_tensor_ptr(PlanBuilder& builder, const ir::Op& op) {
  const std::size_t rank = op.result(0)->type().pointee().shape().size();
  BlockSlots making;
  making.base = builder.operand(op, 0);
  const Slot result = builder.result(op);
  if (making.base == kNoSlot || result == kNoSlot) return false;
  if (!plan_block_slots(builder, op, rank, true, making)) return false;
  Step& step = builder.append_bare(step_make_pointer, op);
  step.result = result;
  step.type = builder.type(result);
  step.record = builder.record(std::move(making));
  return true;
}

bool evaluate_advance(PlanBuilder& builder, const ir::Op& op) {
  std::vector<Slot> by;
  if (!dimension_slots(builder, op, 1, op.result(0)->type().pointee().shape().size(), by)) return false;
  const Slot from = builder.operand(op, 0), result = builder.result(op);
  if (from == kNoSlot || result == kNoSlot) return false;
  Step& step = builder.append_bare(step_advance, op);
  step.operand[0] = from;
  step.operand_count = 1;
  step.dies = builder.dies_at(op.operand(0), op) ? 1 : 0;
  step.result = result;
  step.type = builder.type(result);
  step.record = builder.record(std::move(by));
  return true;
}

bool evaluate_block_load(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_block_load, op);
  if (step == nullptr) return false;
  if (op.operand_count() > 1) return builder.error(op, "a block pointer takes no mask");
  BlockAccess access;
  if (!plan_access(builder, op, *step->type, access)) return false;
  access.pads_nan = op.integer_attribute("padding", 1) == kPadNan;
  access.shape.access.is_observed = is_volatile_load(op) || is_in_open_loop(op);
  step->record = builder.record(std::move(access));
  return true;
}

bool evaluate_block_store(PlanBuilder& builder, const ir::Op& op) {
  Step& step = builder.append(step_block_store, op);
  if (step.operand[0] == kNoSlot || step.operand[1] == kNoSlot) return false;
  if (op.operand_count() > 2) return builder.error(op, "a block pointer takes no mask");
  BlockAccess access;
  if (!plan_access(builder, op, *builder.type(step.operand[1]), access)) return false;
  access.shape.access.is_write = true;
  step.record = builder.record(std::move(access));
  return true;
}

}  // namespace lockstep::interpreter
