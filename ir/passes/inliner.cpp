// Inlining of tt.call. Callees are finished before their callers (depth first over the call graph); a function met
// again during its own inlining is recursive and keeps its calls.
#include <set>
#include <string>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/passes/inline_all.h"
#include "ir/passes/passes.h"

namespace lockstep::ir::passes {
namespace {

class Inliner {
 public:
  Inliner(Module& module, bool also_noinline) : module_(module), also_noinline_(also_noinline) {}

  void finish(Op& function) {
    if (!finished_.insert(&function).second) return;
    active_.insert(&function);
    bool changed = true;
    while (changed) changed = inline_one_pass(function);
    active_.erase(&function);
  }

 private:
  /// Inlines the present calls; collects the innermost positions first, because inlining moves ops.
  bool inline_one_pass(Op& function) {
    std::vector<Op*> calls;
    collect(function, calls);
    bool changed = false;
    for (Op* call : calls) changed = inline_call(*call) || changed;
    return changed;
  }

  void collect(const Op& op, std::vector<Op*>& calls) {
    for (const auto& region : op.regions()) {
      for (const auto& block : region->blocks()) {
        for (const auto& inner : block->ops()) {
          if (is_call(*inner)) calls.push_back(inner.get());
          collect(*inner, calls);
        }
      }
    }
  }

  bool inline_call(Op& call) {
    const Attribute callee_name = call.attribute("callee");
    Op* callee = callee_name ? module_.find_function(callee_name->text) : nullptr;
    const bool stays = callee != nullptr && !also_noinline_ && is_noinline(*callee);
    if (callee == nullptr || stays || callee->region().empty()) return false;
    if (active_.contains(callee)) recursive_.insert(callee);
    if (!recursive_.contains(callee)) finish(*callee);
    if (recursive_.contains(callee)) return false;  // its copy would call it again, and so on
    const bool is_single_block = callee->region().blocks().size() == 1;
    if (is_single_block) return inline_single_block(call, *callee);
    if (call.parent_op() == nullptr || !is_function(*call.parent_op())) return false;
    return inline_blocks(call, *callee);
  }

  bool inline_single_block(Op& call, Op& callee) {
    CloneMap map = bind_arguments(call, callee);
    for (const auto& op : callee.region().front().ops()) {
      if (op->def().is_terminator) {
        replace_results(call, *op, map);
        break;
      }
      call.block()->insert(call.position(), clone_op(*op, map, module_.context(), call.location()));
    }
    call.erase();
    return true;
  }

  /// The caller's block is split at the call; returns of the callee become branches to the second half.
  bool inline_blocks(Op& call, Op& callee) {
    Block& before = *call.block();
    Region& region = *before.parent();
    Block& after = add_block_after(region, before);
    for (std::size_t i = 0; i < call.result_count(); ++i) {
      Value* argument = after.add_argument(call.result(i)->type(), call.location());
      call.result(i)->replace_all_uses_with(argument);
    }
    while (std::next(call.position()) != before.ops().end()) after.append((*std::next(call.position()))->detach());

    CloneMap map = bind_arguments(call, callee);
    Block* previous = &before;
    for (const auto& block : callee.region().blocks()) {
      const bool is_entry = block.get() == &callee.region().front();
      Block& copy = is_entry ? before : add_block_after(region, *previous);
      map.blocks[block.get()] = &copy;
      if (!is_entry) {
        for (const auto& argument : block->arguments()) {
          map.values[argument.get()] = copy.add_argument(argument->type(), argument->location());
        }
        previous = &copy;
      }
    }
    const Location location = call.location();
    call.erase();
    for (const auto& block : callee.region().blocks()) fill(*map.blocks.at(block.get()), *block, after, map, location);
    return true;
  }

  void fill(Block& to, const Block& from, Block& after, CloneMap& map, Location location) {
    for (const auto& op : from.ops()) {
      if (!is_return(*op)) {
        to.append(clone_op(*op, map, module_.context(), location));
        continue;
      }
      std::vector<Value*> values;
      for (Value* value : op->operands()) values.push_back(map.value(value));
      std::unique_ptr<Op> branch = Op::create(module_.context().ops().row("cf.br"), location);
      branch->add_successor(&after, values);
      to.append(std::move(branch));
    }
  }

  static Block& add_block_after(Region& region, Block& block) {
    auto position = region.blocks().begin();
    while (position->get() != &block) ++position;
    return **region.blocks().insert(std::next(position), std::make_unique<Block>(&region));
  }

  CloneMap bind_arguments(const Op& call, const Op& callee) {
    CloneMap map;
    const auto& arguments = callee.region().front().arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) map.values[arguments[i].get()] = call.operand(i);
    return map;
  }

  static void replace_results(Op& call, const Op& terminator, const CloneMap& map) {
    for (std::size_t i = 0; i < call.result_count(); ++i) {
      call.result(i)->replace_all_uses_with(map.value(terminator.operand(i)));
    }
  }

  Module& module_;
  bool also_noinline_;
  std::set<Op*> finished_, active_, recursive_;
};

}  // namespace

void inline_calls(Module& module) {
  Inliner inliner(module, false);
  for (Op* function : module.functions()) inliner.finish(*function);
}

void inline_all_calls(Module& module) {
  Inliner inliner(module, true);
  for (Op* function : module.functions()) inliner.finish(*function);
}

}  // namespace lockstep::ir::passes
