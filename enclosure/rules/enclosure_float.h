// Float arithmetic, comparison and selection: one operation, rounded once, on every pair of numbers within the
// operands' bounds. Rounding to nearest is monotone, so the rounded ends of the exact range are the range of the
// rounded results. Products keep the unrounded range as well (S-78); division has the row's bound (S-35).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

/// Points stay points; everything else is unknown.
bool enclose_points(EncloseContext& context, const ir::Op& op);
/// Regions, branches, calls: the run itself handles them (shadow_plan.cpp).
bool enclose_control(EncloseContext& context, const ir::Op& op);
bool enclose_memory(EncloseContext& context, const ir::Op& op);
bool enclose_constant(EncloseContext& context, const ir::Op& op);
bool enclose_sum(EncloseContext& context, const ir::Op& op);
bool enclose_product(EncloseContext& context, const ir::Op& op);
bool enclose_quotient(EncloseContext& context, const ir::Op& op);
bool enclose_precise_quotient(EncloseContext& context, const ir::Op& op);
bool enclose_approximate_quotient(EncloseContext& context, const ir::Op& op);
bool enclose_remainder(EncloseContext& context, const ir::Op& op);
bool enclose_fma(EncloseContext& context, const ir::Op& op);
bool enclose_extremum(EncloseContext& context, const ir::Op& op);
bool enclose_clamp(EncloseContext& context, const ir::Op& op);
bool enclose_sign(EncloseContext& context, const ir::Op& op);  // negf, absf
bool enclose_flush(EncloseContext& context, const ir::Op& op);  // flush_denormals
bool enclose_copied_sign(EncloseContext& context, const ir::Op& op);
bool enclose_float_cast(EncloseContext& context, const ir::Op& op);
bool enclose_compare_floats(EncloseContext& context, const ir::Op& op);
bool enclose_nan_test(EncloseContext& context, const ir::Op& op);
bool enclose_select(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
