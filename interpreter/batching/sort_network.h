// Sorting networks: Triton's tl.sort and tl.topk write every step of a bitonic network as ten ops (the partner of each
// element by an xor-reduction of pairs, a comparison, an indicator, a select). This file finds them by their dataflow,
// never by a name, and runs them as one kernel. Invariant: a match computes exactly what its ops compute, NaN and ties
// included, and nothing else uses the values in between. Other ops stay as they are.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "interpreter/kernels/ops.h"
#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

class PlanWriter;

/// One step: the select at its end takes the elements of `tile`.
struct ExchangeMatch {
  const ir::Value* tile = nullptr;
  kernels::ExchangeOrder order;
  kernels::CompareExchangeFn run = nullptr;
};

class SortNetworks {
 public:
  /// Finds the steps whose ops are all in the block.
  void find(const ir::Block& block);
  /// The step that ends at the op; null: none.
  const ExchangeMatch* at(const ir::Op& op) const {
    const auto found = matches_.find(&op);
    return found != matches_.end() ? &found->second : nullptr;
  }
  /// The op is part of a step that ends later and needs no step of its own.
  bool is_absorbed(const ir::Op& op) const { return absorbed_.contains(&op); }
  std::size_t size() const { return matches_.size(); }

 private:
  std::unordered_map<const ir::Op*, ExchangeMatch> matches_;
  std::unordered_set<const ir::Op*> absorbed_;
};

/// Appends the step of a match. False: diagnosed.
bool plan_exchange(PlanWriter& writer, const ir::Op& select, const ExchangeMatch& match);
/// True for steps that plan_exchange made. For tests.
bool is_exchange(const Step& step);

}  // namespace lockstep::interpreter
