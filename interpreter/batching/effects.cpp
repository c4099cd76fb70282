#include "interpreter/batching/effects.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/analysis/reachable_blocks.h"
#include "ir/analysis/value_slice.h"
#include "ir/breakpoint.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/walk.h"

namespace lockstep::interpreter {

namespace {

/// Follows pointers to where they come from.
class Tracer {
 public:
  Tracer(const ir::Module& module, const ir::Op& kernel) : kernel_(kernel) {
    ir::walk(module.op(), [&](const ir::Op& op) {
      if (ir::is_call(op) && op.attribute("callee"))
        calls_[op.attribute("callee")->text].push_back(&op);
    });
    for (const ir::Op* function : module.functions()) functions_[std::string(ir::symbol_name(*function))] = function;
  }

  void trace(const ir::Value& start, PointerSet& out) {
    ir::ValueSlice slice(start);
    while (const ir::Value* value = slice.next()) {
      const bool is_known = value->defining_op() != nullptr ? from_op(*value, slice) : from_block(*value, slice, out);
      if (!is_known) out.is_unknown = true;
    }
  }

 private:
  static void add_operands_of_type(const ir::Op& op, const ir::Type& element, ir::ValueSlice& slice) {
    for (const ir::Value* operand : op.operands()) {
      if (operand->type().element() == element) slice.add(operand);
    }
  }
  bool from_op(const ir::Value& value, ir::ValueSlice& slice) {
    const ir::Op& op = *value.defining_op();
    if (ir::is_call(op)) return from_call(op, value.index(), slice);
    slice.add_incoming(value);
    if (ir::is_structured(op)) return true;
    switch (op.def().provenance) {
      case ir::Provenance::first_operand_if_pointer:
        if (!op.operand(0)->type().element().is_pointer()) return false;
        [[fallthrough]];
      case ir::Provenance::first_operand: slice.add(op.operand(0)); return true;
      case ir::Provenance::operands_of_type: add_operands_of_type(op, value.type().element(), slice); return true;
      case ir::Provenance::nobody: return true;
      default: return false;
    }
  }

  bool from_call(const ir::Op& call, std::size_t index, ir::ValueSlice& slice) {
    const auto function = call.attribute("callee") ? functions_.find(call.attribute("callee")->text) : functions_.end();
    if (function == functions_.end()) return false;
    ir::walk(*function->second, [&](const ir::Op& op) {
      if (ir::is_return(op) && index < op.operand_count()) slice.add(op.operand(index));
    });
    return true;
  }

  bool from_block(const ir::Value& value, ir::ValueSlice& slice, PointerSet& out) {
    const ir::Block& block = *value.owner_block();
    const ir::Op* parent = block.parent_op();
    if (parent == nullptr) return false;
    const bool is_entry = &block.parent()->front() == &block;
    if (is_entry && ir::is_function(*parent)) {
      if (parent == &kernel_) out.arguments.insert(value.index());
      for (const ir::Op* call : calls_[std::string(ir::symbol_name(*parent))]) {
        if (value.index() < call->operand_count()) slice.add(call->operand(value.index()));
      }
      return true;
    }
    if (is_entry && is_partition(*parent, *block.parent())) {  // captures, in order
      if (value.index() >= parent->operand_count()) return false;
      slice.add(parent->operand(value.index()));
      return true;
    }
    slice.add_incoming(value);
    return !is_entry || (ir::is_loop(*parent) && !ir::is_induction_variable(value));
  }

  static bool is_partition(const ir::Op& op, const ir::Region& region) {
    return op.def().isolates_later_regions && &op.region(0) != &region;
  }

  const ir::Op& kernel_;
  std::unordered_map<std::string, std::vector<const ir::Op*>> calls_;
  std::unordered_map<std::string, const ir::Op*> functions_;
};

enum : std::int64_t { kMax = 6, kMin, kUnsignedMax, kUnsignedMin, kExchange };  // tt.atomic_rmw's numbering

void add_updates(const ir::Op& op, std::int64_t kind, Tracer& tracer, MemoryEffects& effects) {
  tracer.trace(*op.operand(0), effects.atomic);
  const ir::Type element = op.operand(1)->type().element();
  const bool is_descriptor = op.def().access.is_descriptor_access();
  auto known = std::find_if(effects.updates.begin(), effects.updates.end(), [&](const AtomicUpdates& u) {
    return u.is_descriptor == is_descriptor && u.kind == kind && u.element == element;
  });
  if (known == effects.updates.end())
    known = effects.updates.insert(known, AtomicUpdates{is_descriptor, kind, element, {}});
  tracer.trace(*op.operand(0), known->memory);
}

void add_atomic(const ir::Op& op, Tracer& tracer, MemoryEffects& effects) {
  using Atomic = ir::MemoryAccess::Atomic;
  switch (op.def().access.atomic) {
    case Atomic::reduce: add_updates(op, op.integer_attribute("kind", 0), tracer, effects); break;
    case Atomic::update: {
      const auto kind = op.integer_attribute("atomic_rmw_op", 0);
      add_updates(op, kind, tracer, effects);
      effects.has_observed_atomics = effects.has_observed_atomics || kind == kExchange || op.result(0)->has_uses();
      break;
    }
    default:
      tracer.trace(*op.operand(0), effects.atomic);
      effects.has_observed_atomics = true;
      break;
  }
}

bool prints(const ir::Op& op) { return ir::is_print(op) && !ir::is_breakpoint(op); }

}  // namespace

bool is_volatile_load(const ir::Op& op) {
  return ir::is_pointer_load(op) && op.attribute("isVolatile") && op.integer_attribute("isVolatile", 1) != 0;
}

namespace {

/// Branches lead from the block back to it. An early return makes blocks, but no such path.
bool can_reach_itself(const ir::Block& block) {
  return block.parent()->blocks().size() > 1 && ir::reachable_blocks(block).contains(&block);
}

}  // namespace

bool is_in_open_loop(const ir::Op& op) {
  if (op.block() == nullptr) return false;
  if (can_reach_itself(*op.block())) return true;
  const ir::Op* parent = op.parent_op();
  return parent != nullptr && (ir::is_open_loop(*parent) || is_in_open_loop(*parent));
}

bool may_observe_others(const ir::Op& op) {
  using Atomic = ir::MemoryAccess::Atomic;
  bool observes = false;
  ir::walk(op, [&](const ir::Op& inner) {
    const Atomic atomic = inner.def().access.atomic;
    const bool has_used_result = inner.result_count() > 0 && inner.result(0)->has_uses();
    observes = observes || ir::is_call(inner) || atomic == Atomic::exchange_if_equal || atomic == Atomic::load ||
               atomic == Atomic::poll || (atomic == Atomic::update && has_used_result) || is_volatile_load(inner);
  });
  return observes;
}

bool make_one_float_update(const AtomicUpdates& a, const AtomicUpdates& b) {
  const auto is_pair = [&](std::int64_t first, std::int64_t second) {
    return (a.kind == first && b.kind == second) || (a.kind == second && b.kind == first);
  };
  return !a.is_descriptor && !b.is_descriptor && a.element == b.element &&
         (is_pair(kMax, kUnsignedMin) || is_pair(kMin, kUnsignedMax));
}

PointerSet memory_of(const ir::Module& module, const ir::Op& kernel, const ir::Value& pointer) {
  PointerSet memory;
  Tracer(module, kernel).trace(pointer, memory);
  return memory;
}

namespace {

/// A copy between global memory (operand 0) and a buffer; one that fills the buffer has it as operand `result`.
std::optional<bool> writes_as_buffer_copy(const ir::Op& op) {
  const auto is_buffer = [](const ir::Value* value) { return value->type().is_memdesc(); };
  const bool copies = op.def().effects == ir::Effects::read_write && op.operand_count() != 0;
  if (!copies || std::none_of(op.operands().begin(), op.operands().end(), is_buffer)) return std::nullopt;
  const ir::Type place = op.operand(0)->type();
  if (!place.is_descriptor() && !place.element().is_pointer()) return std::nullopt;
  const auto& operands = op.def().operands;
  const bool fills = std::any_of(operands.begin(), operands.end(), [](const auto& spec) { return spec.name == "result"; });
  return !fills;
}

/// Whether a plain access writes memory; nullopt: the op is none.
std::optional<bool> writes_as_plain_access(const ir::Op& op) {
  switch (op.def().access.kind) {
    case ir::MemoryAccess::Kind::load: return false;
    case ir::MemoryAccess::Kind::store: return true;
    case ir::MemoryAccess::Kind::atomic: return std::nullopt;
    case ir::MemoryAccess::Kind::none: break;
  }
  return writes_as_buffer_copy(op);
}

}  // namespace

MemoryEffects effects_of(const ir::Module& module, const ir::Op& kernel) {
  MemoryEffects effects;
  Tracer tracer(module, kernel);
  ir::walk(module.op(), [&](const ir::Op& op) {
    using Kind = ir::MemoryAccess::Kind;
    const Kind kind = op.def().access.kind;
    const auto writes = writes_as_plain_access(op);
    if (writes) tracer.trace(*op.operand(0), *writes ? effects.written : effects.read);
    if (kind == Kind::atomic) add_atomic(op, tracer, effects);
    if (kind == Kind::load && (is_volatile_load(op) || is_in_open_loop(op)))
      tracer.trace(*op.operand(0), effects.observed);
    if (kind != Kind::none) return;
    effects.prints = effects.prints || prints(op);
    if (writes == true && op.attribute("kind")) tracer.trace(*op.operand(0), effects.atomic);  // and so in order
  });
  return effects;
}

std::vector<PlainAccess> plain_accesses_of(const ir::Module& module, const ir::Op& kernel) {
  std::vector<PlainAccess> accesses;
  Tracer tracer(module, kernel);
  ir::walk(module.op(), [&](const ir::Op& op) {
    const auto writes = writes_as_plain_access(op);
    if (!writes) return;
    PlainAccess& access = accesses.emplace_back(PlainAccess{&op, *writes, {}});
    tracer.trace(*op.operand(0), access.memory);
  });
  return accesses;
}

}  // namespace lockstep::interpreter
