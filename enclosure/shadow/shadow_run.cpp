#include "enclosure/shadow/shadow_run.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "enclosure/rules/written_number.h"
#include "interpreter/tile/dense.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::enclosure {

using interpreter::Form;
using interpreter::Machine;
using interpreter::Step;
using interpreter::Temporary;
using interpreter::Tile;
using interpreter::View;
using interpreter::ViewPlaces;

namespace {

/// A number that the host gave, as it may have written it.
BoundsRef parameter_bounds(const Machine& machine, const ValueRecord& record) {
  auto made = std::make_shared<Bounds>(1);
  const ScalarKind kind = record.type->kind;
  made->set(0, written_number(kind, read_element(kind, machine.slots[record.slot].base)));
  return made;
}

}  // namespace

ShadowRun& run_of(const Machine& machine) { return *static_cast<ShadowRun*>(machine.launch.instrumentation_state); }

ProgramShadows& shadows_of(Machine& machine) {
  std::shared_ptr<void>& kept = machine.program->instrumentation_state;
  if (kept == nullptr) {
    const auto made = std::make_shared<ProgramShadows>();
    made->values.resize(run_of(machine).values);
    made->models.resize(run_of(machine).values);
    made->undecided.resize(run_of(machine).constructs);
    for (const ValueRecord& one : run_of(machine).float_parameters)
      made->values[one.id] = parameter_bounds(machine, one);
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
  if (record.places != nullptr) return held_by(record);
  const BoundsRef& known = shadows_.values[record.id];
  return known != nullptr ? known : read_slot(machine_, record);
}

bool SlotContext::is_point(const ir::Value& value) {
  const ValueRecord& record = find(value);
  return shadows_.values[record.id] == nullptr && (record.places == nullptr || holds_points(record));
}

void SlotContext::keep_point(const ir::Value& value) {
  const ValueRecord& record = find(value);
  if (record.places != nullptr) return hold(record, nullptr);
  shadows_.values[record.id] = nullptr;
}

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

/// Without rounding: integers are always the launch's own. Those that floats made, other than truths, are noted.
void SlotContext::keep_own_integers(const ir::Value& value) {
  keep_point(value);
  if (kind_of(value) == ScalarKind::i1) return;
  const auto has_shadow = [&](const ValueRecord& one) {
    return is_float(kind_of(*one.value)) && shadows_.values[one.id] != nullptr;
  };
  if (std::any_of(record_.operands.begin(), record_.operands.end(), has_shadow)) relied_ |= run_.model_of(*record_.op);
}

void SlotContext::set(const ir::Value& value, BoundsRef bounds) {
  if (run_.is_real && !is_float(kind_of(value))) return keep_own_integers(value);
  if (name_unbounded(*bounds, record_.cause)) run_.note(record_.cause);
  if (!run_.is_real && !bounds->is_unrounded && are_points(*bounds)) bounds = nullptr;
  if (find(value).places != nullptr) return hold(find(value), std::move(bounds));
  shadows_.values[find(value).id] = std::move(bounds);
}

namespace {

/// The op's floats are its operands', or what is in memory: no format rounds them here.
bool rounds_nothing(const ir::Op& op) {
  const ir::Arithmetic what = op.def().arithmetic;
  if (ir::moves_lanes(op) || ir::is_gather(op) || ir::is_selection(op) || ir::widens_float(op)) return true;
  if (op.def().effects == ir::Effects::read || op.def().effects == ir::Effects::read_write) return true;
  if (ir::is_extremum(what) || what == ir::Arithmetic::negation || what == ir::Arithmetic::magnitude) return true;
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (!is_float(kind_of(*op.result(i)))) continue;
    const bool has_floats = std::any_of(op.operands().begin(), op.operands().end(),
                                        [](const ir::Value* one) { return is_float(kind_of(*one)); });
    if (has_floats || ir::is_constant(op) || ir::converts_to_float(op)) return false;
  }
  return true;
}

}  // namespace

bool SlotContext::keep_points(const ir::Op& op) {
  if (run_.is_real && !rounds_nothing(op)) return false;
  for (const ValueRecord& one : record_.operands) {
    if (shadows_.values[one.id] != nullptr || (one.places != nullptr && !holds_points(one))) return false;
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
  bool has_buffer = false;
  for (const ValueRecord& one : record_.operands) {
    all |= models_of(one);
    has_buffer = has_buffer || one.places != nullptr;
  }
  if (has_buffer) all = shadows_.buffer_models |= all;
  for (const ValueRecord& one : record_.results) shadows_.models[one.id] = all;
}

void SlotContext::set_unbounded() {
  if (run_.is_real) {
    bool has_floats = false;
    for (const ValueRecord& one : record_.results) {
      const bool is_number = is_float(kind_of(*one.value));
      has_floats = has_floats || is_number;
      if (!is_number) keep_own_integers(*one.value);
      else shadows_.values[one.id] = unbounded_bounds(one.type->count, record_.cause);
    }
    if (has_floats) run_.note(record_.cause);
    return;
  }
  run_.note(record_.cause);
  for (const ValueRecord& one : record_.results)
    shadows_.values[one.id] = unbounded_bounds(one.type->count, record_.cause);
}

// ---- bounds of what views of buffers hold ----

// Entries of different views that share bytes are unbounded after a write to one of them.

namespace {

bool is_same(const BufferBounds& entry, const View& view, const ViewPlaces& places) {
  const interpreter::TileType &mine = *entry.places->tile, &other = *places.tile;
  return pack(entry.view) == pack(view) && mine.kind == other.kind && mine.shape == other.shape &&
         entry.places->outer == places.outer && entry.places->inner == places.inner;
}

std::pair<std::int64_t, std::int64_t> range_of(const View& view, const ViewPlaces& places) {
  std::int64_t low = INT64_MAX, high = 0;
  for_each_run(view, places, [&](std::int64_t begin, std::int64_t end) {
    low = std::min(low, begin);
    high = std::max(high, end);
  });
  return {low, high};
}

bool may_share(const BufferBounds& entry, const View& view, const ViewPlaces& places) {
  if (entry.view.storage != view.storage) return false;
  const auto mine = range_of(entry.view, *entry.places), other = range_of(view, places);
  return mine.first < other.second && other.first < mine.second;
}

/// The interpreter's numbers.
BoundsRef read_numbers(const Machine& machine, const View& view, const ViewPlaces& places) {
  const interpreter::TileType& type = *places.tile;
  const auto bytes = static_cast<std::size_t>(type.element_bytes);
  std::vector<char> in_order, row_major(static_cast<std::size_t>(type.bytes()));
  const char* data = bytes_at(machine, view.storage);
  for_each_run(view, places,
               [&](std::int64_t begin, std::int64_t end) { in_order.insert(in_order.end(), data + begin, data + end); });
  std::vector<std::int64_t> index(type.shape.size(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(type.count); ++i) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * places.stride[d];
    std::memcpy(row_major.data() + i * bytes, in_order.data() + static_cast<std::size_t>(at) * bytes, bytes);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < type.shape[d]) break;
      index[d] = 0;
    }
  }
  return read_elements(type.kind, row_major.data(), type.count);
}

void write_bounds(ProgramShadows& shadows, const View& view, const std::shared_ptr<const ViewPlaces>& places,
                  BoundsRef bounds, CauseId cause) {
  std::erase_if(shadows.buffers, [&](const BufferBounds& entry) { return is_same(entry, view, *places); });
  for (BufferBounds& entry : shadows.buffers) {
    if (may_share(entry, view, *places)) entry.bounds = unbounded_bounds(entry.bounds->count(), cause);
  }
  if (bounds != nullptr) shadows.buffers.push_back({view, places, std::move(bounds)});
}

}  // namespace

bool SlotContext::holds_points(const ValueRecord& record) {
  if (shadows_.values[record.id] != nullptr) return false;
  const View view = interpreter::unpack(machine_.slots[record.slot].base);
  return std::none_of(shadows_.buffers.begin(), shadows_.buffers.end(),
                      [&](const BufferBounds& entry) { return may_share(entry, view, *record.places); });
}

BoundsRef SlotContext::held_by(const ValueRecord& record) {
  const View view = interpreter::unpack(machine_.slots[record.slot].base);
  const std::int64_t count = record.places->tile->count;
  if (shadows_.values[record.id] != nullptr || view.storage == interpreter::kNoSlot ||
      !is_in_buffer(machine_, view, *record.places))
    return unbounded_bounds(count, record_.cause);
  if (holds_points(record)) return read_numbers(machine_, view, *record.places);
  for (const BufferBounds& entry : shadows_.buffers) {
    if (is_same(entry, view, *record.places)) return entry.bounds;
  }
  return unbounded_bounds(count, record_.cause);
}

void SlotContext::hold(const ValueRecord& record, BoundsRef bounds) {
  const View view = interpreter::unpack(machine_.slots[record.slot].base);
  if (view.storage == interpreter::kNoSlot) return;
  if (shadows_.values[record.id] != nullptr) return run_.lose(record_.cause);
  write_bounds(shadows_, view, record.places, std::move(bounds), record_.cause);
}

const Step* step_fill_buffer(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const OpRecord*>(step->record);
  ProgramShadows& shadows = shadows_of(machine);
  const View view = interpreter::unpack(machine.slots[record.results[0].slot].base);
  BoundsRef bounds = shadows.values[record.operands[0].id];
  if (bounds != nullptr && bounds->is_unrounded) {
    bounds = copy_of(*bounds);
    round_bounds(record.operands[0].type->kind, *bounds);
  }
  shadows.buffer_models |= shadows.models[record.operands[0].id];
  write_bounds(shadows, view, record.results[0].places, std::move(bounds), record.cause);
  return step + 1;
}

}  // namespace lockstep::enclosure
