#include "debugger/queries/padding.h"

#include <algorithm>
#include <cstring>

#include "debugger/queries/lane_needs.h"
#include "debugger/queries/op_picture.h"
#include "debugger/queries/past.h"
#include "debugger/queries/value_edges.h"
#include "interpreter/access/access_lanes.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

using interpreter::Slot;
using ir::Definedness;

namespace {

constexpr std::uint64_t kMostPaddingSteps = 200'000;  // of a program that is gone over again
constexpr std::size_t kMostSources = 250;

/// Lanes that are used together: padding wins, then data from memory.
std::uint8_t beside(std::uint8_t a, std::uint8_t b) {
  if (LaneOrigins::is_padding(a)) return a;
  return LaneOrigins::is_padding(b) ? b : std::max(a, b);
}

/// Lanes that are added: data from memory wins.
std::uint8_t among(std::uint8_t a, std::uint8_t b) {
  if (a == LaneOrigins::kLoaded || b == LaneOrigins::kLoaded) return LaneOrigins::kLoaded;
  return a == LaneOrigins::kNeither ? b : a;
}

std::int64_t integer_at(const Datum& datum, std::int64_t lane) {
  const auto width = static_cast<std::size_t>(size_bytes(datum.kind));
  const std::size_t at = datum.count() == 1 ? 0 : static_cast<std::size_t>(lane) * width;
  std::uint64_t bits = 0;
  if (at + width <= datum.bytes.size()) std::memcpy(&bits, datum.bytes.data() + at, width);
  return interpreter::sign_extend(datum.kind, bits);
}

bool is_lane_by_lane(const ir::Op& op, std::size_t result) {
  const std::int64_t count = lane_count(op.result(result)->type());
  return count == 1 || std::all_of(op.operands().begin(), op.operands().end(), [count](const ir::Value* value) {
           return !value->type().is_tensor() || lane_count(value->type()) == count;
         });
}

}  // namespace

LaneOrigins::LaneOrigins(std::vector<std::uint8_t> lanes) : all_(lanes.empty() ? kNeither : lanes.front()) {
  if (std::any_of(lanes.begin(), lanes.end(), [this](std::uint8_t one) { return one != all_; }))
    lanes_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(lanes));
}

std::int64_t PaddingCounts::padding() const {
  std::int64_t all = 0;
  for (const Share& share : shares) all += share.lanes;
  return all;
}

// ---- during the run ----

void PaddingFlow::leave() {
  if (pending_) finish(*pending_, nullptr);
  pending_.reset();
}

void PaddingFlow::visit() {
  const Point* here = engine_->point();
  if (pending_) finish(*pending_, here);
  pending_.reset();
  pending_ = Pending{here, {}, {}};
  if (!asks_for_values(*here)) return;
  const ir::Op& op = *here->op;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    if (asks_for_value(op, i))
      pending_->condition = read(*engine_, engine_->kernel().slot_of(*op.operand(i), here->activation));
  }
}

/// A selection's condition decides only between operands of different origins.
bool PaddingFlow::asks_for_values(const Point& point) const {
  if (point.op->def().defined_if != Definedness::by_selected_operand) return false;
  for (std::size_t i = 0; i < point.op->operand_count(); ++i) {
    const LaneOrigins origins = operand(point, i);
    if (!origins.is_uniform() || origins.at(0) != LaneOrigins::kNeither) return true;
  }
  return false;
}

void PaddingFlow::access(interpreter::AccessLanes& lanes) {
  if (!pending_ || pending_->point->op->result_count() == 0) return;
  const Point& point = *pending_->point;
  const ir::Value* mask = interpreter::access_mask(*point.op);
  const bool is_block = engine_->kernel().lookup(point)->block.has_value();
  pending_->off.assign(static_cast<std::size_t>(lanes.count()), 0);
  if (mask == nullptr && !is_block) return;  // lanes that are not admitted are faults, no padding
  Datum bits;
  if (mask != nullptr) bits = read(*engine_, engine_->kernel().slot_of(*mask, point.activation));
  for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
    const bool is_off = mask != nullptr ? (integer_at(bits, lane) & 1) == 0 : !lanes.is_on(lane);
    pending_->off[static_cast<std::size_t>(lane)] = is_off ? 1 : 0;
  }
}

LaneOrigins PaddingFlow::of(Slot slot) const {
  const auto found = origins_.find(slot);
  return found == origins_.end() ? LaneOrigins() : found->second;
}

LaneOrigins PaddingFlow::of(const ir::Value& value, std::uint32_t activation) const {
  return of(engine_->kernel().slot_of(value, activation));
}

LaneOrigins PaddingFlow::operand(const Point& point, std::size_t number) const {
  return of(*point.op->operand(number), point.activation);
}

void PaddingFlow::add(PaddingCounts& counts, std::uint8_t origin) const {
  ++counts.lanes;
  if (origin == LaneOrigins::kLoaded) ++counts.loaded;
  if (!LaneOrigins::is_padding(origin)) return;
  const PaddingSource& from = source(origin);
  const auto known = std::find_if(counts.shares.begin(), counts.shares.end(), [&](const PaddingCounts::Share& share) {
    return share.source.load == from.load && share.source.value.bytes == from.value.bytes;
  });
  if (known != counts.shares.end()) {
    ++known->lanes;
  } else {
    counts.shares.push_back({from, 1});
  }
}

/// The op has run: its results exist.
void PaddingFlow::finish(const Pending& done, const Point* next) {
  const Point& point = *done.point;
  const ir::Op& op = *point.op;
  if (ir::is_control_flow(op)) return hand_on(point, next);
  if (!done.off.empty()) return pass_load(done);
  for (std::size_t r = 0; r < op.result_count(); ++r) {
    const Slot slot = engine_->kernel().slot_of(*op.result(r), point.activation);
    if (slot == interpreter::kNoSlot) continue;
    LaneOrigins origins = made(done, r);
    if (origins.is_uniform() && origins.at(0) == LaneOrigins::kNeither) {
      origins_.erase(slot);
    } else {
      origins_.insert_or_assign(slot, std::move(origins));
    }
  }
}

void PaddingFlow::hand_on(const Point& point, const Point* next) {
  const auto all = value_edges(engine_->kernel(), point, next);
  std::vector<LaneOrigins> origins;
  for (const ValueEdge& one : all) origins.push_back(of(*one.from, one.from_activation));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Slot slot = engine_->kernel().slot_of(*all[i].to, all[i].to_activation);
    if (slot != interpreter::kNoSlot) origins_.insert_or_assign(slot, origins[i]);
  }
}

/// A lane that is on has its element's origin, unless padding led there.
void PaddingFlow::pass_load(const Pending& done) {
  const Point& point = *done.point;
  const Slot slot = engine_->kernel().slot_of(*point.op->result(), point.activation);
  if (slot == interpreter::kNoSlot) return;
  const LaneOrigins pointers = point.op->operand_count() == 0 ? LaneOrigins() : operand(point, 0);
  const std::uint8_t off = source_of(done);
  Lanes lanes;
  for (std::size_t lane = 0; lane < done.off.size(); ++lane) {
    const std::uint8_t led = pointers.at(pointers.is_uniform() ? 0 : static_cast<std::int64_t>(lane));
    lanes.push_back(done.off[lane] != 0 ? off : beside(led, LaneOrigins::kLoaded));
  }
  origins_.insert_or_assign(slot, LaneOrigins(std::move(lanes)));
}

/// The number of the value that fills the lanes that are off.
std::uint8_t PaddingFlow::source_of(const Pending& done) {
  using Kind = PaddingSource::Kind;
  const auto first = std::find(done.off.begin(), done.off.end(), std::uint8_t{1});
  if (first == done.off.end()) return LaneOrigins::kLoaded;  // none is
  const Point& point = *done.point;
  PaddingSource source;
  source.load = &point;
  const bool is_block = engine_->kernel().lookup(point)->block.has_value();
  const bool has_other = interpreter::touch_kind(*point.op) == interpreter::TouchKind::load &&
                         interpreter::access_mask(*point.op) != nullptr && point.op->operand_count() > 2;
  source.kind = is_block ? Kind::block : has_other ? Kind::other : Kind::nothing;
  if (has_other) {
    const Datum tile = read(*engine_, engine_->kernel().slot_of(*point.op->result(), point.activation));
    const auto width = static_cast<std::size_t>(size_bytes(tile.kind));
    const auto lane = static_cast<std::size_t>(first - done.off.begin());
    source.value = {tile.kind, {}, tile.bytes.substr(tile.count() == 1 ? 0 : lane * width, width), tile.provenance};
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].load == source.load && sources_[i].value.bytes == source.value.bytes)
      return static_cast<std::uint8_t>(LaneOrigins::kFirstSource + i);
  }
  if (sources_.size() == kMostSources) return LaneOrigins::kFirstSource;
  sources_.push_back(std::move(source));
  return static_cast<std::uint8_t>(LaneOrigins::kFirstSource + sources_.size() - 1);
}

// ---- one op ----

/// By the row's rule for which elements make which.
LaneOrigins PaddingFlow::made(const Pending& done, std::size_t result) const {
  const Point& point = *done.point;
  const ir::Op& op = *point.op;
  if (ir::moves_lanes(op)) return moved(point, result);
  switch (op.def().defined_if) {
    case Definedness::never:
    case Definedness::control: return LaneOrigins();
    case Definedness::by_selected_operand: return asks_for_value(op, 0) ? selected(done) : gathered(done);
    case Definedness::across_axis: return folded(point);
    case Definedness::row_by_column: return multiplied(point);
    case Definedness::elementwise:
      return is_lane_by_lane(op, result) ? lane_by_lane(point) : together(point);
    case Definedness::everything: return together(point);
  }
  return LaneOrigins();
}

LaneOrigins PaddingFlow::moved(const Point& point, std::size_t result) const {
  const ir::Op& op = *point.op;
  bool is_one = true;
  const LaneOrigins first = operand(point, 0);
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const LaneOrigins origins = operand(point, i);
    is_one = is_one && origins.is_uniform() && origins.at(0) == first.at(0);
  }
  if (is_one) return first;
  std::vector<LaneOrigins> operands;
  for (std::size_t i = 0; i < op.operand_count(); ++i) operands.push_back(operand(point, i));
  Lanes lanes;
  const std::int64_t count = lane_count(op.result(result)->type());
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const ir::LaneSource from = ir::lane_source(op, result, lane);
    lanes.push_back(operands[from.operand].at(from.lane));
  }
  return LaneOrigins(std::move(lanes));
}

/// Scalars among tiles count for every lane.
LaneOrigins PaddingFlow::lane_by_lane(const Point& point) const {
  const ir::Op& op = *point.op;
  const std::int64_t count = lane_count(op.result()->type());
  std::uint8_t all = LaneOrigins::kNeither;
  std::vector<LaneOrigins> tiles;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    LaneOrigins origins = operand(point, i);
    origins.is_uniform() ? all = beside(all, origins.at(0)), void() : tiles.push_back(std::move(origins));
  }
  if (tiles.empty() || LaneOrigins::is_padding(all)) return LaneOrigins(all);
  Lanes lanes(static_cast<std::size_t>(count), all);
  for (const LaneOrigins& tile : tiles) {
    for (std::int64_t lane = 0; lane < count; ++lane) {
      std::uint8_t& origin = lanes[static_cast<std::size_t>(lane)];
      origin = beside(origin, tile.at(lane));
    }
  }
  return LaneOrigins(std::move(lanes));
}

LaneOrigins PaddingFlow::selected(const Pending& done) const {
  if (!done.condition) return LaneOrigins();
  const Point& point = *done.point;
  const LaneOrigins condition = operand(point, 0), chosen[2] = {operand(point, 2), operand(point, 1)};
  Lanes lanes;
  const std::int64_t count = lane_count(point.op->result()->type());
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const std::uint8_t side = chosen[integer_at(*done.condition, lane) & 1].at(lane);
    const std::uint8_t decided = condition.at(condition.is_uniform() ? 0 : lane);
    lanes.push_back(LaneOrigins::is_padding(decided) ? beside(side, decided) : side);
  }
  return LaneOrigins(std::move(lanes));
}

LaneOrigins PaddingFlow::gathered(const Pending& done) const {
  if (!done.condition) return LaneOrigins();
  const Point& point = *done.point;
  const ir::Op& op = *point.op;
  const LaneOrigins from = operand(point, 0), index = operand(point, 1);
  const auto value = [&](std::size_t, std::int64_t lane) { return integer_at(*done.condition, lane); };
  Lanes lanes;
  const std::int64_t count = lane_count(op.result()->type());
  for (std::int64_t lane = 0; lane < count; ++lane) {
    LaneSet one;
    one.add(lane, count);
    std::vector<LaneSet> needs(op.operand_count());
    find_needs(op, 0, one, value, needs);
    lanes.push_back(beside(from.at(needs[0].first()), index.at(lane)));
  }
  return LaneOrigins(std::move(lanes));
}

/// A reduction has the origin of its line; a scan keeps its lanes.
LaneOrigins PaddingFlow::folded(const Point& point) const {
  const ir::Op& op = *point.op;
  const std::int64_t from = lane_count(op.operand(0)->type()), count = lane_count(op.result()->type());
  if (from == count) return lane_by_lane(point);
  const PicturedOp picture{PictureKind::reduction, {&point}};
  Lanes lanes(static_cast<std::size_t>(count), LaneOrigins::kNeither);
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const LaneOrigins origins = operand(point, i);
    for (std::int64_t lane = 0; lane < count; ++lane) {
      std::uint8_t& origin = lanes[static_cast<std::size_t>(lane)];
      if (origins.is_uniform()) {
        origin = among(origin, origins.at(0));
        continue;
      }
      const Line line = line_of(picture, lane);
      for (std::int64_t k = 0; k < line.extent; ++k) origin = among(origin, origins.at(line.start + k * line.stride));
    }
  }
  return LaneOrigins(std::move(lanes));
}

/// A product is padding where one of its sides is; the added element counts as one more.
LaneOrigins PaddingFlow::multiplied(const Point& point) const {
  const ir::Op& op = *point.op;
  const LaneOrigins left = operand(point, 0), right = operand(point, 1), start = operand(point, 2);
  if (left.is_uniform() && right.is_uniform()) {
    const std::uint8_t product = beside(left.at(0), right.at(0));
    if (start.is_uniform()) return LaneOrigins(among(product, start.at(0)));
  }
  const PicturedOp picture{PictureKind::product, {&point}};
  const std::int64_t count = lane_count(op.result()->type()), right_count = lane_count(op.operand(1)->type());
  Lanes lanes;
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const ProductLines lines = product_lines(picture, lane);
    std::uint8_t origin = start.at(start.is_uniform() ? 0 : lane);
    for (std::int64_t k = 0; k < lines.extent && origin != LaneOrigins::kLoaded; ++k) {
      const std::int64_t at = lines.right.start + std::min(k, lines.right.extent - 1) * lines.right.stride;
      origin = among(origin, beside(left.at(lines.left.start + k), right.at(std::min(at, right_count - 1))));
    }
    lanes.push_back(origin);
  }
  return LaneOrigins(std::move(lanes));
}

/// Everything depends on everything, for lack of a rule.
LaneOrigins PaddingFlow::together(const Point& point) const {
  std::uint8_t all = LaneOrigins::kNeither;
  for (std::size_t i = 0; i < point.op->operand_count(); ++i) {
    const LaneOrigins origins = operand(point, i);
    const std::int64_t count = origins.is_uniform() ? 1 : lane_count(point.op->operand(i)->type());
    for (std::int64_t lane = 0; lane < count; ++lane) all = among(all, origins.at(lane));
  }
  return LaneOrigins(all);
}

// ---- the past again ----

Padding::Padding(Engine& engine) : engine_(engine) {
  for (const Point& point : engine.kernel().points()) {
    const interpreter::LaneLookup* lookup = engine.kernel().lookup(point);
    if (lookup == nullptr || point.op->result_count() == 0) continue;
    has_masks_ = has_masks_ || lookup->block || interpreter::access_mask(*point.op) != nullptr;
  }
}

void Padding::go_on(PaddingFlow& flow, Mark from, Mark to) {
  const std::uint64_t program = engine_.program();
  const auto visit = [&] {
    if (engine_.point() == nullptr || engine_.program() != program) return flow.leave();
    flow.visit();
  };
  const auto witness = [&](const Point&, interpreter::AccessLanes& lanes) {
    if (engine_.program() == program) flow.access(lanes);
  };
  flow.pause();
  engine_.replay(from, to, visit, witness);
}

Expected<const PaddingFlow*, Problem> Padding::now(std::uint64_t ahead) {
  if (!has_masks_ || engine_.point() == nullptr) return nullptr;
  const Mark here = engine_.mark();
  const std::uint64_t program = engine_.program();
  const bool is_one_turn = engine_.programs().current().steps == here.step;
  const bool goes_on = known_ && known_->timeline == engine_.timelines().current() && known_->program == program &&
                       known_->at.turn == here.turn && known_->at <= here;
  const Mark from = goes_on ? known_->at : Mark{is_one_turn ? here.turn : 0, 0};
  const std::uint64_t steps = from.turn == here.turn ? here.step - from.step : here.turn;
  if (steps > kMostPaddingSteps)
    return Unexpected{Problem{"Lockstep cannot tell which lanes are padding: the program is too long to repeat", ""}};
  if (!goes_on) known_ = Known{engine_.timelines().current(), program, from, PaddingFlow(engine_)};
  const Mark to{here.turn, here.step + ahead};
  if (goes_on && known_->at == here && ahead == 0) return &known_->flow;
  const auto asked = ask_the_past(engine_, [&](Engine::ScopedReplay&) {
    if (known_->at != here) go_on(known_->flow, known_->at, here);
    known_->at = here;
    if (ahead == 0) return true;
    ahead_ = known_;
    go_on(ahead_->flow, here, to);
    return true;
  });
  if (asked) return ahead == 0 ? &known_->flow : &ahead_->flow;
  known_.reset();
  return Unexpected{asked.error()};
}

}  // namespace lockstep::debugger
