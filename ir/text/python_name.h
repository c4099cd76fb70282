// What an op is called in the kernel's own language, where one call made it.
#pragma once

#include <string>

#include "ir/op.h"

namespace lockstep::ir {

/// "tl.exp" of math.exp; an op that no single name stands for keeps the IR's.
std::string python_name(const Op& op);

}  // namespace lockstep::ir
