// Steps of products and of ops on tensor descriptors for tiles without a value in the IR: what ops of TTGIR bring to
// buffers and take from them. Rules: those of the ops on tiles (descriptor.cpp, dot.cpp).
#pragma once

#include <cstdint>

#include "interpreter/plan/plan.h"
#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// Operand 0 of the op is the descriptor, operand group 1 has the block's first coordinates. Each appends one step;
/// false: diagnosed.
bool plan_descriptor_read(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot result);
/// The value is dead afterwards.
bool plan_descriptor_write(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot value);
/// By the op's attribute `kind`; the value is dead afterwards.
bool plan_descriptor_update(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot value);
/// The same for rows of the tensor: operand 1 has their numbers, operand 2 the first column.
bool plan_rows_read(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot result);
bool plan_rows_write(PlanBuilder& builder, const ir::Op& op, const TileType& tile, Slot value);

struct DotFacts {
  bool left_is_outside = false, right_is_outside = false;  // made before the loop around the product
  std::int64_t precision = 2;                              // where the op does not say: inputPrecision's number
};
/// A step without operands.
Step& append_dot(PlanBuilder& builder, const ir::Op& op);
/// Plans the product of operands 0 and 1 plus operand 2 of the step, of step.type. False: diagnosed.
bool plan_dot(PlanBuilder& builder, const ir::Op& op, Step& step, const DotFacts& facts);

}  // namespace lockstep::interpreter
