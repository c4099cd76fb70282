#include "debugger/questions/slice.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <unordered_map>

#include "debugger/engine/frame.h"
#include "debugger/questions/byte_set.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/float_formats.h"

namespace lockstep::debugger {

using interpreter::Slot;
using ir::Opcode;

namespace {

/// An execution of an op, as it was seen going forward.
struct Visit {
  Moment moment;
  const Point* point = nullptr;
  std::vector<std::uint64_t> addresses;              // of a memory op, by lane; 0: off
  int bytes = 0;                                     // of an element
  std::vector<std::pair<std::size_t, Datum>> asked;  // operands that decide

  /// Bytes of a lane; from 0 on: it is off.
  ByteRange range(std::int64_t lane) const {
    const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
    return {address, address + static_cast<std::uint64_t>(bytes)};
  }
};

/// What a turn wrote, and whose it was.
struct Turn {
  std::uint64_t number = 0, program = 0;
  std::vector<ByteRange> written;
};

/// What a program's values are needed for while time runs backwards.
struct ProgramNeeds {
  std::unordered_map<Slot, LaneSet> slots;
  std::set<const ir::Op*> decided;  // loops and branches in which something took part
};

class Slicer {
 public:
  explicit Slicer(Engine& engine) : engine_(engine), kernel_(engine.kernel()) {}
  Slice run(ByteRange bytes);

 private:
  void find_turns(Moment end);
  std::vector<Visit> record(const Turn& turn, Moment end);
  void go_back(const Turn& turn, const std::vector<Visit>& visits);
  void pass(const Visit& visit, const Visit* next);
  void pass_results(const Visit& visit);
  void add_needed_lanes(const Visit& visit, LaneSet& lanes) const;
  void need_memory(const Visit& visit, const LaneSet& lanes);
  void pass_load(const Visit& visit);
  void pass_store(const Visit& visit);
  void pass_atomic(const Visit& visit);
  void pass_yield(const Point& point);
  void pass_condition(const Point& point);
  void pass_for(const Point& point);
  void pass_while(const Point& point);
  void pass_call(const Point& point);
  void pass_return(const Point& point);
  void pass_branch(const Visit& visit, const Visit* next);
  void need_operands(const Point& point, const LaneSet& lanes, std::size_t first);

  LaneSet take(const ir::Value& value, std::uint32_t activation);
  void need(const ir::Value& value, std::uint32_t activation, const LaneSet& lanes);
  void need_all(const ir::Value& value, std::uint32_t activation);
  void hand(const ir::Value& from, const ir::Value& to, const Point& point);
  void note_step(const Visit& visit, std::size_t result, const LaneSet& lanes);
  void note_way(const ir::Op& op);
  void read_values();
  void read_step(SliceStep& step, bool has_run);

  Engine& engine_;
  const DebugKernel& kernel_;
  std::vector<Turn> turns_;
  ByteSet needed_;
  std::unordered_map<std::uint64_t, ProgramNeeds> programs_;
  ProgramNeeds* now_ = nullptr;
  std::uint64_t program_ = 0;
  std::set<std::uint32_t> scalars_;
  Slice slice_;
};

// ---- forward: what happened ----

void Slicer::find_turns(Moment end) {
  const auto visit = [&] {
    if (engine_.point() == nullptr || engine_.moment().step != 0 || engine_.moment() >= end) return;
    turns_.push_back({engine_.moment().turn, engine_.program(), {}});
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

std::vector<Visit> Slicer::record(const Turn& turn, Moment end) {
  std::vector<Visit> visits;
  const auto visit = [&] {
    if (engine_.point() == nullptr || engine_.moment().turn != turn.number || engine_.moment() >= end) return;
    Visit made{engine_.moment(), engine_.point(), {}, 0, {}};
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
  engine_.replay({turn.number, 0}, std::min(end, Moment{turn.number + 1, 0}), visit, witness);
  return visits;
}

// ---- backward: what it was made from ----

LaneSet Slicer::take(const ir::Value& value, std::uint32_t activation) {
  const auto found = now_->slots.find(kernel_.slot_of(value, activation));
  if (found == now_->slots.end()) return {};
  LaneSet lanes = std::move(found->second);
  now_->slots.erase(found);
  return lanes;
}

void Slicer::need(const ir::Value& value, std::uint32_t activation, const LaneSet& lanes) {
  if (!lanes.any()) return;
  const ir::Op* made = value.defining_op();
  if (made != nullptr && made->def().opcode == Opcode::arith_constant) return;
  if (activation == 0 && made == nullptr && value.owner_block() == &kernel_.function().region().front()) {
    if (!value.type().is_pointer() && !value.type().is_descriptor()) scalars_.insert(value.index());
    return;
  }
  now_->slots[kernel_.slot_of(value, activation)].add(lanes);
}

void Slicer::need_all(const ir::Value& value, std::uint32_t activation) {
  LaneSet all;
  all.add_all(lane_count(value.type()));
  need(value, activation, all);
}

/// What was needed of `to` is needed of `from`.
void Slicer::hand(const ir::Value& from, const ir::Value& to, const Point& point) {
  const LaneSet lanes = take(to, point.activation);
  if (!lanes.any()) return;
  need(from, point.activation, lanes);
  note_way(*point.op);
}

void Slicer::note_way(const ir::Op& op) {
  for (const ir::Op* around = op.parent_op(); around != nullptr; around = around->parent_op())
    now_->decided.insert(around);
}

void Slicer::note_step(const Visit& visit, std::size_t result, const LaneSet& lanes) {
  note_way(*visit.point->op);
  if (slice_.steps.size() >= kMostSteps) {
    slice_.is_truncated = true;
    return;
  }
  SliceStep step;
  step.moment = visit.moment;
  step.point = visit.point;
  step.program = program_;
  step.result = result;
  step.lanes = lanes;
  slice_.steps.push_back(std::move(step));
}

void Slicer::pass_results(const Visit& visit) {
  const Point& point = *visit.point;
  const ir::Op& op = *point.op;
  for (std::size_t r = 0; r < op.result_count(); ++r) {
    const LaneSet lanes = take(*op.result(r), point.activation);
    if (!lanes.any()) continue;
    if (op.def().opcode == Opcode::tt_get_program_id) slice_.uses_program_id = true;
    note_step(visit, r, lanes);
    std::vector<LaneSet> needs(op.operand_count());
    const LaneValue value = [&](std::size_t operand, std::int64_t lane) {
      for (const auto& [number, datum] : visit.asked) {
        if (number != operand) continue;
        std::uint64_t bits = 0;
        const auto width = static_cast<std::size_t>(size_bytes(datum.kind));
        std::memcpy(&bits, datum.bytes.data() + static_cast<std::size_t>(lane) * width, width);
        return interpreter::sign_extend(datum.kind, bits);
      }
      return std::int64_t{0};
    };
    find_needs(op, r, lanes, value, needs);
    for (std::size_t i = 0; i < needs.size(); ++i) need(*op.operand(i), point.activation, needs[i]);
  }
}

/// Operands from `first` on by lane: pointers, masks, indices.
void Slicer::need_operands(const Point& point, const LaneSet& lanes, std::size_t first) {
  for (std::size_t i = first; i < point.op->operand_count(); ++i) {
    const ir::Value& operand = *point.op->operand(i);
    lane_count(operand.type()) == lanes.size() ? need(operand, point.activation, lanes)
                                               : need_all(operand, point.activation);
  }
}

/// Lanes that write bytes which are needed.
void Slicer::add_needed_lanes(const Visit& visit, LaneSet& lanes) const {
  const auto count = static_cast<std::int64_t>(visit.addresses.size());
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const ByteRange range = visit.range(lane);
    if (range.begin != 0 && needed_.overlaps(range)) lanes.add(lane, count);
  }
}

/// What lies in memory at these lanes is needed from now on.
void Slicer::need_memory(const Visit& visit, const LaneSet& lanes) {
  lanes.for_each([&](std::int64_t lane) {
    if (const ByteRange range = visit.range(lane); range.begin != 0) needed_.add(range);
  });
}

void Slicer::pass_load(const Visit& visit) {
  const LaneSet lanes = take(*visit.point->op->result(), visit.point->activation);
  if (!lanes.any()) return;
  note_step(visit, 0, lanes);
  need_memory(visit, lanes);
  need_operands(*visit.point, lanes, 0);
}

void Slicer::pass_store(const Visit& visit) {
  LaneSet lanes;
  add_needed_lanes(visit, lanes);
  if (!lanes.any()) return;
  lanes.for_each([&](std::int64_t lane) { needed_.remove(visit.range(lane)); });
  note_step(visit, 0, lanes);
  need_operands(*visit.point, lanes, 0);
}

/// What was there before goes on mattering, for the new value and for the result.
void Slicer::pass_atomic(const Visit& visit) {
  const ir::Op& op = *visit.point->op;
  LaneSet lanes = op.result_count() == 0 ? LaneSet{} : take(*op.result(), visit.point->activation);
  add_needed_lanes(visit, lanes);
  if (!lanes.any()) return;
  need_memory(visit, lanes);
  note_step(visit, 0, lanes);
  need_operands(*visit.point, lanes, 0);
}

// ---- control flow, backwards ----

void Slicer::pass_yield(const Point& point) {
  const ir::Op& yield = *point.op;
  const ir::Op& around = *yield.parent_op();
  for (std::size_t i = 0; i < yield.operand_count(); ++i) {
    if (around.def().opcode == Opcode::scf_for) {
      const ir::Value& carried = *around.region().front().argument(i + 1);
      hand(carried, *around.result(i), point);  // only right behind the loop
      hand(*yield.operand(i), carried, point);
    } else if (around.def().opcode == Opcode::scf_while) {
      hand(*yield.operand(i), *around.region(0).front().argument(i), point);
    } else if (i < around.result_count()) {
      hand(*yield.operand(i), *around.result(i), point);
    }
  }
}

void Slicer::pass_condition(const Point& point) {
  const ir::Op& loop = *point.op->parent_op();
  for (std::size_t i = 0; i + 1 < point.op->operand_count(); ++i) {
    hand(*point.op->operand(i + 1), *loop.result(i), point);
    hand(*point.op->operand(i + 1), *loop.region(1).front().argument(i), point);
  }
  if (now_->decided.contains(&loop)) need_all(*point.op->operand(0), point.activation);
}

void Slicer::pass_for(const Point& point) {
  const ir::Op& loop = *point.op;
  const ir::Block& body = loop.region().front();
  for (std::size_t i = 0; i < loop.result_count(); ++i) {
    hand(*body.argument(i + 1), *loop.result(i), point);  // no iteration at all
    hand(*loop.operand(3 + i), *body.argument(i + 1), point);
  }
  const bool has_variable = take(*body.argument(0), point.activation).any();
  if (!has_variable && !now_->decided.contains(&loop)) return;
  now_->decided.erase(&loop);
  for (std::size_t i = 0; i < 3; ++i) need_all(*loop.operand(i), point.activation);
  note_way(loop);
}

void Slicer::pass_while(const Point& point) {
  const ir::Op& loop = *point.op;
  for (std::size_t i = 0; i < loop.operand_count(); ++i)
    hand(*loop.operand(i), *loop.region(0).front().argument(i), point);
  now_->decided.erase(&loop);
}

void Slicer::pass_call(const Point& point) {
  const auto& activations = kernel_.activations();
  for (std::uint32_t a = 1; a < activations.size(); ++a) {
    if (activations[a].call_point != point.number ||
        activations[a].caller != static_cast<std::int32_t>(point.activation))
      continue;
    const ir::Block& entry = activations[a].function->region().front();
    for (std::size_t i = 0; i < point.op->operand_count(); ++i)
      need(*point.op->operand(i), point.activation, take(*entry.argument(i), a));
  }
}

void Slicer::pass_return(const Point& point) {
  const Activation& running = kernel_.activations()[point.activation];
  if (running.caller < 0) return;
  const ir::Op& call = *kernel_.points()[running.call_point].op;
  for (std::size_t i = 0; i < point.op->operand_count(); ++i)
    need(*point.op->operand(i), point.activation, take(*call.result(i), static_cast<std::uint32_t>(running.caller)));
}

void Slicer::pass_branch(const Visit& visit, const Visit* next) {
  const ir::Op& op = *visit.point->op;
  const std::uint32_t activation = visit.point->activation;
  for (std::size_t s = 0; s < op.successors().size(); ++s) {
    const ir::Block* block = op.successors()[s].block;
    if (next == nullptr || next->point->op->block() != block) continue;
    const auto arguments = op.successor_arguments(s);
    std::vector<LaneSet> lanes;
    for (std::size_t i = 0; i < arguments.size(); ++i) lanes.push_back(take(*block->argument(i), activation));
    for (std::size_t i = 0; i < arguments.size(); ++i) need(*arguments[i], activation, lanes[i]);
    break;
  }
  if (op.successors().size() > 1 && !slice_.steps.empty()) need_all(*op.operand(0), activation);
}

void Slicer::pass(const Visit& visit, const Visit* next) {
  const Point& point = *visit.point;
  switch (point.op->def().opcode) {
    case Opcode::scf_yield: return pass_yield(point);
    case Opcode::scf_condition: return pass_condition(point);
    case Opcode::scf_for: return pass_for(point);
    case Opcode::scf_while: return pass_while(point);
    case Opcode::tt_call: return pass_call(point);
    case Opcode::tt_return: return pass_return(point);
    case Opcode::cf_br:
    case Opcode::cf_cond_br: return pass_branch(visit, next);
    case Opcode::scf_if:
      if (now_->decided.erase(point.op) != 0) need_all(*point.op->operand(0), point.activation);
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

void Slicer::go_back(const Turn& turn, const std::vector<Visit>& visits) {
  program_ = turn.program;
  now_ = &programs_[turn.program];
  for (std::size_t i = visits.size(); i-- > 0;) pass(visits[i], i + 1 < visits.size() ? &visits[i + 1] : nullptr);
}

// ---- values ----

void Slicer::read_step(SliceStep& step, bool has_run) {
  const ir::Op& op = *step.point->op;
  const bool is_store = op.result_count() == 0;
  if (is_store == has_run) return;
  const ir::Value& value = is_store ? *op.operand(1) : *op.result(step.result);
  const Slot slot = kernel_.slot_of(value, step.point->activation);
  if (slot == interpreter::kNoSlot) return;
  const Datum datum = read(engine_, slot);
  const auto width = static_cast<std::size_t>(size_bytes(datum.kind));
  const auto at = [&](std::int64_t lane) {
    return datum.count() == 1 ? 0 : static_cast<std::size_t>(std::min(lane, datum.count() - 1));
  };
  step.kind = datum.kind;
  step.first_value = datum.bytes.substr(at(step.lanes.first()) * width, width);
  if (!is_float(datum.kind)) return;
  step.lanes.for_each([&](std::int64_t lane) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, datum.bytes.data() + at(lane) * width, width);
    const double number = decode_float(datum.kind, bits);
    step.has_nan = step.has_nan || std::isnan(number);
    step.has_infinity = step.has_infinity || std::isinf(number);
  });
}

/// One more time forward through the turns that took part.
void Slicer::read_values() {
  for (std::size_t first = 0; first < slice_.steps.size();) {
    const std::uint64_t turn = slice_.steps[first].moment.turn;
    std::size_t next = first;
    const auto visit = [&] {
      if (engine_.point() == nullptr || engine_.moment().turn != turn) return;
      const Moment now = engine_.moment();
      for (std::size_t i = next; i < slice_.steps.size() && slice_.steps[i].moment.turn == turn; ++i) {
        const Moment at = slice_.steps[i].moment;
        if (at > now) break;
        if (at == now) read_step(slice_.steps[i], false);
        if (at.step + 1 == now.step) read_step(slice_.steps[i], true);
      }
      while (next < slice_.steps.size() && slice_.steps[next].moment.turn == turn &&
             slice_.steps[next].moment.step < now.step)
        ++next;
    };
    std::size_t last = first;
    while (last < slice_.steps.size() && slice_.steps[last].moment.turn == turn) ++last;
    const Moment end{turn, slice_.steps[last - 1].moment.step + 1};
    engine_.replay({turn, 0}, end, visit, {});
    first = last;
  }
}

Slice Slicer::run(ByteRange bytes) {
  const Engine::Home home = engine_.home();
  const Moment end = home.is_end ? Moment{~std::uint64_t{0}, 0} : home.moment;
  needed_.add(bytes);
  find_turns(end);
  for (std::size_t i = turns_.size(); i-- > 0;) {
    const Turn& turn = turns_[i];
    const bool wrote = std::any_of(turn.written.begin(), turn.written.end(),
                                   [&](const ByteRange& range) { return needed_.overlaps(range); });
    const auto known = programs_.find(turn.program);
    if (!wrote && (known == programs_.end() || known->second.slots.empty())) continue;
    go_back(turn, record(turn, end));
  }
  std::reverse(slice_.steps.begin(), slice_.steps.end());
  slice_.inputs = needed_.ranges();
  slice_.scalars.assign(scalars_.begin(), scalars_.end());
  if (slice_.steps.empty()) slice_.inputs.clear();
  read_values();
  engine_.come_home(home);
  return std::move(slice_);
}

}  // namespace

Slice find_slice(Engine& engine, ByteRange bytes) { return Slicer(engine).run(bytes); }

}  // namespace lockstep::debugger
