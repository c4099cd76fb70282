#include "ir/passes/block_places.h"

#include <algorithm>
#include <set>

#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/walk.h"

namespace lockstep::ir::passes {
namespace {

bool is_place(Type type) { return is_block_pointer(type) || type.is_descriptor(); }

/// By their operands: base, shape and strides make a place; a place and offsets move it.
bool makes_place(const Op& op) {
  return op.operand_count() > 0 && op.operand(0)->type().is_pointer() && !is_place(op.operand(0)->type()) && op.def().operands.size() >= 3;
}
bool moves_place(const Op& op) { return op.operand_count() > 0 && is_block_pointer(op.operand(0)->type()) && op.def().operands.size() == 2; }

/// Everything that has such a type: results, and arguments of blocks inside of the function.
std::vector<const Value*> places_in(const Op& function) {
  std::vector<const Value*> found;
  walk(function, [&](const Op& op) {
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (is_place(op.result(i)->type())) found.push_back(op.result(i));
    }
    for (const auto& region : op.regions()) {
      for (const auto& block : region->blocks()) {
        for (const auto& argument : block->arguments()) {
          if (is_place(argument->type())) found.push_back(argument.get());
        }
      }
    }
  });
  return found;
}

}  // namespace

bool is_block_pointer(Type type) { return type.is_pointer() && type.pointee().is_tensor(); }

Op* BlockPlaces::origin(const Value& place) const { return origins_.at(&place).op; }

// Without one yet: nothing is known of it in this round.
BlockPlaces::Origin BlockPlaces::origin_by(const Value& value) const {
  const auto found = origins_.find(&value);
  return found != origins_.end() ? found->second : Origin{};
}

// True: it says more than before.
bool BlockPlaces::learn(const Value& value) {
  const Origin before = origin_by(value);
  Origin now = before;
  const auto join = [&](const Origin& other) {
    if (other == Origin{} || other == now) return;
    now = now == Origin{} ? other : Origin{nullptr, false, true};
  };
  Op* op = value.defining_op();
  const std::vector<Value*> incoming = incoming_values(value);
  if (op != nullptr && makes_place(*op)) {
    join({op, false, false});
  } else if (op != nullptr && moves_place(*op)) {
    join(origin_by(*op->operand(0)));
  } else if (incoming.empty()) {
    const bool is_argument = op == nullptr && value.owner_block()->parent_op() == &function_;
    join({nullptr, is_argument && value.type().is_descriptor(), !is_argument || !value.type().is_descriptor()});
  } else {
    for (const Value* one : incoming) join(origin_by(*one));
  }
  origins_[&value] = now;
  return now != before;
}

bool BlockPlaces::find_origins() {
  const std::vector<const Value*> places = places_in(function_);
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (const Value* one : places) is_changed = learn(*one) || is_changed;
  }
  return std::none_of(places.begin(), places.end(), [&](const Value* one) {
    const Origin found = origin_by(*one);
    return found.is_unclear || found == Origin{};
  });
}

void BlockPlaces::add_targets(const std::vector<Value*>& targets) {
  for (Value* target : targets) {
    if (!is_block_pointer(target->type()) || offsets_.contains(target)) continue;
    std::vector<Value*>& made = offsets_[target];
    made.push_back(target);  // of finish()
    for (std::size_t d = 1; d < target->type().pointee().shape().size(); ++d) {
      const Type number = builder_.context().integer(64);
      made.push_back(target->defining_op() != nullptr ? target->defining_op()->add_result(number)
                                                      : target->owner_block()->add_argument(number, target->location()));
    }
  }
}

// First all that is carried to, then what is carried: that may be what a loop carries, moved.
bool BlockPlaces::carry() {
  std::vector<std::vector<Value*>> targets;
  bool is_structured = true;
  walk(function_, [&](const Op& op) {
    const std::vector<RegionEdge> edges = successor_edges(op);
    for (const RegionEdge& edge : edges) {
      std::vector<std::size_t> sources;
      std::vector<Value*> into;
      for (std::size_t i = 0; i < edge.count; ++i) {
        if (!is_block_pointer(edge.target(i)->type())) continue;
        sources.push_back(edge.first_source + i);
        into.push_back(edge.target(i));
      }
      if (sources.empty()) continue;
      is_structured = is_structured && op.successors().empty();
      targets.push_back(into);
      // All edges out of an op carry the same.
      if (carried_.empty() || carried_.back().from != edge.from) carried_.push_back({const_cast<Op*>(edge.from), sources});
    }
  });
  const auto is_followed = [](const Use& use) {
    return use.user->def().access.is_access() || moves_place(*use.user) || !successor_edges(*use.user).empty();
  };
  for (const auto& into : targets) {
    for (const Value* target : into) is_structured = is_structured && std::all_of(target->uses().begin(), target->uses().end(), is_followed);
  }
  if (!is_structured) return false;
  for (const auto& into : targets) add_targets(into);
  for (const Carried& one : carried_) {
    std::vector<std::uint32_t> segments = one.from->operand_segments();
    for (const std::size_t source : one.sources) {
      const std::vector<Value*>& all = offsets(one.from->operand(source));
      for (std::size_t d = 1; d < all.size(); ++d) {
        one.from->add_operand(all[d]);
        if (!segments.empty()) ++segments.back();
      }
    }
    one.from->set_operand_segments(std::move(segments));
  }
  return true;
}

void BlockPlaces::finish() {
  for (const Carried& one : carried_) {
    for (const std::size_t source : one.sources) one.from->set_operand(source, offsets(one.from->operand(source)).front());
  }
  for (const auto& [place, all] : offsets_) {
    if (all.front() == place) all.front()->set_type(builder_.context().integer(64));
  }
}

bool BlockPlaces::prepare() { return find_origins() && carry(); }

const std::vector<Value*>& BlockPlaces::offsets(Value* pointer) {
  if (const auto found = offsets_.find(pointer); found != offsets_.end()) return found->second;
  Op* op = pointer->defining_op();  // what is carried has its offsets
  const bool is_made = makes_place(*op);
  const std::vector<Value*> before = is_made ? std::vector<Value*>{} : offsets(op->operand(0));
  builder_.set_insertion_point_before(*op);
  builder_.set_location(op->location());
  std::vector<Value*> made;
  const std::vector<Value*> given = op->operand_group(is_made ? 3 : 1);
  for (std::size_t d = 0; d < given.size(); ++d) {
    const Type number = builder_.context().integer(64);
    Value* offset = builder_.create("arith.extsi", {given[d]}, {number})->result();
    if (!is_made) offset = builder_.create("arith.addi", {before[d], offset}, {number})->result();
    made.push_back(offset);
  }
  return offsets_[pointer] = std::move(made);
}

}  // namespace lockstep::ir::passes
