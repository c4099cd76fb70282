// Integers and truth values that hang on uncertain floats: an interval as long as nothing can wrap, else unbounded.
// Whatever is certain was computed by the interpreter and never comes here.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_integer(EncloseContext& context, const ir::Op& op);
bool enclose_compare_integers(EncloseContext& context, const ir::Op& op);
bool enclose_number_cast(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
