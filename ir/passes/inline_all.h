// Inlining for backends without calls: as inline_calls (passes.h), with the bodies of noinline functions too. Calls of
// functions without a body, recursive calls and calls that would put several blocks into a region of one stay.
#pragma once

#include "ir/module.h"

namespace lockstep::ir::passes {

void inline_all_calls(Module& module);

}  // namespace lockstep::ir::passes
