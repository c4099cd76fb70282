#include "ir/interfaces/region_branch.h"

#include <algorithm>

#include "ir/interfaces/op_kinds.h"

namespace lockstep::ir {

namespace {

constexpr std::size_t kBounds = 3;     // scf.for: lower bound, upper bound, step
constexpr std::size_t kInduction = 1;  // arguments of its body before those that are carried

/// As many as both ends hold: before verification, they may differ.
RegionEdge into(const Op& from, std::size_t first_source, const Block& block, std::size_t first_target) {
  const std::size_t sources = from.operand_count(), targets = block.arguments().size();
  const std::size_t count = first_source < sources && first_target < targets
                                ? std::min(sources - first_source, targets - first_target)
                                : 0;
  return {&from, &block, nullptr, first_source, first_target, count};
}

RegionEdge out_of(const Op& from, std::size_t first_source, const Op& left) {
  const std::size_t sources = from.operand_count();
  const std::size_t count = first_source < sources ? std::min(sources - first_source, left.result_count()) : 0;
  return {&from, nullptr, &left, first_source, 0, count};
}

const Block* entry(const Op& op, std::size_t region) {
  return region < op.regions().size() && !op.region(region).empty() ? &op.region(region).front() : nullptr;
}

void add_entry(std::vector<RegionEdge>& edges, const Op& from, std::size_t first_source, const Block* block,
               std::size_t first_target) {
  if (block != nullptr) edges.push_back(into(from, first_source, *block, first_target));
}

std::vector<RegionEdge> edges_of_structured(const Op& op) {
  std::vector<RegionEdge> edges;
  switch (op.def().control) {
    case Control::counted_loop:
      add_entry(edges, op, kBounds, entry(op, 0), kInduction);
      edges.push_back(out_of(op, kBounds, op));
      break;
    case Control::open_loop: add_entry(edges, op, 0, entry(op, 0), 0); break;
    default:  // a choice hands nothing on
      for (std::size_t i = 0; i < op.regions().size(); ++i) add_entry(edges, op, op.operand_count(), entry(op, i), 0);
  }
  return edges;
}

std::vector<RegionEdge> edges_of_end(const Op& end) {
  std::vector<RegionEdge> edges;
  const Op* around = end.parent_op();
  if (around == nullptr) return edges;
  if (is_loop_condition(end)) {
    add_entry(edges, end, 1, entry(*around, 1), 0);
    edges.push_back(out_of(end, 1, *around));
  } else if (is_counted_loop(*around)) {
    add_entry(edges, end, 0, entry(*around, 0), kInduction);
    edges.push_back(out_of(end, 0, *around));
  } else if (is_open_loop(*around)) {
    add_entry(edges, end, 0, entry(*around, 0), 0);
  } else if (is_choice(*around)) {
    edges.push_back(out_of(end, 0, *around));
  }
  return edges;
}

void add_source(std::vector<Value*>& found, const RegionEdge& edge, const Value& value) {
  if (value.index() < edge.first_target || value.index() - edge.first_target >= edge.count) return;
  found.push_back(edge.source(value.index() - edge.first_target));
}

/// Of the edges out of op, those that end at the value.
void add_sources(std::vector<Value*>& found, const Op* op, const Value& value) {
  if (op == nullptr) return;
  for (const RegionEdge& edge : successor_edges(*op)) {
    const bool ends_there =
        value.defining_op() != nullptr ? edge.left == value.defining_op() : edge.entered == value.owner_block();
    if (ends_there) add_source(found, edge, value);
  }
}

}  // namespace

std::size_t deciding_operands(const Op& op) {
  switch (op.def().control) {
    case Control::counted_loop: return kBounds;
    case Control::choice:
    case Control::condition:
    case Control::conditional_jump: return 1;
    default: return 0;
  }
}

std::vector<RegionEdge> successor_edges(const Op& op) {
  switch (op.def().control) {
    case Control::counted_loop:
    case Control::open_loop:
    case Control::choice: return edges_of_structured(op);
    case Control::yield:
    case Control::condition: return edges_of_end(op);
    default: break;
  }
  std::vector<RegionEdge> edges;
  for (const Successor& successor : op.successors())
    edges.push_back({&op, successor.block, nullptr, successor.first_operand, 0, successor.operand_count});
  return edges;
}

std::vector<Value*> incoming_values(const Value& value) {
  std::vector<Value*> found;
  const Op* made_by = value.defining_op();
  if (made_by != nullptr && !is_structured(*made_by)) return found;
  const Block* block = value.owner_block();
  const Op* around = made_by != nullptr ? made_by : block->parent_op();
  const bool is_branched_to = made_by == nullptr && &block->parent()->front() != block;
  if (is_branched_to) {
    for (const Block* before : block->predecessors()) add_sources(found, before->terminator(), value);
    return found;
  }
  if (around == nullptr || !is_structured(*around)) return found;
  add_sources(found, around, value);
  for (const auto& region : around->regions()) {
    if (!region->empty()) add_sources(found, region->front().terminator(), value);
  }
  return found;
}

bool is_induction_variable(const Value& value) {
  if (value.defining_op() != nullptr || value.index() >= kInduction) return false;
  const Op* around = value.owner_block()->parent_op();
  return around != nullptr && is_counted_loop(*around);
}

Value* carried_argument(const Value& loop_result) {
  const Op& loop = *loop_result.defining_op();
  const Block* body = entry(loop, 0);
  const std::size_t at = loop_result.index() + (is_counted_loop(loop) ? kInduction : 0);
  return is_counted_loop(loop) && body != nullptr && at < body->arguments().size() ? body->argument(at) : nullptr;
}

namespace {

/// A counted loop's values, by their place among the carried ones.
const Op* counted_loop_of(const Value& carried, std::size_t& place) {
  const Op* loop = carried.defining_op() != nullptr ? carried.defining_op() : carried.owner_block()->parent_op();
  if (loop == nullptr || !is_counted_loop(*loop) || is_induction_variable(carried)) return nullptr;
  place = carried.index() - (carried.defining_op() != nullptr ? 0 : kInduction);
  return loop;
}

}  // namespace

Value* yielded_value(const Value& carried) {
  std::size_t place = 0;
  const Op* loop = counted_loop_of(carried, place);
  const Block* body = loop != nullptr ? entry(*loop, 0) : nullptr;
  const Op* end = body != nullptr ? body->terminator() : nullptr;
  return end != nullptr && place < end->operand_count() ? end->operand(place) : nullptr;
}

Value* initial_value(const Value& carried) {
  std::size_t place = 0;
  const Op* loop = counted_loop_of(carried, place);
  return loop != nullptr && kBounds + place < loop->operand_count() ? loop->operand(kBounds + place) : nullptr;
}

}  // namespace lockstep::ir
