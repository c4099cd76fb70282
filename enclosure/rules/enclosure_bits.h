// Bits of uncertain numbers: and, or, xor, shifts, and casts between floats and integers of one width. The numbers of
// an interval of one sign share the bits above the highest one in which its ends differ; lower bits may be anything.
// Mixed signs and numbers that do not fit are unbounded. Truth values: enclosure_integer.cpp.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_bits(EncloseContext& context, const ir::Op& op);  // and, or, xor of numbers; shifts
bool enclose_bitcast(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
