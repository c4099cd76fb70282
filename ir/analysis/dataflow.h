// ForwardAnalysis: what is known of each value by those that it is made from, as the least fixed point of what an
// analysis says of one op (MLIR's SparseForwardDataFlowAnalysis). Ops are visited in the order of the text, all of them
// again only where a loop or a branch brings more to what came before. Invariant: a state only grows, so the order of
// visits does not show in the result. Not here: which values are reached at all (value_slice.h); what must see several
// ops at once, or how often a loop turns.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "ir/interfaces/op_kinds.h"
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
    do {
      goes_again_ = false;
      go_through(root);
    } while (goes_again_);
  }

  /// Joins into the op's results, and the arguments of its regions, what follows from its operands. What control flow
  /// hands on comes after it, by hand_on().
  virtual void visit(const Op& op) = 0;
  virtual void hand_on(const RegionEdge& edge) {
    for (std::size_t i = 0; i < edge.count; ++i) {
      if (const State* state = find(*edge.source(i))) join(*edge.target(i), *state);
    }
  }
  /// False: what is inside the op stays out of the analysis.
  virtual bool enters(const Op&) const { return true; }

  void join(const Value& value, const State& state) {
    const auto [at, is_new] = states_.try_emplace(&value, state);
    const bool has_changed = is_new || at->second.join(state);
    goes_again_ = goes_again_ || (has_changed && (leads_back_ || has_branches_));
  }

 private:
  void go_through(const Op& op) {
    visit(op);
    for (const RegionEdge& edge : successor_edges(op)) {
      leads_back_ = edge.entered != nullptr && is_yield(op);
      hand_on(edge);
    }
    leads_back_ = false;
    if (!enters(op)) return;
    for (const auto& region : op.regions()) {
      has_branches_ = has_branches_ || region->blocks().size() > 1;
      for (const auto& block : region->blocks()) {
        for (const auto& inner : block->ops()) go_through(*inner);
      }
    }
  }

  std::unordered_map<const Value*, State> states_;
  bool leads_back_ = false;    // to the beginning of a loop's body
  bool has_branches_ = false;  // blocks may stand before those that come before them
  bool goes_again_ = false;
};

}  // namespace lockstep::ir
