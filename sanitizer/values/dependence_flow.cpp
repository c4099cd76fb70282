#include "sanitizer/values/dependence_flow.h"

#include <algorithm>

#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "sanitizer/numeric/exact_math.h"

namespace lockstep::sanitizer {

// ---- sets ----

Parts DependenceFlow::unite(const Parts& a, const Parts& b) {
  return {sets_.unite(a.value, b.value), sets_.unite(a.address, b.address), sets_.unite(a.condition, b.condition)};
}

ElementSets::Id DependenceFlow::whole(const Parts& parts) {
  return sets_.unite(sets_.unite(parts.value, parts.address), parts.condition);
}

Parts DependenceFlow::unite_all(const LanesRef& lanes) {
  Parts all;
  if (lanes == nullptr) return all;
  for (const Parts& one : *lanes) all = unite(all, one);
  return all;
}

Parts DependenceFlow::lane_or_none(const LanesRef& lanes, std::size_t lane) {
  return lanes == nullptr ? Parts{} : (*lanes)[lanes->size() == 1 ? 0 : lane];
}

// ---- control flow ----

namespace {

/// The operands of the terminators of a structured op's regions that may become its value `number`: a result, or a
/// variable that a loop carries.
std::vector<const ir::Value*> handed_over(const ir::Op& construct, std::size_t number) {
  std::vector<const ir::Value*> found;
  for (const auto& region : construct.regions()) {
    for (const auto& block : region->blocks()) {
      const ir::Op& last = *block->ops().back();
      const std::size_t first = ir::is_loop_condition(last) ? 1 : 0;
      if (ir::is_open_loop(construct)) {  // either terminator: any of them
        for (std::size_t i = first; i < last.operand_count(); ++i) found.push_back(last.operand(i));
      } else if (first + number < last.operand_count()) {
        found.push_back(last.operand(first + number));
      }
    }
  }
  return found;
}

/// The structured op that the value is a result or a variable of, and its number there; null: none.
std::pair<const ir::Op*, std::size_t> construct_of_value(const ir::Value& value) {
  if (const ir::Op* op = value.defining_op()) return {ir::is_structured(*op) ? op : nullptr, value.index()};
  const ir::Op* parent = value.owner_block()->parent_op();
  if (parent == nullptr || !ir::is_loop(*parent)) return {nullptr, 0};
  return {parent, ir::is_counted_loop(*parent) && value.index() > 0 ? value.index() - 1 : value.index()};
}

}  // namespace

const std::vector<const ir::Op*>& DependenceFlow::constructs_behind(const ir::Value& value) {
  const auto known = behind_.find(&value);
  if (known != behind_.end()) return known->second;
  std::set<const ir::Value*> seen;
  std::vector<const ir::Op*> found;
  std::vector<const ir::Value*> open{&value};
  while (!open.empty()) {
    const ir::Value* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    const auto [construct, number] = construct_of_value(*next);
    if (construct == nullptr) continue;
    if (std::find(found.begin(), found.end(), construct) == found.end()) found.push_back(construct);
    const bool is_induction = ir::is_counted_loop(*construct) && next->defining_op() == nullptr && next->index() == 0;
    if (is_induction) continue;
    for (const ir::Value* one : handed_over(*construct, number)) open.push_back(one);
  }
  return behind_[&value] = std::move(found);
}

ElementSets::Id DependenceFlow::conditions_of(const Execution& run, const ir::Value& value) {
  ElementSets::Id all = 0;
  for (const ir::Op* construct : constructs_behind(value)) {
    const auto found = decided_.find({run.program(), construct});
    if (found != decided_.end()) all = sets_.unite(all, found->second);
  }
  return all;
}

Parts DependenceFlow::conditions_around(Execution& run) {
  const auto jumped = jumps_.find(run.program());
  ElementSets::Id all = jumped == jumps_.end() ? 0 : jumped->second;
  for (const ir::Op* at = run.op().parent_op(); at != nullptr; at = at->block() != nullptr ? at->parent_op() : nullptr) {
    const auto found = decided_.find({run.program(), at});
    if (found != decided_.end()) all = sets_.unite(all, found->second);
  }
  return {0, 0, all};
}

void DependenceFlow::decide(Execution& run) {
  const ir::Op& op = run.op();
  ElementSets::Id all = 0;
  for (std::size_t i = 0; i < ir::deciding_operands(op); ++i) all = sets_.unite(all, whole(unite_all(lanes_of(run, *op.operand(i)))));
  if (all == 0) return;
  if (ir::is_conditional_jump(op)) {
    ElementSets::Id& jumped = jumps_[run.program()];
    jumped = sets_.unite(jumped, all);
    return;
  }
  const ir::Op* construct = ir::is_loop_condition(op) ? op.parent_op() : &op;
  ElementSets::Id& decided = decided_[{run.program(), construct}];
  decided = sets_.unite(decided, all);
}

// ---- values ----

DependenceFlow::LanesRef DependenceFlow::lanes_of(Execution& run, const ir::Value& value) {
  auto lanes = std::static_pointer_cast<Lanes>(run.state(value));
  const ElementSets::Id conditions = conditions_of(run, value);
  if (conditions == 0) return lanes;
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(value.type().element_count(), 1));
  auto made = lanes != nullptr ? std::make_shared<Lanes>(*lanes) : std::make_shared<Lanes>(count);
  for (Parts& one : *made) one = unite(one, {0, 0, conditions});
  return made;
}

void DependenceFlow::set(Execution& run, const ir::Value& value, LanesRef lanes) {
  const bool is_empty = lanes == nullptr || std::all_of(lanes->begin(), lanes->end(),
                                                        [](const Parts& one) { return one == Parts{}; });
  run.state(value) = is_empty ? nullptr : std::move(lanes);
}

Parts DependenceFlow::selected(Execution& run, std::int64_t lane, const std::vector<LanesRef>& operands) {
  const ir::Value& condition = *run.op().operand(0);
  const std::int64_t at = run.count(condition) == 1 ? 0 : lane;
  const bool is_first = (run.bits(condition, at) & 1) != 0;
  const auto index = static_cast<std::size_t>(lane);
  return unite(lane_or_none(operands[is_first ? 1 : 2], index), as_condition(lane_or_none(operands[0], index)));
}

Parts DependenceFlow::gathered(Execution& run, std::int64_t lane, const std::vector<LanesRef>& operands) {
  const std::int64_t from = ir::gathered_lane(run.op(), lane, run.integer(*run.op().operand(1), lane));
  return unite(lane_or_none(operands[0], static_cast<std::size_t>(from)),
               as_address(lane_or_none(operands[1], static_cast<std::size_t>(lane))));
}

Parts DependenceFlow::folded(const ir::Op& op, std::int64_t lane, const std::vector<LanesRef>& operands) {
  const AxisLine line = line_of(op, lane);
  Parts all;
  for (const LanesRef& operand : operands) {
    for (std::int64_t k = 0; operand != nullptr && k < line.count; ++k)
      all = unite(all, lane_or_none(operand, static_cast<std::size_t>(line.first + k * line.step)));
  }
  return all;
}

/// The rows of a and the columns of b are united once.
DependenceFlow::LanesRef DependenceFlow::multiplied(const ir::Op& op, const std::vector<LanesRef>& operands) {
  std::map<std::int64_t, Parts> rows, columns;
  const auto line_parts = [&](std::map<std::int64_t, Parts>& known, const LanesRef& from, std::int64_t first,
                              std::int64_t step, std::int64_t count) {
    const auto [entry, is_new] = known.try_emplace(first);
    for (std::int64_t k = 0; is_new && from != nullptr && k < count; ++k)
      entry->second = unite(entry->second, lane_or_none(from, static_cast<std::size_t>(first + k * step)));
    return entry->second;
  };
  auto made = std::make_shared<Lanes>(static_cast<std::size_t>(op.result()->type().element_count()));
  for (std::size_t i = 0; i < made->size(); ++i) {
    const ProductLine line = product_line(op, static_cast<std::int64_t>(i));
    const Parts a = line_parts(rows, operands[0], line.a_first, line.a_step, line.count);
    const Parts b = line_parts(columns, operands[1], line.b_first, line.b_step, line.count);
    (*made)[i] = unite(unite(a, b), lane_or_none(operands[2], i));
  }
  return made;
}

DependenceFlow::LanesRef DependenceFlow::compute_result(Execution& run, std::size_t number,
                                                        const std::vector<LanesRef>& operands) {
  const ir::Op& op = run.op();
  const std::size_t own = op.operand_count();
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(op.result(number)->type().element_count(), 1));
  if (ir::is_matrix_product(op)) return multiplied(op, operands);
  auto made = std::make_shared<Lanes>(count);
  const bool keeps = ir::keeps_lanes(op) && std::all_of(op.operands().begin(), op.operands().end(), [&](const auto* one) {
    const auto lanes = static_cast<std::size_t>(std::max<std::int64_t>(one->type().element_count(), 1));
    return lanes == count || lanes == 1;
  });
  const bool moves = ir::moves_lanes(op), selects = ir::is_selection(op), gathers = ir::is_gather(op) && number == 0;
  const bool folds = ir::folds_lines(op);
  Parts all;
  if (!moves && !selects && !gathers && !folds && !keeps) {
    for (const LanesRef& operand : operands) all = unite(all, unite_all(operand));
    if (!(all == Parts{}) && count > 1) coarse_.insert(&op);
  }
  const std::vector<LanesRef> captured(operands.begin() + static_cast<std::ptrdiff_t>(own), operands.end());
  for (const LanesRef& one : captured) all = unite(all, unite_all(one));
  const std::vector<LanesRef> plain(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(own));
  for (std::size_t i = 0; i < count; ++i) {
    const auto lane = static_cast<std::int64_t>(i);
    Parts& out = (*made)[i];
    if (moves) {
      const ir::LaneSource source = ir::lane_source(op, number, lane);
      out = lane_or_none(operands[source.operand], static_cast<std::size_t>(source.lane));
    } else if (selects) {
      out = selected(run, lane, operands);
    } else if (gathers) {
      out = gathered(run, lane, operands);
    } else if (folds) {
      out = folded(op, lane, plain);
    } else if (keeps) {
      for (const LanesRef& operand : plain) out = unite(out, lane_or_none(operand, i));
    }
    out = unite(out, all);
  }
  return made;
}

void DependenceFlow::compute(Execution& run) {
  const ir::Op& op = run.op();
  std::vector<LanesRef> operands;
  bool has_any = false;
  for (const ir::Value* value : op.operands()) operands.push_back(lanes_of(run, *value));
  for (const ir::Value* value : interpreter::captured_values(op)) operands.push_back(lanes_of(run, *value));
  for (const LanesRef& one : operands) has_any = has_any || one != nullptr;
  for (std::size_t r = 0; r < op.result_count(); ++r)
    set(run, *op.result(r), has_any ? compute_result(run, r, operands) : nullptr);
}

// ---- memory ----

const Parts* DependenceFlow::stored(std::uint64_t address) const {
  const auto found = memory_.find(address);
  return found == memory_.end() ? nullptr : &found->second.first;
}

Parts DependenceFlow::held(std::uint64_t address, int bytes) {
  const auto exact = memory_.find(address);
  if (exact != memory_.end() && exact->second.second == bytes) return exact->second.first;
  constexpr std::uint64_t kWidest = 8;
  Parts all;
  bool has_any = false;
  for (auto at = memory_.lower_bound(address < kWidest ? 0 : address - kWidest);
       at != memory_.end() && at->first < address + static_cast<std::uint64_t>(bytes); ++at) {
    if (at->first + static_cast<std::uint64_t>(at->second.second) <= address) continue;
    all = unite(all, at->second.first);
    has_any = true;
  }
  return has_any ? all : Parts{sets_.of(address, bytes), 0, 0};
}

void DependenceFlow::access(Execution& run) {
  const ir::Op& op = run.op();
  auto& lanes = run.lanes();
  const auto count = static_cast<std::size_t>(lanes.count());
  const auto named = [&](std::string_view name) -> const ir::Value* {
    for (std::size_t i = 0; i < op.def().operands.size(); ++i) {
      if (op.def().operands[i].name == name) return op.operand_or_null(i);
    }
    return nullptr;
  };
  const ir::Value *mask = named("mask"), *other = named("other");
  const bool is_load = lanes.kind() == interpreter::TouchKind::load;
  const LanesRef masks = mask != nullptr ? lanes_of(run, *mask) : nullptr;
  const LanesRef others = other != nullptr ? lanes_of(run, *other) : nullptr;
  std::vector<LanesRef> values, places;  // what is stored, lane by lane; what says where
  for (const ir::Value* value : op.operands()) {
    if (value == mask || value == other) continue;
    const auto extent = static_cast<std::size_t>(std::max<std::int64_t>(value->type().element_count(), 1));
    const bool is_value = !is_load && value != op.operand(0) && !value->type().element().is_pointer() && extent == count;
    (is_value ? values : places).push_back(lanes_of(run, *value));
  }
  const Parts around = is_load ? Parts{} : conditions_around(run);
  const bool replaces = ir::is_tile_store(op) || op.def().access.kind == ir::MemoryAccess::Kind::store;
  auto made = std::make_shared<Lanes>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto lane = static_cast<std::int64_t>(i);
    Parts where = as_condition(lane_or_none(masks, i));
    for (const LanesRef& place : places)
      where = unite(where, as_address(place != nullptr && place->size() != 1 && place->size() != count
                                          ? unite_all(place) : lane_or_none(place, i)));
    if (!lanes.is_on(lane)) {
      (*made)[i] = unite(as_condition(lane_or_none(masks, i)), lane_or_none(others, i));
      continue;
    }
    const std::uint64_t address = lanes.address(lane);
    const Parts old = is_load || !replaces ? held(address, lanes.bytes()) : Parts{};
    (*made)[i] = unite(old, where);
    if (is_load) continue;
    Parts stored = unite(where, around);
    for (const LanesRef& value : values) stored = unite(stored, lane_or_none(value, i));
    if (!replaces) stored = unite(stored, old);
    memory_[address] = {stored, lanes.bytes()};
  }
  for (std::size_t r = 0; r < op.result_count(); ++r) {
    const auto results = static_cast<std::size_t>(std::max<std::int64_t>(op.result(r)->type().element_count(), 1));
    set(run, *op.result(r), results == count ? made : std::make_shared<Lanes>(results, unite_all(made)));
  }
}

// ---- the checker ----

Checker::Requirements DependenceFlow::needs(const LaunchContext&) const {
  Requirements needs;
  needs.steps = true;
  return needs;
}

Checker::Interest DependenceFlow::wish(const ir::Op& op) const {
  const bool matters = ir::is_control_flow(op) || op.result_count() != 0 || interpreter::touches_memory(op);
  return {matters, false};
}

void DependenceFlow::before(Execution& run) {
  const ir::Op& op = run.op();
  if (ir::is_control_flow(op)) return decide(run);
  if (interpreter::touches_memory(op)) return access(run);
  compute(run);
}

}  // namespace lockstep::sanitizer
