// Loads, stores and atomics of a run with bounds: the lanes are the interpreter's, the bounds come from shadow memory
// and go there. A lane with an undecided mask reads the hull of both, and leaves the hull of old and new. Undecided
// addresses lose the run: nothing is known about the stored values.
#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "enclosure/shadow/access_lanes.h"
#include "enclosure/shadow/shadow_run.h"
#include "interpreter/tile/dense.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

using interpreter::Machine;
using interpreter::Temporary;
using interpreter::Tile;

namespace {

Interval read_memory(ScalarKind kind, std::uint64_t address) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void*>(address), static_cast<std::size_t>(size_bytes(kind)));
  return read_element(kind, bits);
}

/// The element's content: bounds, or the number in memory.
Interval held(ShadowMemory& memory, ScalarKind kind, std::uint64_t address) {
  Interval value;
  return memory.read(address, kind, value) ? value : read_memory(kind, address);
}

}  // namespace

bool SlotContext::load(const ir::Op& op) {
  const ValueRecord& pointer = *operand(0);
  const bool is_plain = ir::is_pointer_load(op) && !record_.block;
  const ValueRecord* mask = is_plain ? operand(1) : nullptr;
  const ValueRecord* other = is_plain ? operand(2) : nullptr;
  const BoundsRef mask_bounds = mask != nullptr ? shadows_.values[mask->id] : nullptr;
  const BoundsRef other_bounds = other != nullptr ? rounded(*other->value) : nullptr;
  const bool has_other = other != nullptr && shadows_.values[other->id] != nullptr;
  shadows_.pending.clear();
  if (run_.memory.is_empty() && mask_bounds == nullptr && !has_other) return keep_points(op);
  for (const ValueRecord& one : record_.operands) {  // addresses and indices
    if (&one != mask && &one != other && shadows_.values[one.id] != nullptr) return false;
  }
  const ScalarKind kind = record_.results[0].type->kind;
  Lanes lanes(machine_, record_, pointer, mask, mask_bounds.get());
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    const bool is_on = lanes.is_on(i), is_decided = lanes.is_decided(i);
    const Interval without = other_bounds != nullptr ? other_bounds->at(i) : Interval{0, 0};
    Interval value = without;
    if (is_on || !is_decided) {
      if (!lanes.is_valid(i, size_bytes(kind))) continue;
      const bool has_bounds = run_.memory.read(lanes.address(i), kind, value);
      if (is_decided && !has_bounds) continue;
      if (!has_bounds) value = read_memory(kind, lanes.address(i));
      if (!is_decided) value = hull(value, without);
    } else if (!has_other || without.is_point()) {
      continue;
    }
    shadows_.pending.emplace_back(i, value);
  }
  shadows_.values[record_.results[0].id] = nullptr;
  return true;
}

namespace {

/// Whether two lanes may touch the same bytes, judged by the form of the addresses.
bool may_meet(const Tile& pointer, const interpreter::TileType& type, int bytes) {
  if (type.count <= 1) return false;
  if (pointer.form != interpreter::Form::affine) return true;
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // magnitude, extent
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    if (type.shape[d] > 1) steps.emplace_back(std::abs(pointer.stride[d]), type.shape[d]);
  }
  std::sort(steps.begin(), steps.end());
  std::int64_t reach = bytes;
  for (const auto& [step, extent] : steps) {
    if (step < reach) return true;
    reach += step * (extent - 1);
  }
  return false;
}

constexpr double kExactIntegers = 0x1p52;

bool are_the_same(ScalarKind kind, const Interval& a, const Interval& b) {
  if (!a.is_point() || !b.is_point() || a.low != b.low) return false;
  return is_float(kind) || std::fabs(a.low) < kExactIntegers;
}

using Meetings = std::unordered_map<std::uint64_t, Interval>;

/// S-52: if several lanes of one store write an element, any may win. By address, where they disagree.
Meetings meetings_of(const Lanes& lanes, const Bounds& values, ScalarKind kind, CauseId cause) {
  const auto bytes = static_cast<std::uint64_t>(size_bytes(kind));
  std::vector<std::pair<std::uint64_t, std::int64_t>> order;
  bool is_rising = true;
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (!lanes.is_on(i) && lanes.is_decided(i)) continue;
    is_rising = is_rising && (order.empty() || order.back().first + bytes <= lanes.address(i));
    order.emplace_back(lanes.address(i), i);
  }
  Meetings found;
  if (is_rising) return found;
  std::sort(order.begin(), order.end());
  const auto meet = [&](std::uint64_t address, const Interval& value) {
    const auto [place, is_new] = found.try_emplace(address, value);
    if (!is_new) place->second = hull(place->second, value);
  };
  for (std::size_t k = 1; k < order.size(); ++k) {
    const auto [address, lane] = order[k];
    const auto [before, lane_before] = order[k - 1];
    if (before + bytes <= address) continue;
    const Interval a = values.at(lane_before), b = values.at(lane);
    if (before != address) {  // parts of two elements
      meet(before, unbounded_interval(cause));
      meet(address, unbounded_interval(cause));
    } else if (!are_the_same(kind, a, b)) {
      const bool is_exact = is_float(kind) || (std::fabs(a.low) < kExactIntegers && std::fabs(b.low) < kExactIntegers);
      meet(address, is_exact ? hull(a, b) : unbounded_interval(cause));
    }
  }
  return found;
}

}  // namespace

/// By lane, where another thread of the program stored before without a barrier in between; empty: nowhere.
std::vector<bool> SlotContext::stored_by_others(const Lanes& lanes, const ValueRecord& value) {
  std::vector<bool> is_on(lanes.addresses().size());
  for (std::size_t i = 0; i < is_on.size(); ++i) {
    const auto lane = static_cast<std::int64_t>(i);
    is_on[i] = lanes.is_on(lane) || !lanes.is_decided(lane);
  }
  std::vector<bool> found =
      shadows_.order.note(shape_of(*value.value), size_bytes(value.type->kind), lanes.addresses(), is_on);
  if (std::find(found.begin(), found.end(), true) == found.end()) found.clear();
  if (shadows_.order.has_stored_again()) rely_on_model(*record_.op);  // which thread stores what
  return found;
}

bool SlotContext::store(const ir::Op& op) {
  const bool is_plain = ir::is_pointer_store(op) && !record_.block;
  const ValueRecord &pointer = *operand(0), &value = *operand(1);
  const ValueRecord* mask = is_plain ? operand(2) : nullptr;
  const BoundsRef mask_bounds = mask != nullptr ? shadows_.values[mask->id] : nullptr;
  for (const ValueRecord& one : record_.operands) {
    if (&one != &value && &one != mask && shadows_.values[one.id] != nullptr) return run_.lose(record_.cause), true;
  }
  const ScalarKind kind = value.type->kind;
  const int bytes = size_bytes(kind);
  const bool is_noted = run_.is_real && is_float(kind);  // numbers that nothing rounds are known, too
  const bool is_certain = shadows_.values[value.id] == nullptr && mask_bounds == nullptr && !is_noted;
  const bool meets =
      !run_.is_real && (record_.block ? value.type->count > 1
                                      : may_meet(machine_.slots[pointer.slot], *pointer.type, bytes));
  if (is_certain && run_.memory.is_empty() && !meets && !run_.may_store_twice) return true;
  Lanes lanes(machine_, record_, pointer, mask, mask_bounds.get());
  const std::vector<bool> others = run_.may_store_twice ? stored_by_others(lanes, value) : std::vector<bool>();
  const bool has_others = !others.empty();
  if (is_certain && run_.memory.is_empty() && !meets && !has_others) return true;
  const BoundsRef bounds = is_certain && !meets && !has_others ? nullptr : rounded(*value.value);
  const Meetings meetings = meets ? meetings_of(lanes, *bounds, kind, record_.cause) : Meetings();
  if (is_certain && run_.memory.is_empty() && meetings.empty() && !has_others) return true;
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    const bool is_decided = lanes.is_decided(i);
    const bool has_order = !has_others || !others[static_cast<std::size_t>(i)];
    if ((!lanes.is_on(i) && is_decided) || !lanes.is_valid(i, bytes)) continue;
    const auto met = meetings.find(lanes.address(i));
    if (is_certain && has_order && met == meetings.end()) {
      run_.memory.write_point(lanes.address(i), bytes);
      continue;
    }
    Interval stored = met != meetings.end() ? met->second : bounds->at(i);
    if (!is_decided || !has_order) stored = hull(stored, held(run_.memory, kind, lanes.address(i)));
    if (stored.is_point() && stored.low != 0 && !run_.is_real) {
      run_.memory.write_point(lanes.address(i), bytes);
    } else {
      run_.memory.write(lanes.address(i), kind, stored, record_.cause);
    }
  }
  return true;
}

namespace {

enum class Change : std::uint8_t { add, maximum, minimum, exchange, unknown };

Change change_of(const ir::Op& op) {
  enum : std::int64_t { fadd = 5, max = 6, min = 7, exchange = 10 };
  if (ir::does_atomic(op, ir::MemoryAccess::Atomic::store)) return Change::exchange;
  const bool is_descriptor = ir::does_atomic(op, ir::MemoryAccess::Atomic::reduce);
  const std::int64_t kind = op.integer_attribute(is_descriptor ? "kind" : "atomic_rmw_op", 0);
  if (is_descriptor)
    return kind == 1 ? Change::add : kind == 2 ? Change::minimum : kind == 3 ? Change::maximum : Change::unknown;
  switch (kind) {
    case fadd: return Change::add;
    case max: return Change::maximum;
    case min: return Change::minimum;
    case exchange: return Change::exchange;
    default: return Change::unknown;
  }
}

Interval extremum(Change change, const Interval& a, const Interval& b) {
  if (a.is_unbounded() || b.is_unbounded() || a.is_nan() || b.is_nan()) return unbounded_interval(0);
  return change == Change::maximum ? Interval{std::max(a.low, b.low), std::max(a.high, b.high)}
                                   : Interval{std::min(a.low, b.low), std::min(a.high, b.high)};
}

/// Two lanes have one address: which of them sees the other's result is open.
bool lanes_meet(const Lanes& lanes) {
  std::vector<std::uint64_t> taken;
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (lanes.is_on(i)) taken.push_back(lanes.address(i));
  }
  std::sort(taken.begin(), taken.end());
  return std::adjacent_find(taken.begin(), taken.end()) != taken.end();
}

}  // namespace

/// Of an atomic on integers in a run without rounding.
void SlotContext::keep_own_result() {
  for (const ValueRecord& one : record_.results) shadows_.values[one.id] = nullptr;
}

bool SlotContext::update(const ir::Op& op) {
  const ValueRecord& pointer = *operand(0);
  const bool is_plain = op.def().access.is_pointer_access();
  const ValueRecord& value = *operand(1);
  const ValueRecord* mask = is_plain ? operand(2) : nullptr;
  const ScalarKind kind = value.type->kind;
  if (run_.is_real && !is_float(kind)) return keep_own_result(), true;
  const bool is_used = op.result_count() > 0 && op.result(0)->has_uses();
  const bool is_sum = change_of(op) == Change::add && is_float(kind);
  bool is_certain = run_.memory.is_empty() && !is_sum;
  for (const ValueRecord& one : record_.operands) is_certain = is_certain && shadows_.values[one.id] == nullptr;
  // S-64: the old value of a scalar atomic that is masked off is anything on a GPU.
  const bool is_off =
      mask != nullptr && is_used && mask->type->is_scalar() && (machine_.slots[mask->slot].base & 1) == 0;
  const BoundsRef mask_bounds = mask != nullptr ? shadows_.values[mask->id] : nullptr;
  if (is_certain)
    return !is_off && !(is_used && lanes_meet(Lanes(machine_, record_, pointer, mask, nullptr))) && keep_points(op);
  for (const ValueRecord& one : record_.operands) {
    if (&one != &value && &one != mask && shadows_.values[one.id] != nullptr) return run_.lose(record_.cause), false;
  }
  const BoundsRef bounds = rounded(*value.value);
  Lanes lanes(machine_, record_, pointer, mask, mask_bounds.get());
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if ((!lanes.is_on(i) && lanes.is_decided(i)) || !lanes.is_valid(i, size_bytes(kind))) continue;
    Interval term = bounds->at(i);
    const Interval old = held(run_.memory, kind, lanes.address(i));
    const Change change = change_of(op);
    if (is_sum) {
      if (!lanes.is_decided(i)) term = hull(term, {0, 0});
      run_.memory.accumulate(lanes.address(i), kind, number_kind(*this, *value.value), old, term, record_.cause);
      continue;
    }
    if (old.is_point() && term.is_point() && lanes.is_decided(i) && !run_.is_real) {
      run_.memory.write_point(lanes.address(i), size_bytes(kind));
      continue;
    }
    Interval made = unbounded_interval(record_.cause);
    if (change == Change::maximum || change == Change::minimum) made = extremum(change, old, term);
    if (change == Change::exchange) made = hull(old, term);
    run_.memory.write(lanes.address(i), kind, lanes.is_decided(i) ? made : hull(made, old));
  }
  if (op.result_count() == 0) return true;
  if (is_used) return false;  // another order of the programs gives other old values
  shadows_.values[record_.results[0].id] = nullptr;
  return true;
}

/// For the observer of the run.
void SlotContext::tell_writes(const ir::Op& op) {
  const ValueRecord& pointer = *operand(0);
  const std::uint64_t program = machine_.program->number;
  const ir::Type target = op.operand(0)->type().element();
  const bool is_plain = target.is_pointer() && !target.pointee().is_tensor();
  if (!is_plain && !record_.block) return run_.observer->writes(program, 0, 0);
  const bool has_mask = is_plain && !ir::does_atomic(op, ir::MemoryAccess::Atomic::exchange_if_equal);
  const ir::Value* value = op.operand_or_null(1);
  const ValueRecord* mask = has_mask ? operand(2) : nullptr;
  const int bytes = value != nullptr ? size_bytes(find(*value).type->kind) : 1;
  Lanes lanes(machine_, record_, pointer, mask, nullptr);
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (lanes.is_on(i)) run_.observer->writes(program, lanes.address(i), bytes);
  }
}

namespace {

bool has_one_program(const Machine& machine) {
  const auto& grid = machine.launch.grid;
  return grid[0] * grid[1] * grid[2] == 1;
}

/// Only a loop that waits for the answer uses it.
bool is_waited_for(const ir::Value& result) {
  const auto is_condition = [](const ir::Use& use) { return ir::is_loop_condition(*use.user); };
  return std::all_of(result.uses().begin(), result.uses().end(), [&](const ir::Use& use) {
    if (!ir::is_integer_comparison(*use.user)) return false;
    const auto& uses = use.user->result(0)->uses();
    return std::all_of(uses.begin(), uses.end(), is_condition);
  });
}

}  // namespace

/// Lanes and programs exchange an element in any order: it ends as any of their numbers.
bool SlotContext::exchange(const ir::Op& op) {
  if (run_.is_real && !is_float(operand(1)->type->kind)) return keep_own_result(), true;
  const ValueRecord &pointer = *operand(0), &value = *operand(1);
  const ValueRecord* mask = operand(2);
  const BoundsRef mask_bounds = mask != nullptr ? shadows_.values[mask->id] : nullptr;
  for (const ValueRecord& one : record_.operands) {
    if (&one != &value && &one != mask && shadows_.values[one.id] != nullptr) return run_.lose(record_.cause), false;
  }
  const ScalarKind kind = value.type->kind;
  const BoundsRef bounds = rounded(*value.value);
  const std::uint64_t step = ++run_.atomic_steps, program = machine_.program->number;
  bool is_open = mask_bounds != nullptr || shadows_.values[value.id] != nullptr || !run_.memory.is_empty();
  Lanes lanes(machine_, record_, pointer, mask, mask_bounds.get());
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if ((!lanes.is_on(i) && lanes.is_decided(i)) || !lanes.is_valid(i, size_bytes(kind))) continue;
    const Interval old = held(run_.memory, kind, lanes.address(i)), term = bounds->at(i);
    const auto [place, is_new] = run_.exchanged.try_emplace(lanes.address(i), Swapped{term, old, program, step});
    Swapped& known = place->second;
    const bool is_ordered = !is_new && known.program == program && known.step != step;
    Interval made = term;
    if (is_ordered) {
      known = {term, old, program, step};
    } else if (!is_new) {
      is_open = true;
      if (!are_the_same(kind, known.first, term)) {
        const bool is_exact = is_float(kind) || std::fabs(term.low) < kExactIntegers;
        made = is_exact ? hull(hull(known.first, term), known.second) : unbounded_interval(record_.cause);
      }
      known = {made, known.second, program, step};
    }
    if (!lanes.is_decided(i)) made = hull(made, old);
    const bool is_certain = made.is_point() && (made.low != 0 || !is_float(kind)) && !run_.is_real;
    if (is_certain && run_.memory.is_empty()) continue;
    if (is_certain) {
      run_.memory.write_point(lanes.address(i), size_bytes(kind));
    } else {
      run_.memory.write(lanes.address(i), kind, made);
    }
  }
  if (op.result_count() == 0) return true;
  // S-64: the old value of a scalar atomic that is masked off is anything on a GPU.
  const bool is_off = mask != nullptr && mask->type->is_scalar() && (machine_.slots[mask->slot].base & 1) == 0;
  if (op.result(0)->has_uses() && (is_open || is_off || !has_one_program(machine_))) return false;
  shadows_.values[record_.results[0].id] = nullptr;
  return true;
}

/// Programs with the same compare-and-swap on one element leave the same value in any order; which of them did it is
/// open.
bool SlotContext::swap(const ir::Op& op) {
  if (run_.is_real && !is_float(operand(2)->type->kind)) return keep_own_result(), true;
  if (!run_.memory.is_empty() || !keep_points(op)) return run_.lose(record_.cause), false;
  const ValueRecord &pointer = *operand(0), &value = *operand(2);
  const BoundsRef compared = bounds(*operand(1)->value), written = bounds(*value.value);
  const ScalarKind kind = value.type->kind;
  const std::uint64_t step = ++run_.atomic_steps, program = machine_.program->number;
  bool is_open = !has_one_program(machine_);
  Lanes lanes(machine_, record_, pointer, nullptr, nullptr);
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    const Swapped mine{compared->at(i), written->at(i), program, step};
    const auto [place, is_new] = run_.swapped.try_emplace(lanes.address(i), mine);
    Swapped& known = place->second;
    const bool is_ordered = known.program == program && known.step != step;
    if (!is_new && !is_ordered) {
      is_open = true;
      if (!are_the_same(kind, known.first, mine.first) || !are_the_same(kind, known.second, mine.second))
        return run_.lose(record_.cause), false;
    }
    known = mine;
  }
  const bool is_seen = op.result_count() > 0 && !is_waited_for(*op.result(0));
  return !is_open || !is_seen;
}

/// Rows of a scatter that overlap are written in any order.
bool SlotContext::has_distinct_rows(const ir::Op&) {
  const BoundsRef rows = bounds(*operand(1)->value);
  std::vector<double> sorted(rows->low(), rows->low() + rows->count());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

/// Loads carry the marks of the memory that they read, stores mark the memory that they write; if addresses or masks
/// depend on a model, so does everything. Masked-off lanes count if the access has no plain mask.
void SlotContext::carry_models_through_memory(const ir::Op& op) {
  const bool reads = op.def().effects != ir::Effects::write, writes = op.def().effects != ir::Effects::read;
  const ValueRecord& pointer = *operand(0);
  const ir::Type type = op.operand(0)->type().element();
  const bool is_plain = type.is_pointer() && !type.pointee().is_tensor() && !record_.block;
  ModelSet all = relied_;
  for (const ValueRecord& one : record_.operands) {
    all |= models_of(one);
    const bool is_value = writes && record_.operands.size() > 1 && &one == operand(1);
    if (writes && !is_value) run_.everywhere |= models_of(one);
  }
  if (all == 0 && !run_.memory.has_models()) return;
  if (!is_plain && !record_.block) {
    relied_ |= run_.memory.all_models();
    if (writes) run_.everywhere |= all;
    return;
  }
  const bool has_mask = ir::is_pointer_load(op) || ir::is_pointer_store(op);
  const std::size_t mask_at = ir::is_pointer_load(op) ? 1 : 2;
  Lanes lanes(machine_, record_, pointer, has_mask && !record_.block ? operand(mask_at) : nullptr, nullptr);
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (!lanes.is_on(i)) continue;
    if (reads) relied_ |= run_.memory.models_at(lanes.address(i));
    if (writes && all != 0) run_.memory.mark(lanes.address(i), all);
  }
}

// ---- copies between memory and buffers ----

/// Of pointers, with a mask as operand group 2: what they point to, zeros elsewhere.
bool SlotContext::copy_in(const ir::Op& op, const ValueRecord& view) {
  const ValueRecord& pointer = *operand(0);
  const ValueRecord* mask = operand(2);
  const bool is_decided = mask == nullptr || shadows_.values[mask->id] == nullptr;
  if (!pointer.type->shape.empty() && op.operand(0)->type().element().is_pointer() && is_decided &&
      shadows_.values[pointer.id] == nullptr) {
    const ScalarKind kind = view.places->tile->kind;
    Lanes lanes(machine_, record_, pointer, mask, nullptr);
    auto held = std::make_shared<Bounds>(lanes.count());
    for (std::int64_t i = 0; i < lanes.count(); ++i) {
      const bool is_read = lanes.is_on(i) && lanes.is_valid(i, size_bytes(kind));
      held->set(i, is_read ? enclosure::held(run_.memory, kind, lanes.address(i)) : Interval{0, 0});
      if (is_read && run_.memory.has_models()) relied_ |= run_.memory.models_at(lanes.address(i));
    }
    hold(view, std::move(held));
    return true;
  }
  hold(view, unbounded_bounds(view.places->tile->count, record_.cause));
  return false;
}

/// A block of the descriptor: from the only buffer among the operands.
bool SlotContext::copy_out(const ir::Op& op) {
  const ValueRecord& descriptor = record_.operands[0];
  const auto view = std::find_if(record_.operands.begin(), record_.operands.end(),
                                 [](const ValueRecord& one) { return one.places != nullptr; });
  if (view == record_.operands.end() || !op.operand(0)->type().is_descriptor() || op.attribute("kind")) return false;
  const interpreter::TileType& tile = *view->places->tile;
  interpreter::BlockRecord block = read_record(machine_, machine_.slots[descriptor.slot], *descriptor.type);
  const std::vector<ir::Value*> starts = op.operand_group(1);
  if (run_.may_store_twice || tile.shape.size() != starts.size()) return false;
  for (std::size_t d = 0; d < starts.size(); ++d) {
    if (!is_point(*starts[d])) return false;
    block.offset[d] = interpreter::signed_value(machine_, find(*starts[d]).slot);
  }
  const BoundsRef held = held_by(*view);
  std::vector<std::int64_t> index(tile.shape.size(), 0);
  for (std::int64_t i = 0; i < tile.count; ++i) {
    bool is_inside = true;
    std::uint64_t address = block.base;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t at = block.offset[d] + index[d];
      is_inside = is_inside && at >= 0 && at < block.shape[d];
      address += static_cast<std::uint64_t>(at * block.stride[d] * tile.element_bytes);
    }
    if (is_inside) run_.memory.write(address, tile.kind, held->at(i));
    if (is_inside && shadows_.buffer_models != 0) run_.memory.mark(address, shadows_.buffer_models);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tile.shape[d]) break;
      index[d] = 0;
    }
  }
  return true;
}

bool SlotContext::copy(const ir::Op& op) {
  const bool writes_buffer = op.operand_or_null(0)->type().element().is_pointer() ||
                             op.def().operands[op.def().operands.size() - 1].name == "pred";
  bool knows_memory = run_.memory.is_empty();
  const std::int32_t from = machine_.slots[record_.operands[0].slot].provenance;
  if (writes_buffer && !knows_memory && from >= 0) {
    const interpreter::ViewRange& range = machine_.launch.views[static_cast<std::size_t>(from)];
    knows_memory = !run_.memory.has_bounds(range.begin, range.end);
  }
  if (!writes_buffer) {  // from a buffer
    if ((knows_memory && keep_points(op)) || copy_out(op)) return true;
    run_.lose(record_.cause);
    return false;
  }
  bool is_known = true;
  for (const ValueRecord& one : record_.operands) {
    if (one.places == nullptr) continue;
    bool are_points = knows_memory;
    for (const ValueRecord& other : record_.operands) are_points = are_points && shadows_.values[other.id] == nullptr;
    if (are_points) {
      hold(one, nullptr);
    } else {
      is_known = copy_in(op, one) && is_known;
    }
  }
  return is_known;
}

bool SlotContext::access_memory(const ir::Op& op) {
  const bool is_known = access(op);
  carry_models_through_memory(op);
  return is_known;
}

bool SlotContext::access(const ir::Op& op) {
  if (std::any_of(record_.operands.begin(), record_.operands.end(),
                  [](const ValueRecord& one) { return one.value->type().is_memdesc(); }))
    return copy(op);
  const bool is_watched = run_.observer != nullptr && run_.observer->wants_writes();
  if (is_watched && op.def().effects != ir::Effects::read) tell_writes(op);
  using Atomic = ir::MemoryAccess::Atomic;
  if (ir::is_tile_load(op)) return load(op);
  if (ir::is_tile_store(op)) return store(op);
  switch (op.def().access.atomic) {
    case Atomic::update:
    case Atomic::reduce: return change_of(op) == Change::exchange ? exchange(op) : update(op);
    case Atomic::exchange_if_equal: return swap(op);
    default: break;
  }
  const bool scatters = op.def().access.kind == ir::MemoryAccess::Kind::store;
  if (scatters && !has_distinct_rows(op)) return run_.lose(record_.cause), true;
  // Rows of descriptors, compare-and-swap, polls: known only if nothing at all is uncertain.
  if (run_.memory.is_empty() && keep_points(op)) return true;
  if (op.def().effects != ir::Effects::read) run_.lose(record_.cause);
  return false;
}

}  // namespace lockstep::enclosure
