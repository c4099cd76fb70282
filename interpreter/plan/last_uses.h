// LastUses: the op after which a value of a block is no longer needed. A value that another block uses has none. Not
// here: whether its slot may be released (value_slots.h).
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/op.h"

namespace lockstep::interpreter {

class LastUses {
 public:
  /// For the values that the block makes.
  void find(const ir::Block& block);
  /// True if `op` itself uses the value, and nothing does after it.
  bool is_last(const ir::Value* value, const ir::Op& op) const;
  /// The values that regions of `op` use, and nothing does after it.
  const std::vector<const ir::Value*>& nested_at(const ir::Op& op) const;

 private:
  struct LastUse {
    const ir::Op* op = nullptr;
    bool is_nested = false;
  };
  std::unordered_map<const ir::Op*, std::size_t> op_order_;  // within its block
  std::unordered_map<const ir::Value*, LastUse> last_use_;
  std::unordered_map<const ir::Op*, std::vector<const ir::Value*>> nested_;
};

}  // namespace lockstep::interpreter
