// Integers and truth values that depend on uncertain floats: an interval as long as nothing can wrap, else unbounded.
// The interpreter computes certain values, which never come here.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_integer(EncloseContext& context, const ir::Op& op);
bool enclose_compare_integers(EncloseContext& context, const ir::Op& op);
bool enclose_number_cast(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
