#include "backend_cuda/layout/axis_analysis.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "backend_cuda/layout/axis_rules.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/check.h"

namespace lockstep::backend_cuda {
namespace {

// A value that changes in a loop settles after a few rounds: each meet halves something, or changes nothing.
constexpr int kMaxRounds = 64;

std::int64_t gcd(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }

}  // namespace

AxisAnalysis::AxisAnalysis(const ir::Op& function) {
  const ir::Region& region = function.region();
  if (region.empty()) return;
  for (const auto& argument : region.front().arguments()) {
    AxisInfo info = unknown_info(argument->type());
    if (const auto divisor = argument_divisibility(function, argument->index())) info.divisibility[0] = *divisor;
    set(argument.get(), info);
  }
  for (int round = 0; round < kMaxRounds; ++round) {
    bool has_changed = false;
    for (const auto& block : region.blocks()) {
      if (block != region.blocks().front()) {
        for (const auto& argument : block->arguments()) set(argument.get(), unknown_info(argument->type()));
      }
      has_changed |= visit_block(*block);
    }
    if (!has_changed) return;
  }
}

const AxisInfo& AxisAnalysis::of(const ir::Value* value) const {
  const auto found = info_.find(value);
  LOCKSTEP_CHECK(found != info_.end(), "a value without axis information");
  return found->second;
}

bool AxisAnalysis::set(const ir::Value* value, AxisInfo info) {
  const auto [place, is_new] = info_.try_emplace(value, info);
  if (is_new) return true;
  if (place->second == info) return false;
  place->second = std::move(info);
  return true;
}

bool AxisAnalysis::meet(const ir::Value* value, const AxisInfo& info) {
  const auto [place, is_new] = info_.try_emplace(value, info);
  if (is_new) return true;
  AxisInfo met = meet_infos(place->second, info);
  if (met == place->second) return false;
  place->second = std::move(met);
  return true;
}

bool AxisAnalysis::visit_block(const ir::Block& block) {
  bool has_changed = false;
  for (const auto& op : block.ops()) has_changed |= op->regions().empty() ? visit_op(*op) : visit_region_op(*op);
  return has_changed;
}

bool AxisAnalysis::visit_op(const ir::Op& op) {
  bool has_changed = false;
  std::vector<const AxisInfo*> operands;
  for (const ir::Value* operand : op.operands()) operands.push_back(&of(operand));
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    AxisInfo info = i == 0 ? infer(op, operands) : unknown_info(op.result(i)->type());
    apply_hints(op, info);
    has_changed |= set(op.result(i), std::move(info));
  }
  return has_changed;
}

// Arguments of a loop's body combine the entering values and the carried ones; results combine the yields of all exits.
bool AxisAnalysis::visit_region_op(const ir::Op& op) {
  bool has_changed = false;
  const bool is_loop = ir::is_loop(op), is_counted = ir::is_counted_loop(op);
  const std::size_t first_init = is_loop ? ir::deciding_operands(op) : 0;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      const std::size_t induction = is_counted ? 1 : 0;
      for (const auto& argument : block->arguments()) {
        const std::size_t carried = argument->index() - induction;
        const bool is_carried = is_loop && argument->index() >= induction && region == op.regions().front() &&
                                first_init + carried < op.operand_count();
        has_changed |= is_carried ? meet(argument.get(), of(op.operand(first_init + carried)))
                                  : meet(argument.get(), region_argument_info(op, *argument));
      }
      has_changed |= visit_block(*block);
      const ir::Op* end = block->terminator();
      if (end == nullptr) continue;
      const bool ends_loop = is_counted || (is_loop && region == op.regions().back());
      const std::size_t skipped = ir::deciding_operands(*end);
      for (std::size_t i = skipped; i < end->operand_count(); ++i) {
        const std::size_t place = i - skipped;
        const AxisInfo info = of(end->operand(i));
        if (ends_loop && place + induction < op.region(0).front().arguments().size()) {
          has_changed |= meet(op.region(0).front().argument(place + induction), info);
        }
        if (place < op.result_count() && ir::is_structured(op)) has_changed |= meet(op.result(place), info);
      }
    }
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (!ir::is_structured(op)) {
      has_changed |= set(op.result(i), unknown_info(op.result(i)->type()));
    } else if (is_counted) {
      has_changed |= meet(op.result(i), of(op.operand(first_init + i)));
    }
  }
  return has_changed;
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

}  // namespace lockstep::backend_cuda
