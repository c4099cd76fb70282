// Which blocks control may come to. Not here: the order of blocks and dominance (ir/verify/dominance.h).
#pragma once

#include "ir/analysis/worklist.h"
#include "ir/op.h"

namespace lockstep::ir {

/// From a block along one branch or more, which may lead back to it.
Worklist<const Block*> reachable_blocks(const Block& from);

}  // namespace lockstep::ir
