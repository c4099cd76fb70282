// A block outside any op, for code without a known place (branches whose results must be found first) or for a dry run
// (which finds a loop's carried values). It destroys its remaining ops when it goes out of scope.
#pragma once

#include "ir/op.h"

namespace lockstep::frontend {

class DetachedBlock {
 public:
  DetachedBlock() : region_(nullptr), block_(&region_.add_block()) {}
  DetachedBlock(const DetachedBlock&) = delete;
  DetachedBlock& operator=(const DetachedBlock&) = delete;
  ~DetachedBlock() {
    for (const auto& op : block_->ops()) op->drop_all_references();
  }
  ir::Block& block() { return *block_; }
  /// Moves all ops to the end of `target`.
  void move_to(ir::Block& target) {
    while (!block_->ops().empty()) target.append(block_->ops().front()->detach());
  }

 private:
  ir::Region region_;
  ir::Block* block_;
};

}  // namespace lockstep::frontend
