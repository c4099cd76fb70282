// Shape ops as renamings of index bits, and the values that flow into block arguments and structured results.
#include <algorithm>

#include "backend_cuda/layout/layout_plan.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::backend_cuda {
namespace {

using ir::Opcode;

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

// Two operands side by side along index bit `bit` of the result.
ShapeMap paired(std::int64_t elements, int bit, std::size_t operand) {
  ShapeMap map{{}, bit, static_cast<int>(operand)};
  for (int i = 0; i < bits_of(elements); ++i) map.bits.push_back(i == bit ? kReplicated : i < bit ? i : i - 1);
  return map;
}

void add_yielded(std::vector<const ir::Value*>& found, const ir::Region& region, std::size_t i, Opcode end) {
  for (const auto& block : region.blocks()) {
    const ir::Op* last = block->terminator();
    if (last == nullptr || last->def().opcode != end) continue;
    const std::size_t place = i + (end == Opcode::scf_condition ? 1 : 0);
    if (place < last->operand_count()) found.push_back(last->operand(place));
  }
}

std::vector<const ir::Value*> incoming_results(const ir::Value* value) {
  const ir::Op& op = *value->defining_op();
  std::vector<const ir::Value*> found;
  switch (op.def().opcode) {
    case Opcode::scf_for: found.push_back(op.region().front().argument(value->index() + 1)); break;
    case Opcode::scf_while: add_yielded(found, op.region(0), value->index(), Opcode::scf_condition); break;
    case Opcode::scf_if:
      for (const auto& region : op.regions()) add_yielded(found, *region, value->index(), Opcode::scf_yield);
      break;
    default: break;
  }
  return found;
}

void add_branches(std::vector<const ir::Value*>& found, const ir::Value* value) {
  for (const ir::Block* from : value->owner_block()->predecessors()) {
    const ir::Op* last = from->terminator();
    for (std::size_t i = 0; i < last->successors().size(); ++i) {
      if (last->successors()[i].block != value->owner_block()) continue;
      found.push_back(last->successor_arguments(i)[value->index()]);
    }
  }
}

std::vector<const ir::Value*> incoming_arguments(const ir::Value* value) {
  std::vector<const ir::Value*> found;
  const ir::Op* parent = value->owner_block()->parent_op();
  const std::size_t i = value->index();
  add_branches(found, value);
  if (parent == nullptr || !found.empty()) return found;
  if (parent->def().opcode == Opcode::scf_for && i > 0) {
    found.push_back(parent->operand(i + 2));
    add_yielded(found, parent->region(), i - 1, Opcode::scf_yield);
  } else if (parent->def().opcode == Opcode::scf_while) {
    if (value->owner_block()->parent() == &parent->region(0)) {
      found.push_back(parent->operand(i));
      add_yielded(found, parent->region(1), i, Opcode::scf_yield);
    } else {
      add_yielded(found, parent->region(0), i, Opcode::scf_condition);
    }
  }
  return found;
}

}  // namespace

std::optional<ShapeMap> shape_map(const ir::Op& op, std::size_t operand) {
  if (op.operand_count() <= operand || op.result_count() == 0) return std::nullopt;
  const ir::Type from = op.operand(operand)->type(), to = op.result()->type();
  switch (op.def().opcode) {
    case Opcode::tt_expand_dims:
    case Opcode::tt_reshape: return ShapeMap{identity(to.element_count()), kReplicated, 0};
    case Opcode::tt_broadcast: return ShapeMap{broadcast_map(from.shape(), to.shape()), kReplicated, 0};
    case Opcode::tt_trans: return ShapeMap{trans_map(op), kReplicated, 0};
    case Opcode::tt_join: return paired(to.element_count(), 0, operand);
    case Opcode::tt_cat: return paired(to.element_count(), bits_of(to.element_count()) - 1, operand);
    default: return std::nullopt;
  }
}

std::vector<const ir::Value*> incoming_values(const ir::Value* value) {
  return value->defining_op() != nullptr ? incoming_results(value) : incoming_arguments(value);
}

bool is_pointer_access(const ir::Op& op) {
  switch (op.def().opcode) {
    case Opcode::tt_load:
    case Opcode::tt_store: return !op.operand(0)->type().is_pointer() || !op.operand(0)->type().pointee().is_tensor();
    case Opcode::tt_atomic_rmw:
    case Opcode::tt_atomic_cas:
    case Opcode::tt_atomic_load:
    case Opcode::tt_atomic_store:
    case Opcode::tt_atomic_poll: return true;
    default: return false;
  }
}

bool is_block_access(const ir::Op& op) {
  switch (op.def().opcode) {
    case Opcode::tt_load:
    case Opcode::tt_store: return !is_pointer_access(op);
    case Opcode::tt_descriptor_load:
    case Opcode::tt_descriptor_store:
    case Opcode::tt_descriptor_reduce:
    case Opcode::tt_descriptor_gather:
    case Opcode::tt_descriptor_scatter:
    case Opcode::tt_experimental_descriptor_load:
    case Opcode::tt_experimental_descriptor_store:
    case Opcode::tt_experimental_descriptor_gather:
    case Opcode::tt_experimental_descriptor_scatter: return true;
    default: return false;
  }
}

std::int64_t pack_of(const ir::Op& op) {
  if (op.result_count() == 0 || !op.result()->type().is_tensor()) return 1;
  switch (op.def().opcode) {
    case Opcode::tt_map_elementwise: return op.integer_attribute("pack", 1);
    case Opcode::tt_elementwise_inline_asm: return op.integer_attribute("packed_element", 1);
    default: return 1;
  }
}

bool is_combining(const ir::Op& op) {
  const Opcode code = op.def().opcode;
  return code == Opcode::tt_reduce || code == Opcode::tt_scan || code == Opcode::tt_map_elementwise;
}

bool is_elementwise(const ir::Op& op) {
  if (op.result_count() == 0 || !op.result()->type().is_tensor() || is_pointer_access(op)) return false;
  switch (op.def().opcode) {
    case Opcode::tt_map_elementwise:
    case Opcode::tt_extern_elementwise:
    case Opcode::tt_elementwise_inline_asm: return true;
    default: break;
  }
  if (!op.regions().empty() || op.def().effects != ir::Effects::pure || shape_map(op, 0)) return false;
  const ir::Definedness rule = op.def().defined_if;
  const bool is_by_place = rule == ir::Definedness::elementwise || rule == ir::Definedness::by_selected_operand;
  if (!is_by_place || op.def().opcode == Opcode::tt_split || op.def().opcode == Opcode::tt_gather) return false;
  return std::all_of(op.operands().begin(), op.operands().end(), [&](const ir::Value* operand) {
    return !operand->type().is_tensor() || operand->type().shape() == op.result()->type().shape();
  });
}

}  // namespace lockstep::backend_cuda
