// The meaning of element-wise ops, as records of kernels. Not here: running them (elementwise.h), how a row names its
// loops (loops.h).
#pragma once

#include <array>
#include <optional>

#include "interpreter/evaluators/elementwise.h"
#include "ir/op.h"
#include "support/target_profile.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// The elementwise meaning of an op for the given operand and result types (which may be a lifted scalar op's); nullopt
/// when the op is not elementwise or has no kernel for these kinds.
std::optional<Elementwise> elementwise_of(const ir::Op& op, const std::array<const TileType*, 3>& operands,
                                          const TileType* result, const TargetProfile& profile = {});

/// The binary kernel op that an op is, for reductions and scans; nullopt if it is none.
std::optional<kernels::Binary> binary_kernel_of(const ir::Op& op);

// Hooks of rows.
bool evaluate_elementwise(PlanBuilder& builder, const ir::Op& op);
bool evaluate_addptr(PlanBuilder& builder, const ir::Op& op);
bool evaluate_sincos(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
