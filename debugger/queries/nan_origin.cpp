#include "debugger/queries/nan_origin.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>

#include "debugger/queries/backward_walk.h"
#include "debugger/queries/past.h"
#include "interpreter/access/storage_copy.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/float_formats.h"

namespace lockstep::debugger {

using ir::Opcode;

namespace {

double number_of(const Number& number) { return decode_float(number.kind, number.bits); }

Number lane_of(const Datum& datum, std::int64_t lane) {
  Number number{datum.kind, 0};
  const auto width = static_cast<std::size_t>(size_bytes(datum.kind));
  const auto at = datum.count() == 1 ? 0 : static_cast<std::size_t>(lane);
  std::memcpy(&number.bits, datum.bytes.data() + at * width, width);
  return number;
}

/// How well `candidate` explains `made`; less is better.
int rank_of(const Number& candidate, const Number& made) {
  if (candidate.kind == made.kind && candidate.bits == made.bits) return 0;
  const double from = number_of(candidate), to = number_of(made);
  if (std::isnan(from) == std::isnan(to) && (std::isnan(to) || std::signbit(from) == std::signbit(to))) return 1;
  return std::isnan(from) ? 2 : 3;
}

bool holds_numbers(ir::Type type) { return type.element().scalar_kind().has_value(); }

// ---- earlier values of operands ----

/// The values that an op found when it ran.
struct Found {
  Mark mark;
  std::vector<std::optional<Datum>> operands;  // nullopt: no numbers
  std::vector<std::string> memory;             // of a load or atomic, by lane: what was there; empty: off
  std::vector<std::int64_t> iterations;
  std::size_t bytes() const {
    std::size_t all = memory.size() * sizeof(std::string);
    for (const auto& operand : operands) all += operand ? operand->bytes.size() : 0;
    return all;
  }
};

/// Runs the past again, a stretch at a time, because the questions go backwards.
class OperandReader {
 public:
  explicit OperandReader(Engine& engine) : engine_(engine) {}

  const Found& at(Mark mark) {
    if (const Found* known = find(mark)) return *known;
    kept_.clear();
    kept_bytes_ = 0;
    const Mark first{mark.turn, mark.step > kStretch ? mark.step - kStretch : 0};
    const auto visit = [&] {
      if (engine_.point() != nullptr && engine_.mark().turn == mark.turn && engine_.mark() <= mark) keep();
    };
    engine_.replay(first, {mark.turn, mark.step + 1}, visit, {});
    return *find(mark);
  }

 private:
  static constexpr std::uint64_t kStretch = 128;                    // visits
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // that are kept, but for the last visit

  const Found* find(Mark mark) const {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Found& f) { return f.mark == mark; });
    return found == kept_.end() ? nullptr : &*found;
  }
  void keep();

  Engine& engine_;
  std::deque<Found> kept_;
  std::size_t kept_bytes_ = 0;
};

void OperandReader::keep() {
  const Point& point = *engine_.point();
  Found found{engine_.mark(), {}, {}, {}};
  for (std::size_t i = 0; i < point.op->operand_count(); ++i) {
    const ir::Value& operand = *point.op->operand(i);
    const auto slot = engine_.kernel().slot_of(operand, point.activation);
    const bool is_read = holds_numbers(operand.type()) && slot != interpreter::kNoSlot;
    found.operands.push_back(is_read ? std::optional(read(engine_, slot)) : std::nullopt);
  }
  const interpreter::LaneLookup* lookup = engine_.kernel().lookup(point);
  if (lookup != nullptr && lookup->kind != interpreter::TouchKind::store) {
    interpreter::AccessLanes lanes(engine_.machine(), *lookup);
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
      found.memory.emplace_back();
      if (lanes.is_on(lane))
        found.memory.back().assign(interpreter::bytes_at(lanes.address(lane)), static_cast<std::size_t>(lanes.bytes()));
    }
  }
  for (const LoopPosition& loop : Frame(engine_).loops()) found.iterations.push_back(loop.iteration.value_or(-1));
  std::reverse(found.iterations.begin(), found.iterations.end());
  kept_bytes_ += found.bytes();
  kept_.push_back(std::move(found));
  while (kept_bytes_ > kMostBytes && kept_.size() > 1) {
    kept_bytes_ -= kept_.front().bytes();
    kept_.pop_front();
  }
}

// ---- the walk ----

/// At any time, value_ has the one needed lane or element.
class NanOriginFinder final : public BackwardWalk {
 public:
  NanOriginFinder(Engine& engine, const Number& value) : BackwardWalk(engine, false), reader_(engine), value_(value) {}
  NanOrigin of_memory(ByteRange element);
  NanOrigin of_lane(interpreter::Slot slot, std::int64_t lane);

 private:
  struct Choice {
    std::size_t operand = 0;
    std::int64_t lane = 0;
    Number number;
    int rank = 9;
  };

  void pass_results(const Visit& visit) override;
  void pass_load(const Visit& visit) override;
  void pass_store(const Visit& visit) override;
  void pass_atomic(const Visit& visit) override;
  void end_at(const ir::Value& value, const LaneSet& lanes) override;

  bool was_set(const Visit& visit, std::size_t result) const;
  bool is_there(const Visit& visit, std::int64_t lane);
  bool was_set(ByteRange bytes, Mark from);
  NanOriginStep& note(const Visit& visit, std::int64_t lane);
  Choice choose(NanOriginStep& step, const Found& found, std::size_t operand, const LaneSet& lanes) const;
  void follow(const Visit& visit, const Choice& choice);
  void follow_or_end(const Visit& visit, const Choice& choice, bool was_set = false);
  void update_memory(const Visit& visit, std::int64_t lane);
  void follow_memory(const Visit& visit, const LaneSet& lane);
  NanOrigin finish();

  OperandReader reader_;
  Number value_;
  std::optional<interpreter::Slot> slot_;  // what is needed, where it is no memory, and since when
  Mark since_;
  NanOrigin birth_;
  bool has_ended_ = false;
};

Mark behind(Mark mark) { return {mark.turn, mark.step + 1}; }

/// A person set some lanes of the tile between the op that made the value and its use.
bool NanOriginFinder::was_set(const Visit& visit, std::size_t result) const {
  const interpreter::Slot made = kernel_.slot_of(*visit.point->op->result(result), visit.point->activation);
  const Mark from = behind(visit.mark);
  return engine_.timelines().has_set(made, from, since_) || (slot_ && engine_.timelines().has_set(*slot_, from, since_));
}

/// Memory held the number when the op read it.
bool NanOriginFinder::is_there(const Visit& visit, std::int64_t lane) {
  const std::string& memory = reader_.at(visit.mark).memory[static_cast<std::size_t>(lane)];
  return std::memcmp(memory.data(), &value_.bits, memory.size()) == 0;
}

bool NanOriginFinder::was_set(ByteRange bytes, Mark from) {
  if (!engine_.timelines().has_set(bytes, from, since_)) return false;
  needed_ = ByteSet();
  has_ended_ = true;
  return true;
}

NanOriginStep& NanOriginFinder::note(const Visit& visit, std::int64_t lane) {
  if (birth_.steps.size() >= kMostNanOriginSteps) {
    birth_.is_truncated = true;
    birth_.steps.pop_back();
  }
  NanOriginStep step;
  step.mark = visit.mark;
  step.point = visit.point;
  step.program = program_;
  step.lane = lane;
  step.value = value_;
  step.iterations = reader_.at(visit.mark).iterations;
  if (!visit.addresses.empty()) step.address = visit.addresses[static_cast<std::size_t>(lane)];
  birth_.steps.push_back(std::move(step));
  return birth_.steps.back();
}

/// Looks at the lanes of an operand: puts their values into the step, and returns the one to follow.
NanOriginFinder::Choice NanOriginFinder::choose(NanOriginStep& step, const Found& found, std::size_t operand,
                                        const LaneSet& lanes) const {
  Choice best;
  const auto& datum = found.operands[operand];
  if (!datum || !lanes.any()) return best;
  NanOriginOperand facts{operand, lanes.count(), 0, lane_of(*datum, lanes.first()), 0, 0};
  facts.least = std::numeric_limits<double>::infinity();
  facts.greatest = -facts.least;
  lanes.for_each([&](std::int64_t lane) {
    const Number number = lane_of(*datum, lane);
    if (!is_special(number)) {
      const double value = is_float(number.kind)
                               ? number_of(number)
                               : static_cast<double>(interpreter::sign_extend(number.kind, number.bits));
      facts.least = std::min(facts.least, value);
      facts.greatest = std::max(facts.greatest, value);
      return;
    }
    ++facts.special;
    if (const int rank = rank_of(number, step.value); rank < best.rank) best = {operand, lane, number, rank};
  });
  step.operands.push_back(facts);
  return best;
}

void NanOriginFinder::follow(const Visit& visit, const Choice& choice) {
  value_ = choice.number;
  since_ = visit.mark;
  const ir::Value& operand = *visit.point->op->operand(choice.operand);
  slot_ = kernel_.slot_of(operand, visit.point->activation);
  const std::int64_t count = lane_count(operand.type());
  LaneSet lanes;
  lanes.add(count == 1 ? 0 : choice.lane, count);
  need(operand, visit.point->activation, lanes);
}

void NanOriginFinder::follow_memory(const Visit& visit, const LaneSet& lane) {
  slot_.reset();
  since_ = visit.mark;
  need_memory(visit, lane);
}

/// `was_set`: if the operands are finite, the op did not make it.
void NanOriginFinder::follow_or_end(const Visit& visit, const Choice& choice, bool was_set) {
  if (choice.rank < 9) return follow(visit, choice);
  has_ended_ = true;
  if (was_set) {
    birth_.steps.pop_back();
  } else {
    birth_.origin = NanOrigin::Origin::op;
  }
}

void NanOriginFinder::pass_results(const Visit& visit) {
  const ir::Op& op = *visit.point->op;
  for (std::size_t r = 0; r < op.result_count(); ++r) {
    const LaneSet lanes = take(*op.result(r), visit.point->activation);
    if (!lanes.any()) continue;
    NanOriginStep& step = note(visit, lanes.first());
    step.is_move = ir::moves_lanes(op);
    std::vector<LaneSet> needs(op.operand_count());
    find_needs(op, r, lanes, value_of(visit), needs);
    const Found& found = reader_.at(visit.mark);
    Choice best;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      const Choice choice = choose(step, found, i, needs[i]);
      if (choice.rank < best.rank) best = choice;
    }
    follow_or_end(visit, best, was_set(visit, r));
  }
}

void NanOriginFinder::pass_load(const Visit& visit) {
  const ir::Op& op = *visit.point->op;
  const LaneSet lanes = take(*op.result(), visit.point->activation);
  if (!lanes.any()) return;
  if (was_set(visit, 0) && !is_there(visit, lanes.first())) {
    has_ended_ = true;
    return;
  }
  NanOriginStep& step = note(visit, lanes.first());
  step.is_move = true;
  if (step.address != 0) return follow_memory(visit, lanes);
  constexpr std::size_t kOther = 2;
  const bool is_plain = ir::is_pointer_load(op) && kernel_.lookup(*visit.point)->block == std::nullopt;
  const ir::Value* mask = interpreter::access_mask(op);
  const Found& found = reader_.at(visit.mark);
  bool is_on = is_plain;
  for (std::size_t i = 0; i < op.operand_count() && is_on; ++i) {
    if (op.operand(i) == mask && found.operands[i]) is_on = (lane_of(*found.operands[i], step.lane).bits & 1) != 0;
  }
  if (is_plain && !is_on && op.operand_or_null(kOther) != nullptr) {
    for (std::size_t i = 0; i < op.operand_count(); ++i) {
      if (op.operand(i) == op.operand_or_null(kOther)) return follow(visit, {i, step.lane, value_, 0});
    }
  }
  birth_.origin = is_plain ? NanOrigin::Origin::undefined : NanOrigin::Origin::padding;
  has_ended_ = true;
}

void NanOriginFinder::pass_store(const Visit& visit) {
  LaneSet lanes;
  add_needed_lanes(visit, lanes);
  if (!lanes.any()) return;
  std::int64_t lane = 0;  // the last one
  lanes.for_each([&](std::int64_t one) { lane = one; });
  if (was_set(visit.range(lane), behind(visit.mark))) return;
  needed_ = ByteSet();
  NanOriginStep& step = note(visit, lane);
  step.is_move = true;
  const ir::Op& op = *visit.point->op;
  const ir::Value& moved = interpreter::moved_value(op);
  LaneSet one;
  one.add(lane, lanes.size());
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    if (op.operand(i) == &moved) return follow_or_end(visit, choose(step, reader_.at(visit.mark), i, one));
  }
}

void NanOriginFinder::pass_atomic(const Visit& visit) {
  const ir::Op& op = *visit.point->op;
  const LaneSet result = op.result_count() == 0 ? LaneSet{} : take(*op.result(), visit.point->activation);
  if (result.any()) {  // what was there before
    if (was_set(visit, 0) && !is_there(visit, result.first())) {
      has_ended_ = true;
      return;
    }
    NanOriginStep& step = note(visit, result.first());
    step.is_move = true;
    if (step.address != 0) return follow_memory(visit, result);
    birth_.origin = NanOrigin::Origin::undefined;
    has_ended_ = true;
    return;
  }
  LaneSet lanes;
  add_needed_lanes(visit, lanes);
  std::vector<std::int64_t> order;
  lanes.for_each([&](std::int64_t lane) { order.push_back(lane); });
  if (!order.empty() && !was_set(visit.range(order.back()), behind(visit.mark))) update_memory(visit, order.back());
}

/// Whether the number came with the operand, was in memory before, or came from the update.
void NanOriginFinder::update_memory(const Visit& visit, std::int64_t lane) {
  const ir::Op& op = *visit.point->op;
  const Found& found = reader_.at(visit.mark);
  const bool compares = ir::does_atomic(op, ir::MemoryAccess::Atomic::exchange_if_equal);
  const std::string& memory = found.memory[static_cast<std::size_t>(lane)];
  Number before{value_.kind, 0};
  std::memcpy(&before.bits, memory.data(), std::min(memory.size(), sizeof before.bits));
  if (ir::does_atomic(op, ir::MemoryAccess::Atomic::load) ||
      ir::does_atomic(op, ir::MemoryAccess::Atomic::poll)) return;
  if (compares && before.bits != lane_of(*found.operands[1], lane).bits) return;  // it failed
  NanOriginStep& step = note(visit, lane);
  LaneSet one;
  one.add(lane, static_cast<std::int64_t>(visit.addresses.size()));
  const Choice choice = choose(step, found, compares ? 2 : 1, one);
  const bool was_there = is_special(before);
  if (was_there && rank_of(before, value_) < choice.rank) {
    value_ = before;  // needed_ still has it
    since_ = visit.mark;
    return;
  }
  needed_ = ByteSet();
  step.is_move = choice.rank == 0;
  follow_or_end(visit, choice);
}

void NanOriginFinder::end_at(const ir::Value& value, const LaneSet&) {
  has_ended_ = true;
  if (slot_ && engine_.timelines().has_set(*slot_, {}, since_)) return;
  birth_.origin = value.defining_op() != nullptr ? NanOrigin::Origin::constant : NanOrigin::Origin::scalar;
  birth_.scalar = value.defining_op() != nullptr ? 0 : value.index();
}

NanOrigin NanOriginFinder::finish() {
  if (!has_ended_ && !needed_.is_empty()) {
    birth_.input = needed_.ranges().front();
    if (!was_set(birth_.input, {})) birth_.origin = NanOrigin::Origin::memory;
  }
  std::reverse(birth_.steps.begin(), birth_.steps.end());
  return std::move(birth_);
}

NanOrigin NanOriginFinder::of_memory(ByteRange element) {
  const Engine::ReturnMark home = engine_.home();
  needed_.add(element);
  since_ = home.is_end ? Mark{~std::uint64_t{0}, 0} : home.mark;
  walk(home.is_end ? Mark{~std::uint64_t{0}, 0} : home.mark);
  return finish();
}

NanOrigin NanOriginFinder::of_lane(interpreter::Slot slot, std::int64_t lane) {
  const Engine::ReturnMark home = engine_.home();
  program_ = engine_.program();
  slot_ = slot;
  since_ = home.mark;
  LaneSet& lanes = programs_[program_].slots[slot];
  lanes.add(lane, read(engine_, slot).count());
  walk_turn(home.mark, program_);
  if (has_needs()) walk({home.mark.turn, 0});
  return finish();
}

}  // namespace

bool is_special(const Number& number) { return is_float(number.kind) && !std::isfinite(number_of(number)); }

Expected<NanOrigin, Problem> find_nan_origin(Engine& engine, ByteRange element, const Number& value) {
  return ask_the_past(engine, [&](Engine::ScopedReplay&) { return NanOriginFinder(engine, value).of_memory(element); });
}

Expected<NanOrigin, Problem> find_nan_origin(Engine& engine, interpreter::Slot slot, std::int64_t lane, const Number& value) {
  return ask_the_past(engine, [&](Engine::ScopedReplay&) { return NanOriginFinder(engine, value).of_lane(slot, lane); });
}

}  // namespace lockstep::debugger
