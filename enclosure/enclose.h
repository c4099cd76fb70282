// The `enclose` hooks of the ops' rows: each sets bounds of an op's results that hold for every legal execution, as
// docs/differential.md says. Rows name the hook of their op; families share one. Invariant: sound; a hook returns false
// where it knows nothing, and the results are then unbounded. What is rounded where follows docs/semantics.md.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

/// Points stay points; nothing is known of anything else.
bool enclose_points(EncloseContext& context, const ir::Op& op);
/// Regions, branches, calls: the run itself follows them (shadow_plan.cpp).
bool enclose_control(EncloseContext& context, const ir::Op& op);
bool enclose_memory(EncloseContext& context, const ir::Op& op);

// enclosure_float.cpp
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
bool enclose_copied_sign(EncloseContext& context, const ir::Op& op);
bool enclose_float_cast(EncloseContext& context, const ir::Op& op);
bool enclose_compare_floats(EncloseContext& context, const ir::Op& op);
bool enclose_nan_test(EncloseContext& context, const ir::Op& op);
bool enclose_select(EncloseContext& context, const ir::Op& op);

// enclosure_integer.cpp
bool enclose_integer(EncloseContext& context, const ir::Op& op);
bool enclose_compare_integers(EncloseContext& context, const ir::Op& op);
bool enclose_number_cast(EncloseContext& context, const ir::Op& op);

// enclosure_bits.cpp
bool enclose_bits(EncloseContext& context, const ir::Op& op);  // and, or, xor of numbers; shifts
bool enclose_bitcast(EncloseContext& context, const ir::Op& op);

// enclosure_asm.cpp
bool enclose_inline_asm(EncloseContext& context, const ir::Op& op);

// enclosure_math.cpp
bool enclose_angle(EncloseContext& context, const ir::Op& op);
bool enclose_power(EncloseContext& context, const ir::Op& op);  // also whole exponents
bool enclose_sincos(EncloseContext& context, const ir::Op& op);  // functions of one number: enclosure/functions.h
bool enclose_extern(EncloseContext& context, const ir::Op& op);

// enclosure_shape.cpp
bool enclose_shape(EncloseContext& context, const ir::Op& op);

// enclosure_reduce.cpp, enclosure_dot.cpp
bool enclose_reduce(EncloseContext& context, const ir::Op& op);
bool enclose_scan(EncloseContext& context, const ir::Op& op);
bool enclose_map(EncloseContext& context, const ir::Op& op);
bool enclose_dot(EncloseContext& context, const ir::Op& op);
bool enclose_dot_scaled(EncloseContext& context, const ir::Op& op);  // enclosure_dot_scaled.cpp

}  // namespace lockstep::compare
