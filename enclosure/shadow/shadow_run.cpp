#include "enclosure/shadow/shadow_run.h"

#include <algorithm>

#include "interpreter/tile/dense.h"
#include "support/check.h"

namespace lockstep::enclosure {

using interpreter::Form;
using interpreter::Machine;
using interpreter::Temporary;
using interpreter::Tile;

ShadowRun& run_of(const Machine& machine) { return *static_cast<ShadowRun*>(machine.launch.instrumentation_state); }

ProgramShadows& shadows_of(Machine& machine) {
  std::shared_ptr<void>& kept = machine.program->instrumentation_state;
  if (kept == nullptr) {
    const auto made = std::make_shared<ProgramShadows>();
    made->values.resize(run_of(machine).values);
    made->models.resize(run_of(machine).values);
    made->undecided.resize(run_of(machine).constructs);
    kept = made;
  }
  return *static_cast<ProgramShadows*>(kept.get());
}

ModelSet ShadowRun::model_of(const ir::Op& op) {
  constexpr std::size_t kLast = 63;
  std::size_t i = static_cast<std::size_t>(std::find(models.begin(), models.end(), &op) - models.begin());
  if (i == models.size()) models.push_back(&op);
  return ModelSet{1} << std::min(i, kLast);
}

std::string slot_bytes(Machine& machine, const ValueRecord& record) {
  const Temporary packed(machine, make_contiguous(machine, machine.slots[record.slot], *record.type));
  const auto bytes = static_cast<std::size_t>(record.type->count * size_bytes(record.type->kind));
  return {reinterpret_cast<const char*>(packed->data()), bytes};
}

BoundsRef read_slot(Machine& machine, const ValueRecord& record) {
  const Tile& tile = machine.slots[record.slot];
  if (tile.form == Form::uniform) {
    const Interval element = read_element(record.type->kind, tile.base);
    auto made = std::make_shared<Bounds>(record.type->count, element.is_point());
    std::fill_n(made->low(), made->count(), element.low);
    if (!made->shares_ends()) std::fill_n(made->high(), made->count(), element.high);
    return made;
  }
  const Temporary packed(machine, make_contiguous(machine, tile, *record.type));
  return read_elements(record.type->kind, packed->data(), record.type->count);
}

const ValueRecord& SlotContext::find(const ir::Value& value) const {
  for (const auto* list : {&record_.operands, &record_.results}) {
    for (const ValueRecord& one : *list) {
      if (one.value == &value) return one;
    }
  }
  LOCKSTEP_CHECK(false, "an enclosure looks at a value that is not its op's");
}

const ValueRecord* SlotContext::operand(std::size_t group) const {
  const ir::Value* value = record_.op->operand_or_null(group);
  return value != nullptr ? &find(*value) : nullptr;
}

BoundsRef SlotContext::bounds(const ir::Value& value) {
  const ValueRecord& record = find(value);
  const BoundsRef& known = shadows_.values[record.id];
  return known != nullptr ? known : read_slot(machine_, record);
}

bool SlotContext::is_point(const ir::Value& value) { return shadows_.values[find(value).id] == nullptr; }

namespace {

/// Points that are not zero: the interpreter's result must be the same number. A zero may have either sign.
bool are_points(const Bounds& bounds) {
  for (std::int64_t i = 0; i < bounds.count(); ++i) {
    if (!(bounds.low()[i] == bounds.high()[i]) || bounds.low()[i] == 0) return false;
  }
  return true;
}

/// Elements that a rule gave up without a name become the op's; false if there are none.
bool name_unbounded(Bounds& bounds, CauseId cause) {
  const double* low = bounds.low();
  bool has_any = false;
  for (std::int64_t i = 0; i < bounds.count(); ++i) has_any |= low[i] != low[i];
  if (!has_any) return false;
  bool is_new = false;
  for (std::int64_t i = 0; i < bounds.count(); ++i) {
    if (!(low[i] != low[i]) || cause_of(low[i]) != 0) continue;
    bounds.set(i, unbounded_interval(cause));
    is_new = true;
  }
  return is_new;
}

}  // namespace

void SlotContext::set(const ir::Value& value, BoundsRef bounds) {
  if (name_unbounded(*bounds, record_.cause)) run_.note(record_.cause);
  if (!bounds->is_unrounded && are_points(*bounds)) bounds = nullptr;
  shadows_.values[find(value).id] = std::move(bounds);
}

bool SlotContext::keep_points(const ir::Op&) {
  for (const ValueRecord& one : record_.operands) {
    if (shadows_.values[one.id] != nullptr) return false;
  }
  for (const ValueRecord& one : record_.results) shadows_.values[one.id] = nullptr;
  return true;
}

bool SlotContext::spend(double evaluations) {
  if (evaluations > run_.work) return false;
  run_.work -= evaluations;
  return true;
}

void SlotContext::carry_models() {
  ModelSet all = relied_;
  for (const ValueRecord& one : record_.operands) all |= models_of(one);
  for (const ValueRecord& one : record_.results) shadows_.models[one.id] = all;
}

void SlotContext::set_unbounded() {
  run_.note(record_.cause);
  for (const ValueRecord& one : record_.results)
    shadows_.values[one.id] = unbounded_bounds(one.type->count, record_.cause);
}

}  // namespace lockstep::enclosure
