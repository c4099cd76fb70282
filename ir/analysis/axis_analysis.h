// AxisAnalysis: the AxisInfo of every value of a function, and its consequences for accesses. Not here: the rules of
// single ops (axis_rules.h).
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analysis/axis_info.h"
#include "ir/analysis/dataflow.h"
#include "ir/op.h"

namespace lockstep::ir {

class AxisAnalysis final : private ir::ForwardAnalysis<AxisInfo> {
 public:
  /// Analyses all values of a function.
  explicit AxisAnalysis(const ir::Op& function);
  const AxisInfo& of(const ir::Value* value) const;
  /// Dimensions of a pointer tile, the one with the longest runs of consecutive addresses first; ties: last first.
  std::vector<int> order_of(const ir::Value* pointers) const;
  /// How many elements along the first dimension of `order` are adjacent and aligned in memory for an access of at most
  /// 16 bytes with elements of `bytes`; `mask` may be null.
  std::int64_t vector_length(const ir::Value* pointers, const ir::Value* mask, int dimension, int bytes) const;

 private:
  void visit(const ir::Op& op) override;
  void visit_results(const ir::Op& op);
};

}  // namespace lockstep::ir
