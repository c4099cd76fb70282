// Every op at and inside an op, in the order of the text: the op itself, then the ops of its regions.
#pragma once

#include "ir/op.h"

namespace lockstep::ir {

template <typename Visit>
void walk(const Op& op, Visit&& visit) {
  visit(op);
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) walk(*inner, visit);
    }
  }
}

}  // namespace lockstep::ir
