#include "interpreter/batching/ahead_plan.h"

#include <algorithm>
#include <cstring>

#include "interpreter/batching/batch_plan.h"
#include "interpreter/launch/machine.h"
#include "interpreter/plan/plan_builder.h"

namespace lockstep::interpreter {

namespace {

/// `all` without its first dimension, at program `row`. False: its form does not show it.
bool take_row(const Tile& all, const TileType& type, std::uint64_t row, Tile& out) {
  if (all.form == Form::uniform) {
    out = uniform_tile(all.base, all.provenance);
    return true;
  }
  if (all.form != Form::dense) return false;
  Tile part = all;
  part.base += row * static_cast<std::uint64_t>(all.stride[0] * type.element_bytes);
  if (type.is_scalar()) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, part.data(), static_cast<std::size_t>(type.element_bytes));
    out = uniform_tile(bits);
    return true;
  }
  std::copy(all.stride.begin() + 1, all.stride.end(), part.stride.begin());
  part.stride.back() = 0;
  BufferPool::retain(part);
  out = part;
  return true;
}

struct Lookup {
  std::size_t index = 0;  // in AheadPart::kept
};

const Step* step_lookup(Machine& machine, const Step* step) {
  const AheadRun& ahead = machine.ahead;
  if (!ahead.holds(machine.program->number)) return step + 1;
  const auto& lookup = *static_cast<const Lookup*>(step->record);
  const Tile& all = ahead.state->slots[ahead.plan->kept[lookup.index]];
  Tile row;
  if (!take_row(all, *step->type, machine.program->number - ahead.first, row)) return step + 1;
  machine.set(step->result, row);
  machine.release_dead(*step);
  return step->target;
}

}  // namespace

void plan_lookups(PlanBuilder& builder, const AheadPart& part) {
  const auto found = [&part](const ir::Op& op) { return std::find(part.kept.begin(), part.kept.end(), &op); };
  const auto label = std::make_shared<PlanBuilder::Label>();
  const auto before = [&builder, &part, found, label](const ir::Op& op) {
    const auto at = found(op);
    if (at == part.kept.end()) return false;
    Step* step = builder.append_with_result(step_lookup, op);
    if (step == nullptr) return false;
    step->record = builder.record(Lookup{static_cast<std::size_t>(at - part.kept.begin())});
    *label = builder.new_label();
    builder.set_target(*step, *label);
    return false;
  };
  const auto after = [&builder, &part, found, label](const ir::Op& op) {
    if (found(op) != part.kept.end()) builder.place(*label);
  };
  builder.instrument(before, after);
}

}  // namespace lockstep::interpreter
