// What is inside what. Not here: whether control comes there (reachable_blocks.h), dominance.
#pragma once

#include "ir/op.h"

namespace lockstep::ir {

/// In a region of `around`, however deep; not the op itself (MLIR's isProperAncestor).
inline bool is_inside(const Op& op, const Op& around) {
  const Op* at = op.parent_op();
  while (at != nullptr && at != &around) at = at->parent_op();
  return at != nullptr;
}

/// Where the value is made; null: by an op that stands nowhere.
inline const Block* block_of(const Value& value) {
  return value.defining_op() != nullptr ? value.defining_op()->block() : value.owner_block();
}

/// A result of an op inside `around`, or an argument of a block inside.
inline bool is_inside(const Value& value, const Op& around) {
  const Block* block = block_of(value);
  const Op* at = block != nullptr ? block->parent_op() : nullptr;
  return at != nullptr && (at == &around || is_inside(*at, around));
}

}  // namespace lockstep::ir
