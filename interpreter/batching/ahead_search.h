// Finds the ahead part of a kernel (ahead_part.h).
#pragma once

#include "interpreter/batching/ahead_part.h"
#include "ir/module.h"

namespace lockstep::interpreter {

/// Empty unless programs of the kernel may wait for each other.
AheadPart find_ahead_part(const ir::Module& module, const ir::Op& function, const MemoryEffects& effects);

}  // namespace lockstep::interpreter
