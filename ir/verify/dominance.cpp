#include "ir/verify/dominance.h"

#include <algorithm>
#include <unordered_set>

#include "ir/analysis/nesting.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::ir {
namespace {

std::vector<const Block*> successors_of(const Block& block) {
  std::vector<const Block*> result;
  if (block.ops().empty()) return result;
  for (const Successor& successor : block.ops().back()->successors()) {
    if (successor.block != nullptr && successor.block->parent() == block.parent()) result.push_back(successor.block);
  }
  return result;
}

std::vector<const Block*> reverse_postorder(const Block& entry) {
  std::vector<const Block*> postorder;
  std::unordered_set<const Block*> seen{&entry};
  std::vector<std::pair<const Block*, std::vector<const Block*>>> stack;
  stack.emplace_back(&entry, successors_of(entry));
  while (!stack.empty()) {
    auto& [block, left] = stack.back();
    if (left.empty()) {
      postorder.push_back(block);
      stack.pop_back();
      continue;
    }
    const Block* next = left.back();
    left.pop_back();
    if (seen.insert(next).second) stack.emplace_back(next, successors_of(*next));
  }
  std::reverse(postorder.begin(), postorder.end());
  return postorder;
}

std::string label_of(const Block& block) {
  std::size_t number = 0;
  for (const auto& other : block.parent()->blocks()) {
    if (other.get() == &block) break;
    ++number;
  }
  return "^bb" + std::to_string(number);
}

/// "the loop body of the scf.for", "the first branch of the scf.if".
std::string describe_region(const Region& region) {
  const Op& op = *region.parent();
  const std::string name(op.spelling());
  const bool is_second = op.regions().size() > 1 && op.regions()[1].get() == &region;
  if (is_choice(op)) return std::string(is_second ? "the else branch" : "the then branch") + " of the scf.if";
  if (is_counted_loop(op)) return "the body of the loop (scf.for)";
  if (is_open_loop(op)) return std::string(is_second ? "the body" : "the condition") + " of the loop (scf.while)";
  if (is_function(op)) return "another function";
  return "the region of the " + name;
}

/// The regions around a block, innermost first.
std::vector<const Region*> regions_around(const Block* block) {
  std::vector<const Region*> result;
  for (const Block* at = block; at != nullptr;) {
    result.push_back(at->parent());
    const Op* op = at->parent_op();
    at = op == nullptr ? nullptr : op->block();
  }
  return result;
}

/// The outermost region that holds the definition but not the use; null if the use is inside all of them.
const Region* outermost_own_region(const Block& definition, const std::vector<const Region*>& around_use) {
  const Region* own = nullptr;
  for (const Region* region : regions_around(&definition)) {
    if (std::find(around_use.begin(), around_use.end(), region) != around_use.end()) break;
    own = region;
  }
  return own;
}

}  // namespace

const Op* ancestor_in(const Region& region, const Op& op) {
  for (const Op* at = &op; at != nullptr; at = at->parent_op()) {
    if (at->block() != nullptr && at->block()->parent() == &region) return at;
    if (at->def().is_isolated || (at->block() != nullptr && at->block()->parent()->is_isolated())) return nullptr;
  }
  return nullptr;
}

const Dominance::Graph& Dominance::graph_of(const Region& region) {
  const auto [place, is_new] = graphs_.try_emplace(&region);
  Graph& graph = place->second;
  if (!is_new || region.empty()) return graph;
  graph.order = reverse_postorder(region.front());
  const auto count = static_cast<std::uint32_t>(graph.order.size());
  for (std::uint32_t i = 0; i < count; ++i) graph.number[graph.order[i]] = i;
  std::vector<std::vector<std::uint32_t>> predecessors(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const Block* next : successors_of(*graph.order[i])) predecessors[graph.number[next]].push_back(i);
  }
  constexpr std::uint32_t kNone = ~0u;
  graph.idom.assign(count, kNone);
  graph.idom[0] = 0;
  const auto intersect = [&graph](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (a > b) a = graph.idom[a];
      while (b > a) b = graph.idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 1; i < count; ++i) {
      std::uint32_t best = kNone;
      for (const std::uint32_t from : predecessors[i]) {
        if (graph.idom[from] == kNone) continue;
        best = best == kNone ? from : intersect(from, best);
      }
      if (graph.idom[i] == best) continue;
      graph.idom[i] = best;
      changed = true;
    }
  }
  graph.depth.assign(count, 0);
  for (std::uint32_t i = 1; i < count; ++i) graph.depth[i] = graph.depth[graph.idom[i]] + 1;
  return graph;
}

bool Dominance::is_reachable(const Block& block) {
  return block.parent() == nullptr || graph_of(*block.parent()).number.contains(&block);
}

bool Dominance::dominates(const Block& dominator, const Block& block) {
  if (&dominator == &block) return true;
  const Graph& graph = graph_of(*block.parent());
  const auto above = graph.number.find(&dominator);
  const auto below = graph.number.find(&block);
  if (below == graph.number.end()) return true;
  if (above == graph.number.end()) return false;
  std::uint32_t at = below->second;
  while (graph.depth[at] > graph.depth[above->second]) at = graph.idom[at];
  return at == above->second;
}

std::uint32_t Dominance::position_of(const Op& op) {
  const auto found = positions_.find(&op);
  if (found != positions_.end()) return found->second;
  std::uint32_t next = 0;
  for (const auto& other : op.block()->ops()) positions_[other.get()] = next++;
  return positions_[&op];
}

bool Dominance::reaches(const Value& value, const Op& user) {
  const Block* defined_in = block_of(value);
  if (defined_in == nullptr || defined_in->parent() == nullptr) return false;
  if (user.block() != nullptr && !is_reachable(*user.block())) return true;
  const Op* used_by = ancestor_in(*defined_in->parent(), user);
  if (used_by == nullptr) return false;
  if (!is_reachable(*used_by->block())) return true;
  if (used_by->block() != defined_in) return dominates(*defined_in, *used_by->block());
  return value.defining_op() == nullptr || position_of(*value.defining_op()) < position_of(*used_by);
}

std::string Dominance::explain_blocks(const Block& definition, const Block& use) {
  const std::string where =
      "it is defined in block " + label_of(definition) + ", which is not on every path to " + label_of(use);
  // A path that avoids the definition, by breadth-first search.
  std::unordered_map<const Block*, const Block*> came_from;
  std::vector<const Block*> queue{&use.parent()->front()};
  came_from[queue[0]] = nullptr;
  if (queue[0] == &definition) return where;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Block* next : successors_of(*queue[i])) {
      if (next != &definition && came_from.try_emplace(next, queue[i]).second) queue.push_back(next);
    }
  }
  if (!came_from.contains(&use)) return where;
  std::vector<std::string> path;
  for (const Block* at = &use; at != nullptr; at = came_from[at]) path.push_back(label_of(*at));
  constexpr std::size_t kLongestPath = 8;
  if (path.size() > kLongestPath) return where;
  std::string text;
  for (auto label = path.rbegin(); label != path.rend(); ++label) text += (text.empty() ? "" : ", ") + *label;
  return where + " (" + text + " avoids it)";
}

std::string Dominance::explain(const Value& value, const Op& user) {
  const Block* defined_in = block_of(value);
  if (defined_in == nullptr || defined_in->parent() == nullptr) return "its definition is not in the module";
  if (const Op* used_by = ancestor_in(*defined_in->parent(), user)) {
    if (used_by == value.defining_op()) {
      if (used_by == &user) return "it is this op's own result";
      return "it is the result of the " + std::string(used_by->spelling()) +
             " around this use, which has it only when it ends";
    }
    if (used_by->block() == defined_in) return "it is defined later in the same block";
    return explain_blocks(*defined_in, *used_by->block());
  }
  const std::vector<const Region*> around_use = regions_around(user.block());
  const Region* inner = outermost_own_region(*defined_in, around_use);
  if (inner == nullptr) return "it belongs to the function around this one, whose values are not visible here";
  const std::string where = describe_region(*inner);
  if (where == "another function") return "it is defined in another function";
  const bool same_op = std::any_of(around_use.begin(), around_use.end(),
                                   [inner](const Region* region) { return region->parent() == inner->parent(); });
  if (same_op && is_choice(*inner->parent())) return "it is defined in the other branch of the scf.if";
  return "it is defined inside " + where + " and does not exist outside of it";
}

std::string Dominance::advise(const Value& value, const Op& user) const {
  const Block* defined_in = block_of(value);
  if (defined_in == nullptr || defined_in->parent() == nullptr) return "";
  if (ancestor_in(*defined_in->parent(), user) != nullptr) return "";
  const Region* inner = outermost_own_region(*defined_in, regions_around(user.block()));
  if (inner == nullptr) return "";
  const Op& around = *inner->parent();
  if (is_counted_loop(around)) return "carry it out of the loop: iter_args with a value for zero iterations, and scf.yield";
  if (is_open_loop(around)) return "carry it out of the loop through scf.condition and scf.yield";
  if (is_choice(around)) return "make it a result of the scf.if: scf.yield a value in both branches";
  return "";
}

}  // namespace lockstep::ir
