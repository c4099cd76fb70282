// Dead code and common subexpressions.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "ir/analysis/reachable_blocks.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"

namespace lockstep::ir::passes {

bool is_pure(const Op& op) {
  if (op.def().effects != Effects::pure || op.def().is_terminator) return false;
  if (op.attribute("pure") && op.integer_attribute("pure", 1) == 0) return false;  // inline assembly that says so
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) {
        if (!inner->def().is_terminator && !is_pure(*inner)) return false;
      }
    }
  }
  return true;
}

namespace {

bool is_removable(const Op& op) {
  if (is_pure(op)) return true;
  return is_pointer_load(op) && op.integer_attribute("isVolatile", 0) == 0;
}

bool has_uses(const Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (op.result(i)->has_uses()) return true;
  }
  return false;
}

bool remove_dead_ops(Block& block) {
  bool changed = false;
  for (auto it = block.ops().end(); it != block.ops().begin();) {
    Op& op = **--it;
    for (const auto& region : op.regions()) {
      for (const auto& inner : region->blocks()) changed = remove_dead_ops(*inner) || changed;
    }
    if (op.def().is_terminator || op.result_count() == 0 || has_uses(op) || !is_removable(op)) continue;
    ++it;
    op.erase();
    changed = true;
  }
  return changed;
}

void collect_callees(const Op& op, std::set<std::string, std::less<>>& callees) {
  if (is_call(op)) {
    if (const Attribute callee = op.attribute("callee")) callees.insert(callee->text);
  }
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) collect_callees(*inner, callees);
    }
  }
}

using Key = std::tuple<const OpDef*, std::vector<Value*>, std::vector<std::uint32_t>,
                       std::vector<std::pair<std::string, const AttributeNode*>>, std::vector<const TypeNode*>>;

Key key_of(const Op& op) {
  std::vector<std::pair<std::string, const AttributeNode*>> attributes;
  for (const NamedAttribute& attribute : op.attributes())
    attributes.emplace_back(attribute.name, attribute.value.node());
  std::sort(attributes.begin(), attributes.end());
  std::vector<const TypeNode*> types;
  for (std::size_t i = 0; i < op.result_count(); ++i) types.push_back(op.result(i)->type().node());
  return {&op.def(), op.operands(), op.operand_segments(), std::move(attributes), std::move(types)};
}

/// Ops known on the path from the function's entry to the current block; a scope is popped when its block ends.
class CommonSubexpressions {
 public:
  void visit(Block& block) {
    std::vector<Key> added;
    for (auto it = block.ops().begin(); it != block.ops().end();) {
      Op& op = **it++;
      for (const auto& region : op.regions()) {
        std::map<Key, Op*> outside;  // not seen inside of an isolated region
        if (region->is_isolated()) outside.swap(known_);
        for (const auto& inner : region->blocks()) visit(*inner);
        if (region->is_isolated()) outside.swap(known_);
      }
      if (op.result_count() == 0 || !op.regions().empty() || !is_pure(op)) continue;
      Key key = key_of(op);
      const auto [known, is_new] = known_.try_emplace(key, &op);
      if (is_new) {
        added.push_back(std::move(key));
        continue;
      }
      for (std::size_t i = 0; i < op.result_count(); ++i) op.result(i)->replace_all_uses_with(known->second->result(i));
      op.erase();
    }
    for (const Key& key : added) known_.erase(key);
  }

 private:
  std::map<Key, Op*> known_;
};

}  // namespace

namespace {

bool remove_unreachable(Region& region) {
  Worklist<const Block*> reached = reachable_blocks(region.front());
  reached.add(&region.front());
  if (reached.size() == region.blocks().size()) return false;
  for (const auto& block : region.blocks()) {
    if (reached.contains(block.get())) continue;
    for (const auto& op : block->ops()) op->drop_all_references();
  }
  region.blocks().remove_if([&](const std::unique_ptr<Block>& block) { return !reached.contains(block.get()); });
  return true;
}

/// A block whose only successor has no other predecessor takes that successor's ops.
bool merge_with_successor(Block& block) {
  Op* last = block.terminator();
  if (last == nullptr || !is_jump(*last)) return false;
  Block* next = last->successors()[0].block;
  if (next == &block || next->predecessors().size() != 1 || next == &block.parent()->front()) return false;
  const std::vector<Value*> values = last->successor_arguments(0);
  for (std::size_t i = 0; i < values.size(); ++i) next->argument(i)->replace_all_uses_with(values[i]);
  last->erase();
  while (!next->ops().empty()) block.append(next->ops().front()->detach());
  block.parent()->blocks().remove_if([&](const std::unique_ptr<Block>& other) { return other.get() == next; });
  return true;
}

bool merge_blocks(Region& region) {
  for (const auto& block : region.blocks()) {
    if (merge_with_successor(*block)) return true;
  }
  return false;
}

}  // namespace

void simplify_blocks(Module& module) {
  for (Op* function : module.functions()) {
    Region& region = function->region();
    if (region.empty()) continue;
    remove_unreachable(region);
    while (merge_blocks(region)) {
    }
  }
}

void remove_dead_code(Module& module) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Op* function : module.functions()) {
      for (const auto& block : function->region().blocks()) changed = remove_dead_ops(*block) || changed;
    }
    std::set<std::string, std::less<>> callees;
    collect_callees(module.op(), callees);
    for (Op* function : module.functions()) {
      if (!is_private(*function) || callees.contains(symbol_name(*function))) continue;
      function->erase();
      changed = true;
    }
  }
}

void merge_common_subexpressions(Module& module) {
  for (Op* function : module.functions()) {
    for (const auto& block : function->region().blocks()) CommonSubexpressions().visit(*block);
  }
}

}  // namespace lockstep::ir::passes
