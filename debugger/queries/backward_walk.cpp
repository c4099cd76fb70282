#include "debugger/queries/backward_walk.h"

#include <algorithm>
#include <cstring>

#include "debugger/queries/value_edges.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

// ---- forward: the events ----

void BackwardWalk::find_turns(Mark end) {
  const auto visit = [&] {
    if (engine_.point() == nullptr || engine_.mark().step != 0 || engine_.mark() >= end) return;
    turns_.push_back({engine_.mark().turn, engine_.program(), {}});
  };
  const auto witness = [&](const Point& point, interpreter::AccessLanes& lanes) {
    if (!point.writes) return;
    lanes.for_each_run([&](std::uint64_t begin, std::int64_t bytes) {
      auto& written = turns_.back().written;
      const std::uint64_t after = begin + static_cast<std::uint64_t>(bytes);
      if (!written.empty() && written.back().end == begin) {
        written.back().end = after;
      } else {
        written.push_back({begin, after});
      }
    });
  };
  engine_.replay({}, end, visit, witness);
}

std::vector<Visit> BackwardWalk::record(const Turn& turn, Mark end) {
  std::vector<Visit> visits;
  const auto visit = [&] {
    if (engine_.point() == nullptr || engine_.mark().turn != turn.number || engine_.mark() >= end) return;
    Visit made{engine_.mark(), engine_.point(), {}, 0, {}};
    for (std::size_t i = 0; i < made.point->op->operand_count(); ++i) {
      if (asks_for_value(*made.point->op, i))
        made.asked.emplace_back(i, read(engine_, kernel_.slot_of(*made.point->op->operand(i), made.point->activation)));
    }
    visits.push_back(std::move(made));
  };
  const auto witness = [&](const Point&, interpreter::AccessLanes& lanes) {
    Visit& made = visits.back();
    made.bytes = lanes.bytes();
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
      made.addresses.push_back(lanes.is_on(lane) ? lanes.address(lane) : 0);
  };
  engine_.replay({turn.number, 0}, std::min(end, Mark{turn.number + 1, 0}), visit, witness);
  return visits;
}

// ---- backward: their sources ----

LaneSet BackwardWalk::take(const ir::Value& value, std::uint32_t activation) {
  const auto found = now_->slots.find(kernel_.slot_of(value, activation));
  if (found == now_->slots.end()) return {};
  LaneSet lanes = std::move(found->second);
  now_->slots.erase(found);
  return lanes;
}

void BackwardWalk::need(const ir::Value& value, std::uint32_t activation, const LaneSet& lanes) {
  if (!lanes.any()) return;
  const ir::Op* made = value.defining_op();
  const bool is_constant = made != nullptr && ir::is_constant(*made);
  const bool is_parameter =
      activation == 0 && made == nullptr && value.owner_block() == &kernel_.function().region().front();
  if (is_constant || is_parameter) {
    end_at(value, lanes);
    return;
  }
  now_->slots[kernel_.slot_of(value, activation)].add(lanes);
}

void BackwardWalk::need_all(const ir::Value& value, std::uint32_t activation) {
  LaneSet all;
  all.add_all(lane_count(value.type()));
  need(value, activation, all);
}

void BackwardWalk::note_way(const ir::Op& op) {
  has_begun_ = true;
  for (const ir::Op* around = op.parent_op(); around != nullptr; around = around->parent_op())
    now_->decided.insert(around);
}

void BackwardWalk::need_operands(const Point& point, const LaneSet& lanes, std::size_t first) {
  for (std::size_t i = first; i < point.op->operand_count(); ++i) {
    const ir::Value& operand = *point.op->operand(i);
    lane_count(operand.type()) == lanes.size() ? need(operand, point.activation, lanes)
                                               : need_all(operand, point.activation);
  }
}

void BackwardWalk::add_needed_lanes(const Visit& visit, LaneSet& lanes) const {
  const auto count = static_cast<std::int64_t>(visit.addresses.size());
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const ByteRange range = visit.range(lane);
    if (range.begin != 0 && needed_.overlaps(range)) lanes.add(lane, count);
  }
}

void BackwardWalk::need_memory(const Visit& visit, const LaneSet& lanes) {
  lanes.for_each([&](std::int64_t lane) {
    if (const ByteRange range = visit.range(lane); range.begin != 0) needed_.add(range);
  });
}

LaneValue BackwardWalk::value_of(const Visit& visit) {
  return [&visit](std::size_t operand, std::int64_t lane) {
    for (const auto& [number, datum] : visit.asked) {
      if (number != operand) continue;
      std::uint64_t bits = 0;
      const auto width = static_cast<std::size_t>(size_bytes(datum.kind));
      std::memcpy(&bits, datum.bytes.data() + static_cast<std::size_t>(lane) * width, width);
      return interpreter::sign_extend(datum.kind, bits);
    }
    return std::int64_t{0};
  };
}

// ---- control flow, backwards ----

/// A need of a value becomes a need of what it came from.
bool BackwardWalk::hand_back(const Point& point, const Point* next) {
  const std::vector<ValueEdge> all = value_edges(kernel_, point, next);
  std::vector<LaneSet> lanes;
  for (const ValueEdge& one : all) lanes.push_back(take(*one.to, one.to_activation));
  bool is_any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    is_any = is_any || lanes[i].any();
    need(*all[i].from, all[i].from_activation, lanes[i]);
  }
  return is_any;
}

void BackwardWalk::pass_condition(const Point& point) {
  if (hand_back(point, nullptr)) note_way(*point.op);
  const bool decides = follows_way_ && now_->decided.contains(point.op->parent_op());
  if (decides) need_all(*point.op->operand(0), point.activation);
}

void BackwardWalk::pass_for(const Point& point) {
  const ir::Op& loop = *point.op;
  if (hand_back(point, nullptr)) note_way(loop);
  const bool has_variable = take(*loop.region().front().argument(0), point.activation).any();
  const bool is_decided = now_->decided.erase(&loop) != 0 && follows_way_;
  if (!has_variable && !is_decided) return;
  for (std::size_t i = 0; i < ir::deciding_operands(loop); ++i) need_all(*loop.operand(i), point.activation);
  note_way(loop);
}

void BackwardWalk::pass_branch(const Visit& visit, const Visit* next) {
  hand_back(*visit.point, next == nullptr ? nullptr : next->point);
  const ir::Op& op = *visit.point->op;
  if (follows_way_ && op.successors().size() > 1 && has_begun_) need_all(*op.operand(0), visit.point->activation);
}

void BackwardWalk::pass(const Visit& visit, const Visit* next) {
  const Point& point = *visit.point;
  switch (point.op->def().control) {
    case ir::Control::condition: return pass_condition(point);
    case ir::Control::counted_loop: return pass_for(point);
    case ir::Control::yield:
    case ir::Control::open_loop:
      if (hand_back(point, nullptr)) note_way(*point.op);
      now_->decided.erase(point.op);
      return;
    case ir::Control::call:
    case ir::Control::function_return: hand_back(point, nullptr); return;
    case ir::Control::jump:
    case ir::Control::conditional_jump: return pass_branch(visit, next);
    case ir::Control::choice:
      if (now_->decided.erase(point.op) != 0 && follows_way_) need_all(*point.op->operand(0), point.activation);
      return;
    default: break;
  }
  const interpreter::LaneLookup* lookup = kernel_.lookup(point);
  if (lookup == nullptr) return pass_results(visit);
  switch (lookup->kind) {
    case interpreter::TouchKind::load: return pass_load(visit);
    case interpreter::TouchKind::store: return pass_store(visit);
    case interpreter::TouchKind::atomic: return pass_atomic(visit);
  }
}

void BackwardWalk::go_back(const Turn& turn, const std::vector<Visit>& visits) {
  program_ = turn.program;
  now_ = &programs_[turn.program];
  for (std::size_t i = visits.size(); i-- > 0;) {
    pass(visits[i], i + 1 < visits.size() ? &visits[i + 1] : nullptr);
    engine_.throw_if_paused();
  }
}

void BackwardWalk::walk(Mark end) {
  find_turns(end);
  for (std::size_t i = turns_.size(); i-- > 0 && has_needs();) {
    const Turn& turn = turns_[i];
    const bool wrote = std::any_of(turn.written.begin(), turn.written.end(),
                                   [&](const ByteRange& range) { return needed_.overlaps(range); });
    const auto known = programs_.find(turn.program);
    if (!wrote && (known == programs_.end() || known->second.slots.empty())) continue;
    go_back(turn, record(turn, end));
  }
}

void BackwardWalk::walk_turn(Mark end, std::uint64_t program) {
  const Turn turn{end.turn, program, {}};
  go_back(turn, record(turn, end));
}

bool BackwardWalk::has_needs() const {
  return !needed_.is_empty() || std::any_of(programs_.begin(), programs_.end(),
                                            [](const auto& program) { return !program.second.slots.empty(); });
}

}  // namespace lockstep::debugger
