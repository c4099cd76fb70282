// What each op does to AxisInfo: the transfer functions of AxisAnalysis. An op without a rule keeps only the facts of
// any function of equal operands (constancy).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/analysis/axis_info.h"
#include "ir/op.h"

namespace lockstep::ir {

/// Nothing is known: all 1.
AxisInfo unknown_info(ir::Type type);
/// Result 0 of an op without regions.
AxisInfo infer(const ir::Op& op, const std::vector<const AxisInfo*>& operands);
/// tt.divisibility, tt.contiguity and tt.constancy on the op.
void apply_hints(const ir::Op& op, AxisInfo& info);
/// Of a region's argument that no operand of the op is passed to: the function's own, the induction variable.
AxisInfo region_argument_info(const ir::Op& op, const ir::Value& argument);

}  // namespace lockstep::ir
