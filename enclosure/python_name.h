// The name of an op in the kernel's own language, if one call made it. Private to the room.
#pragma once

#include <string>

#include "ir/op.h"

namespace lockstep::enclosure {

/// "tl.exp" for math.exp; an op without a single name keeps the IR's.
std::string python_name(const ir::Op& op);

}  // namespace lockstep::enclosure
