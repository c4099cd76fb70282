#include "interpreter/plan/simple_ops.h"

#include <cstring>

#include "interpreter/launch/machine.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/structure.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

const Step* step_program_id(Machine& machine, const Step* step) {
  const auto axis = reinterpret_cast<std::uintptr_t>(step->record);
  machine.slots[step->result].base = static_cast<std::uint32_t>(machine.program->id[axis]);
  return step + 1;
}

const Step* step_num_programs(Machine& machine, const Step* step) {
  const auto axis = reinterpret_cast<std::uintptr_t>(step->record);
  machine.slots[step->result].base = static_cast<std::uint32_t>(machine.launch.grid[axis]);
  return step + 1;
}

const Step* step_cycle_free(Machine& machine, const Step* step) { return machine.finish(step); }

/// Dense constants live in the plan, 64-byte aligned, for as long as it does.
Tile dense_constant(PlanBuilder& builder, const ir::Attribute& value, const TileType& type) {
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  const auto bytes = static_cast<std::size_t>(type.bytes());
  auto* lines = builder.record(std::vector<Line>((bytes + 63) / 64));
  std::memcpy(lines->data(), value->data.data(), bytes);
  Tile tile;
  tile.form = Form::dense;
  tile.is_contiguous = true;
  tile.base = reinterpret_cast<std::uint64_t>(lines->data());
  set_row_major(type, tile.stride);
  return tile;
}

}  // namespace

bool evaluate_constant(PlanBuilder& builder, const ir::Op& op) {
  const TileType* type = builder.tile_type(op.result(0)->type(), op);
  if (type == nullptr) return false;
  const ir::Attribute value = op.attribute("value");
  if (!value) return builder.error(op, "has no value");
  Tile tile;
  if (value.is_integer()) {
    tile.base = truncate_bits(type->kind, static_cast<std::uint64_t>(value->integer));
  } else if (value.is_float()) {
    tile.base = truncate_bits(type->kind, value->float_bits);
  } else if (value.is_dense()) {
    const auto element = static_cast<std::size_t>(type->element_bytes);
    const std::size_t needed = value->is_splat ? element : static_cast<std::size_t>(type->bytes());
    if (value->data.size() < needed) return builder.error(op, "its data is too short");
    if (value->is_splat) {
      std::memcpy(&tile.base, value->data.data(), element);
    } else {
      tile = dense_constant(builder, value, *type);
    }
  } else {
    return builder.unsupported(op, "constants of this kind are");
  }
  builder.bind_constant(op.result(0), tile);
  return true;
}

// A poison value may be anything; zero is a valid choice, and the same everywhere.
bool evaluate_poison(PlanBuilder& builder, const ir::Op& op) {
  if (builder.tile_type(op.result(0)->type(), op) == nullptr) return false;
  builder.bind_constant(op.result(0), uniform_tile(0));
  return true;
}

bool evaluate_program_info(PlanBuilder& builder, const ir::Op& op) {
  const bool is_id = ir::is_program_id(op);
  Step* step = builder.append_with_result(is_id ? step_program_id : step_num_programs, op);
  if (step == nullptr) return false;
  const auto axis = op.integer_attribute("axis", 0);
  if (axis < 0 || axis > 2) return builder.error(op, "the axis must be 0, 1 or 2");
  step->record = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(axis));
  return true;
}

bool evaluate_make_range(PlanBuilder& builder, const ir::Op& op) {
  const TileType* type = builder.tile_type(op.result(0)->type(), op);
  if (type == nullptr) return false;
  const std::int64_t start = op.integer_attribute("start", 0), end = op.integer_attribute("end", type->count);
  if (type->rank() != 1 || end - start != type->count)
    return builder.error(op, "the range does not have the result's size");
  AffineView view;
  view.base = start;
  view.stride[0] = 1;
  Tile tile;
  if (!from_affine(view, *type, tile)) return builder.error(op, "the range leaves its type");
  builder.bind_constant(op.result(0), tile);
  return true;
}

bool evaluate_nothing(PlanBuilder& builder, const ir::Op& op) {
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    if (builder.operand(op, i) == kNoSlot) return false;
  }
  builder.append(step_cycle_free, op);
  return true;
}

}  // namespace lockstep::interpreter
