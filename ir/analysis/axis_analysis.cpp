#include "ir/analysis/axis_analysis.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "ir/analysis/axis_rules.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

std::int64_t gcd(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }

/// The body's arguments that become what the op begins with and what comes round. Of an open loop's second region
/// nothing is known.
bool is_carried(const ir::Op& op, const ir::Value& argument) {
  return ir::is_loop(op) && argument.owner_block()->parent() == op.regions().front().get() &&
         !ir::is_induction_variable(argument);
}

}  // namespace

AxisAnalysis::AxisAnalysis(const ir::Op& function) { run(function); }

const AxisInfo& AxisAnalysis::of(const ir::Value* value) const {
  const AxisInfo* found = find(*value);
  LOCKSTEP_CHECK(found != nullptr, "a value without axis information");
  return *found;
}

void AxisAnalysis::visit(const ir::Op& op) {
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& argument : block->arguments()) {
        if (!is_carried(op, *argument)) join(*argument, region_argument_info(op, *argument));
      }
    }
  }
  if (!ir::is_structured(op) && op.result_count() != 0) visit_results(op);
}

void AxisAnalysis::visit_results(const ir::Op& op) {
  std::vector<const AxisInfo*> operands;
  for (const ir::Value* operand : op.operands()) operands.push_back(&of(operand));
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const bool is_followed = i == 0 && op.regions().empty();
    AxisInfo info = is_followed ? infer(op, operands) : unknown_info(op.result(i)->type());
    if (op.regions().empty()) apply_hints(op, info);
    join(*op.result(i), info);
  }
}

std::vector<int> AxisAnalysis::order_of(const ir::Value* pointers) const {
  const AxisInfo& info = of(pointers);
  std::vector<int> order(pointers->type().shape().size());
  std::iota(order.rbegin(), order.rend(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return info.contiguity[static_cast<std::size_t>(a)] > info.contiguity[static_cast<std::size_t>(b)];
  });
  return order;
}

std::int64_t AxisAnalysis::vector_length(const ir::Value* pointers, const ir::Value* mask, int dimension,
                                         int bytes) const {
  const auto d = static_cast<std::size_t>(dimension);
  const AxisInfo& info = of(pointers);
  const std::int64_t aligned = std::max<std::int64_t>(info.divisibility[d] / bytes, 1);
  std::int64_t length = std::min({info.contiguity[d], aligned, std::int64_t{16} / bytes});
  if (mask != nullptr && mask->type().is_tensor()) length = std::min(length, of(mask).constancy[d]);
  return gcd(length, pointers->type().shape()[d]);
}

}  // namespace lockstep::ir
