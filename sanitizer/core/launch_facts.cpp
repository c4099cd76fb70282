#include "sanitizer/core/launch_facts.h"

#include "findings/codes.h"
#include "interpreter/access/memory_op.h"
#include "interpreter/launch/name_op.h"
#include "ir/analysis/value_slice.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/walk.h"
#include "support/check.h"

namespace lockstep::sanitizer {

namespace {

/// The parameters' numbers that the pointer may come from, through straight pointer arithmetic, loops and branches.
bool comes_from(const ir::Value& pointer, const ir::Value& parameter) {
  ir::ValueSlice slice(pointer);
  while (const ir::Value* at = slice.next()) {
    if (at == &parameter) return true;
    const ir::Op* made_by = at->defining_op();
    const bool is_carried = made_by == nullptr || !made_by->regions().empty();
    if (is_carried || made_by->operand_count() != 0)
      slice.add(is_carried ? ir::initial_value(*at) : made_by->operand(0));
  }
  return false;
}

/// Of any kind, buffers of TTGIR included.
bool accesses_memory(const ir::Op& op) {
  const ir::Effects effects = op.def().effects;
  return effects == ir::Effects::read || effects == ir::Effects::write || effects == ir::Effects::read_write;
}

/// What decides where an op accesses memory, or which way the kernel takes.
void add_deciders(const ir::Op& op, ir::ValueSlice& slice) {
  const bool is_store = ir::is_tile_store(op), is_load = ir::is_tile_load(op);
  if (is_store || is_load) {
    slice.add(op.operand(0));
    slice.add(interpreter::access_mask(op));
  } else if (ir::is_counted_loop(op)) {
    for (std::size_t i = 0; i < 3; ++i) slice.add(op.operand(i));
  } else if (ir::is_choice(op) || ir::is_loop_condition(op) || ir::is_conditional_jump(op)) {
    slice.add(op.operand(0));
  } else if (accesses_memory(op)) {
    slice.add_operands(op);
  }
}

std::vector<const ir::Op*> accesses_of(const ir::Op& function, std::size_t parameter, bool stores) {
  std::vector<const ir::Op*> found;
  const ir::Value& wanted = *function.region().front().argument(parameter);
  ir::walk(function, [&](const ir::Op& op) {
    if (stores ? !ir::is_tile_store(op) : !ir::is_tile_load(op)) return;
    if (comes_from(*op.operand(0), wanted)) found.push_back(&op);
  });
  return found;
}

}  // namespace

bool places_hang_on_memory(const ir::Module& module, const ir::Op& function) {
  ir::ValueSlice slice;
  ir::walk(module.op(), [&](const ir::Op& op) { add_deciders(op, slice); });
  while (const ir::Value* value = slice.next()) {
    const ir::Op* op = value->defining_op();
    slice.add_incoming(*value);
    if (op == nullptr) {
      const ir::Op* around = value->owner_block()->parent_op();
      if (around != nullptr && around != &function && ir::is_function(*around)) return true;
      continue;
    }
    if (accesses_memory(*op) || ir::is_call(*op)) return true;
    if (!ir::is_control_flow(*op)) slice.add_operands(*op);
  }
  return false;
}

std::vector<const ir::Op*> loads_of(const ir::Op& function, std::size_t parameter) {
  return accesses_of(function, parameter, false);
}
std::vector<const ir::Op*> stores_of(const ir::Op& function, std::size_t parameter) {
  return accesses_of(function, parameter, true);
}

bool is_in_loop(const ir::Op& op) {
  for (const ir::Op* at = op.parent_op(); at != nullptr; at = at->parent_op()) {
    if (ir::is_loop(*at)) return true;
  }
  return interpreter::is_in_open_loop(op);
}

Finding launch_finding(FindingCode code, std::string message, const ir::Op* place, const std::string& name) {
  Finding made;
  made.code = code;
  made.tier = row_of(code).tier;
  made.message = std::move(message);
  made.argument = name;
  made.programs = 0;
  if (place == nullptr) return made;
  made.location = place->location();
  interpreter::name_op(made, *place);
  return made;
}

bool may_read(const interpreter::MemoryEffects& effects, std::size_t parameter) {
  for (const auto* set : {&effects.read, &effects.observed, &effects.atomic}) {
    if (set->is_unknown || set->arguments.contains(parameter)) return true;
  }
  return false;
}

bool may_write(const interpreter::MemoryEffects& effects, std::size_t parameter) {
  for (const auto* set : {&effects.written, &effects.atomic}) {
    if (set->is_unknown || set->arguments.contains(parameter)) return true;
  }
  return false;
}

const memory_model::View* view_of(const LaunchContext& context, std::size_t parameter) {
  if (parameter >= context.request.arguments.size()) return nullptr;
  const interpreter::Argument& argument = context.request.arguments[parameter];
  if (argument.kind == interpreter::Argument::Kind::scalar) return nullptr;
  return &context.request.memory->view(argument.view);
}

}  // namespace lockstep::sanitizer
