// A block outside any op, for code whose place is not known yet (branches whose results must first be found) or that is
// thrown away (the dry run that finds what a loop carries). What is still in it when it goes out of scope is destroyed.
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
