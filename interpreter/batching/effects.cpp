#include "interpreter/batching/effects.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/breakpoint.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "ir/walk.h"

namespace lockstep::interpreter {

namespace {

using ir::Opcode;

/// Follows pointers to where they come from.
class Tracer {
 public:
  Tracer(const ir::Module& module, const ir::Op& kernel) : kernel_(kernel) {
    ir::walk(module.op(), [&](const ir::Op& op) {
      if (op.def().opcode == Opcode::tt_call && op.attribute("callee"))
        calls_[op.attribute("callee")->text].push_back(&op);
    });
    for (const ir::Op* function : module.functions()) functions_[std::string(ir::symbol_name(*function))] = function;
  }

  void trace(const ir::Value* start, PointerSet& out) {
    std::unordered_set<const ir::Value*> seen;
    std::vector<const ir::Value*> open{start};
    while (!open.empty()) {
      const ir::Value* value = open.back();
      open.pop_back();
      if (!seen.insert(value).second) continue;
      const bool is_known = value->defining_op() != nullptr ? from_op(*value, open) : from_block(*value, open, out);
      if (!is_known) out.is_unknown = true;
    }
  }

 private:
  using Open = std::vector<const ir::Value*>;

  static void add_operands_of_type(const ir::Op& op, const ir::Type& element, Open& open) {
    for (const ir::Value* operand : op.operands()) {
      if (operand->type().element() == element) open.push_back(operand);
    }
  }
  static void add_terminator_operand(const ir::Region& region, std::size_t index, Open& open) {
    if (region.empty()) return;
    const ir::Op* end = region.front().terminator();
    if (end != nullptr && index < end->operand_count()) open.push_back(end->operand(index));
  }

  bool from_op(const ir::Value& value, Open& open) {
    const ir::Op& op = *value.defining_op();
    switch (op.def().opcode) {
      case Opcode::tt_addptr:
      case Opcode::tt_splat:
      case Opcode::tt_unsplat:
      case Opcode::tt_broadcast:
      case Opcode::tt_expand_dims:
      case Opcode::tt_reshape:
      case Opcode::tt_trans:
      case Opcode::tt_split:
      case Opcode::tt_make_tensor_ptr:
      case Opcode::tt_advance:
      case Opcode::tt_make_tensor_descriptor:
      case Opcode::tt_gather: open.push_back(op.operand(0)); return true;
      case Opcode::tt_bitcast:
      case Opcode::arith_bitcast:
        if (!op.operand(0)->type().element().is_pointer()) return false;
        open.push_back(op.operand(0));
        return true;
      case Opcode::tt_join:
      case Opcode::tt_cat:
      case Opcode::arith_select: add_operands_of_type(op, value.type().element(), open); return true;
      case Opcode::ub_poison: return true;
      case Opcode::scf_if:
        for (const auto& region : op.regions()) add_terminator_operand(*region, value.index(), open);
        return true;
      case Opcode::scf_for:
        if (value.index() + 3 < op.operand_count()) open.push_back(op.operand(value.index() + 3));
        add_terminator_operand(op.region(), value.index(), open);
        return true;
      case Opcode::scf_while: add_terminator_operand(op.region(0), value.index() + 1, open); return true;
      case Opcode::tt_call: return from_call(op, value.index(), open);
      default: return false;
    }
  }

  bool from_call(const ir::Op& call, std::size_t index, Open& open) {
    const auto function = call.attribute("callee") ? functions_.find(call.attribute("callee")->text) : functions_.end();
    if (function == functions_.end()) return false;
    ir::walk(*function->second, [&](const ir::Op& op) {
      if (op.def().opcode == Opcode::tt_return && index < op.operand_count()) open.push_back(op.operand(index));
    });
    return true;
  }

  bool from_block(const ir::Value& value, Open& open, PointerSet& out) {
    const ir::Block& block = *value.owner_block();
    const ir::Op* parent = block.parent_op();
    if (parent == nullptr) return false;
    const std::size_t index = value.index();
    const bool is_entry = &block.parent()->front() == &block;
    if (!is_entry) return from_predecessors(block, index, open);
    switch (parent->def().opcode) {
      case Opcode::tt_func: {
        if (parent == &kernel_) out.arguments.insert(index);
        for (const ir::Op* call : calls_[std::string(ir::symbol_name(*parent))]) {
          if (index < call->operand_count()) open.push_back(call->operand(index));
        }
        return true;
      }
      case Opcode::scf_for:
        if (index == 0 || index + 2 >= parent->operand_count()) return false;
        open.push_back(parent->operand(index + 2));
        add_terminator_operand(parent->region(), index - 1, open);
        return true;
      case Opcode::scf_while:
        if (&parent->region(0) == block.parent()) {
          if (index < parent->operand_count()) open.push_back(parent->operand(index));
          add_terminator_operand(parent->region(1), index, open);
        } else {
          add_terminator_operand(parent->region(0), index + 1, open);
        }
        return true;
      default: return false;
    }
  }

  static bool from_predecessors(const ir::Block& block, std::size_t index, Open& open) {
    for (const ir::Block* before : block.predecessors()) {
      const ir::Op* branch = before->terminator();
      if (branch == nullptr) return false;
      for (const ir::Successor& successor : branch->successors()) {
        if (successor.block == &block && index < successor.operand_count)
          open.push_back(branch->operand(successor.first_operand + index));
      }
    }
    return true;
  }

  const ir::Op& kernel_;
  std::unordered_map<std::string, std::vector<const ir::Op*>> calls_;
  std::unordered_map<std::string, const ir::Op*> functions_;
};

enum : std::int64_t { kMax = 6, kMin, kUnsignedMax, kUnsignedMin, kExchange };  // tt.atomic_rmw's numbering

void add_updates(const ir::Op& op, std::int64_t kind, Tracer& tracer, MemoryEffects& effects) {
  tracer.trace(op.operand(0), effects.atomic);
  const ir::Type element = op.operand(1)->type().element();
  auto known = std::find_if(effects.updates.begin(), effects.updates.end(), [&](const AtomicUpdates& u) {
    return u.opcode == op.def().opcode && u.kind == kind && u.element == element;
  });
  if (known == effects.updates.end())
    known = effects.updates.insert(known, AtomicUpdates{op.def().opcode, kind, element, {}});
  tracer.trace(op.operand(0), known->memory);
}

}  // namespace

bool is_volatile_load(const ir::Op& op) {
  return op.def().opcode == Opcode::tt_load && op.attribute("isVolatile") && op.integer_attribute("isVolatile", 1) != 0;
}

namespace {

/// Branches lead from the block back to it. An early return makes blocks, but no such way.
bool can_reach_itself(const ir::Block& block) {
  if (block.parent()->blocks().size() == 1) return false;
  std::unordered_set<const ir::Block*> seen;
  std::vector<const ir::Block*> open{&block};
  while (!open.empty()) {
    const ir::Block* at = open.back();
    open.pop_back();
    if (at->ops().empty()) continue;
    for (const auto& successor : at->ops().back()->successors()) {
      if (successor.block == &block) return true;
      if (seen.insert(successor.block).second) open.push_back(successor.block);
    }
  }
  return false;
}

}  // namespace

bool is_in_open_loop(const ir::Op& op) {
  if (op.block() == nullptr) return false;
  if (can_reach_itself(*op.block())) return true;
  const ir::Op* parent = op.parent_op();
  return parent != nullptr && (parent->def().opcode == Opcode::scf_while || is_in_open_loop(*parent));
}

bool may_observe_others(const ir::Op& op) {
  bool observes = false;
  ir::walk(op, [&](const ir::Op& inner) {
    const auto opcode = inner.def().opcode;
    const bool has_used_result = inner.result_count() > 0 && inner.result(0)->has_uses();
    observes = observes || opcode == Opcode::tt_call || opcode == Opcode::tt_atomic_cas ||
               opcode == Opcode::tt_atomic_load || opcode == Opcode::tt_atomic_poll ||
               (opcode == Opcode::tt_atomic_rmw && has_used_result) || is_volatile_load(inner);
  });
  return observes;
}

bool make_one_float_update(const AtomicUpdates& a, const AtomicUpdates& b) {
  const auto is_pair = [&](std::int64_t first, std::int64_t second) {
    return (a.kind == first && b.kind == second) || (a.kind == second && b.kind == first);
  };
  return a.opcode == Opcode::tt_atomic_rmw && b.opcode == Opcode::tt_atomic_rmw && a.element == b.element &&
         (is_pair(kMax, kUnsignedMin) || is_pair(kMin, kUnsignedMax));
}

PointerSet memory_of(const ir::Module& module, const ir::Op& kernel, const ir::Value& pointer) {
  PointerSet memory;
  Tracer(module, kernel).trace(&pointer, memory);
  return memory;
}

MemoryEffects effects_of(const ir::Module& module, const ir::Op& kernel) {
  MemoryEffects effects;
  Tracer tracer(module, kernel);
  ir::walk(module.op(), [&](const ir::Op& op) {
    switch (op.def().opcode) {
      case Opcode::tt_load:
        tracer.trace(op.operand(0), effects.read);
        if (is_volatile_load(op) || is_in_open_loop(op)) tracer.trace(op.operand(0), effects.observed);
        break;
      case Opcode::tt_descriptor_load:
      case Opcode::tt_descriptor_gather:
      case Opcode::tt_experimental_descriptor_load:
      case Opcode::tt_experimental_descriptor_gather:
        tracer.trace(op.operand(0), effects.read);
        if (is_in_open_loop(op)) tracer.trace(op.operand(0), effects.observed);
        break;
      case Opcode::tt_store:
      case Opcode::tt_descriptor_store:
      case Opcode::tt_descriptor_scatter:
      case Opcode::tt_experimental_descriptor_store:
      case Opcode::tt_experimental_descriptor_scatter: tracer.trace(op.operand(0), effects.written); break;
      case Opcode::tt_descriptor_reduce: add_updates(op, op.integer_attribute("kind", 0), tracer, effects); break;
      case Opcode::tt_atomic_rmw: {
        const auto kind = op.integer_attribute("atomic_rmw_op", 0);
        add_updates(op, kind, tracer, effects);
        effects.has_observed_atomics = effects.has_observed_atomics || kind == kExchange || op.result(0)->has_uses();
        break;
      }
      case Opcode::tt_atomic_cas:
      case Opcode::tt_atomic_load:
      case Opcode::tt_atomic_store:
      case Opcode::tt_atomic_poll:
        tracer.trace(op.operand(0), effects.atomic);
        effects.has_observed_atomics = true;
        break;
      case Opcode::tt_print: effects.prints = effects.prints || !ir::is_breakpoint(op); break;
      default: break;
    }
  });
  return effects;
}

}  // namespace lockstep::interpreter
