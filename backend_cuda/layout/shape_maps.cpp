// Shape ops as renamings of index bits.
#include <algorithm>

#include "backend_cuda/layout/layout_plan.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

BitMap identity(std::int64_t elements) {
  BitMap map(static_cast<std::size_t>(bits_of(elements)));
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<int>(i);
  return map;
}

// First index bit of every dimension.
std::vector<int> first_bits(const std::vector<std::int64_t>& shape) {
  std::vector<int> first(shape.size());
  int next = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    first[d] = next;
    next += bits_of(shape[d]);
  }
  return first;
}

BitMap broadcast_map(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
  BitMap map;
  int next = 0;
  for (std::size_t d = to.size(); d-- > 0;) {
    for (int i = 0; i < bits_of(to[d]); ++i) map.push_back(from[d] == 1 ? kReplicated : next++);
  }
  return map;
}

BitMap trans_map(const ir::Op& op) {
  const auto& from = op.operand(0)->type().shape();
  const auto& to = op.result()->type().shape();
  const std::vector<int> first = first_bits(from);
  const auto& order = op.attribute("order")->values;
  BitMap map;
  for (std::size_t d = to.size(); d-- > 0;) {
    for (int i = 0; i < bits_of(to[d]); ++i) map.push_back(first[static_cast<std::size_t>(order[d])] + i);
  }
  return map;
}

// Two operands next to each other along index bit `bit` of the result.
ShapeMap paired(std::int64_t elements, int bit, std::size_t operand) {
  ShapeMap map{{}, bit, static_cast<int>(operand)};
  for (int i = 0; i < bits_of(elements); ++i) map.bits.push_back(i == bit ? kReplicated : i < bit ? i : i - 1);
  return map;
}

}  // namespace

std::optional<ShapeMap> shape_map(const ir::Op& op, std::size_t operand) {
  if (op.operand_count() <= operand || op.result_count() == 0) return std::nullopt;
  const ir::Type from = op.operand(operand)->type(), to = op.result()->type();
  switch (op.def().movement) {
    case ir::Movement::expand_dims:
    case ir::Movement::reshape: return ShapeMap{identity(to.element_count()), kReplicated, 0};
    case ir::Movement::broadcast: return ShapeMap{broadcast_map(from.shape(), to.shape()), kReplicated, 0};
    case ir::Movement::transpose: return ShapeMap{trans_map(op), kReplicated, 0};
    case ir::Movement::join: return paired(to.element_count(), 0, operand);
    case ir::Movement::concatenate: return paired(to.element_count(), bits_of(to.element_count()) - 1, operand);
    default: return std::nullopt;
  }
}

std::vector<const ir::Value*> incoming_values(const ir::Value* value) {
  // A counted loop's result has the layout of the value that the body carries.
  if (value->defining_op() != nullptr && ir::is_counted_loop(*value->defining_op()))
    return {ir::carried_argument(*value)};
  const auto found = ir::incoming_values(*value);
  return {found.begin(), found.end()};
}

bool is_pointer_access(const ir::Op& op) {
  const ir::MemoryAccess& access = op.def().access;
  if (!access.is_pointer_access()) return false;
  return access.kind == ir::MemoryAccess::Kind::atomic || !op.operand(0)->type().is_pointer() ||
         !op.operand(0)->type().pointee().is_tensor();
}

bool is_block_access(const ir::Op& op) { return op.def().access.is_access() && !is_pointer_access(op); }

std::int64_t pack_of(const ir::Op& op) {
  if (op.result_count() == 0 || !op.result()->type().is_tensor()) return 1;
  if (op.def().combination != ir::Combination::code) return 1;
  return op.integer_attribute(op.regions().empty() ? "packed_element" : "pack", 1);
}

bool is_combining(const ir::Op& op) {
  return ir::folds_lines(op) || (op.def().combination == ir::Combination::code && !op.regions().empty());
}

bool is_elementwise(const ir::Op& op) {
  if (op.result_count() == 0 || !op.result()->type().is_tensor() || is_pointer_access(op)) return false;
  const bool runs_code = op.def().combination == ir::Combination::code;
  if (runs_code || op.def().batching == ir::BatchingRule::elementwise_if_pure) return true;
  if (!op.regions().empty() || op.def().effects != ir::Effects::pure || shape_map(op, 0)) return false;
  const ir::Definedness rule = op.def().defined_if;
  const bool is_by_place = rule == ir::Definedness::elementwise || rule == ir::Definedness::by_selected_operand;
  if (!is_by_place || ir::moves_as(op, ir::Movement::split) || ir::is_gather(op)) return false;
  return std::all_of(op.operands().begin(), op.operands().end(), [&](const ir::Value* operand) {
    return !operand->type().is_tensor() || operand->type().shape() == op.result()->type().shape();
  });
}

}  // namespace lockstep::backend_cuda
