#include "sanitizer/core/launch_facts.h"

#include <unordered_set>

#include "findings/codes.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "sanitizer/undef/definedness_taint.h"
#include "support/check.h"

namespace lockstep::sanitizer {

namespace {

/// The numbers of the parameters that the pointer may derive from, through plain pointer arithmetic, loops and
/// branches.
bool comes_from(const ir::Value* pointer, const ir::Value* parameter) {
  std::unordered_set<const ir::Value*> seen;
  while (pointer != parameter && seen.insert(pointer).second) {
    const ir::Op* made_by = pointer->defining_op();
    const bool is_carried = made_by == nullptr || !made_by->regions().empty();
    if (!is_carried && made_by->operand_count() == 0) return false;
    pointer = is_carried ? ir::initial_value(*pointer) : made_by->operand(0);
    if (pointer == nullptr) return false;
  }
  return pointer == parameter;
}

std::vector<const ir::Op*> accesses_of(const ir::Op& function, std::size_t parameter, bool stores) {
  std::vector<const ir::Op*> found;
  const ir::Value* wanted = function.region().front().argument(parameter);
  for_each_op(function, [&](const ir::Op& op) {
    if (stores ? !ir::is_tile_store(op) : !ir::is_tile_load(op)) return;
    if (comes_from(op.operand(0), wanted)) found.push_back(&op);
  });
  return found;
}

}  // namespace

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
  made.op = std::string(place->spelling());
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
