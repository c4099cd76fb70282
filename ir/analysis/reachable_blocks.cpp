#include "ir/analysis/reachable_blocks.h"

namespace lockstep::ir {

Worklist<const Block*> reachable_blocks(const Block& from) {
  Worklist<const Block*> blocks;
  for (const Block* at = &from; at != nullptr; at = blocks.next().value_or(nullptr)) {
    const Op* last = at->terminator();
    if (last == nullptr) continue;
    for (const Successor& successor : last->successors()) blocks.add(successor.block);
  }
  return blocks;
}

}  // namespace lockstep::ir
