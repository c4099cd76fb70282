// Kernels whose second run would not do what the first did (LS801): an argument that is stored to over what the same
// program loaded from the same addresses, the stored value made from the loaded one. Autotuning and benchmarks run
// kernels many times. Kernels with atomics or barriers are left out: they work in place on purpose. The checker finds
// candidates in the text, then compares them with the ranges that each program touched; it ignores the elements'
// values.
#include <algorithm>
#include <unordered_map>

#include "ir/analysis/value_slice.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "ir/walk.h"
#include "sanitizer/core/checkers.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/undef/definedness_taint.h"

namespace lockstep::sanitizer {

namespace {

/// The loads of an argument before its first store, and the first store computed from one of them.
struct InPlace {
  const ir::Op *load = nullptr, *store = nullptr;
};

bool is_made_from(const ir::Value& value, const ir::Op& load) {
  ir::ValueSlice slice(value);
  while (const ir::Value* at = slice.next()) {
    const ir::Op* made_by = at->defining_op();
    if (made_by == &load) return true;
    slice.add_all_sources(made_by != nullptr ? *made_by : *at->owner_block()->parent_op());
  }
  return false;
}

InPlace find_in_place(const ir::Op& function, std::size_t parameter) {
  const auto loads = loads_of(function, parameter), stores = stores_of(function, parameter);
  if (loads.empty() || stores.empty()) return {};
  std::unordered_map<const ir::Op*, int> order;
  ir::walk(function, [&](const ir::Op& op) { order.emplace(&op, static_cast<int>(order.size())); });
  for (const ir::Op* load : loads) {
    if (order[load] > order[stores.front()]) break;
    for (const ir::Op* store : stores) {
      if (is_same_value(*load->operand(0), *store->operand(0)) && is_made_from(*store->operand(1), *load))
        return {load, store};
    }
  }
  return {};
}

bool is_deliberate(const ir::Op& function, const interpreter::MemoryEffects& effects) {
  bool has_barriers = false;
  ir::walk(function, [&](const ir::Op& op) { has_barriers |= op.def().effects == ir::Effects::barrier; });
  return has_barriers || !effects.atomic.empty();
}

/// One program read and wrote bytes of the view.
bool was_in_place(const std::vector<interpreter::LoggedRange>& touched, const memory_model::Extent& extent) {
  std::unordered_map<std::uint32_t, std::vector<const interpreter::LoggedRange*>> reads;
  const auto is_here = [&](const auto& range) { return range.begin < extent.end && range.end > extent.begin; };
  for (const auto& range : touched) {
    if (!range.is_write && is_here(range)) reads[range.chunk].push_back(&range);
  }
  return std::any_of(touched.begin(), touched.end(), [&](const auto& range) {
    if (!range.is_write || !is_here(range)) return false;
    const auto& own = reads[range.chunk];
    return std::any_of(own.begin(), own.end(),
                       [&](const auto* read) { return read->begin < range.end && range.begin < read->end; });
  });
}

}  // namespace

Checker::Requirements IdempotenceChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const auto& effects = context.effects;
  if (is_deliberate(context.function, effects)) return needs;
  for (const std::size_t i : effects.written.arguments) {
    if (effects.read.arguments.contains(i) && find_in_place(context.function, i).store != nullptr)
      needs.touches = interpreter::AccessTracking::programs;
  }
  needs.of_places = true;
  return needs;
}

bool IdempotenceChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (report.touched == nullptr) return true;
  const auto& effects = context.effects;
  for (const std::size_t i : effects.written.arguments) {
    const memory_model::View* view = view_of(context, i);
    if (is_deliberate(context.function, effects) || view == nullptr || !was_in_place(*report.touched, view->extent))
      continue;
    const InPlace found = find_in_place(context.function, i);
    if (found.store == nullptr) continue;
    Finding made = launch_finding(FindingCode::LS801,
                                  "kernel is not idempotent: what it stores to '" + view->name + "' depends on '" +
                                      view->name + "'; a second run starts from other values",
                                  found.store, view->name);
    made.notes.push_back({"read here", found.load->location()});
    made.hint = "under @triton.autotune list it in restore_value=[\"" + view->name + "\"], or store to another tensor";
    report.findings.add(std::move(made));
  }
  return true;
}

}  // namespace lockstep::sanitizer
