// Definitions: which values of a kernel a Python variable stands for. Triton names all values of an assignment's right
// side after its target, in each frame of inlined calls, so that a line makes many values of one name. Here it is said
// which of them the variable got. Not here: which of several definitions a person means (frame.h).
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "debugger/engine/points.h"

namespace lockstep::debugger {

/// Ops of a kernel, once each, in the order of the text.
Definitions find_definitions(const std::vector<const ir::Op*>& ops);

}  // namespace lockstep::debugger
