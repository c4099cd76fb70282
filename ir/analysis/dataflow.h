// ForwardAnalysis: what is known of each value by those that it is made from, as the least fixed point of what an
// analysis says of one op (MLIR's SparseForwardDataFlowAnalysis). Ops are visited in the order of the text, then again
// those of whose operands more is known. Invariant: a state only grows, so the order of visits does not show in the
// result. Not here: which values are reached at all (value_slice.h); what must see several ops at once, or how often a
// loop turns.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "ir/interfaces/region_branch.h"
#include "ir/op.h"

namespace lockstep::ir {

/// `State`: `bool join(const State& other)` makes it hold for either, and says whether that changed it. A value
/// without a state is known to nobody yet: the bottom of the lattice. There is no infinite chain of joins.
template <typename State>
class ForwardAnalysis {
 public:
  /// Null: nothing was said of it.
  const State* find(const Value& value) const {
    const auto found = states_.find(&value);
    return found != states_.end() ? &found->second : nullptr;
  }
  const std::unordered_map<const Value*, State>& states() const { return states_; }

 protected:
  ForwardAnalysis() = default;
  ~ForwardAnalysis() = default;

  /// The op and all inside, until nothing changes.
  void run(const Op& root) {
    collect(root);
    do {
      goes_back_ = false;
      for (now_ = 0; now_ < ops_.size(); ++now_) {
        if (!is_open_[now_]) continue;
        is_open_[now_] = false;
        visit(*ops_[now_]);
        for (const RegionEdge& edge : successor_edges(*ops_[now_])) hand_on(edge);
      }
    } while (goes_back_);
  }

  /// Joins into the op's results what follows from its operands. Control flow comes after it, by hand_on().
  virtual void visit(const Op& op) = 0;
  /// A way that control goes on from an op.
  virtual void hand_on(const RegionEdge& edge) {
    for (std::size_t i = 0; i < edge.count; ++i) {
      if (const State* state = find(*edge.source(i))) join(*edge.target(i), *state);
    }
  }
  /// False: what is inside the op stays out of the analysis.
  virtual bool enters(const Op&) const { return true; }

  void join(const Value& value, const State& state) {
    const auto [at, is_new] = states_.try_emplace(&value, state);
    if (!is_new && !at->second.join(state)) return;
    for (const Use& use : value.uses()) {
      const auto user = numbers_.find(use.user);
      if (user == numbers_.end()) continue;
      is_open_[user->second] = true;
      goes_back_ = goes_back_ || user->second <= now_;
    }
  }

 private:
  void collect(const Op& op) {
    numbers_.emplace(&op, ops_.size());
    ops_.push_back(&op);
    is_open_.push_back(true);
    if (!enters(op)) return;
    for (const auto& region : op.regions()) {
      for (const auto& block : region->blocks()) {
        for (const auto& inner : block->ops()) collect(*inner);
      }
    }
  }

  std::unordered_map<const Value*, State> states_;
  std::vector<const Op*> ops_;  // in the order of the text
  std::unordered_map<const Op*, std::size_t> numbers_;
  std::vector<bool> is_open_;  // of more operands more is known
  std::size_t now_ = 0;
  bool goes_back_ = false;  // an op before `now_` is open
};

}  // namespace lockstep::ir
